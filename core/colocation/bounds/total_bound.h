// Bounds on what all replicas cost together.
#pragma once

#include <span>

#include "core/colocation/problem.h"
#include "core/run/work_clock.h"

namespace stowage {

/// At most the sum of what all replicas cost in any plan: the larger one of two bounds. O(n log n) for n replicas, with a large
/// factor: about a second for 100,000. If the clock stops, the larger one of those that are done, or 0. A unit of work is about
/// a microsecond.
[[nodiscard]] double total_cost_bound(const ColocationProblem& problem, WorkClock& clock);

/// The least sum over `nodes` nodes of number of replicas x sum of their loads: one kind, coefficient 1. `load`: largest first,
/// at least 0. A lower bound, tight to about a relative 1e-9.
[[nodiscard]] double one_kind_total(std::span<const double> load, std::uint32_t nodes, WorkClock& clock);

}  // namespace stowage
