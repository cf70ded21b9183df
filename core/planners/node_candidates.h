// The app with the fewest candidate nodes first: Medea's second heuristic.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// medea-nc.
std::span<const PlannerInfo> node_candidates_planners();

}  // namespace stowage
