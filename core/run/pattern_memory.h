// Patterns that one run hands to the next.
#pragma once

#include <vector>

#include "core/model/node_contents.h"

namespace stowage {

/// The contents of single nodes in the best solutions of earlier runs, each by app, ascending. Cutting stock begins its column
/// generation with the patterns that extend what a node holds now. They decide where the search begins, never what is feasible
/// or proven. The plan of a run depends on them as it does on the seed.
struct PatternMemory {
  static constexpr std::size_t kMost = 1000;
  std::vector<std::vector<Tenant>> patterns;
};

}  // namespace stowage
