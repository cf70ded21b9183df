// Groups of nodes that hold the same kinds in the same proportion: what a good assignment looks like if loads could be divided.
#pragma once

#include <cstdint>
#include <vector>

#include "core/colocation/problem.h"

namespace stowage {

/// Nodes, each of which is to hold this load of each kind; 0: the kind stays away.
struct KindGroup {
  std::uint32_t nodes = 0;
  std::vector<double> load;
};
using KindGroups = std::vector<KindGroup>;

/// The groups of the fluid relaxation, rounded to whole nodes; they have problem.nodes nodes together. Empty where there are
/// too many kinds, or nodes, fewer than kinds, for it.
///
/// At a cost of 1, a node with exactly the kinds S holds at best the solution of sum_u coefficient[t x kinds + u] load_u = 1
/// for all t in S, if that is positive: where it is not, a subset of S does better. The fewest fractional nodes that hold all
/// loads are a linear program with a column per S.
[[nodiscard]] KindGroups fluid_groups(const ColocationProblem& problem);

}  // namespace stowage
