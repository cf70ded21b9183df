// What a search leaves over although it fits.
#pragma once

#include "core/plan/plan.h"
#include "core/planners/planner.h"

namespace stowage {

/// Places replicas that are left over on nodes of the plan, and on further ones, where they fit: the highest priority first,
/// then those that count most. Searches exchange replicas until they end, and the last exchange may have made room. Replicas of
/// apps that run somewhere stay left over, for they might exceed the budget of moves; so does everything where applications are
/// placed all or nothing, in instances of more than kMostReplicas, and after so many looks at nodes.
void place_remainder(const PlannerInput& input, Plan& plan);

}  // namespace stowage
