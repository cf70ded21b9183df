// Nodes without replicas that a plan keeps so that losses are borne.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

struct SpareQuestion {
  std::string label;             ///< the key of the label whose values are lost, one at a time; empty: each node by itself
  std::uint32_t node_limit = 0;  ///< limit on the nodes of the plan with its spares; 0: none
  bool ignore_running = false;   ///< as in the request
  WatchRef watch = {};           ///< ends the search with what it has
};

/// Adds nodes to the plan so that, after the loss of any domain, its replicas find places on the others, while all others stay:
/// losses in the order of what they leave, each with the cheapest nodes for that; then without those that others replace. With
/// a label, whole nodes first change to domains that hold fewer, so that no domain is larger than it has to be; none that
/// holds running replicas does, unless they are ignored. The plan has to be valid, and stays so. A plan of more than
/// kMostNodesHeld nodes stays as it is.
void add_spares(const Instance& instance, const SpareQuestion& question, Plan& plan);

/// Puts the plan's nodes, and its placed and reserved replicas, into the order of Plan. Drops the figures of nodes.
void order_nodes(Plan& plan);

/// Replicas that the worst loss leaves without a place on the nodes of the plan, those pinned to lost nodes not counted;
/// Plan::kUnknown: the watch ended it before all were looked at, or there are more than kMostNodesHeld nodes. The answer
/// depends on the plan's content only.
/// @param worst null, or gets what the worst loss is of: "zone=a", "node n1" or, as new nodes have no names, "a new node of
///              class large"
std::uint64_t worst_loss(const Instance& instance, const Plan& plan, const std::string& label, WatchRef watch,
                         std::string* worst = nullptr);

}  // namespace stowage
