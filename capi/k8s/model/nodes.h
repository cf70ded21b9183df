// Nodes, and the kinds that they are of.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "capi/k8s/model/cluster.h"

namespace stowage::k8s {

/// What becomes of a node that is in the input and in no plan.
enum class NodeFate : std::uint8_t { kStays, kGoes, kUnreachable, kNoStatus };

struct NodeFates {
  std::unordered_map<View, NodeFate> of;
  [[nodiscard]] NodeFate fate(View name) const {
    const auto found = of.find(name);
    return found == of.end() ? NodeFate::kStays : found->second;
  }
};

/// Adds the nodes and kinds to a cluster. `specs` are those of all pods that run, wait or may be made.
NodeFates collect_nodes(Cluster& to, const std::vector<const PodSpec*>& specs);

/// What devices the annotations and amounts of a node say it has: adds them to its capacity.
void add_device_capacity(Cluster& to, const Node& from, Amounts& capacity);

}  // namespace stowage::k8s
