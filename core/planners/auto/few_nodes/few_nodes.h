// Where nodes are too few for everything: most replicas, priority by priority.
//
// 1. Prices of the resources come with the bound on what any plan leaves over (left_over_bound.h).
// 2. All nodes that may be used are brought into play, and replicas are taken, cheapest first, until they fill them but for a
//    loss that packing is expected to have. The search then has an instance in which everything fits.
// 3. Once everything taken is placed, more is taken: the expected loss falls, until nothing more fits in total. What a search
//    that is stuck cannot place is passed over for others.
// 4. At the end, and whenever a plan is looked at on the way, everything left over is tried everywhere.
#pragma once

#include "core/plan/objective.h"
#include "core/planners/planner.h"

namespace stowage {

/// Whether nodes are proven to be too few for all replicas, and are so few that all may be brought into play.
bool lacks_nodes(const PlannerInput& input);

/// Improves a plan that leaves replicas over, until the bound on what any plan leaves over is reached or the run ends.
/// @param seconds that first fit took
/// @param key     of the plan; what was broken at the start counts in it
void place_most(const PlannerInput& input, double seconds, const PlanKey& key, Plan& plan);

}  // namespace stowage
