#include "core/planners/patterns/columns/column_generation.h"

#include <algorithm>
#include <utility>

namespace stowage {
namespace {

/// Cost of a replica that is not covered, in full nodes.
constexpr double kPenalty = 8;
/// Cells of tables that are filled after the end of a run: that takes up to 20 ms.
constexpr std::uint64_t kMostCellsAtTheEnd = 6'000'000;
/// Work of pivots between two looks at the clock, in multiplications.
constexpr std::uint64_t kPivotSteps = 1'000'000;
/// A sweep ends once it has found this number of columns.
constexpr std::size_t kColumnsPerSweep = 400;
/// Steps of a quick search, at least.
constexpr std::uint64_t kLeastQuickSteps = 60;
/// Steps of the quick searches in all groups together, as far as the limits per search allow.
constexpr std::uint64_t kSweepSteps = 40'000;
/// Steps of the first and of the last search that proves a bound.
constexpr std::uint64_t kExactSteps = 50'000;
constexpr std::uint64_t kMostExactSteps = kExactSteps * 512;
/// A bound on used capacity is close enough at this share of all used capacity.
constexpr double kCloseShare = 4e-6;

/// The size of tables and the length of quick searches. Used capacity falls in small steps, and there may be a group per busy
/// node: small tables do.
constexpr PatternPricing::Grid kCoarseTables = {12, 800};
constexpr PatternPricing::Grid kFineTables = {40, 2000};
constexpr std::uint64_t kMostQuickSteps = 2000;

std::vector<NodeState> states_of(const std::vector<StateGroup>& groups) {
  std::vector<NodeState> result;
  result.reserve(groups.size());
  for (const StateGroup& group : groups) result.push_back(group.state);
  return result;
}

bool has_at_most(const Pattern& pattern, const Pattern& most) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] > most[i]) return false;
  }
  return true;
}

}  // namespace

Pattern pattern_of(const RestrictedMaster& program, std::size_t column) {
  const auto amounts = program.amounts_of(column);
  Pattern pattern(amounts.size());
  for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<std::uint32_t>(amounts[i]);
  return pattern;
}

double dual_value(const RestrictedMaster& program, const Subproblem& part) {
  double sum = 0;
  for (std::size_t i = 0; i < part.wanted.size(); ++i) sum += program.row_duals()[i] * part.wanted[i];
  return sum;
}

/// What the most valuable patterns of all groups are worth.
struct ColumnGeneration::Tally {
  double others = 0;
  double filled = 0;  // sum over the group none of whose nodes stays empty

  void add(const Subproblem& part, std::uint32_t group, double value) {
    (part.filled == group ? filled : others) += static_cast<double>(part.sizes[group]) * value;
  }
};

ColumnGeneration::ColumnGeneration(const Instance& instance, const std::vector<StateGroup>& groups, double base,
                                   WorkClock& clock)
    : groups_(groups),
      states_(states_of(groups)),
      coarse_(instance, states_, kCoarseTables, &clock),
      fine_(instance, states_, kFineTables, &clock),
      clock_(clock),
      base_(base) {
  double largest = 1;
  for (const NodeState& state : states_) {
    largest = std::max(largest, static_cast<double>(state.left[coarse_.main_resource()]));
  }
  penalty_ = kPenalty * largest;
  // With many groups, little is done for each before the duals are looked at again.
  quick_steps_ = std::clamp(kSweepSteps / (groups.size() + 1), kLeastQuickSteps, kMostQuickSteps);
  tolerance_ = 1e-8 * largest;
}

double ColumnGeneration::solve(const Subproblem& part, const Layout& start) {
  RestrictedMaster program = make_program(part, start);
  const double bound = complete(program, part);
  duals_ = program.row_duals();
  keep_used(program);
  return bound;
}

double ColumnGeneration::cost(const Layout& layout) const {
  double sum = 0;
  for (const auto& [seat, count] : layout)
    sum += static_cast<double>(count) * coarse_.cost(groups_[seat.first].state, seat.second);
  return sum;
}

