#include "core/columns/tree/column_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/columns/tree/dive.h"
#include "core/columns/tree/tree_program.h"

namespace stowage {
namespace {

/// Costs, values and reduced costs nearer than this are equal.
constexpr double kCostsClose = 1e-7;
/// The least share by which contents are looked for that are worth more than their node costs, and the largest.
constexpr double kLeastColumnExcess = 1e-6;
constexpr double kMostColumnExcess = .02;
/// The part of the way from the program's value to the next lower sum of prices that columns may leave open.
constexpr double kPartOfWay = .9;
constexpr std::uint64_t kFirstContentSearch = std::uint64_t{1} << 14;
constexpr std::uint64_t kLongestContentSearch = std::uint64_t{1} << 22;
constexpr std::uint64_t kMostPivotsOfTree = 200;
/// Branches are compared by what the program is worth after so many pivots.
constexpr std::size_t kMostCandidates = 8;
constexpr std::uint64_t kPivotsOfCandidate = 30;
constexpr std::uint32_t kBranchesPerDive = 16;
/// Columns that cost more beyond their worth are left to be found again.
constexpr double kFarColumn = .25;
constexpr std::size_t kMostOpen = 20'000;
/// Operations per unit of work.
constexpr std::uint64_t kOperationsOfTree = 20;

}  // namespace

struct ColumnTree::State {
  struct Open {
    double bound;    // as it was found
    double rounded;  // up to a sum of prices
    std::uint64_t number;
    std::vector<Branch> branches;
    std::vector<std::uint32_t> columns;
    TreeProgram::Basis basis;
  };

  explicit State(const ColumnProblem& of) : problem(of), sums(of, 0), work_limit(of.kinds.size(), kFirstContentSearch) {
    for (std::uint32_t k = 0; k < of.kinds.size(); ++k) pricing.emplace_back(of, k);
    for (const ColumnProblem::Item& item : of.items) all.push_back(item.replicas);
    open.push_back({0, 0, 0, {}, {}, {}});
  }

  std::uint32_t add_to_pool(PricedColumn column) {
    const auto [entry, is_new] = index.try_emplace(std::move(column), static_cast<std::uint32_t>(pool.size()));
    if (is_new) pool.push_back(entry->first);
    return entry->second;
  }
  [[nodiscard]] bool is_below(double cost) const { return cost < cutoff - kCostsClose; }

  bool begin_next();
  void process();
  bool solve();
  bool price();
  std::uint64_t find_columns(TreeProgram& of, const std::vector<std::uint32_t>& wanted, double excess, bool& any,
                             double* bound);
  void raise(double bound);
  void branch();
  [[nodiscard]] double value_after(const Branch& one, const TreeProgram::Basis& basis,
                                   const std::vector<std::uint32_t>& columns);
  void take_whole();
  void put_back();

