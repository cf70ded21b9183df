// Chooses a few nodes of the best solution that are packed again (a large neighbourhood): the one that loses most at the root's
// duals, others that lose much, and any. Losses that are gathered on few nodes are soon worth one.
#pragma once

#include <cstdint>
#include <vector>

#include "core/columns/effort.h"
#include "core/columns/tree/column_tree.h"

namespace stowage {

class Repacking {
 public:
  explicit Repacking(const ColumnProblem& problem) : problem_(problem), worth_(problem.items.size(), 0) {}

  /// Takes the solution, if it holds everything on not too many nodes. It is then the best one.
  void set_best(const ColumnSolution& filling);
  /// What a replica of each item is worth at the root's duals.
  void set_worth(std::vector<double> worth) { worth_ = std::move(worth); }
  /// Whether there is a solution, of at most this cost.
  [[nodiscard]] bool may_begin(double cost) const { return !best_.empty() && cost_ <= cost; }
  /// The nodes that stay as they are.
  /// @param number of the choice: each is another one
  ColumnSolution keep_some(std::uint64_t number, Effort& effort) const;
  /// Takes a solution of the same cost, if losses are gathered on fewer nodes there.
  void take_if_gathered(const ColumnSolution& filling);

 private:
  /// What nodes cost beyond what the duals pay for their content.
  [[nodiscard]] double loss(const FilledNodes& nodes) const;
  [[nodiscard]] double squared_losses(const ColumnSolution& filling) const;

  const ColumnProblem& problem_;
  std::vector<double> worth_;
  ColumnSolution best_;  // empty: none
  double cost_ = 0;
};

}  // namespace stowage
