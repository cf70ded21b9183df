#include "core/packing/packing_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {
namespace {

/// Bounds are rounded up less this, which covers the error of floating-point sums.
constexpr double kWholeMargin = 1e-6;
double whole(double bound) { return std::ceil(bound - kWholeMargin); }
/// The program's demand is raised so that its basis is never degenerate: its optimum may exceed the true one by this per row.
constexpr double kExcessPerRow = 1e-7;
/// A content has to be worth more than a node by this to become a column.
constexpr double kGain = 1e-7;
/// Numbers this close to a whole one are whole.
constexpr double kNearlyInteger = 1e-5;

/// Quick packings at the beginning, and of the rest after each step of a dive.
constexpr std::uint32_t kQuickPackings = 12;
constexpr std::uint32_t kCompletions = 20;
/// Pivots between two looks at the clock; rows that a pivot takes per unit of work; steps of searches per unit of work.
constexpr std::uint64_t kSomePivots = 64;
constexpr std::uint64_t kRowsPerUnit = 12;
constexpr std::uint64_t kDiveStepsPerUnit = 16;
/// Sweeps after a step of a dive.
constexpr std::uint32_t kDiveSweeps = 4;
/// Steps of the first search for the most valuable content of all; each further one at the same duals takes eight times as
/// many.
constexpr std::uint64_t kExactPricingSteps = 20'000;
/// Columns that cost more than this beyond their worth are dropped where there are many, and for a dive.
constexpr double kCostly = .15;
constexpr double kCostlyForDive = .3;
/// Work on the linear program before the first dive. It doubles from dive to dive. Work after which a search ends.
constexpr std::uint64_t kFirstRootWork = 200'000;
constexpr std::uint64_t kMostPackingWork = 30'000'000;
/// Choices of a dive that are taken back, at most, and that are tried at one point.
constexpr std::uint32_t kRetreats = 12;
constexpr std::uint32_t kTries = 2;
/// Columns from these values on are fixed, by turns; and a number that none reaches.
constexpr double kHigh = .8;
constexpr double kLower = .65;
constexpr double kOnlyLargest = 2;
/// The largest random amount by which values of columns are raised where a dive has to choose another way.
constexpr double kBlur = .2;

std::vector<double> demand_of(const PackingProblem& problem) { return {problem.count.begin(), problem.count.end()}; }

double value_of(const std::vector<double>& duals, const std::vector<std::uint32_t>& wanted) {
  double sum = 0;
  for (std::size_t i = 0; i < duals.size(); ++i) sum += duals[i] * wanted[i];
  return sum;
}

std::vector<double> duals_of(const CoverProgram& program) {
  std::vector<double> duals = program.duals();
  for (double& dual : duals) dual = std::max(0.0, dual);
  return duals;
}

std::vector<std::uint32_t> most_alone(const PackingProblem& problem) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < problem.items(); ++i) {
    std::uint32_t most = std::min(problem.at_most[i], problem.count[i]);
    for (std::uint32_t h = 0; h < problem.resources; ++h) {
      const std::int32_t demand = problem.demand_of(i)[h];
      if (demand > 0) most = std::min(most, static_cast<std::uint32_t>(problem.capacity[h] / demand));
    }
    result.push_back(most);
  }
  return result;
}

}  // namespace

/// Searches for columns of different items: steps of the first one, steps of the others, and how many.
struct PackingSearch::Sweep {
  std::uint64_t first;
  std::uint64_t further;
  std::uint32_t most;
};
constexpr PackingSearch::Sweep PackingSearch::kRootSweep{2000, 300, 40};
constexpr PackingSearch::Sweep PackingSearch::kDiveSweep{4000, 4000, 12};

/// What is left, and its linear program, after some contents were fixed.
struct PackingSearch::Dive {
  CoverProgram program;
  std::vector<std::uint32_t> wanted;
  Packing packing;
  double least;         // columns from this value on are fixed
  std::uint32_t tries;  // ways to go on that were tried
};

