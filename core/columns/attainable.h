// Costs are sums of prices: which sums there are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/columns/column_problem.h"
#include "core/columns/effort.h"

namespace stowage {

/// The sums of prices that nodes of a problem may have, as far as their prices and counts say.
class AttainableSums {
 public:
  /// Knows no prices: any multiple of the unit may be a sum. The same where the effort ends the other constructor.
  explicit AttainableSums(const ColumnProblem& problem) : unit_(problem.unit / problem.dearest) {}
  /// @param most in units of the problem; larger sums are not told apart. Takes O(most x kinds) steps, and most / 8 bytes
  AttainableSums(const ColumnProblem& problem, std::int64_t most, Effort& effort);

  /// The least sum that is at least `cost`, which is in units of the dearest node, as the result is. Costs without a common
  /// unit stay as they are.
  [[nodiscard]] double round_up(double cost) const;

 private:
  double unit_;  // in units of the dearest node; 0: there is none
  std::vector<bool> attained_;
};

}  // namespace stowage
