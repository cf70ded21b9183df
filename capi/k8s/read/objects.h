// All objects of the input, by kind.
#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "capi/k8s/read/types.h"

namespace stowage::k8s {

/// An instance type of which there may be no node yet.
struct NodeType {
  View name;
  Amounts amounts;          ///< that a new node has for pods
  std::vector<View> zones;  ///< empty = those of the nodes there are
  View arch;                ///< "" = that of the nodes there are
  std::int64_t most = -1;   ///< of nodes to add in a zone; negative = any number
};

struct Objects {
  ResourceNames resources;
  Texts texts;
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  std::vector<Controller> controllers;  ///< deployments, sets, jobs and rollouts; daemon sets are apart
  std::vector<Controller> daemon_sets, replica_sets;
  std::vector<Budget> budgets;
  std::vector<Claim> claims;
  std::vector<Volume> volumes;
  std::vector<StorageClass> storage_classes;
  std::vector<PriorityClass> priority_classes;
  std::vector<RuntimeClass> runtime_classes;
  std::vector<VolumeLimits> volume_limits;
  std::vector<LimitRange> limit_ranges;
  std::vector<PodGroup> pod_groups;
  std::vector<Autoscaler> autoscalers;
  std::vector<NodePool> node_pools;
  std::vector<DeviceClass> device_classes;
  std::vector<DeviceSlice> device_slices;
  std::vector<DeviceClaim> device_claims;
  std::vector<Meta> namespaces;
  std::vector<Meta> cron_jobs;
  std::vector<NodeType> types;
  /// Objects of kinds that are not read, by kind.
  std::map<std::string, int, std::less<>> others;
  /// When the last of them was made: about now.
  std::int64_t latest = 0;
  /// Objects that were there before.
  int repeated = 0;

  /// Adds the objects of a text, which has to outlive this. Fails, naming the path, where it is none.
  void read(std::string_view text, const std::string& file);
  /// Adds one object, whose kind is this one where it names none.
  void add(At object, View kind);
  /// The name of a kind's object, to find it again.
  std::unordered_set<std::string> seen;
};

/// Parts of objects.
std::shared_ptr<const PodSpec> read_pod_spec(At spec, ResourceNames& resources);
Selector read_selector(At selector);
std::vector<NodeTerm> read_node_terms(At terms);
std::vector<Taint> read_taints(At taints);
std::vector<Toleration> read_tolerations(At tolerations);
Labels read_labels(At labels);
std::vector<View> read_texts(At list);

}  // namespace stowage::k8s
