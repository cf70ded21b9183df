// Used capacity at confidence of a plan (P1, section 4.1, definitions 1 and 2).
#pragma once

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Fills ucac, ucac_resource and node_ucac of a plan for an instance with uncertain demand: per node, mean + D sqrt(sum of
/// spreads) of what it holds, in the resource's unit; with periods, in the one where that is most. O(placed x periods).
void measure_used_capacity(const Instance& instance, Plan& plan);

}  // namespace stowage
