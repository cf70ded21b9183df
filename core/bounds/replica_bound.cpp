// Replicas of one app: at most nu_i (P0, Eq. 1, with the floor) and at most its self limit share a node.
//
// Proof sketch. Let k_i be the most replicas of app i that a node can hold. An empty node takes at most nu_i, by the roomiest
// class on some node of which i is eligible (or by what a node that is exceeded at the start carries), and at most the self
// limit. A node on which more run or are pinned at the start may keep these. App i alone needs R_i / k_i nodes, rounded up. If
// k_i = 0, no complete plan exists.

#include <algorithm>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {

std::vector<std::uint64_t> most_per_node(const Instance& instance, const Supply& supply) {
  std::vector<std::uint64_t> most_of(instance.apps(), 0);
  std::vector<std::uint32_t> at_start(instance.apps(), 0);  // most replicas of the app on one node
  const auto look = [&](const std::vector<Residence>& list) {
    for (const Residence& r : list) {
      at_start[r.app] = std::max(at_start[r.app], r.replicas);
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
        if (!instance.eligibility().reaches(i, c)) continue;
        try_node([&](std::uint32_t h) { return supply.capacity(c, h / periods); });
      }
      if (!supply.roomiest_broken().empty()) {
        try_node([&](std::uint32_t h) { return supply.roomiest_broken()[h]; });
      }
      most = std::min<std::uint64_t>(most, instance.limit_rows().self_limit(i));
      most_of[i] = std::max<std::uint64_t>(most, at_start[i]);
    }
  });
  return most_of;
}

BoundValue replica_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  const std::vector<std::uint64_t> most = most_per_node(instance, supply);
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (instance.replicas(i) == 0) continue;
    if (most[i] == 0) {
      best.infeasible = true;
      continue;
    }
    const std::uint64_t nodes = (instance.replicas(i) + most[i] - 1) / most[i];
    if (static_cast<double>(nodes) > best.value) best.value = static_cast<double>(nodes);
  }
  return best;
}

}  // namespace stowage
