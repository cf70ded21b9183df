#include "core/columns/tree/column_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/columns/tree/dive.h"
#include "core/columns/tree/repacking.h"
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
/// The same where sums of prices have no unit: of the way to the bound.
constexpr double kPartOfGap = .25;
constexpr std::uint64_t kFirstContentSearch = std::uint64_t{1} << 16;
constexpr std::uint64_t kLongestContentSearch = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostPivotsOfTree = 50;
/// Operations of the first search in a kind, and of each further one; contents, at most.
struct SweepSize {
  std::uint64_t first;
  std::uint64_t further;
  std::uint32_t contents;
};
SweepSize sweep_of_tree(const ColumnProblem& problem) {
  return {100'000, 20'000, std::max<std::uint32_t>(40, static_cast<std::uint32_t>(problem.kinds.size()) / 2)};
}
/// After so many sweeps in a row that do not lower the cost, they pause.
constexpr std::uint32_t kMostStalls = 3;
constexpr SweepSize kSweepOfDive{10'000, 3'000, 12};
/// Branches are compared by what the program is worth after so many pivots.
constexpr std::size_t kMostCandidates = 8;
constexpr std::uint64_t kPivotsOfCandidate = 30;
/// Where no plan can be made of solutions, so many dives find others before the tree ends.
constexpr std::uint64_t kLeastDives = 12;
/// Choices of a dive that are taken back, at most: of all nodes, of a few.
constexpr std::uint32_t kMostRetreats = 12;
constexpr std::uint32_t kMostRetreatsOfFew = 3;
/// Operations before a dive begins although the program of the root is not solved.
constexpr std::uint64_t kFirstDive = 10'000'000;
/// Operations of bounds per operation of dives.
constexpr std::uint64_t kBoundsPerDive = 2;
/// Columns that cost more beyond their worth are left to be found again.
constexpr double kFarColumn = .25;
constexpr std::size_t kMostOpen = 20'000;
/// What is not covered costs ever more, up to the most.
constexpr double kUncoveredFactor = 8;
constexpr double kMostUncoveredCost = 8192;
constexpr std::uint64_t kOperationsToBegin = 20;

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

  explicit State(const ColumnProblem& of)
      : problem(of), sums(of), repacking(of), work_limit(of.kinds.size(), kFirstContentSearch) {
    for (std::uint32_t k = 0; k < of.kinds.size(); ++k) pricing.emplace_back(of, k);
    for (const ColumnProblem::Item& item : of.items) all.push_back(item.replicas);
    for (const ColumnProblem::Kind& kind : of.kinds) {
      nodes.push_back(kind.count);
      all_nodes +=
          (kind.price + pricing[nodes.size() - 1].most_use()) * static_cast<double>(std::min(kind.count, of.replicas()));
    }
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
  bool solve() const;
  bool price();
  bool sweep(TreeProgram& of, const std::vector<std::uint32_t>& wanted, const std::vector<std::uint64_t>& nodes_left,
             const SweepSize& size);
  bool add_contents(TreeProgram& of, std::uint32_t kind, std::vector<ItemContent>& contents);
  /// What contents have to be worth more than: what their node costs, and a share of that.
  [[nodiscard]] BestContent::Floor floor_of(std::uint32_t kind, double excess) const {
    return {problem.kinds[kind].price * (1 + excess) + kLeastColumnExcess * 1e-3, excess};
  }
  bool prove(double excess);
  [[nodiscard]] double bound_of(double right, const std::vector<std::vector<BestContent::Most>>& most) const;
  void raise(double bound);
  void branch();
  [[nodiscard]] double value_after(const Branch& one, const TreeProgram::Basis& basis,
                                   const std::vector<std::uint32_t>& columns);
  void take_whole();
  void put_back();
  [[nodiscard]] std::uint64_t operations() const { return spent + effort->total(); }
  [[nodiscard]] bool wants_dive() const;
  void begin_dive();
  void end_dive();
  void take(ColumnSolution filling, double cost);

  const ColumnProblem& problem;
  AttainableSums sums;
  std::optional<std::int64_t> most_sum;  // to which sums are to be known
  Repacking repacking;
  double cutoff = 1e300;
  double uncovered_cost = TreeProgram::kUncoveredCost;
  ColumnPool pool;
  std::map<PricedColumn, std::uint32_t> index;
  std::vector<BestContent> pricing;
  std::vector<std::uint64_t> work_limit;
  std::vector<std::uint32_t> all;    // per item: replicas
  std::vector<std::uint64_t> nodes;  // per kind
  double all_nodes = 0;              // what all of them cost, with a replica on each at least
  std::uint32_t swept = 0;           // kind at which the next sweep begins
  double swept_at = 1e300;           // value of the program before the last sweep; of the node at hand
  std::uint32_t stalls = 0;          // sweeps in a row that have not lowered it
  std::vector<Open> open;
  std::uint64_t numbered = 0;
  Open at;  // the node at hand
  std::unique_ptr<TreeProgram> program;
  std::optional<ColumnDive> dive;
  std::uint32_t branched = 0;
  std::uint64_t dived = 0;
  std::vector<std::uint32_t> near;          // columns of dives, once the root is divided
  bool repacks = false;                     // the present dive keeps some nodes of the best solution
  std::uint64_t dive_began = 0;             // operations before it
  std::uint64_t of_dives[2] = {0, 0};       // operations of dives that have ended, of all nodes and of a few
  std::uint64_t bounds_first = kFirstDive;  // operations of bounds before the next dive
  std::optional<ColumnSolution> found;
  double found_cost = 0;
  std::optional<double> leaf;  // bound of a node that cannot be divided further
  bool has_ended = false;
  Effort* effort = nullptr;  // of the present run
  std::uint64_t spent = 0;   // operations of earlier runs
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
  program = std::make_unique<TreeProgram>(problem, pool, at.branches, at.columns, at.basis, uncovered_cost);
  swept_at = 1e300;
  stalls = 0;
  effort->add((at.columns.size() + program->rows()) * 16);
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

bool ColumnTree::State::add_contents(TreeProgram& of, std::uint32_t kind, std::vector<ItemContent>& contents) {
  bool any = false;
  for (ItemContent& content : contents) {
    const std::uint32_t column = add_to_pool({kind, std::move(content)});
    if (of.has(column)) continue;
    of.add(column);
    any = true;
  }
  return any;
}

// Adds columns by quick searches, kind by kind, until there are many. The next search of a kind may use half of what the
// content before holds of an item, so that columns differ.
bool ColumnTree::State::sweep(TreeProgram& of, const std::vector<std::uint32_t>& wanted,
                              const std::vector<std::uint64_t>& nodes_left, const SweepSize& size) {
  const std::vector<double> duals = of.duals();
  std::uint32_t contents = 0;
  for (std::size_t n = 0; n < problem.kinds.size() && contents < size.contents && !effort->is_over(); ++n) {
    const std::uint32_t k = swept++ % static_cast<std::uint32_t>(problem.kinds.size());
    if (nodes_left[k] == 0) continue;
    pricing[k].set(of.worths(k, duals), *effort);
    std::vector<std::uint32_t> left = wanted;
    for (std::uint64_t most = size.first; contents < size.contents && !effort->is_over(); most = size.further) {
      BestContent::Found next = pricing[k].find(floor_of(k, kCostsClose), left, most, *effort, true);
      if (next.contents.empty()) break;
      for (const auto& [item, copies] : next.contents.back()) left[item] = copies / 2;
      if (!add_contents(of, k, next.contents)) break;
      ++contents;
    }
  }
  return contents > 0;
}

// What contents of all kinds are worth at the duals, as a bound, and as columns. False where nothing more comes of it.
bool ColumnTree::State::prove(double excess) {
  const std::vector<double> duals = program->duals();
  std::vector<std::vector<BestContent::Most>> most(problem.kinds.size());
  bool any = false;
  for (std::uint32_t k = 0; k < problem.kinds.size(); ++k) {
    pricing[k].set(program->worths(k, duals), *effort);
    BestContent::Found next = pricing[k].find(floor_of(k, excess), all, work_limit[k], *effort);
    if (effort->is_over()) return true;
    most[k] = std::move(next.most);
    const bool added = add_contents(*program, k, next.contents);
    any = any || added;
    if (next.is_exact || added || work_limit[k] >= kLongestContentSearch) continue;
    work_limit[k] *= 4;
    any = true;
  }
  const double before = at.rounded;
  raise(bound_of(program->right_side(duals), most));
  return any || at.rounded > before * (1 + kCostsClose) + kCostsClose * kCostsClose;
}

// The best multiple of the duals is where contents of some interval are worth what they cost, or the whole: the bound is
// concave.
double ColumnTree::State::bound_of(double right, const std::vector<std::vector<BestContent::Most>>& most) const {
  // Of any kind: with a replica each, or as branches demand.
  auto nodes_used = static_cast<double>(problem.replicas());
  for (const Branch& branch : at.branches) nodes_used += branch.at_most ? 0 : branch.nodes;
  const auto scaled = [&](double s) {
    double sum = s * right;
    for (std::size_t k = 0; k < most.size(); ++k) {
      double over = 0;
      for (const BestContent::Most& one : most[k])
        over = std::max(over, s * (one.worth + one.use) - problem.kinds[k].price - one.use);
      sum -= std::min(static_cast<double>(problem.kinds[k].count), nodes_used) * over;
    }
    return sum;
  };
  std::vector<double> turns{1};
  for (std::size_t k = 0; k < most.size(); ++k) {
    for (const BestContent::Most& one : most[k]) {
      const double cost = problem.kinds[k].price + one.use;
      if (one.worth + one.use > cost) turns.push_back(cost / (one.worth + one.use));
    }
  }
  std::sort(turns.begin(), turns.end());
  turns.erase(std::unique(turns.begin(), turns.end(), [](double a, double b) { return b - a < kCostsClose * .01; }),
              turns.end());
  std::size_t first = 0;
  std::size_t last = turns.size() - 1;
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    if (scaled(turns[middle]) < scaled(turns[middle + 1])) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return scaled(turns[first]) * (1 - kCostsClose * .01);
}

bool ColumnTree::State::solve() const {
  const std::uint64_t pivots = program->solve(kMostPivotsOfTree);
  effort->add(program->take_work());
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
  effort->add(pool.size());
  if (any) return true;
  const double value = program->objective();
  const double excess = at.rounded > 0 ? std::clamp((problem.unit > 0 ? kPartOfWay : kPartOfGap) * (value / at.rounded - 1),
                                                    kLeastColumnExcess, kMostColumnExcess)
                                       : kMostColumnExcess;
  // Where quick searches no longer lower the cost, what they find is of no use.
  stalls = value > swept_at * (1 - kLeastColumnExcess) ? stalls + 1 : 0;
  swept_at = value;
  return (stalls < kMostStalls && sweep(*program, all, nodes, sweep_of_tree(problem))) || effort->is_over() || prove(excess);
}

void ColumnTree::State::take_whole() {
  ColumnSolution filling;
  double cost = 0;
  for (const auto& [column, value] : program->used()) {
    const auto count = static_cast<std::uint32_t>(std::lround(value));
    if (count == 0) continue;
    filling.push_back({pool[column].kind, pool[column].content, count});
    cost += problem.cost(pool[column].kind, pool[column].content) * count;
  }
  if (is_below(cost)) take(std::move(filling), cost);
}

void ColumnTree::State::take(ColumnSolution filling, double cost) {
  repacking.set_best(filling);
  found = std::move(filling);
  found_cost = cost;
}

bool ColumnTree::State::wants_dive() const {
  return program != nullptr && swept > 0 && operations() - of_dives[0] - of_dives[1] >= bounds_first;
}

// Dives over all nodes, or packs a few nodes of the best solution again: each have half of the operations.
void ColumnTree::State::begin_dive() {
  dive_began = operations();
  repacks = of_dives[1] < of_dives[0] && repacking.may_begin(cutoff + kCostsClose);
  const std::vector<std::uint32_t> columns = branched == 0 ? program->columns_below(kFarColumn) : near;
  dive.emplace(problem, pool, repacks ? repacking.keep_some(dived, *effort) : ColumnSolution{}, columns, dived,
               repacks ? kMostRetreatsOfFew : kMostRetreats);
  ++dived;
}

void ColumnTree::State::end_dive() {
  if (std::optional<ColumnSolution> filling = dive->found()) {
    if (is_below(dive->cost())) {
      take(*std::move(filling), dive->cost());
    } else {
      repacking.take_if_gathered(*filling);
    }
  }
  dive.reset();
  of_dives[repacks ? 1 : 0] += operations() - dive_began;
  // Until the root is solved, the next dive waits for as many operations as there were before.
  const std::uint64_t sum = of_dives[0] + of_dives[1];
  bounds_first = branched == 0 ? 2 * operations() - sum : kBoundsPerDive * sum;
}

double ColumnTree::State::value_after(const Branch& one, const TreeProgram::Basis& basis,
                                      const std::vector<std::uint32_t>& columns) {
  std::vector<Branch> branches = at.branches;
  branches.push_back(one);
  TreeProgram next(problem, pool, std::move(branches), columns, basis, uncovered_cost);
  next.solve(kPivotsOfCandidate);
  effort->add(next.take_work() + columns.size() * 8);
  return next.objective();
}

void ColumnTree::State::branch() {
  std::vector<UsedColumn> used;
  for (const auto& [column, value] : program->used()) used.emplace_back(&pool[column], value);
  const auto candidates = fractional_conditions(problem, used, kMostCandidates);
  effort->add(used.size() * used.size() * 16);
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
  if (at.branches.empty()) {
    const auto& duals = program->duals();
    repacking.set_worth({duals.begin(), duals.begin() + static_cast<std::ptrdiff_t>(all.size())});
  }
  std::size_t chosen = 0;
  double most = -1;
  for (std::size_t c = 0; c < candidates.size() && candidates.size() > 1 && !effort->is_over(); ++c) {
    const auto down = static_cast<std::uint32_t>(candidates[c].second);
    const double low = value_after({candidates[c].first, true, down}, basis, columns) - value;
    const double high = value_after({candidates[c].first, false, down + 1}, basis, columns) - value;
    const double score = std::max(low, kLeastColumnExcess) * std::max(high, kLeastColumnExcess);
    if (score > most) {
      most = score;
      chosen = c;
    }
  }
  for (const bool at_most : {true, false}) {
    const auto down = static_cast<std::uint32_t>(candidates[chosen].second);
    Open child{at.bound, at.rounded, ++numbered, at.branches, columns, basis};
    child.branches.push_back({candidates[chosen].first, at_most, at_most ? down : down + 1});
    open.push_back(std::move(child));
  }
  // The first dive comes as soon as the root is solved.
  if (branched++ == 0) bounds_first = 0;
  near = columns;
  program.reset();
}

// A step of the node at hand.
void ColumnTree::State::process() {
  if (dive) {
    const double rounding = kCostsClose * (1 + static_cast<double>(problem.items.size()));
    // A few nodes that are packed again may cost the same.
    const double more = repacks ? 2 * kCostsClose : 0;
    dive->step([&](double cost) { return sums.round_up(cost - rounding) < cutoff - kCostsClose + more; },
               [&](TreeProgram& of, const std::vector<std::uint32_t>& left, const std::vector<std::uint64_t>& nodes_left) {
                 return sweep(of, left, nodes_left, kSweepOfDive);
               },
               *effort);
    if (dive->has_ended()) end_dive();
    return;
  }
  if (wants_dive()) return begin_dive();
  if (program == nullptr) {
    has_ended = !begin_next();
    return;
  }
  if (!solve()) return;
  // What is worth no more than the least sum of prices that is left cannot be raised by more columns.
  const double rounding = kCostsClose * (1 + static_cast<double>(program->rows()));
  const bool is_low = program->objective() <= at.rounded * (1 + kCostsClose) + rounding;
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
  // Where something stays uncovered at any cost, the bound soon says that nothing is below the cutoff.
  if (program->uncovered() > kLeastColumnExcess && uncovered_cost < kMostUncoveredCost) {
    uncovered_cost *= kUncoveredFactor;
    program->set_uncovered_cost(uncovered_cost);
    return;
  }
  branch();
}

ColumnTree::ColumnTree(const ColumnProblem& problem) : state_(std::make_unique<State>(problem)) {}
ColumnTree::~ColumnTree() = default;

void ColumnTree::suggest(const ColumnSolution& filling) {
  for (const FilledNodes& nodes : filling) state_->add_to_pool({nodes.kind, nodes.content});
  state_->repacking.set_best(filling);
}

void ColumnTree::raise_bound(double cost) {
  for (State::Open& open : state_->open) {
    open.bound = std::max(open.bound, cost);
    open.rounded = std::max(open.rounded, cost);
  }
  if (state_->program != nullptr) state_->raise(cost);
}

void ColumnTree::set_cutoff(double cost) {
  State& s = *state_;
  cost = std::min(cost, s.all_nodes + 1);
  const bool is_first = s.cutoff > 1e200;
  s.cutoff = cost;
  if (!is_first || s.problem.unit <= 0) return;
  const double most = std::min(cost * s.problem.dearest / s.problem.unit, 1e15);
  s.most_sum = static_cast<std::int64_t>(most) + 1;
}

void ColumnTree::run(WorkClock& clock) {
  State& s = *state_;
  if (s.found && s.is_below(s.found_cost)) {
    // The caller could not make a plan of it. The next dive goes another way.
    s.has_ended = s.leaf.has_value() && s.dived >= kLeastDives;
    if (s.leaf && !s.has_ended) {
      std::vector<std::uint32_t> columns(s.pool.size());
      std::iota(columns.begin(), columns.end(), 0u);
      s.dive.emplace(s.problem, s.pool, ColumnSolution{}, columns, s.dived++, kMostRetreats);
      s.repacks = false;
    }
  } else if (s.found) {
    s.leaf.reset();
  }
  s.found.reset();
  Effort effort(clock);
  s.effort = &effort;
  if (s.most_sum) s.sums = AttainableSums(s.problem, *s.most_sum, effort);
  if (!effort.is_over()) s.most_sum.reset();
  while (!s.has_ended && !s.found && !effort.is_over()) {
    s.process();
    if (clock.step(1)) break;
  }
  s.spent += effort.total();
  s.effort = nullptr;
}

bool ColumnTree::is_divided() const { return state_->branched > 0; }

bool ColumnTree::has_ended() const { return state_->has_ended && !state_->found; }

bool ColumnTree::is_infeasible() const { return has_ended() && bound() > state_->all_nodes; }

const std::optional<ColumnSolution>& ColumnTree::found() const { return state_->found; }

double ColumnTree::found_cost() const { return state_->found_cost; }

ColumnSolution ColumnTree::rounded() const {
  const State& s = *state_;
  if (s.program == nullptr || !s.at.branches.empty()) return {};
  std::vector<std::pair<std::uint32_t, double>> used = s.program->used();
  std::stable_sort(used.begin(), used.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::uint32_t> left = s.all;
  ColumnSolution filling;
  for (const bool is_whole : {true, false}) {
    for (const auto& [column, value] : used) {
      const ItemContent& content = s.pool[column].content;
      auto nodes = is_whole ? static_cast<std::uint32_t>(value + kLeastColumnExcess) : 1u;
      for (const auto& [item, copies] : content) nodes = std::min(nodes, left[item] / copies);
      if (nodes == 0) continue;
      for (const auto& [item, copies] : content) left[item] -= copies * nodes;
      filling.push_back({s.pool[column].kind, content, nodes});
    }
  }
  return filling;
}

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
  return rows * (rows + p.kinds.size() * p.dims) / kOperationsToBegin;
}

}  // namespace stowage