  const ColumnProblem& problem;
  AttainableSums sums;
  double cutoff = 1e300;
  ColumnPool pool;
  std::map<PricedColumn, std::uint32_t> index;
  std::vector<BestContent> pricing;
  std::vector<std::uint64_t> work_limit;
  std::vector<std::uint32_t> all;  // per item: replicas
  std::vector<Open> open;
  std::uint64_t numbered = 0;
  Open at;  // the node at hand
  std::unique_ptr<TreeProgram> program;
  std::optional<ColumnDive> dive;
  std::uint32_t branched = 0;
  bool dives = true;
  std::optional<ColumnSolution> found;
  double found_cost = 0;
  std::optional<double> leaf;  // bound of a node that cannot be divided further
  bool has_ended = false;
  std::uint64_t work = 0;
};

// Of equal bounds, the youngest comes first: it is deep in the tree.
bool ColumnTree::State::begin_next() {
  const auto next = std::min_element(open.begin(), open.end(), [](const Open& a, const Open& b) {
    return a.rounded != b.rounded ? a.rounded < b.rounded : a.number > b.number;
  });
  if (next == open.end() || !is_below(next->rounded) || open.size() > kMostOpen) return false;
  at = std::move(*next);
  *next = std::move(open.back());
  open.pop_back();
  if (at.columns.empty()) {
    for (std::uint32_t j = 0; j < pool.size(); ++j) at.columns.push_back(j);
  }
  program = std::make_unique<TreeProgram>(problem, pool, at.branches, at.columns, at.basis);
  work += (at.columns.size() + program->rows()) * 16;
  return true;
}

void ColumnTree::State::put_back() {
  at.columns = program->columns_below(kFarColumn);
  at.basis = program->basis();
  at.number = ++numbered;
  open.push_back(std::move(at));
  program.reset();
}

void ColumnTree::State::raise(double bound) {
  at.bound = std::max(at.bound, bound);
  at.rounded = std::max(at.rounded, sums.round_up(at.bound));
}

// What contents of all kinds are worth at the duals, as columns and as a bound.
std::uint64_t ColumnTree::State::find_columns(TreeProgram& of, const std::vector<std::uint32_t>& wanted, double excess,
                                              bool& any, double* bound) {
  const std::vector<double> duals = of.duals();
  std::vector<double> upper(problem.kinds.size());
  std::uint64_t steps = 0;
  for (std::uint32_t k = 0; k < problem.kinds.size(); ++k) {
    const double floor = problem.kinds[k].price * (1 + excess) + kLeastColumnExcess * 1e-3;
    BestContent::Found best = pricing[k].find(of.worths(k, duals), floor, wanted, work_limit[k]);
    steps += pricing[k].take_work();
    upper[k] = best.upper;
    bool added = false;
    for (ItemContent& content : best.contents) {
      const std::uint32_t column = add_to_pool({k, std::move(content)});
      if (of.has(column)) continue;
      of.add(column);
      added = true;
    }
    any = any || added;
    if (!best.is_exact && !added) work_limit[k] = std::min(kLongestContentSearch, 4 * work_limit[k]);
  }
  if (bound == nullptr) return steps;
  // The best multiple of the duals is where some kind is worth what it costs, or the whole.
  const double right = of.right_side(duals);
  const auto scaled = [&](double s) {
    double sum = s * right;
    for (std::size_t k = 0; k < upper.size(); ++k) {
      const double over = s * upper[k] - problem.kinds[k].price;
      if (over > 0 && problem.kinds[k].count != Supply::kEndless) sum -= static_cast<double>(problem.kinds[k].count) * over;
    }
    return sum;
  };
  double most = 1;
  for (std::size_t k = 0; k < upper.size(); ++k) {
    if (problem.kinds[k].count == Supply::kEndless && upper[k] > problem.kinds[k].price)
      most = std::min(most, problem.kinds[k].price / upper[k]);
  }
  *bound = scaled(most);
  for (std::size_t k = 0; k < upper.size(); ++k) {
    if (upper[k] <= 0) continue;
    const double s = problem.kinds[k].price / upper[k];
    if (s < most) *bound = std::max(*bound, scaled(s));
  }
  *bound *= 1 - kCostsClose * .01;
  return steps;
}

bool ColumnTree::State::solve() {
  const std::uint64_t pivots = program->solve(kMostPivotsOfTree);
  work += program->take_work();
  return pivots < kMostPivotsOfTree;
}

// Adds columns, or raises the bound of the node at hand. False where neither was possible.
bool ColumnTree::State::price() {
  bool any = false;
  for (std::uint32_t j = 0; j < pool.size(); ++j) {
    if (program->has(j) || program->reduced_cost(j) >= -kCostsClose) continue;
    program->add(j);
    any = true;
  }
  work += pool.size();
  if (any) return true;
  const double value = program->objective();
  const double excess = at.rounded > 0
                            ? std::clamp(kPartOfWay * (value / at.rounded - 1), kLeastColumnExcess, kMostColumnExcess)
                            : kMostColumnExcess;
  double bound = 0;
  const double before = at.rounded;
  work += find_columns(*program, all, excess, any, &bound);
  raise(bound);
  return any || at.rounded > before * (1 + kCostsClose) + kCostsClose * kCostsClose;
}

void ColumnTree::State::take_whole() {
  ColumnSolution filling;
  double cost = 0;
  for (const auto& [column, value] : program->used()) {
    const auto count = static_cast<std::uint32_t>(std::lround(value));
    if (count == 0) continue;
    filling.push_back({pool[column].kind, pool[column].content, count});
    cost += problem.kinds[pool[column].kind].price * count;
  }
  if (!is_below(cost)) return;
  found = std::move(filling);
  found_cost = cost;
}

double ColumnTree::State::value_after(const Branch& one, const TreeProgram::Basis& basis,
                                      const std::vector<std::uint32_t>& columns) {
  std::vector<Branch> branches = at.branches;
  branches.push_back(one);
  TreeProgram next(problem, pool, std::move(branches), columns, basis);
  next.solve(kPivotsOfCandidate);
  work += next.take_work() + columns.size() * 8;
  return next.objective();
}

void ColumnTree::State::branch() {
  std::vector<UsedColumn> used;
  for (const auto& [column, value] : program->used()) used.emplace_back(&pool[column], value);
  const auto candidates = fractional_conditions(problem, used, kMostCandidates);
  work += used.size() * used.size() * 16;
  if (candidates.empty()) {
    leaf = at.rounded;
    if (program->uncovered() < kLeastColumnExcess) take_whole();
    has_ended = !found;
    program.reset();
    return;
  }
  const TreeProgram::Basis basis = program->basis();
  const std::vector<std::uint32_t> columns = program->columns_below(kFarColumn);
  const double value = program->objective();
  std::size_t best = 0;
  double most = -1;
  for (std::size_t c = 0; c < candidates.size() && candidates.size() > 1; ++c) {
    const auto down = static_cast<std::uint32_t>(candidates[c].second);
    const double low = value_after({candidates[c].first, true, down}, basis, columns) - value;
    const double high = value_after({candidates[c].first, false, down + 1}, basis, columns) - value;
    const double score = std::max(low, kLeastColumnExcess) * std::max(high, kLeastColumnExcess);
    if (score > most) {
      most = score;
      best = c;
    }
  }
  for (const bool at_most : {true, false}) {
    const auto down = static_cast<std::uint32_t>(candidates[best].second);
    Open child{at.bound, at.rounded, ++numbered, at.branches, columns, basis};
    child.branches.push_back({candidates[best].first, at_most, at_most ? down : down + 1});
    open.push_back(std::move(child));
  }
  if (dives && branched++ % kBranchesPerDive == 0) dive.emplace(problem, pool, program->used(), columns);
  program.reset();
}

// A step of the node at hand.
void ColumnTree::State::process() {
  if (dive) {
    work += dive->step(cutoff - kCostsClose, [&](TreeProgram& of, const std::vector<std::uint32_t>& left) {
      bool any = false;
      return find_columns(of, left, kCostsClose, any, nullptr);
    });
    if (!dive->has_ended()) return;
    if (dive->found()) {
      found = dive->found();
      found_cost = dive->cost();
    }
    dive.reset();
    return;
  }
  if (program == nullptr) {
    has_ended = !begin_next();
    return;
  }
  if (!solve()) return;
  // What is worth no more than the least sum of prices that is left cannot be raised by more columns.
  const bool is_low = program->objective() <= at.rounded * (1 + kCostsClose) + kCostsClose;
  if (!is_low && price()) {
    const bool is_next =
        std::none_of(open.begin(), open.end(), [&](const Open& o) { return o.rounded < at.rounded - kCostsClose; });
    if (!is_below(at.rounded)) {
      program.reset();
    } else if (!is_next) {
      put_back();
    }
    return;
  }
  branch();
}

ColumnTree::ColumnTree(const ColumnProblem& problem) : state_(std::make_unique<State>(problem)) {}
ColumnTree::~ColumnTree() = default;

void ColumnTree::suggest(const ColumnSolution& filling) {
  for (const FilledNodes& nodes : filling) state_->add_to_pool({nodes.kind, nodes.content});
}

void ColumnTree::set_cutoff(double cost) {
  State& s = *state_;
  const bool is_first = s.cutoff > 1e200;
  s.cutoff = cost;
  if (!is_first || s.problem.unit <= 0) return;
  const double most = std::min(cost * s.problem.dearest / s.problem.unit, 1e15);
  s.sums = AttainableSums(s.problem, static_cast<std::int64_t>(most) + 1);
}

void ColumnTree::run(WorkClock& clock) {
  State& s = *state_;
  if (s.found && s.is_below(s.found_cost)) {
    // The caller could not make a plan of it.
    s.dives = false;
    s.has_ended = s.leaf.has_value();
  } else if (s.found) {
    s.leaf.reset();
  }
  s.found.reset();
  while (!s.has_ended && !s.found) {
    s.process();
    if (clock.step(1 + std::exchange(s.work, 0) / kOperationsOfTree)) break;
  }
}

bool ColumnTree::has_ended() const { return state_->has_ended && !state_->found; }

const std::optional<ColumnSolution>& ColumnTree::found() const { return state_->found; }

double ColumnTree::bound() const {
  const State& s = *state_;
  double least = std::min(s.cutoff, s.leaf.value_or(s.cutoff));
  for (const State::Open& open : s.open) least = std::min(least, open.rounded);
  if (s.program != nullptr) least = std::min(least, s.at.rounded);
  // What is nearer to the cutoff than sums of prices are to each other was not looked for.
  const bool tells_apart = s.problem.unit > 4 * kCostsClose * s.problem.dearest;
  return tells_apart ? least : std::max(0.0, least - 2 * kCostsClose);
}

std::uint64_t ColumnTree::work_to_begin() const {
  const ColumnProblem& p = state_->problem;
  const std::uint64_t rows = p.items.size() + p.kinds.size();
  return rows * (rows + p.kinds.size() * p.dims) / kOperationsOfTree;
}

}  // namespace stowage
