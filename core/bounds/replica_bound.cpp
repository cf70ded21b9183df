// Replicas of one app: at most nu_i (P0, Eq. 1, with the floor) and at most its self limit share a node.
//
// Proof sketch. No node holds more replicas of app i than an empty node of the roomiest class takes (or one that holds too much
// at the start and gives all of it up), its self limit, or what runs or is pinned on one node already. R_i divided by that,
// rounded up, nodes are needed for app i alone. An app that wants replicas, has none in place and
// fits no node proves that no complete plan exists.

#include <algorithm>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {

BoundValue replica_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  std::vector<std::uint32_t> in_place(instance.apps(), 0);
  const auto look = [&](const std::vector<Residence>& list) {
    for (const Residence& r : list) {
      in_place[r.app] = std::max(in_place[r.app], r.replicas);
    }
  };
  look(instance.data().running);
  look(instance.data().pinned);
  const std::uint32_t dims = instance.dims();
  const std::uint32_t periods = instance.periods();
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (instance.replicas(i) == 0) continue;
      const auto demand = demand_of(i);
      std::uint64_t most = 0;
      const auto try_node = [&](const auto& room_in) {
        std::uint64_t copies = instance.replicas(i);
        for (std::uint32_t h = 0; h < dims && copies > 0; ++h) {
          const auto room = static_cast<std::uint64_t>(room_in(h));
          if (static_cast<std::uint64_t>(demand[h]) * copies > room) copies = room / static_cast<std::uint64_t>(demand[h]);
        }
        most = std::max(most, copies);
      };
      for (ClassId c = 0; c < instance.classes(); ++c) {
        try_node([&](std::uint32_t h) { return supply.capacity(c, h / periods); });
      }
      if (!supply.roomiest_broken().empty()) {
        try_node([&](std::uint32_t h) { return supply.roomiest_broken()[h]; });
      }
      most = std::min<std::uint64_t>(most, instance.limit_rows().self_limit(i));
      most = std::max<std::uint64_t>(most, in_place[i]);
      if (most == 0) {
        best.infeasible = true;
        continue;
      }
      const std::uint64_t nodes = (instance.replicas(i) + most - 1) / most;
      if (static_cast<double>(nodes) > best.value) best.value = static_cast<double>(nodes);
    }
  });
  return best;
}

}  // namespace stowage
