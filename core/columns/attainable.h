// Costs are sums of prices: which sums there are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/columns/column_problem.h"

namespace stowage {

/// The sums of prices that nodes of a problem may have, as far as their prices and counts say.
class AttainableSums {
 public:
  /// @param most in units of the problem; larger sums are not told apart. Takes O(most x kinds) steps, and most / 8 bytes
  AttainableSums(const ColumnProblem& problem, std::int64_t most);

  /// The least sum that is at least `cost`, ties between nodes included, which is in units of the dearest node, as the result
  /// is. Costs without a common unit stay as they are.
  [[nodiscard]] double round_up(double cost) const;
  /// A sum that round_up() gave, without ties.
  [[nodiscard]] double without_ties(double sum) const;

 private:
  double unit_;  // in units of the dearest node; 0: there is none
  double tie_;   // of a node
  double ties_;  // of as many nodes as there are replicas
  std::vector<bool> attained_;
};

}  // namespace stowage
