// P2's integer program, handed to a solver.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// medea-ilp.
std::span<const PlannerInfo> medea_ilp_planners();

}  // namespace stowage
