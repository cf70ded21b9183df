// First, best and worst fit, plain and decreasing: P0's application-centric family, and Medea-TP.
#pragma once

#include <span>

#include "core/planners/planner.h"

namespace stowage {

/// ff, bf[-measure], wf[-measure], ffd[-measure], bfd[-measure], wfd[-measure], medea-tp.
std::span<const PlannerInfo> fit_planners();

}  // namespace stowage
