// Schedules that know loads alone, on equal nodes: the subroutines for P||Cmax that P4's heuristics (section 5) are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/watch.h"

namespace stowage {

/// Which subroutine assigns loads to nodes.
enum class Subroutine : std::uint8_t { kLpt, kMultifit };

/// Longest processing time first: each load, in the given order, goes to the node of least load; of equal ones to the first.
/// With loads sorted largest first, the greatest load of a node is at most 4/3 - 1/(3 nodes) times the least possible one
/// (R. L. Graham, SIAM J. Appl. Math. 17, 1969). Takes O(loads x log nodes).
/// @param load at least 0 each; nodes is at least 1
/// @param watch ends it, with any nodes
/// @return the node of each load
[[nodiscard]] std::vector<std::uint32_t> lpt(std::span<const double> load, std::uint32_t nodes, WatchRef watch = {});

/// Multifit (E. G. Coffman, M. R. Garey, D. S. Johnson, SIAM J. Comput. 7, 1978): first-fit on the nodes with the least
/// capacity for which a search by halves finds that all loads fit. The search begins at what lpt() needs, whose result stands
/// where first-fit never does with less. Takes O(loads x log nodes) per step of the search.
/// @param load largest first, at least 0 each; nodes is at least 1
/// @param watch ends it, with any nodes
/// @return the node of each load
[[nodiscard]] std::vector<std::uint32_t> multifit(std::span<const double> load, std::uint32_t nodes, WatchRef watch = {});

[[nodiscard]] inline std::vector<std::uint32_t> schedule(Subroutine how, std::span<const double> load, std::uint32_t nodes,
                                                         WatchRef watch) {
  return how == Subroutine::kLpt ? lpt(load, nodes, watch) : multifit(load, nodes, watch);
}

}  // namespace stowage
