#include "capi/k8s/model/nodes.h"

#include <algorithm>
#include <array>

#include "capi/k8s/model/types.h"
#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {
namespace {

using Keys = std::unordered_set<View>;

/// Nodes of one kind report slightly different capacities, because their systems reserved different amounts at start.
constexpr double kSlack = 0.01;

constexpr View kConditions = "node.kubernetes.io/";
constexpr std::array<View, 2> kControl = {"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"};

void add_keys(const std::vector<NodeTerm>& terms, Keys& keys) {
  for (const NodeTerm& term : terms) {
    for (const Requirement& one : term.expressions) keys.insert(one.key);
  }
}

/// The value of the label by which clouds tell spot from on demand says spot.
bool is_spot(const Labels& labels) {
  constexpr std::array<std::pair<View, View>, 7> kSpot = {{{"karpenter.sh/capacity-type", "spot"},
                                                           {"eks.amazonaws.com/capacityType", "SPOT"},
                                                           {"cloud.google.com/gke-spot", "true"},
                                                           {"cloud.google.com/gke-preemptible", "true"},
                                                           {"kubernetes.azure.com/scalesetpriority", "spot"},
                                                           {"node.kubernetes.io/lifecycle", "spot"},
                                                           {"lifecycle", "Ec2Spot"}}};
  return ranges::any_of(kSpot, [&](const auto& one) { return labels.get(one.first) == one.second; });
}

/// Whether a taint says that the node is being deleted.
bool goes(const Taint& taint) {
  return taint.effect != Effect::kPreferNoSchedule &&
         (taint.key == "ToBeDeletedByClusterAutoscaler" || taint.key == "karpenter.sh/disrupted" ||
          taint.key == "karpenter.sh/disruption");
}

class NodeCollector {
 public:
  NodeCollector(Cluster& to, const std::vector<const PodSpec*>& specs) : to_(to) {
    find_keys(specs);
    for (const NodePool& pool : to.from.node_pools) {
      for (const Taint& taint : pool.startup_taints) startup_.insert(taint.key);
    }
  }

  NodeFates collect() {
    NodeFates fates;
    for (const Node& one : to_.from.nodes) {
      const NodeFate fate = fate_of(one);
      fates.of.emplace(one.name, fate);
      if (fate == NodeFate::kStays) add(one);
    }
    add_types(to_);
    name_kinds();
    limit_kinds();
    return fates;
  }

 private:
  /// Labels that distinguish kinds of nodes: those that pods and volumes refer to, and those that describe the machine. Names
  /// distinguish nodes, not kinds, and so do other labels of which each node has its own value.
  void find_keys(const std::vector<const PodSpec*>& specs) {
    keys_ = {kInstanceType, kZone, kRegion, "kubernetes.io/arch", "kubernetes.io/os"};
    Keys of_volumes;
    for (const Volume& one : to_.from.volumes) {
      for (const auto& terms : one.within) add_keys(terms, of_volumes);
    }
    for (const StorageClass& one : to_.from.storage_classes) add_keys(one.within, of_volumes);
    for (const View key : of_volumes) {
      const bool of_places = key.find("zone") != View::npos || key.find("region") != View::npos;
      if (of_places || !is_own(key)) {
        keys_.insert(key);
      } else {
        to_.own_keys.insert(key);
      }
    }
    for (const PodSpec* spec : specs) {
      for (const auto& [key, value] : spec->node_selector) keys_.insert(key);
      add_keys(spec->node_terms, keys_);
      add_keys(spec->preferred_node_terms, keys_);
      for (const auto* terms : {&spec->near, &spec->apart, &spec->preferred_near, &spec->preferred_apart}) {
        for (const PodTerm& one : *terms) keys_.insert(one.topology_key);
      }
      for (const Spread& one : spec->spreads) keys_.insert(one.topology_key);
    }
    for (const RuntimeClass& one : to_.from.runtime_classes) {
      for (const auto& [key, value] : one.node_selector) keys_.insert(key);
    }
    keys_.erase(kHostname);
    for (const View key : keys_) to_.own_keys.erase(key);
  }

  /// Whether each node that has the label has a value of its own.
  [[nodiscard]] bool is_own(View key) const {
    Keys seen;
    return ranges::all_of(to_.from.nodes, [&](const Node& one) {
      const View* value = one.labels.find(key);
      return value == nullptr || seen.insert(*value).second;
    });
  }

  /// A node that is not ready and was made a short time ago will take pods.
  [[nodiscard]] bool is_young(const Node& one) const {
    constexpr std::int64_t kMostSeconds = 15 * 60;
    return one.made > 0 && to_.from.latest - one.made <= kMostSeconds;
  }

