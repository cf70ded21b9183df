// A planner's question to the caller's solver.
#pragma once

#include "core/planners/planner.h"
#include "core/solver/mip.h"

namespace stowage {

/// Has the caller's solver solve the program within what is left of the run's time and work, to the gap that the planner's
/// option "gap" states, and counts its work. The answer is checked: values that break the program are none. For planners that
/// need a solver.
Answer ask_solver(const PlannerInput& input, const Program& program);

}  // namespace stowage
