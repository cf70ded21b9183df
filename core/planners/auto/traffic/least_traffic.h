// The objective traffic: replicas that exchange traffic come to the same nodes.
#pragma once

#include "core/planners/planner.h"

namespace stowage {

/// Makes the traffic between replicas that do not share a node as small as it can (core/traffic/).
///
/// What runs stays at first, and everything else is placed by a heuristic. Then replicas move, or are exchanged, within the
/// move budget. Apps whose rules need a minimum, limit node sets or skew, or offer a choice stay where the start puts them.
/// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
Error keep_traffic(const PlannerInput& input, Plan& plan);

}  // namespace stowage
