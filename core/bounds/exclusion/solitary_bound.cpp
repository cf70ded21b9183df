// One node for each replica that cannot share a node, and P0, Eq. 4, for the others. With periods, this is stronger than Eq. 4
// alone: a replica may fill a node in one period, and demand little in the period that decides Eq. 4.
//
// Proof sketch. A replica is solitary if in some dimension its demand plus the least demand of any app exceeds what any node
// carries: no second replica fits beside it. So any complete plan has a node for each of the S solitary replicas, and carries
// the others on further nodes. By Eq. 4 these are at least k, the nodes that carry most taken first. Mandatory nodes may be
// among the S + k nodes. All arithmetic is exact.

#include <algorithm>
#include <limits>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {

BoundValue solitary_bound(const Instance& instance, const Supply& supply) {
  const std::uint32_t dims = instance.dims();
  std::vector<std::int64_t> largest(dims);
  std::vector<std::int64_t> least(dims, std::numeric_limits<std::int64_t>::max());
  std::vector<std::int64_t> shared(supply.total_demand().begin(), supply.total_demand().end());
  for (std::uint32_t h = 0; h < dims; ++h) largest[h] = supply.largest(h);
  std::uint64_t solitary = 0;
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (instance.replicas(i) == 0) continue;
      const auto demand = demand_of(i);
      for (std::uint32_t h = 0; h < dims; ++h) least[h] = std::min<std::int64_t>(least[h], demand[h]);
    }
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (instance.replicas(i) == 0) continue;
      const auto demand = demand_of(i);
      bool alone = false;
      for (std::uint32_t h = 0; h < dims && !alone; ++h) alone = demand[h] + least[h] > largest[h];
      if (!alone) continue;
      solitary += instance.replicas(i);
      for (std::uint32_t h = 0; h < dims; ++h) shared[h] -= std::int64_t{demand[h]} * instance.replicas(i);
    }
  });

  BoundValue best;
  best.value = static_cast<double>(std::max(supply.mandatory, solitary));
  std::vector<const Supply::Group*> order;
  for (const Supply::Group& group : supply.groups) order.push_back(&group);
  for (std::uint32_t h = 0; h < dims && solitary > 0 && !supply.ends(kStepsToSort * order.size()); ++h) {
    const std::uint64_t nodes = solitary + fewest_carriers(order, h, shared[h], supply.watch()).nodes;
    if (static_cast<double>(nodes) > best.value || best.resource == kNone) {
      best = {std::max(best.value, static_cast<double>(nodes)), instance.resource_of(h), instance.period_of(h), false};
    }
  }
  return best;
}

}  // namespace stowage
