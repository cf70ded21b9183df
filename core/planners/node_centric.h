// One node after the other: P0's node-centric family, and the second phase of LraSched.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// ncd-dotproduct, ncd-l2norm, ncd-fitness, ncd-tightfill, lrasched-fitness.
std::span<const PlannerInfo> node_centric_planners();

}  // namespace stowage
