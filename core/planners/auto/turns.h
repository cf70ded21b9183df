// The part of `auto` that searches for fewest nodes, or least cost (docs/auto.md).
#pragma once

#include "core/planners/planner.h"

namespace stowage {

/// Rebuilding, exchanges and, for few apps, cutting stock in turns. Errors: those of the searches.
Error take_turns(const PlannerInput& input, Plan& plan);

/// Whether take_turns() begins with exchanges, which begin with first fit.
bool begins_with_exchanges(const PlannerInput& input);

}  // namespace stowage
