// Planners that place replica after replica where it costs least in soft placement rules, on busy clusters.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// serial, j-kube, j-kube++, yarn.
std::span<const PlannerInfo> tag_greedy_planners();

/// medea-tp and medea-nc where the instance has placement rules.
Error tag_popularity(const PlannerInput& input, Plan& plan);
Error tag_node_candidates(const PlannerInput& input, Plan& plan);

}  // namespace stowage