PackingSearch::PackingSearch(const PackingProblem& problem, double known, std::uint64_t seed, WorkClock& clock)
    : problem_(problem),
      clock_(clock),
      random_(seed),
      pricing_(problem, clock),
      greedy_(problem),
      program_(demand_of(problem), most_alone(problem)),
      bound_(known),
      exact_steps_(kExactPricingSteps) {}

bool PackingSearch::is_optimal() const { return !best_.empty() && static_cast<double>(best_.size()) <= whole(bound_); }
bool PackingSearch::done() const { return is_optimal() || clock_.stop() != Stop::kNo; }

void PackingSearch::add_column(CoverProgram& program, const Content& content) {
  std::vector<CoverProgram::Amount> amounts;
  for (const PackedItem& packed : content) amounts.push_back({packed.item, static_cast<std::int32_t>(packed.replicas)});
  program.add(amounts);
}

void PackingSearch::offer(const Packing& packing) {
  for (const Content& content : packing) add_column(program_, content);
  if (best_.empty() || packing.size() < best_.size()) best_ = packing;
}

void PackingSearch::begin() {
  for (std::uint32_t k = 0; k < kQuickPackings && !done(); ++k) {
    const std::uint32_t round = k / 2;
    const double blur = std::min(1.0, .25 * round);
    offer(k % 2 == 0 ? greedy_.first_fit(problem_.count, blur, random_) : greedy_.by_node(problem_.count, blur, random_));
    clock_.step(greedy_.take_work() / kDiveStepsPerUnit);
  }
}

void PackingSearch::run() {
  const std::uint64_t start = clock_.work();
  begin();
  for (std::uint64_t work = kFirstRootWork; !done() && clock_.work() - start < kMostPackingWork; work *= 2) {
    solve_root(work);
    if (!done()) dive();
  }
}

bool PackingSearch::optimize(CoverProgram& program) {
  while (true) {
    const std::uint64_t pivots = program.solve(kSomePivots);
    if (clock_.step(1 + pivots * (1 + program.rows() / kRowsPerUnit))) return true;
    if (pivots < kSomePivots) return false;
  }
}

bool PackingSearch::add_columns(CoverProgram& program, const Sweep& sweep) {
  std::uint32_t found = 0;
  for (; found < sweep.most && !done(); ++found) {
    const ContentPricing::Found result = pricing_.search(1 + kGain, found == 0 ? sweep.first : sweep.further);
    if (result.contents.empty()) break;
    for (const Content& content : result.contents) add_column(program, content);
    pricing_.leave_out(result.contents.back());
  }
  return found > 0;
}

void PackingSearch::solve_root(std::uint64_t work) {
  const std::uint64_t end = clock_.work() + std::min(work, WorkClock::kEndless - clock_.work());
  while (!solved_ && !done() && clock_.work() < end) {
    if (optimize(program_)) return;
    const double optimum = program_.objective() - kExcessPerRow * static_cast<double>(program_.rows());
    const double rounded = std::ceil(optimum - 10 * kWholeMargin);
    solved_ = whole(bound_) >= rounded;
    if (solved_) return;
    const std::vector<double> duals = duals_of(program_);
    pricing_.set(duals, problem_.count);
    if (add_columns(program_, kRootSweep)) {
      if (program_.columns() > 12 * program_.rows() + 2000) program_.drop_above(kCostly);
      continue;
    }
    if (done()) return;
    prove(duals, rounded);
  }
}

// Where no content is worth more than the floor, the bound rounds up to the program's optimum.
void PackingSearch::prove(const std::vector<double>& duals, double rounded) {
  const double value = value_of(duals, problem_.count);
  const double floor = std::max(1 + 1e-9, value / (rounded - 1 + 2 * kWholeMargin));
  pricing_.set(duals, problem_.count);
  const ContentPricing::Found found = pricing_.search(floor, exact_steps_);
  bound_ = std::max(bound_, value / std::max(1.0, found.bound));
  for (const Content& content : found.contents) add_column(program_, content);
  if (!found.contents.empty()) return;
  if (found.bound <= floor) {
    solved_ = true;
  } else {
    exact_steps_ *= 8;  // the search has neither found a content nor shown that there is none
  }
}

