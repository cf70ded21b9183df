#pragma once

#include <cstdint>
#include <vector>

#include "core/base/watch.h"

namespace stowage {

struct GraphMatching {
  std::uint64_t pairs = 0;
  std::uint64_t most = 0;  ///< no matching has more pairs; equal to `pairs` where the search was finished
};

/// A largest matching of a graph (Edmonds 1965). O(vertices x edges), usually much less after a greedy start.
/// @param neighbours per vertex, in both directions, without loops
/// @param steps      edges that are looked at, at most
/// @param watch      ends the search as if the steps were used up
GraphMatching largest_matching(const std::vector<std::vector<std::uint32_t>>& neighbours, std::uint64_t steps,
                               WatchRef watch = {});

}  // namespace stowage
