// Fixed-point units: how the doubles of one resource become integers.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/watch.h"

namespace stowage {

/// Largest scaled capacity. 32 bits then have room for one demand on top of a full node, and for the residuals of overloaded
/// nodes.
inline constexpr std::int32_t kMaxScaled = 1 << 30;

/// Nodes that hold more than this times the largest capacity at the start may be refused.
inline constexpr double kMostOverload = 1024;

/// The unit of one resource. Scaled values are multiples of 1 / (scale / divisor) of the resource's unit.
class Scale {
 public:
  /// Chooses the coarsest unit in which every value is an integer: the scale is the fewest parts of 1 of which all values are
  /// multiples, decimals as well as fractions such as 1/3, and the divisor is the greatest common divisor of the demands and
  /// loads, daemon loads excluded. Where there is no such scale, or the largest capacity has more than kMaxScaled units, the
  /// scale is a power of two. Then demand rounds up and capacity down, by less than 2^-29 of the largest capacity. (Where a
  /// node holds more than 1.5 times the largest capacity at the start, by less than 2^-29 of two thirds of what it holds.)
  /// @param amounts    demands and loads, finite and not negative
  /// @param capacities finite and not negative
  /// @param heaviest   most that a node holds at the start; the unit lets it fit, up to kMostOverload times the largest
  /// capacity
  /// @param watch      the scale is none if it ends the call
  static Scale choose(std::span<const double> amounts, std::span<const double> capacities, double heaviest = 0,
                      WatchRef watch = {});

  /// Demand in units, rounded up where not exact; largest_capacity() + 1 for any demand above the largest capacity.
  [[nodiscard]] std::int32_t demand(double value) const;
  /// Load in units, rounded up where not exact, not capped.
  [[nodiscard]] std::int64_t load(double value) const;
  /// Capacity less a daemon load in units, rounded down; negative where the load is larger.
  [[nodiscard]] std::int64_t left(double capacity, double daemon) const;
  /// Capacity in units, rounded down.
  [[nodiscard]] std::int32_t capacity(double value) const;
  /// For lower bounds, which must hold for the original numbers: demand rounded down, and no less capacity than the checker
  /// grants beside a daemon load. least_demand() equals demand() where units are exact.
  [[nodiscard]] std::int32_t least_demand(double value) const;
  [[nodiscard]] std::int64_t most_left(double capacity, double daemon) const;
  /// Size of one unit, for measures and reports; not for feasibility.
  [[nodiscard]] double unit() const { return static_cast<double>(divisor_) / scale_; }
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] std::int32_t largest_capacity() const { return largest_capacity_; }

 private:
  /// A load in units before division, rounded up where not exact.
  [[nodiscard]] std::int64_t fine(double value) const;
  /// Rounded down.
  [[nodiscard]] std::int64_t divided(std::int64_t units) const;

  double scale_ = 1;
  std::int64_t divisor_ = 1;
  bool exact_ = true;
  std::int32_t largest_capacity_ = 0;
};

}  // namespace stowage