  NodeFate fate_of(const Node& one) {
    const std::string name(one.name);
    if (!one.has_status) {
      to_.note("node " + name + " has no status yet: it is left out");
      return NodeFate::kNoStatus;
    }
    if (one.going || ranges::any_of(one.taints, goes)) {
      to_.note("node " + name + " is being deleted: it takes no pods, and those on it come back elsewhere");
      return NodeFate::kGoes;
    }
    for (const Taint& taint : one.taints) {
      const bool lost = taint.key == "node.kubernetes.io/unreachable" || taint.key == "node.kubernetes.io/not-ready";
      if (lost && taint.effect == Effect::kNoExecute && !(taint.key.ends_with("/not-ready") && is_young(one))) {
        to_.note("node " + name + " has the taint " + taint.text() + ": it takes no pods, and those on it come back elsewhere");
        return NodeFate::kUnreachable;
      }
    }
    return NodeFate::kStays;
  }

  /// Whether a taint goes away once the node has started.
  [[nodiscard]] bool is_startup(const Taint& taint) const {
    return startup_.contains(taint.key) || taint.key.ends_with("agent-not-ready") || taint.key.ends_with("/not-initialized") ||
           taint.key == "node.cloudprovider.kubernetes.io/uninitialized" || taint.key == "karpenter.sh/unregistered" ||
           taint.key.starts_with("startup-taint.cluster-autoscaler.kubernetes.io/") ||
           taint.key.starts_with("ignore-taint.cluster-autoscaler.kubernetes.io/") ||
           taint.key == "node.cilium.io/agent-not-ready";
  }

  void take_taints(const Node& from, PresentNode& made) {
    const std::string name(from.name);
    const std::size_t cordons = from.cordoned ? 1 : 0;
    if (from.cordoned) {
      made.closed_by = "is cordoned";
      made.closing.push_back({kCordonTaint, "", Effect::kNoSchedule});
    }
    for (const Taint& taint : from.taints) {
      if (taint.effect == Effect::kPreferNoSchedule) {
        to_.leave_out("node " + name + ": taint " + taint.text() + ", which only prefers that pods stay away");
      } else if (is_startup(taint) || (taint.key == "node.kubernetes.io/not-ready" && is_young(from))) {
        to_.note("node " + name + " is starting: its taint " + taint.text() + " counts as gone");
      } else if (taint.key.starts_with(kConditions)) {
        // A temporary condition of this node, which does not distinguish its kind.
        if (taint.key == kCordonTaint && cordons > 0) continue;
        made.closing.push_back(taint);
        if (made.closed_by.empty()) made.closed_by = "has the condition " + std::string(taint.key.substr(kConditions.size()));
      } else {
        made.taints.push_back(taint);
      }
    }
    ranges::sort(made.taints, {}, &Taint::text);
  }

  void add(const Node& from) {
    PresentNode made{&from, from.name, from.labels, {}, {}};
    if (const View host = from.labels.get(kHostname); host.empty() || !hosts_.insert(host).second) {
      to_.note("node " + std::string(from.name) + " has no label " + std::string(kHostname) +
               " of its own, and counts as if it had");
      made.labels.add(kHostname, from.name);
    }
    take_taints(from, made);
    note_sharing(from);
    made.capacity = from.allocatable;
    add_device_capacity(to_, from, made.capacity);
    NodeKind kind{{}, {}, made.taints, made.capacity, made.capacity, 1};
    for (const auto& [key, value] : from.labels) {
      if (keys_.contains(key)) kind.labels.add(key, value);
    }
    kind.control = ranges::any_of(kControl, [&](View key) {
      return from.labels.has(key) || ranges::any_of(from.taints, [&](const Taint& taint) { return taint.key == key; });
    });
    kind.single =
        from.labels.get("eks.amazonaws.com/compute-type") == "fargate" || from.labels.get("type") == "virtual-kubelet";
    kind.spot = is_spot(from.labels);
    kind.pool = from.labels.get("karpenter.sh/nodepool");
    if (from.annotations.get("cluster-autoscaler.kubernetes.io/scale-down-disabled") == "true") {
      made.kept_by = "its annotation cluster-autoscaler.kubernetes.io/scale-down-disabled=true";
    } else if (from.annotations.get("karpenter.sh/do-not-disrupt") == "true") {
      made.kept_by = "its annotation karpenter.sh/do-not-disrupt=true";
    }
    made.kind = take_kind(std::move(kind));
    to_.nodes.push_back(std::move(made));
  }

