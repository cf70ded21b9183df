// Cutting stock by column generation under capacity at confidence.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// csp-ucac, csp-mac.
std::span<const PlannerInfo> cutting_stock_planners();

}  // namespace stowage
