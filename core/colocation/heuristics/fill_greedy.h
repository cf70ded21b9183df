// P4's FILLGREEDY (section 4.2).
#pragma once

#include "core/colocation/problem.h"

namespace stowage {

/// The replicas of each cluster of kind_clusters(), largest first, fill one node after the other up to a threshold of load;
/// each cluster begins a new node. A dichotomic search finds a threshold at which the nodes suffice: at the next lower one at
/// which the search has tried, they do not. The first threshold is P4's L_max = max(2 L, L + p_max) with L = W / (nodes -
/// clusters), which always suffices, where there are more nodes than clusters, and the total load otherwise: a node per
/// cluster. P4 defines neither that case nor that of fewer nodes than clusters, for which see kind_clusters().
///
/// Where every kind suffers 1 per load from itself, T kinds occur and there are m > T nodes, the worst-off replica costs at
/// most 2 T m / (m - T) times the least possible (proposition 5). Takes O(replicas) per step of the search.
[[nodiscard]] Colocation fill_greedy(const ColocationProblem& problem);

}  // namespace stowage
