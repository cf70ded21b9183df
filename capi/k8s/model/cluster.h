// The input as nodes, kinds of nodes and apps: what planners place, what goes with nodes, and what must be said beside an
// answer.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "capi/k8s/model/ground.h"
#include "capi/k8s/read/objects.h"

namespace stowage::k8s {

/// Of a node that somebody has closed to new pods.
inline constexpr View kCordonTaint = "node.kubernetes.io/unschedulable";

/// A node that pods may be on.
struct PresentNode {
  const Node* from = nullptr;
  View name{};
  Labels labels{};
  std::vector<Taint> taints{};   ///< that stay
  std::vector<Taint> closing{};  ///< of a cordon or a condition
  std::vector<UsedPort> ports{};
  int kind = 0;
  Amounts capacity{};
  /// What runs there as long as the node does.
  Amounts daemon{};
  std::string closed_by{};  ///< "is cordoned"; "" = open
  bool closed = false;      ///< for every pod
  /// Why the node stays in any case; "" = it may be emptied.
  std::string kept_by{};
  [[nodiscard]] Ground ground() const { return {name, labels, taints, ports}; }
};

/// Nodes that are alike: in labels, taints and, within a percent, capacity.
struct NodeKind {
  std::string name;
  Labels labels;
  std::vector<Taint> taints;
  Amounts most, least;  ///< of the capacities of its nodes
  int nodes = 0;
  bool control = false;  ///< of the control plane: neither emptied nor added
  bool single = false;   ///< made by others for one pod each (Fargate): likewise
  bool spot = false;
  View pool{};       ///< the NodePool
  Amounts daemon{};  ///< what runs on each new node
  std::vector<UsedPort> ports{};
  bool grows = false;  ///< of a node group that can grow; where there are such kinds, others cannot
  /// How many can be added; negative = any number.
  std::int64_t room = -1;
  [[nodiscard]] bool fixed() const { return control || single; }
  [[nodiscard]] Ground ground() const { return {View(), labels, taints, ports}; }
};

/// Pods that are alike in all that decides where they may be.
struct App {
  View ns;
  std::string key;      ///< of the controller: "deployment team/web"
  std::string part{};   ///< of a stateful set whose volumes are at several places: " (db-0)"
  std::string title{};  ///< its own name, which no other app has
  Labels labels;
  std::shared_ptr<const PodSpec> spec;
  Amounts requests;
  std::vector<Within> within{};
  std::vector<std::string> one_pod_claims{};  ///< which only one pod may use
  std::string group{};                        ///< "team/train": placed with the others of it, or not at all
  std::int64_t replicas = 0;
  std::map<int, std::uint32_t> running{};  ///< by node
  std::int64_t priority = 0;
  bool never_preempts = false;
  bool pinned = false;  ///< what runs cannot be elsewhere
  bool held = false;    ///< what runs may not be evicted now
  std::string held_by{};
  std::vector<std::string> pods{};     ///< that exist
  std::vector<std::string> members{};  ///< of a part of a stateful set, those to come too
  /// Resources of which no device of any node has enough, or whose parts count as whole devices.
  std::string too_large{};
  std::vector<std::string> local_data{};  ///< kinds of volumes that stay behind
  int outside = -1;                       ///< the node on which it runs although that takes none like it any more

  /// By which answers name it.
  [[nodiscard]] std::string workload() const { return key + part; }
  [[nodiscard]] std::int64_t run() const {
    std::int64_t sum = 0;
    for (const auto& [node, count] : running) sum += count;
    return sum;
  }
};

/// A daemon set or a kind of static pods. Its pods go with their nodes.
struct Daemon {
  std::string name;
  View ns;
  bool is_static = false;
  std::vector<Labels> labels{};
  std::shared_ptr<const PodSpec> spec{};  ///< of a daemon set in the input
  Amounts requests{};
  std::map<int, Amounts> on{};   ///< of its pods, by node
  std::set<int> waits{};         ///< nodes for which its pods wait
  std::vector<int> left_over{};  ///< nodes that should have one and lack room
  std::vector<UsedPort> ports{};
};

struct BudgetOf {
  std::string name;
  std::vector<int> apps;
  std::int64_t allowed = 0;
};

struct Cluster {
  explicit Cluster(Objects& objects) : from(objects) {}
  Objects& from;
  std::vector<PresentNode> nodes{};
  std::vector<NodeKind> kinds{};
  std::vector<App> apps{};
  std::vector<Daemon> daemons{};
  std::vector<BudgetOf> budgets{};
  /// Labels of volumes of which each node has its own value, so that they distinguish nodes and not kinds.
  std::set<View> own_keys{};
  /// All taints of nodes.
  std::vector<Taint> taints{};
  /// Gangs by name: the least number of pods.
  std::map<std::string, std::int64_t> groups{};
  /// The amount of one device by resource; 0 = nodes differ, or do not say.
  std::map<int, std::int64_t> devices{};

  /// What plans do not take into account; what of it is missing from the input and could change the answer; assumptions.
  std::vector<std::string> left_out{}, missing{}, notes{};
  void leave_out(std::string text) { say(left_out, std::move(text)); }
  void miss(std::string text) { say(missing, std::move(text)); }
  void note(std::string text) { say(notes, std::move(text)); }

  [[nodiscard]] int find_node(View name) const;

 private:
  void say(std::vector<std::string>& to, std::string text) {
    if (said_.insert(text).second) to.push_back(std::move(text));
  }
  std::set<std::string> said_{};
};

/// Reads the objects of the input.
Cluster make_cluster(Objects& from);

std::string owner_key(const Meta& of);
std::string key_of(View kind, View ns, View name);

}  // namespace stowage::k8s
