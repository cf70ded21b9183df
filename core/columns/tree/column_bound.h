// The bound of columns: no complete plan has fewer nodes, costs less, or uses less, than whole contents of nodes that hold
// everything.
#pragma once

#include "core/bounds/bounds.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Name and source of the bound on kNodes, kCost or kUcac.
const BoundInfo& column_bound_info(Objective objective);
/// Adds the bound on plans that may move everything to those of what plans of the instance are judged by, kCost with prices,
/// else kNodes, and then, where demand is uncertain, of kUcac. Where the others prove that there is no complete plan, it would
/// say nothing, and is not added; nor is it where the run ends before anything is known.
void add_column_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds);

}  // namespace stowage
