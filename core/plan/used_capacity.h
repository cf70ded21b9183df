// Used capacity at confidence of a plan (P1, section 4.1, definitions 1 and 2).
#pragma once

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Used capacity of all nodes together, copies included, in the unit of the uncertain resource. O(placed x periods).
[[nodiscard]] double used_capacity(const Instance& instance, const Plan& plan);

/// Fills ucac, ucac_resource and node_ucac of a plan for an instance with uncertain demand. A node's value is mean + D sqrt(sum
/// of spreads) of its load and replicas, in the resource's unit; with periods, in the period with the largest mean. O(placed x
/// periods).
void measure_used_capacity(const Instance& instance, Plan& plan);

}  // namespace stowage
