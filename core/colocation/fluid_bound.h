// Bounds of the side-effects model that take no time: the loads as fluids.
#pragma once

#include <span>
#include <vector>

#include "core/colocation/problem.h"
#include "core/colocation/scaled_kinds.h"

namespace stowage {

/// What the replica that costs most alone costs: no plan's worst-off replica costs less. P4, section 6, for any coefficient
/// of a kind on itself.
[[nodiscard]] double largest_replica_bound(const ColocationProblem& problem);

/// No plan's worst-off replica costs less than `value`.
struct FluidBound {
  double value = 0;
  /// For each kind, at least 0: value = the sum over kinds of price x load of all replicas of the kind, but for rounding.
  std::vector<double> prices;
};

/// The bound if loads can be divided at will and nodes too, each of which holds some set of kinds. At most 1 ms for 8 kinds.
/// With more than ScaledKinds::kMost kinds, of groups of kinds: weaker, but valid.
/// @param total exact_total_load(problem)
[[nodiscard]] FluidBound fluid_bound(const ColocationProblem& problem, std::span<const double> total);
[[nodiscard]] inline FluidBound fluid_bound(const ColocationProblem& problem) {
  return fluid_bound(problem, exact_total_load(problem));
}

/// The same for the number of nodes: no fewer hold all replicas such that those of kind t cost at most limit[t]. At least 1 if
/// there is a replica; infinite if one alone costs more than its limit. `limit`: one for each kind, at least 0 or infinite.
[[nodiscard]] double fluid_node_count(const ColocationProblem& problem, std::span<const double> limit);

/// The dual solution behind both.
struct FluidPrices {
  double nodes = 0;           ///< no fewer hold the loads
  std::vector<double> price;  ///< of each group: nodes = price x load; no node holds more than 1 of it
};
[[nodiscard]] FluidPrices fluid_prices(const ScaledKinds& kinds);

/// Slightly less than the value, more than rounding errors can add to a bound.
[[nodiscard]] inline double rounded_down(double value) { return value * (1 - 1e-12); }

}  // namespace stowage
