// The objectives worst and total: what side effects of colocation cost (P4).
#pragma once

#include <optional>

#include "core/plan/plan.h"
#include "core/planners/planner.h"

namespace stowage {

/// Makes the cost of whoever suffers most, or the cost of all together, as small as it can; and a bound on it.
///
/// First without the hard constraints: starts by load and by groups of kinds, annealing, and in turn with it the bound, which
/// offers further starts. What comes of it is seated on the nodes. Where they take it as it is, that is the plan. Otherwise,
/// and where what runs stays, a search that asks the placement for headroom goes on from what could be seated.
Error suffer_least(const PlannerInput& input, Plan& plan);

/// A start for the fewest nodes where limits on costs bind: the same search on as few nodes as keep everybody within the
/// limits. Returns nothing where nodes do not take what it finds as it is, or where some replica stays where it is: then the
/// search that rebuilds has to find its own. For instances that limit costs and have one class of nodes.
std::optional<Plan> few_nodes_within_costs(const PlannerInput& input);

}  // namespace stowage
