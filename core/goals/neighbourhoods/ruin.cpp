// Some nodes lose some or all of what they hold, and it goes where it is best.

#include <algorithm>
#include <cstdint>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

constexpr std::uint32_t kMostNodesToRuin = 4;
constexpr std::uint32_t kMostOfNodeToRuin = 6;
constexpr std::uint32_t kMostReplicasToRuin = 32;
constexpr std::uint32_t kNodesToRuin = 12;

}  // namespace

template <class Unit>
bool try_ruin(Site<Unit>& site) {
  const std::uint32_t nodes = 1 + site.random().below(kMostNodesToRuin);
  // Whole nodes are emptied few at a time.
  const bool whole = site.random().below(4) == 0;
  site.begin_choice(kNodesToRuin);
  std::uint32_t taken = 0;
  NodeId emptied = kNone;
  for (std::uint32_t k = 0; k < (whole ? 1 : nodes) && taken < kMostReplicasToRuin; ++k) {
    const NodeId node = site.burdened_node(1 + site.random().below(6));
    if (node == kNone) return false;
    const std::uint32_t wanted = whole ? kMostReplicasToRuin : 1 + site.random().below(kMostOfNodeToRuin);
    for (std::uint32_t j = 0; j < wanted && taken < kMostReplicasToRuin; ++j) {
      const AppId app = site.any_tenant(node);
      if (app == kNone) break;
      site.take(app, node);
      ++taken;
    }
    if (whole) emptied = node;
    if (!whole || site.random().below(2) == 0) site.add(node);
  }
  if (taken == 0) return false;
  if (emptied != kNone || site.random().below(4) == 0) site.add_empty_nodes();
  return site.place_waiting();
}

template bool try_ruin(Site<std::int16_t>& site);
template bool try_ruin(Site<std::int32_t>& site);

}  // namespace stowage
