// Most applications, each as a whole or not at all (P3): the objective admitted, and starts with few added nodes.
#pragma once

#include "core/planners/planner.h"

namespace stowage {

/// Starts with whole applications in the order of what they cost, and searches for room for more until the bound is reached or
/// the run ends. Where nodes may be added, places all that have room, and searches for fewer nodes.
Error admit_most(const PlannerInput& input, Plan& plan);

/// Whether there are nodes that cost nothing, and others that cost may be added.
[[nodiscard]] bool adds_to_free_nodes(const PlannerInput& input);
/// For any objective: a search for room with fewer added nodes than the plan has, again and again.
/// @param plan becomes the best
Error add_fewer_nodes(const PlannerInput& input, Plan& plan);

}  // namespace stowage
