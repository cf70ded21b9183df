// The best pair of an app and a node, over and over: P0's multi-node family with application-node matching.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// match-{dotproduct,l2norm,fitness,tightfill}, each also with -binsearch and -decr{2,3,5}.
std::span<const PlannerInfo> match_planners();

}  // namespace stowage
