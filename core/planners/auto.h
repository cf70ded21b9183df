// The planner that a caller without a preference gets.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

std::span<const PlannerInfo> auto_planners();

}  // namespace stowage
