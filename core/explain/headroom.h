// How many more replicas of an app each node of a plan takes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/status.h"
#include "core/explain/explain.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Per node of the plan, where the plan is otherwise as it is. Of a node with copies, one copy is meant.
struct Headroom {
  std::vector<std::uint32_t> room;           ///< most replicas that the node takes; see find_headroom()
  std::vector<std::uint8_t> lacks_capacity;  ///< 1: there is no capacity for one more
  std::vector<std::uint8_t> forbidden;       ///< 1: limits, rules, side effects, tags or its being closed refuse one more
  std::vector<Obstacle> obstacles;           ///< to one more on the node asked for; empty if it takes one
};

/// A node takes replicas if no obstacle of the explainer keeps them out. The counts end at the number of replicas that the app
/// wants, or at 1 if it wants none. They are 0 exactly where a node lacks capacity or is forbidden.
/// @param node kNone, or the node of the plan whose obstacles are returned
/// Errors: those of explain_plan(); kInvalid if there is no such node; kCancelled where the watch ends it. O(log replicas)
/// questions per node.
Result<Headroom> find_headroom(const Instance& instance, const Plan& plan, AppId app, NodeId node, WatchRef watch = {});

}  // namespace stowage
