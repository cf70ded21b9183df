// Packs few large items per node: column generation, and rounding that dives.
//
// The linear program over contents of nodes (Gilmore and Gomory 1961) has a bound that is nearly always that of the best
// packing, rounded up. Farley's bound (1990) holds at any duals. A dive fixes contents that the program uses whole or nearly,
// until everything is packed; after each step the program is solved again with new columns, and greedy packings of the rest are
// tried.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/packing/content_pricing.h"
#include "core/packing/greedy_packing.h"
#include "core/packing/packing_problem.h"
#include "core/run/work_clock.h"
#include "core/solver/cover_program.h"

namespace stowage {

class PackingSearch {
 public:
  /// @param known a lower bound on the number of nodes
  PackingSearch(const PackingProblem& problem, double known, std::uint64_t seed, WorkClock& clock);

  /// Considers a packing of everything, and its contents as columns.
  void offer(const Packing& packing);
  /// Packs until the best packing is optimal, nothing more is to be expected, or the run ends.
  void run();

  [[nodiscard]] const Packing& best() const { return best_; }
  /// A lower bound on the number of nodes; not a whole number.
  [[nodiscard]] double lower_bound() const { return bound_; }
  [[nodiscard]] bool is_optimal() const;

 private:
  struct Dive;
  struct Sweep;
  static const Sweep kRootSweep;
  static const Sweep kDiveSweep;

  /// Whether no packing has fewer nodes than the best one, or the run has ended.
  [[nodiscard]] bool done() const;
  /// Makes quick packings.
  void begin();
  void add_column(CoverProgram& program, const Content& content);
  /// Adds contents that are worth more than a node at the duals of pricing_; true where there are some.
  bool add_columns(CoverProgram& program, const Sweep& sweep);
  /// Pivots; true where the run has to end.
  bool optimize(CoverProgram& program);
  /// Solves the linear program until its bound, rounded up, is known, or until so much work is done.
  void solve_root(std::uint64_t work);
  /// Raises the bound, or adds the columns that are missing.
  /// @param rounded the program's optimum, rounded up
  void prove(const std::vector<double>& duals, double rounded);
  /// Rounds once. Each dive is another.
  void dive();
  static bool give(Dive& state, std::size_t column, std::uint32_t times);
  /// Fixes contents; false where there is nothing to fix.
  bool fix(Dive& state);
  /// Packs the rest in quick ways.
  void complete(Dive& state);
  /// Solves the program with new columns; false where it needs too many nodes, or the run has ended.
  bool settle(Dive& state);
  [[nodiscard]] bool may_improve(const Dive& state) const;

  const PackingProblem& problem_;
  WorkClock& clock_;
  Random random_;
  ContentPricing pricing_;
  GreedyPacking greedy_;
  CoverProgram program_;
  Packing best_;
  double bound_;
  bool solved_ = false;        // whether the bound is that of the linear program, rounded up
  std::uint64_t exact_steps_;  // of the next search for the most valuable content of all
  std::uint32_t dives_ = 0;
};

}  // namespace stowage
