// Searches over the number of nodes: P0, section 5.1 (BinSearch, Decr).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/planners/planner.h"

namespace stowage {

/// How a multi-node planner comes by its number of nodes.
enum class NodeSearch : std::uint8_t { kGiven, kBinary, kDecrement };

/// Calls try_nodes(n), which returns whether all replicas fit on n nodes, for falling n.
/// @param known a number of nodes that is known to do (first fit's)
/// @param step  for kDecrement: percent of the lower bound by which n falls each time
template <class Try>
void search_nodes(NodeSearch search, std::uint32_t lower_bound, std::uint32_t known, double step, Run& run, Try&& try_nodes) {
  if (search == NodeSearch::kBinary) {
    std::uint32_t low = lower_bound;
    std::uint32_t high = known;
    while (low < high && run.stop() == Stop::kNo) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (try_nodes(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return;
  }
  const auto decrement = std::max(1u, static_cast<std::uint32_t>(step / 100 * lower_bound));
  std::uint32_t best = known;
  while (best > lower_bound && run.stop() == Stop::kNo) {
    const std::uint32_t next = std::max(lower_bound, best - std::min(best, decrement));
    if (!try_nodes(next)) return;
    best = next;
  }
}

}  // namespace stowage
