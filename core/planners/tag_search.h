// Search over placements for the least violation of soft placement rules.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

std::span<const PlannerInfo> tag_search_planners();

}  // namespace stowage