void PackingSearch::complete(Dive& state) {
  for (std::uint32_t k = 0; k < kCompletions && !done(); ++k) {
    const double blur = k < 2 ? 0 : random_.share();
    Packing rest = k % 2 == 0 ? greedy_.first_fit(state.wanted, blur, random_) : greedy_.by_node(state.wanted, blur, random_);
    clock_.step(greedy_.take_work() / kDiveStepsPerUnit);
    if (state.packing.size() + rest.size() >= best_.size()) continue;
    rest.insert(rest.end(), state.packing.begin(), state.packing.end());
    best_ = std::move(rest);
  }
}

// Gives the content to so many nodes, as far as it is wanted. True where any node gets something.
bool PackingSearch::give(Dive& state, std::size_t column, std::uint32_t times) {
  for (std::uint32_t k = 0; k < times; ++k) {
    Content content;
    for (const CoverProgram::Amount& a : state.program.column(column)) {
      const std::uint32_t replicas = std::min(static_cast<std::uint32_t>(a.amount), state.wanted[a.row]);
      if (replicas == 0) continue;
      content.push_back({a.row, replicas});
      state.wanted[a.row] -= replicas;
    }
    if (content.empty()) return k > 0;
    state.packing.push_back(std::move(content));
  }
  return true;
}

bool PackingSearch::fix(Dive& state) {
  const std::vector<CoverProgram::Used> solution = state.program.solution();
  bool any = false;
  for (const CoverProgram::Used& used : solution) {
    const auto times = static_cast<std::uint32_t>(used.value + kNearlyInteger);
    if (times > 0) any = give(state, used.column, times) || any;
  }
  if (!any) {
    const bool blurred = dives_ > 1 || state.least == kOnlyLargest;
    std::vector<std::pair<double, std::size_t>> order;
    order.reserve(solution.size());
    for (const CoverProgram::Used& used : solution)
      order.emplace_back(-(used.value + (blurred ? kBlur * random_.share() : 0)), used.column);
    std::sort(order.begin(), order.end());
    for (const auto& [negative, column] : order) {
      if (any && -negative < state.least) break;
      // Only contents of which nothing has been given.
      const auto amounts = state.program.column(column);
      const bool is_whole = !any || std::all_of(amounts.begin(), amounts.end(), [&](const CoverProgram::Amount& a) {
        return state.wanted[a.row] >= static_cast<std::uint32_t>(a.amount);
      });
      if (is_whole) any = give(state, column, 1) || any;
    }
  }
  state.program.set_demand({state.wanted.begin(), state.wanted.end()});
  return any;
}

bool PackingSearch::may_improve(const Dive& state) const {
  const double nodes = static_cast<double>(state.packing.size()) + state.program.objective();
  const double excess = 2 * kExcessPerRow * static_cast<double>(state.program.rows());
  return nodes <= static_cast<double>(best_.size()) - 1 + excess + kWholeMargin;
}

bool PackingSearch::settle(Dive& state) {
  if (optimize(state.program)) return false;
  for (std::uint32_t sweep = 0; sweep < kDiveSweeps; ++sweep) {
    pricing_.set(duals_of(state.program), state.wanted);
    if (!add_columns(state.program, kDiveSweep)) break;
    if (optimize(state.program)) return false;
  }
  return may_improve(state);
}

void PackingSearch::dive() {
  ++dives_;
  std::vector<Dive> path;
  path.push_back({program_, problem_.count, {}, dives_ % 2 == 1 ? kHigh : kLower, 0});
  path.back().program.drop_above(kCostlyForDive);
  std::uint32_t retreats = 0;
  bool goes_on = settle(path.back());
  while (goes_on && !done()) {
    Dive next = path.back();
    next.tries = 0;
    ++path.back().tries;
    if (!fix(next)) return;
    complete(next);
    if (!done() && settle(next)) {
      path.push_back(std::move(next));
      continue;
    }
    // Too many nodes: another choice here, or an earlier one where several have failed.
    if (++retreats > kRetreats) return;
    while (path.size() > 1 && path.back().tries >= kTries) path.pop_back();
    path.back().least = kOnlyLargest;
    goes_on = may_improve(path.back());
  }
}

}  // namespace stowage
