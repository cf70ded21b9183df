// Heuristics for uncertain demand: P1's best fit by n sigma, best fit by used capacity at confidence, and bi-level heuristic.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// bf-nsigma, bf-ucac, biheu.
std::span<const PlannerInfo> confidence_fit_planners();

}  // namespace stowage
