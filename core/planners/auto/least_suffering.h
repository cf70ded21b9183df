// The objectives worst and total: what side effects of colocation cost (P4).
#pragma once

#include "core/plan/plan.h"
#include "core/planners/planner.h"

namespace stowage {

/// Makes the cost of whoever suffers most, or the cost of all together, as small as it can; and a bound on it.
///
/// First without the hard constraints: starts by load and by groups of kinds, annealing, and in turn with it the bound, which
/// offers further starts. What comes of it is seated on the nodes. Where they take it as it is, that is the plan. Otherwise,
/// and where what runs stays, a search that asks the placement for headroom goes on from what could be seated.
Error suffer_least(const PlannerInput& input, Plan& plan);

}  // namespace stowage
