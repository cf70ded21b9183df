// P4's GREEDYDEDICATED (section 5).
#pragma once

#include "core/colocation/heuristics/identical_nodes.h"
#include "core/colocation/problem.h"

namespace stowage {

/// What GREEDYDEDICATED puts the replicas of a cluster on their nodes with.
enum class DedicatedSchedule : std::uint8_t { kMixed, kJuxtapose, kBest };

/// Each cluster of kind_clusters() gets nodes of its own, in order, and a schedule of its own on them.
///
/// P4 tries all numbers of nodes m_k per cluster k whose sum is the number of nodes. Here, a search by halves finds, per
/// cluster and cost limit, the fewest nodes with which the cluster's schedule stays below the limit, and a second one the least
/// limit for which the sum is at most the number of nodes. The cost of the schedules falls with m_k but for anomalies of the
/// subroutine; without any, the result costs what P4's does. With some, it may cost more: the result then is one that the
/// search by halves cannot improve. Nodes that lower nothing stay empty.
[[nodiscard]] Colocation greedy_dedicated(const ColocationProblem& problem, DedicatedSchedule what, Subroutine how);

}  // namespace stowage
