// Bounds on what all replicas cost together.
#pragma once

#include "core/colocation/problem.h"
#include "core/run/work_clock.h"

namespace stowage {

/// All replicas together cost at least as much in any plan: the larger one of two bounds. O(n log n) for n replicas, with a
/// large factor: about .1 s for 100,000. If the clock stops, the larger one of those that are done, or 0. A unit of work is
/// about a microsecond.
[[nodiscard]] double total_cost_bound(const ColocationProblem& problem, WorkClock& clock);

}  // namespace stowage