double ColumnGeneration::loss(std::uint32_t group, const Pattern& pattern) const {
  double sum = coarse_.cost(groups_[group].state, pattern);
  for (AppId i = 0; i < pattern.size(); ++i) sum -= pattern[i] > 0 ? duals_[i] * pattern[i] : 0;
  return sum;
}

void ColumnGeneration::keep(std::uint32_t group, Pattern pattern) {
  if (!kept_.emplace(group, pattern).second) return;
  const double cost = coarse_.cost(groups_[group].state, pattern);
  pool_.push_back({group, cost, std::move(pattern)});
}

void ColumnGeneration::keep_used(const RestrictedMaster& program) {
  for (const RestrictedMaster::Used& used : program.solution())
    keep(program.group_of(used.column), pattern_of(program, used.column));
}

RestrictedMaster ColumnGeneration::make_program(const Subproblem& part, const Layout& start) const {
  std::vector<double> demand(part.wanted.begin(), part.wanted.end());
  std::vector<double> sizes(part.sizes.begin(), part.sizes.end());
  std::vector<double> idle(sizes.size(), 0);
  if (part.filled != kNone) idle[part.filled] = penalty_;
  RestrictedMaster program(std::move(demand), std::vector<double>(part.wanted.size(), penalty_), std::move(sizes),
                           std::move(idle));
  if (!start.empty()) begin_with(program, part, start);
  for (const Column& column : pool_) {
    if (part.sizes[column.group] == 0 || !has_at_most(column.pattern, part.wanted)) continue;
    program.add(column.group, column.cost, column.pattern);
  }
  return program;
}

// Only a column that fills its group is basic: another one would cover more than there is.
void ColumnGeneration::begin_with(RestrictedMaster& program, const Subproblem& part, const Layout& start) const {
  std::vector<std::uint8_t> settled(groups_.size(), 0);
  for (const auto& [seat, count] : start) {
    const std::uint32_t group = seat.first;
    const std::size_t column = program.add(group, coarse_.cost(groups_[group].state, seat.second), seat.second);
    if (count == 0 || count != part.sizes[group] || settled[group] != 0) continue;
    settled[group] = 1;
    program.start_with(column);
  }
  program.restart();
}

void ColumnGeneration::improve(RestrictedMaster& program, const Subproblem& part, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (optimize(program)) return;
    coarse_.set_worths(program.row_duals(), part.wanted);
    if (!sweep(program, part)) return;
  }
}

double ColumnGeneration::complete(RestrictedMaster& program, const Subproblem& part) {
  double bound = 0;
  while (!optimize(program)) {
    if (is_close(bound, program.objective())) return bound;
    coarse_.set_worths(program.row_duals(), part.wanted);
    if (sweep(program, part)) continue;
    if (stopped()) break;
    fine_.set_worths(program.row_duals(), part.wanted);
    bool found = false;
    for (std::uint64_t steps = kExactSteps; !found && steps <= kMostExactSteps && !stopped(); steps *= 8) {
      found = prove(program, part, steps, bound);
      if (is_close(bound, program.objective())) return bound;
    }
    if (stopped()) break;
    if (!found) return bound;
  }
  raise_by_tables(bound, program, part);
  return bound;
}

bool ColumnGeneration::optimize(RestrictedMaster& program) {
  const std::uint64_t rows = program.rows();
  const std::uint64_t few = std::clamp<std::uint64_t>(kPivotSteps / (rows * rows + 1), 8, 400);
  while (true) {
    const std::uint64_t pivots = program.solve(few);
    if (clock_.step(1 + pivots * (1 + rows * rows / 400))) return true;
    if (pivots < few) return false;
  }
}

bool ColumnGeneration::is_close(double bound, double optimum) const { return optimum - bound <= kCloseShare * base_; }

double ColumnGeneration::floor_of(const RestrictedMaster& program, const Subproblem& part, std::uint32_t group) const {
  const double floor = -program.group_dual(group);
  return (part.filled == group ? floor : std::max(0.0, floor)) + tolerance_;
}

