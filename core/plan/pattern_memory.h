// Patterns that are handed from one run to the next.
#pragma once

#include <vector>

#include "core/model/node_contents.h"

namespace stowage {

/// What single nodes held, all in all, in the best solutions of earlier runs: by app, ascending. Cutting stock begins its
/// column generation with those that can be completed on a node as it is now. They decide where the search begins, never what
/// is feasible or proven; so the plan of a run depends on them as on the seed.
struct PatternMemory {
  static constexpr std::size_t kMost = 1000;
  std::vector<std::vector<Tenant>> patterns;
};

}  // namespace stowage
