// Spreading over a given number of nodes, and searches over that number: P0's multi-node family with replica spreading.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// spread-wf, spread-wfd-{measure}, each also with -binsearch and -decr{2,3,5}.
std::span<const PlannerInfo> spread_planners();

}  // namespace stowage
