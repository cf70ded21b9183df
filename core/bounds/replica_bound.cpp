// Replicas of one app: at most nu_i (P0, Eq. 1, with the floor) and at most its self limit share a node.
//
// Proof sketch. Let k_i be the most replicas of app i that a node can hold. An empty node takes at most nu_i, by the roomiest
// class on some node of which i is eligible (or by what a node that is exceeded at the start carries), and at most the self
// limit. A node on which more run or are pinned at the start may keep these. App i alone needs R_i / k_i nodes, rounded up. If
// k_i = 0, no complete plan exists.

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/sort_by.h"
#include "core/bounds/bounds.h"

namespace stowage {

namespace {

// Classes, those first that carry more: few apps have to look at a second one.
std::vector<ClassId> largest_first(const Instance& instance, const Supply& supply) {
  std::vector<double> size(instance.classes(), 0);
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    std::int64_t largest = 1;
    for (ClassId c = 0; c < instance.classes(); ++c) largest = std::max(largest, supply.capacity(c, r));
    for (ClassId c = 0; c < instance.classes(); ++c) {
      size[c] += static_cast<double>(supply.capacity(c, r)) / static_cast<double>(largest);
    }
  }
  std::vector<ClassId> order(instance.classes());
  std::iota(order.begin(), order.end(), ClassId{0});
  sort_by_largest(order, size);
  return order;
}

}  // namespace

std::vector<std::uint64_t> most_per_node(const Instance& instance, const Supply& supply) {
  std::vector<std::uint64_t> most_of(instance.apps(), 0);
  std::vector<std::uint32_t> at_start(instance.apps(), 0);  // most replicas of the app on one node
  const auto look = [&](const std::vector<Residence>& list) {
    for (const Residence& r : list) {
      if (supply.ends(1)) return;
      at_start[r.app] = std::max(at_start[r.app], r.replicas);
    }
  };
  look(instance.data().running);
  look(instance.data().pinned);
  const std::uint32_t dims = instance.dims();
  const std::uint32_t periods = instance.periods();
  const std::vector<ClassId> classes = largest_first(instance, supply);
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      const std::uint64_t enough = std::min<std::uint64_t>(instance.replicas(i), instance.limit_rows().self_limit(i));
      if (enough == 0) continue;
      const auto demand = demand_of(i);
      std::uint64_t most = 0;
      // Raises `most` if the node takes more.
      const auto try_node = [&](const auto& room_in) {
        for (std::uint32_t h = 0; h < dims; ++h) {
          if (static_cast<std::uint64_t>(demand[h]) * (most + 1) > static_cast<std::uint64_t>(room_in(h))) return;
        }
        most = enough;
        for (std::uint32_t h = 0; h < dims; ++h) {
          if (demand[h] > 0)
            most = std::min(most, static_cast<std::uint64_t>(room_in(h)) / static_cast<std::uint64_t>(demand[h]));
        }
      };
      for (std::size_t k = 0; k < classes.size() && most < enough; ++k) {
        const ClassId c = classes[k];
        if (supply.ends(1 + dims / 4)) return;
        if (!instance.eligibility().reaches(i, c)) continue;
        try_node([&](std::uint32_t h) { return supply.capacity(c, h / periods); });
      }
      if (!supply.roomiest_broken().empty() && most < enough) {
        try_node([&](std::uint32_t h) { return supply.roomiest_broken()[h]; });
      }
      most_of[i] = most;
    }
  });
  for (AppId i = 0; i < instance.apps(); ++i) {
    if (instance.replicas(i) > 0) most_of[i] = std::max<std::uint64_t>(most_of[i], at_start[i]);
  }
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
