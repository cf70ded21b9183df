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
  /// @param most in units of the problem; larger sums are not told apart. Takes O(most x kinds x log(most) / 64) steps, and
  /// most / 8 bytes
  AttainableSums(const ColumnProblem& problem, std::int64_t most, Effort& effort);

  /// The least sum that is at least `cost`, which is in units of the dearest node, as the result is. Costs without a common
  /// unit stay as they are.
  [[nodiscard]] double round_up(double cost) const;

 private:
  /// The first sum that is not below `least`; of those that are not told apart, `least`.
  [[nodiscard]] std::int64_t next_sum(std::int64_t least) const;

  double unit_;            // in units of the dearest node; 0: there is none
  std::int64_t size_ = 0;  // sums below this are told apart
  std::vector<std::uint64_t> attained_;
};

}  // namespace stowage
