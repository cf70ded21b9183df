// What if nodes were lost: which of their replicas find a place on what remains, while all others stay where they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Nodes that are lost together.
struct Domain {
  std::string name;           ///< the value of the label; empty where nodes were asked for by number
  std::vector<NodeId> nodes;  ///< ascending
};

/// Nodes are numbered as in a Placement: the instance's listed nodes, then the plan's anonymous nodes in the plan's order, each
/// copy by itself.
struct Loss {
  Domain domain;
  struct Entry {
    AppId app;
    NodeId to;  ///< kNone: no place was found
    std::uint32_t replicas;
  };
  std::vector<Entry> entries;  ///< all replicas of the lost nodes; by app, then by node
  std::uint64_t replicas = 0;  ///< their number
  std::uint64_t left = 0;      ///< those without a place
  std::uint64_t pinned = 0;    ///< among these, replicas that are pinned to lost nodes
  /// The resource of which what remains has too little free in all by the largest share of its capacity, that amount, and the
  /// period. kNone: none. Otherwise no way to place them all exists.
  ResourceId short_resource = kNone;
  std::uint32_t short_period = kNone;
  double short_amount = 0;
};

/// What is lost.
struct LossQuestion {
  /// The nodes to be lost together. Empty: `label` decides.
  std::vector<NodeId> nodes;
  /// A key: the nodes with the label KEY=VALUE are lost together, one value after the other. Empty: each node by itself.
  std::string label;
  /// True: listed nodes that the plan does not use are no places.
  bool only_planned = false;
};

/// What runs, unless the request ignores it, or is pinned, as a plan without figures. Everything else is unplaced.
/// @param watch ends it: the plan is incomplete, and nobody uses it
Plan plan_of_start(const Instance& instance, const Request& request = {}, WatchRef watch = {});

/// One loss per domain, worst first: with the most replicas left, then with the most replicas, then in the order of their first
/// nodes. Remaining nodes are those that the plan uses and listed ones that it does not. Every hard constraint holds for what
/// is placed anew; a skew does not count lost nodes, nor sets of which no node is left. Pinned replicas have no other place.
/// The largest replicas are placed first, on the fullest node that takes them; where some are left over, anew with these first,
/// a few times. So a loss without replicas left is proven bearable. That no way exists is proven only where a resource is
/// short. Errors: kInvalid with the path `nodes`, `label` or `plan` (which has to be valid); kLimitExceeded for too many nodes.
/// @param plan    null: what runs or is pinned
/// @param control null, or ends the call by cancel or deadline: the domains that were not looked at by then are left out
Result<std::vector<Loss>> find_losses(const Instance& instance, const Plan* plan, const LossQuestion& question,
                                      Control* control);

}  // namespace stowage
