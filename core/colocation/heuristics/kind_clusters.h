// Clusters of kinds that get along, each of which P4's FILLGREEDY and GREEDYDEDICATED put on nodes of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "core/colocation/problem.h"

namespace stowage {

/// The kinds that replicas have, in clusters: any two kinds of a cluster suffer at most 1 per load from each other (P4, section
/// 4.2). Kinds join the first cluster whose kinds all suit them; those that suit the fewest others come first, of equal ones
/// the first. The clusters stand by their first kind, and their kinds in order.
///
/// There are at most as many clusters as nodes. As long as there are more, the two clusters become one whose greatest
/// coefficient between kinds of one and kinds of the other is least; of equal pairs, the first. P4 leaves this case open.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> kind_clusters(const ColocationProblem& problem);

/// The replicas of some kinds of a problem, as a problem of their own with the same kinds.
struct ColocationPart {
  ColocationProblem problem;
  std::vector<std::uint32_t> replica;  ///< the index in the whole problem of each replica of the part
};

/// A part for each cluster. Each has the nodes of the whole problem.
[[nodiscard]] std::vector<ColocationPart> parts_of(const ColocationProblem& problem,
                                                   const std::vector<std::vector<std::uint32_t>>& clusters);

}  // namespace stowage
