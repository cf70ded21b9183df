// Branch and price: the least cost of nodes that hold all items of a problem, by column generation and branching.
//
//   minimize    sum over contents p of kinds k of price_k x_kp
//   subject to  sum of copies_p of each item >= its replicas,  sum over p of x_kp <= count_k,  x whole
//
// The linear program is solved by column generation (Gilmore and Gomory 1961); best_content.h finds columns and proves that
// there are no better ones. Lagrange's bound at any duals (Farley 1990, with counts) is rounded up to a sum of prices. Open
// nodes of the tree wait by this bound, and the lowest is looked at first: it is left as soon as its bound has risen. Branches
// are numbers of nodes whose content meets a condition: of a kind, or with so many replicas of an item, or of several items
// (Vanderbeck 2000).
//
// Proof sketch of the bound. Let y be duals of all rows, at least 0, and let U_k be no less than what any content of kind k is
// worth at y, branches included. A solution uses n_k <= count_k nodes of kind k, so that y b <= sum of n_k U_k for the rows'
// right sides b. Its cost is at least s y b - sum over k of count_k max(0, s U_k - price_k), for any s >= 0 with
// s U_k <= price_k where the count is infinite.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/watch.h"
#include "core/columns/attainable.h"
#include "core/columns/best_content.h"
#include "core/columns/column_problem.h"
#include "core/run/work_clock.h"
#include "core/solver/cover_program.h"

namespace stowage {

/// Nodes of a kind that hold the same.
struct FilledNodes {
  std::uint32_t kind;
  ItemContent content;
  std::uint32_t count;
};
/// A solution. All replicas are held, some perhaps more than once.
using ColumnSolution = std::vector<FilledNodes>;

class ColumnTree {
 public:
  /// @param problem whole, with items, and outlives the tree
  explicit ColumnTree(const ColumnProblem& problem);
  ~ColumnTree();
  ColumnTree(const ColumnTree&) = delete;
  ColumnTree& operator=(const ColumnTree&) = delete;
  ColumnTree(ColumnTree&&) = delete;
  ColumnTree& operator=(ColumnTree&&) = delete;

  /// Contents to begin with, as of a plan that is known.
  void suggest(const ColumnSolution& filling);
  /// States that no solution costs less, in units of the dearest node, without what stands.
  void raise_bound(double cost);
  /// States the cost of the best plan known, in units of the dearest node, without what stands: what costs as much is not
  /// looked for. Where none is known, what costs more than all nodes is not.
  void set_cutoff(double cost);
  /// Goes on until nothing below the cutoff exists, a solution below it is found, or `clock` says that the run, or its part,
  /// ends.
  void run(WorkClock& clock);
  /// Whether the root has been solved and divided.
  [[nodiscard]] bool is_divided() const;
  /// Whether there is nothing more to find.
  [[nodiscard]] bool has_ended() const;
  /// Whether it has ended because no solution exists.
  [[nodiscard]] bool is_infeasible() const;
  /// The solution that the last run() found; nothing: it found none. Where it is still below the cutoff at the next run(), no
  /// plan could be made of it, and others are looked for.
  [[nodiscard]] const std::optional<ColumnSolution>& found() const;
  /// What it costs, in units of the dearest node, without what stands.
  [[nodiscard]] double found_cost() const;
  /// Nodes that the linear program of the root uses whole, and more of those that it uses in part, as far as all of their
  /// replicas are left: a part of a solution, for starts. Empty once the root is divided.
  [[nodiscard]] ColumnSolution rounded() const;
  /// No solution costs less, in units of the dearest node, without what stands.
  [[nodiscard]] double bound() const;
  /// Work that begins the root, roughly, in units of the clock.
  [[nodiscard]] std::uint64_t work_to_begin() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stowage
