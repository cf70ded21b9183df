// Traffic between replicas that do not share a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Traffic of pairs of apps both of which want replicas: what could stay on nodes. The others have none.
[[nodiscard]] inline double all_traffic(const Instance& instance) {
  double sum = 0;
  for (const Traffic& one : instance.data().traffic) {
    if (instance.replicas(one.app) > 0 && instance.replicas(one.peer) > 0) sum += one.amount;
  }
  return sum;
}

/// Traffic that leaves its node. Of a pair with d and e replicas, the share min(x / d, y / e) stays on a node that holds x and
/// y of them (gained affinity: Wang et al., ICDE 2024, section 3). Shares are summed as whole numbers, so that the value does
/// not depend on the order of the nodes. O(placed + sum over pairs of the nodes that hold either app).
[[nodiscard]] inline double remote_traffic(const Instance& instance, const Plan& plan) {
  std::vector<std::uint32_t> begin(std::size_t{instance.apps()} + 1, 0);
  for (const Placed& placed : plan.placed) ++begin[placed.app + 1];
  for (AppId app = 0; app < instance.apps(); ++app) begin[app + 1] += begin[app];
  struct Share {
    NodeId node;
    std::uint32_t replicas;
  };
  std::vector<Share> shares(plan.placed.size());
  std::vector<std::uint32_t> end(begin.begin(), begin.end() - 1);
  // Plans list what is placed by node, so that the shares of an app are in the order of the nodes.
  for (const Placed& placed : plan.placed) shares[end[placed.app]++] = {placed.node, placed.replicas};
  double sum = 0;
  for (const Traffic& one : instance.data().traffic) {
    const std::uint64_t of_app = instance.replicas(one.app);
    const std::uint64_t of_peer = instance.replicas(one.peer);
    if (of_app == 0 || of_peer == 0) continue;
    std::uint64_t stays = 0;
    std::uint32_t k = begin[one.peer];
    for (std::uint32_t j = begin[one.app]; j < begin[one.app + 1]; ++j) {
      while (k < begin[one.peer + 1] && shares[k].node < shares[j].node) ++k;
      if (k == begin[one.peer + 1]) break;
      if (shares[k].node != shares[j].node) continue;
      stays += plan.nodes[shares[j].node].copies * std::min(shares[j].replicas * of_peer, shares[k].replicas * of_app);
    }
    const std::uint64_t whole = of_app * of_peer;
    sum += one.amount * (static_cast<double>(whole - std::min(whole, stays)) / static_cast<double>(whole));
  }
  return sum;
}

}  // namespace stowage
