// Column generation for patterns: the linear program over the patterns of all groups, solved with exact pricing.
//
// A column is a pattern that is added to one node of a group. A busy node therefore keeps exactly what it holds. (P1, Eq. 8 as
// printed covers running replicas by full patterns, which counts replicas that do not exist.) The program is a
// RestrictedMaster, missing columns come from PatternPricing. Its Lagrangian bound, the sum of duals x demand less the sum over
// groups of size x most valuable pattern, holds whenever the generation stops.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "core/planners/patterns/columns/layout.h"
#include "core/planners/patterns/columns/pattern_pricing.h"
#include "core/run/work_clock.h"
#include "core/solver/restricted_master.h"

namespace stowage {

/// The pattern of a column.
Pattern pattern_of(const RestrictedMaster& program, std::size_t column);

/// What the program's duals pay for everything that is wanted. (The program's own demand is a little larger, so that its basis
/// is never degenerate.)
double dual_value(const RestrictedMaster& program, const Subproblem& part);

class ColumnGeneration {
 public:
  /// @param groups has to outlive the object
  /// @param base   what every plan costs besides its patterns, in units of the cost
  /// @param clock  counts the work and may end it
  ColumnGeneration(const Instance& instance, const std::vector<StateGroup>& groups, double base, WorkClock& clock);

  /// Solves the linear program of a subproblem and keeps its duals for loss().
  /// @param start columns to begin with, or nothing
  /// @return a lower bound on the cost of covering the subproblem
  double solve(const Subproblem& part, const Layout& start);

  [[nodiscard]] double cost(const Layout& layout) const;
  /// What the pattern of a node costs beyond what the duals of solve() pay for it; at least 0 but for rounding.
  [[nodiscard]] double loss(std::uint32_t group, const Pattern& pattern) const;

  /// Keeps a pattern as a column of all programs to come.
  void keep(std::uint32_t group, Pattern pattern);
  /// Keeps the patterns that a program's solution uses.
  void keep_used(const RestrictedMaster& program);
  /// Calls visit(group, pattern) for every pattern kept, oldest first.
  template <class Visit>
  void for_each_kept(Visit&& visit) const {
    for (const Column& column : pool_) visit(column.group, column.pattern);
  }

  // For rounding and for bounds by whole numbers (whole_patterns.h).

  /// The program of a subproblem with the columns of `start` and those kept that fit it. Columns of `start` that fill their
  /// group are basic.
  [[nodiscard]] RestrictedMaster make_program(const Subproblem& part, const Layout& start = {}) const;
  /// Adds columns to the program for at most `rounds` rounds, and pivots. Ends when quick searches find no more column.
  void improve(RestrictedMaster& program, const Subproblem& part, std::uint32_t rounds);
  /// Adds columns until none is missing, the bound is close to the program's optimum, or the run has to end.
  /// @return a lower bound on the cost of covering the subproblem
  double complete(RestrictedMaster& program, const Subproblem& part);
  /// Pivots until the columns of the program are used at least cost; true where the run has to end.
  bool optimize(RestrictedMaster& program);

  [[nodiscard]] const std::vector<StateGroup>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<NodeState>& states() const { return states_; }
  /// With coarse tables, for quick searches.
  [[nodiscard]] PatternPricing& coarse_pricing() { return coarse_; }
  /// With fine tables, for proofs.
  [[nodiscard]] PatternPricing& fine_pricing() { return fine_; }
  [[nodiscard]] WorkClock& clock() const { return clock_; }
  [[nodiscard]] bool stopped() const { return clock_.stop() != Stop::kNo; }
  /// Reduced costs below this are rounding.
  [[nodiscard]] double tolerance() const { return tolerance_; }

 private:
  struct Column {
    std::uint32_t group;
    double cost;
    Pattern pattern;
  };
  struct Tally;

  void begin_with(RestrictedMaster& program, const Subproblem& part, const Layout& start) const;
  /// Whether nothing of interest lies between a bound and the program's optimum.
  [[nodiscard]] bool is_close(double bound, double optimum) const;
  /// What patterns have to be worth more than. An empty node costs nothing, unless no node may stay empty.
  [[nodiscard]] double floor_of(const RestrictedMaster& program, const Subproblem& part, std::uint32_t group) const;
  /// Looks for columns by quick searches, group by group, until there are many; true where it found some.
  bool sweep(RestrictedMaster& program, const Subproblem& part);
  /// Raises the bound `best`. The tables bound what missing columns of each group are worth. In the groups that weaken the
  /// bound most, searches of at most `steps` steps find such columns or prove that there are none. True where columns were
  /// found.
  bool prove(RestrictedMaster& program, const Subproblem& part, std::uint64_t steps, double& best);
  /// Raises the bound `best` to what upper bounds on the patterns' worths tell.
  void raise(double& best, const Tally& tally, const RestrictedMaster& program, const Subproblem& part) const;
  /// The same by the tables of the fine pricing alone: for a generation that was ended early.
  void raise_by_tables(double& best, const RestrictedMaster& program, const Subproblem& part);

  const std::vector<StateGroup>& groups_;
  std::vector<NodeState> states_;  // of groups_
  PatternPricing coarse_;
  PatternPricing fine_;
  WorkClock& clock_;
  double penalty_ = 0;  // of a replica that is not covered
  double tolerance_ = 0;
  double base_ = 0;
  std::uint64_t quick_steps_ = 0;  // of a search for columns in a sweep
  std::vector<double> duals_;
  std::vector<Column> pool_;
  std::set<std::pair<std::uint32_t, Pattern>> kept_;  // what pool_ has
  std::uint32_t first_ = 0;                           // group at which the next sweep begins
};

}  // namespace stowage
