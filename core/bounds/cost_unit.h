// Costs are sums of prices, so that they are multiples of what the prices have in common.
#pragma once

#include "core/bounds/bounds.h"

namespace stowage {

class CostUnit {
 public:
  /// Takes the prices of all nodes that the supply has. Where the supply ends that, the unit is 0.
  explicit CostUnit(const Supply& supply);
  /// The largest number that all prices are whole multiples of; 0 where there is none of which a plan's cost is a modest
  /// multiple, or all prices are 0.
  [[nodiscard]] double value() const { return unit_; }
  /// The least cost that a plan may have whose cost is at least `bound`, less a relative 2^-40 so that the rounding of sums
  /// does not matter. `bound` must be lower than what is proven by more than a relative 2^-45.
  [[nodiscard]] double round_up(double bound) const;

 private:
  double unit_ = 0;
};

}  // namespace stowage
