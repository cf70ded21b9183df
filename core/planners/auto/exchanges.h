// The parts of `auto` that exchange replicas between nodes (docs/search.md).
#pragma once

#include <cstdint>

#include "core/planners/planner.h"

namespace stowage {

/// Plans by first fit, then by exchanges between nodes, until the bound is reached or the run ends.
/// @param nodes a lower bound on the nodes of any complete plan, besides those of bounds.h; 0: none
/// @param units work of the exchanges, as a part of the run that the caller ends; kEndless: all that the run has
/// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
Error exchange(const PlannerInput& input, double nodes, std::uint64_t units, Plan& plan);

/// Exchanges replicas until the plan's used capacity at confidence falls no further.
void exchange_for_used_capacity(const PlannerInput& input, Plan& plan);

}  // namespace stowage