bool ColumnGeneration::sweep(RestrictedMaster& program, const Subproblem& part) {
  std::size_t found = 0;
  std::uint32_t visited = 0;
  for (; visited < groups_.size() && found < kColumnsPerSweep; ++visited) {
    const auto g = static_cast<std::uint32_t>((first_ + visited) % groups_.size());
    if (part.sizes[g] == 0) continue;
    const PatternPricing::Found result = coarse_.search(states_[g], floor_of(program, part, g), quick_steps_, true);
    for (const Pattern& pattern : result.patterns) program.add(g, coarse_.cost(states_[g], pattern), pattern);
    found += result.patterns.size();
    if (clock_.step(coarse_.take_work())) return false;
  }
  if (found >= kColumnsPerSweep) first_ = static_cast<std::uint32_t>((first_ + visited) % groups_.size());
  return found > 0;
}

bool ColumnGeneration::prove(RestrictedMaster& program, const Subproblem& part, std::uint64_t steps, double& best) {
  struct Open {
    double weight;
    std::uint32_t group;
  };
  std::vector<Open> order;
  std::vector<double> bound(groups_.size(), 0);
  double excess = 0;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (part.sizes[g] == 0) continue;
    const double floor = floor_of(program, part, g);
    bound[g] = std::max(floor, fine_.bound(states_[g]));
    if (bound[g] > floor) order.push_back({(bound[g] - floor) * static_cast<double>(part.sizes[g]), g});
    excess += (bound[g] - floor) * static_cast<double>(part.sizes[g]);
    if (clock_.step(fine_.take_work())) return false;
  }
  std::stable_sort(order.begin(), order.end(), [](const Open& a, const Open& b) { return a.weight > b.weight; });
  const double close = kCloseShare * base_ / 2;
  std::size_t found = 0;
  for (const Open& open : order) {
    if (excess <= close || found >= kColumnsPerSweep) break;
    const NodeState& state = states_[open.group];
    const double floor = floor_of(program, part, open.group);
    const PatternPricing::Found result = fine_.search(state, floor, steps);
    for (const Pattern& pattern : result.patterns) program.add(open.group, fine_.cost(state, pattern), pattern);
    found += result.patterns.size();
    bound[open.group] = std::min(bound[open.group], result.bound);
    excess -= open.weight - (bound[open.group] - floor) * static_cast<double>(part.sizes[open.group]);
    if (clock_.step(fine_.take_work())) break;
  }
  Tally tally;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (part.sizes[g] > 0) tally.add(part, g, bound[g]);
  }
  raise(best, tally, program, part);
  return found > 0;
}

void ColumnGeneration::raise(double& best, const Tally& tally, const RestrictedMaster& program, const Subproblem& part) const {
  if (part.filled != kNone) {
    // The bound has to hold for more nodes of the group as well, and patterns of apps that are worth nothing were not looked
    // at.
    bool holds = tally.filled <= 0;
    for (std::size_t i = 0; i < part.wanted.size(); ++i) holds = holds && (part.wanted[i] == 0 || program.row_duals()[i] > 0);
    if (!holds) return;
  }
  const double all = dual_value(program, part);
  best = std::max(best, all - tally.others - tally.filled);
}

void ColumnGeneration::raise_by_tables(double& best, const RestrictedMaster& program, const Subproblem& part) {
  fine_.set_worths(program.row_duals(), part.wanted);
  PatternPricing* tables = &fine_;
  if (fine_.table_cells() > kMostCellsAtTheEnd) {
    // Fine tables would take too long now that the run has ended. Coarse ones give a lower bound.
    tables = &coarse_;
    coarse_.set_worths(program.row_duals(), part.wanted);
  }
  Tally tally;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    if (part.sizes[g] > 0) tally.add(part, g, tables->bound(states_[g]));
  }
  raise(best, tally, program, part);
}

}  // namespace stowage