  void note_sharing(const Node& from) {
    const View sharing = from.labels.get("nvidia.com/gpu.sharing-strategy");
    if (sharing.empty() || sharing == "none") return;
    const View type = from.labels.get(kInstanceType);
    to_.leave_out("shared GPUs: nodes of " + std::string(type.empty() ? View("one kind") : type) + " share GPUs (" +
                  std::string(sharing) + "), of which only the number of shares counts");
  }

  /// The index of a kind: of one that is there, where it is alike.
  int take_kind(NodeKind&& one) {
    std::string key;
    for (const auto& [name, value] : one.labels) key.append(name).append("=").append(value).append("\n");
    for (const Taint& taint : one.taints) key.append(taint.text()).append("\n");
    key.append(one.pool).append(one.control ? "c" : "").append(one.spot ? "s" : "").append(one.single ? "1" : "");
    for (const int k : alike_[key]) {
      NodeKind& known = to_.kinds[static_cast<std::size_t>(k)];
      if (!near(known, one.most)) continue;
      ++known.nodes;
      known.most.raise(one.most);
      Amounts least;
      for (const auto& [resource, amount] : known.least) least.set(resource, std::min(amount, one.most.get(resource)));
      known.least = least;
      return k;
    }
    alike_[key].push_back(static_cast<int>(to_.kinds.size()));
    to_.kinds.push_back(std::move(one));
    return static_cast<int>(to_.kinds.size()) - 1;
  }

  [[nodiscard]] bool near(const NodeKind& known, const Amounts& other) const {
    const auto close = [&](const Amounts& one, const Amounts& its) {
      return ranges::all_of(one, [&](const auto& entry) {
        const std::int64_t a = entry.second, b = its.get(entry.first);
        const bool whole = to_.devices.contains(entry.first);
        return a == b || (!whole && std::abs(static_cast<double>(a - b)) <= kSlack * static_cast<double>(std::max(a, b)));
      });
    };
    return close(known.most, other) && close(known.least, other) && close(other, known.most);
  }

  void name_kinds() {
    std::map<std::string, int> used;
    for (NodeKind& one : to_.kinds) {
      one.name = one.labels.get(kInstanceType);
      if (one.name.empty()) {
        one.name = decimal_text(static_cast<double>(one.most.get(ResourceNames::kCpu)) / 1000) + " cores, " +
                   decimal_text(static_cast<double>(one.most.get(ResourceNames::kMemory)) / (1 << 30), 4) + " GiB";
      }
      if (one.spot) one.name += " (spot)";
      if (const View zone = one.labels.get(kZone); !zone.empty()) one.name += " in " + std::string(zone);
      for (const Taint& taint : one.taints) one.name += ", " + taint.text();
      if (const int number = ++used[one.name]; number > 1) one.name += " (" + std::to_string(number) + ")";
    }
  }

  /// NodePools say how much their nodes may have together.
  void limit_kinds() {
    for (const NodePool& pool : to_.from.node_pools) {
      for (const auto& [resource, limit] : pool.limits) {
        std::int64_t used = 0;
        for (const PresentNode& one : to_.nodes) {
          if (to_.kinds[static_cast<std::size_t>(one.kind)].pool == pool.name) used += one.capacity.get(resource);
        }
        used = std::max(used, pool.used.get(resource));
        if (to_.from.resources.name(resource) == "nodes") used = std::max(used, pool.used.get(resource));
        for (NodeKind& kind : to_.kinds) {
          if (kind.pool != pool.name) continue;
          const bool nodes = to_.from.resources.name(resource) == "nodes";
          const std::int64_t each = nodes ? 1 : kind.most.get(resource);
          if (each == 0) continue;
          const std::int64_t room = std::max<std::int64_t>(limit - used, 0) / each;
          if (kind.room >= 0 && kind.room <= room) continue;
          kind.room = room;
          to_.note("NodePool " + std::string(pool.name) + ": by its limit of " + to_.from.resources.text(resource, limit) +
                   ", " + (room == 0 ? "no node" : std::to_string(room) + " nodes") + " of " + kind.name + " can be added");
        }
      }
    }
  }

  Cluster& to_;
  Keys keys_, startup_, hosts_;
  std::unordered_map<std::string, std::vector<int>> alike_;
};

}  // namespace

int Cluster::find_node(View name) const {
  const auto found = ranges::find(nodes, name, &PresentNode::name);
  return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
}

NodeFates collect_nodes(Cluster& to, const std::vector<const PodSpec*>& specs) { return NodeCollector(to, specs).collect(); }

}  // namespace stowage::k8s
