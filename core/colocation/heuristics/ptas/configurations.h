// What nodes can hold when loads are rounded: the covering problem inside P4's PTAS (algorithm 1, corrected).
#pragma once

#include <cstdint>
#include <vector>

#include "core/run/work_clock.h"

namespace stowage {

/// Items in whole units of load. A configuration is a set of kinds with items of them, such that each kind of the set, even one
/// without an item, suffers at most `most` from all items. Beside them, each kind of the set has a container for free.
struct RoundedProblem {
  /// Replicas of one kind and size.
  struct Size {
    std::uint32_t kind;
    double units;  ///< a whole number
    std::uint32_t count;
  };
  std::uint32_t nodes = 0;
  std::uint32_t kinds = 0;
  std::vector<double> coefficient;  ///< kinds x kinds: what the first suffers per unit of the second; above 0 for equal kinds
  double most = 0;
  std::uint32_t container = 1;  ///< units of a container
  std::vector<Size> sizes;      ///< by kind, largest first
  /// Containers needed per kind, the free ones included. Above 0 for exactly the kinds with small replicas.
  std::vector<std::uint32_t> containers;
};

/// What a node holds.
struct Configuration {
  std::vector<std::uint32_t> count;       ///< per size
  std::vector<std::uint32_t> containers;  ///< per kind, the free ones included
};

enum class Covering : std::uint8_t { kFound, kImpossible, kTooMany, kStopped };

/// Finds configurations, at most one per node, that hold all items and as many containers of each kind as needed, or proves
/// that there are none. A search in depth: the first item left is part of the next node's configuration, configurations to
/// which an item could be added are left out, and states from which the nodes left did not suffice are remembered. Counts work
/// in configurations looked at.
/// @param most_configurations after so many, the answer is kTooMany
/// @param found filled if the answer is kFound
[[nodiscard]] Covering cover(const RoundedProblem& problem, std::uint64_t most_configurations, WorkClock& clock,
                             std::vector<Configuration>& found);

}  // namespace stowage
