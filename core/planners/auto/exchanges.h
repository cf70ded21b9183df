// What `auto` improves plans by, in its own right: docs/auto.md.
#pragma once

#include <cstdint>

#include "core/planners/planner.h"

namespace stowage {

/// A plan by first fit, then by exchanges between nodes, until the bound is reached or the run ends.
/// @param nodes what any complete plan is known to need, where that is more than bounds.h knows
/// @param units so much work after first fit, a part of the run that the caller ends; kEndless for all that the run has
/// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
Error exchange(const PlannerInput& input, double nodes, std::uint64_t units, Plan& plan);

/// Makes the used capacity at confidence of a plan smaller by exchanges.
void exchange_for_used_capacity(const PlannerInput& input, Plan& plan);

}  // namespace stowage
