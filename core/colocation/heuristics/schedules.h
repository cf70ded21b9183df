// P4's heuristics that put all kinds on all nodes (section 5), and a rule that looks at what each replica would suffer.
#pragma once

#include "core/colocation/heuristics/identical_nodes.h"
#include "core/colocation/problem.h"

namespace stowage {

/// SCHEDMIXED: the subroutine on all replicas, whatever their kinds.
[[nodiscard]] Colocation sched_mixed(const ColocationProblem& problem, Subroutine how);

/// SCHEDJUXTAPOSE: the subroutine on the replicas of each kind; every other schedule is put on the nodes in reverse order.
/// Kinds that no replica has do not count.
[[nodiscard]] Colocation sched_juxtapose(const ColocationProblem& problem, Subroutine how);

/// BESTSCHEDULE: the better of the two; of equal ones sched_mixed().
[[nodiscard]] Colocation best_schedule(const ColocationProblem& problem, Subroutine how);

/// Costs of nodes that differ by no more than this share count as equal to least_cost_lpt().
inline constexpr double kLeastCostTolerance = 1e-3;

/// Each replica goes to a node whose worst-off replica then costs least, up to the tolerance. P4 has no such rule: it is LPT
/// that knows the kinds.
[[nodiscard]] Colocation least_cost_lpt(const ColocationProblem& problem);

}  // namespace stowage
