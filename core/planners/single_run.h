// One run of a planner, or one portfolio of runs.
#pragma once

#include "core/bounds/bounds.h"
#include "core/planners/planner.h"

namespace stowage {

/// As run_planner(), without what takes several runs: `max_cost`, `keep`, `survive` and `leave_free` are not looked at.
/// @param known_bounds of the instance and the request
Result<Plan> run_as_limited(const Instance& instance, const Request& request, LazyBounds& known_bounds, Control* control);

}  // namespace stowage
