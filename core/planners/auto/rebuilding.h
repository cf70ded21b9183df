// The part of `auto` that takes a plan apart and rebuilds it (docs/search.md).
#pragma once

#include <vector>

#include "core/planners/planner.h"

namespace stowage {

/// Starts from the best of some plans, or from nothing, and improves it by ruin and recreate until its bound is reached or the
/// run ends. The result is never worse than any of the starts.
/// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
Error rebuild(const PlannerInput& input, std::vector<Plan> starts, Plan& plan);

}  // namespace stowage
