// The objective admitted: most applications, each as a whole or not at all (P3).
#pragma once

#include "core/planners/planner.h"

namespace stowage {

/// Starts with whole applications in the order of what they cost, and searches for room for more until the bound is reached or
/// the run ends. Where nodes may be added, places all that have room, and searches for fewer nodes.
Error admit_most(const PlannerInput& input, Plan& plan);

}  // namespace stowage
