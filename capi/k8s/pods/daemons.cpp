#include <algorithm>

#include "capi/k8s/pods/workloads.h"
#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {
namespace {

/// Tolerations that the controller adds to the pods of daemon sets.
const std::vector<Toleration>& daemon_tolerations() {
  static const std::vector<Toleration> all = [] {
    std::vector<Toleration> made;
    for (const View key :
         {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "node.kubernetes.io/disk-pressure",
          "node.kubernetes.io/memory-pressure", "node.kubernetes.io/pid-pressure", "node.kubernetes.io/unschedulable"}) {
      made.push_back({key, "", true, std::nullopt, false});
    }
    return made;
  }();
  return all;
}

void add_ports(std::vector<UsedPort>& to, const PodSpec& spec, const std::string& by) {
  for (const Port& one : spec.ports) to.push_back({one, by});
}

class DaemonCollector {
 public:
  DaemonCollector(Cluster& to, RequestReader& requests) : to_(to), requests_(requests) {
    for (std::size_t k = 0; k < to.nodes.size(); ++k) node_of_.emplace(to.nodes[k].name, static_cast<int>(k));
  }

  void collect() {
    for (const Controller& one : to_.from.daemon_sets) {
      if (one.spec == nullptr || one.going) continue;
      Daemon& made = daemon(key_of(one.kind, one.ns, one.name), one.ns, false);
      Asked asked = requests_.of_template({one.ns, one.template_labels, one.template_annotations, one.spec}, made.name);
      auto spec = std::make_shared<PodSpec>(*asked.spec);
      spec->tolerations.insert(spec->tolerations.end(), daemon_tolerations().begin(), daemon_tolerations().end());
      made.requests = std::move(asked.requests);
      made.labels.push_back(one.template_labels);
      add_ports(made.ports, *spec, made.name);
      made.spec = std::move(spec);
    }
    for (const Pod& pod : to_.from.pods) {
      const bool of_daemon = pod.owner_kind == "DaemonSet" || pod.owner_kind == "Node";
      if (of_daemon && !pod.ended && !pod.going) take(pod);
    }
  }

 private:
  Daemon& daemon(const std::string& name, View ns, bool is_static) {
    const auto [at, made] = by_name_.try_emplace(name, to_.daemons.size());
    if (made) to_.daemons.push_back({name, ns, is_static});
    return to_.daemons[at->second];
  }

  /// Pods of daemon sets wait for the node that their affinity names.
  [[nodiscard]] int named(const PodSpec& spec) const {
    for (const NodeTerm& term : spec.node_terms) {
      for (const Requirement& one : term.fields) {
        if (one.key != "metadata.name" || one.values.size() != 1) continue;
        const auto found = node_of_.find(one.values[0]);
        if (found != node_of_.end()) return found->second;
      }
    }
    return -1;
  }

  void take(const Pod& pod) {
    std::string name = owner_key(pod);
    if (pod.owner_kind == "Node") {
      View own = pod.name;
      if (own.ends_with(pod.owner) && own.size() > pod.owner.size()) own.remove_suffix(pod.owner.size() + 1);
      name = "static pod " + std::string(pod.ns) + "/" + std::string(own);
    }
    Daemon& one = daemon(name, pod.ns, pod.owner_kind == "Node");
    if (ranges::find(one.labels, pod.labels) == one.labels.end()) one.labels.push_back(pod.labels);
    if (one.spec == nullptr && one.ports.empty()) add_ports(one.ports, *pod.spec, one.name);
    const auto found = node_of_.find(pod.node);
    const int node = pod.node.empty() ? named(*pod.spec) : found == node_of_.end() ? -1 : found->second;
    if (node >= 0) {
      one.on[node].add(requests_.of_pod(pod, name).requests);
      if (pod.node.empty()) one.waits.insert(node);
    }
    const PodSpec& spec = *pod.spec;
    if (!spec.near.empty() || !spec.apart.empty() || !spec.preferred_near.empty() || !spec.preferred_apart.empty()) {
      to_.leave_out(name + ": what its pods ask of others beside them");
    }
  }

  Cluster& to_;
  RequestReader& requests_;
  std::unordered_map<View, int> node_of_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

/// What runs on each node and is no daemon.
std::vector<Amounts> running_load(const Cluster& of) {
  std::vector<Amounts> load(of.nodes.size());
  for (const App& app : of.apps) {
    for (const auto& [node, count] : app.running) load[static_cast<std::size_t>(node)].add(app.requests, count);
  }
  return load;
}

/// Whether a node has room for a daemon's pod beside what runs there.
bool has_room(const PresentNode& at, const Amounts& load, const Amounts& wanted) {
  return ranges::all_of(wanted, [&](const auto& one) {
    const auto [resource, amount] = one;
    return amount == 0 || at.capacity.get(resource) - at.daemon.get(resource) - load.get(resource) >= amount;
  });
}

}  // namespace

void collect_daemons(Cluster& to, RequestReader& requests) { DaemonCollector(to, requests).collect(); }

void spread_daemons(Cluster& to) {
  const std::vector<Amounts> load = running_load(to);
  const auto carry = [](auto& node, const Amounts& amounts, const std::vector<UsedPort>& ports) {
    node.daemon.add(amounts);
    node.ports.insert(node.ports.end(), ports.begin(), ports.end());
  };
  // First the pods that run, then those that wait or are to come, where there is room for them.
  for (const Daemon& one : to.daemons) {
    for (const auto& [node, amounts] : one.on) {
      if (!one.waits.contains(node)) carry(to.nodes[static_cast<std::size_t>(node)], amounts, one.ports);
    }
  }
  for (Daemon& one : to.daemons) {
    for (std::size_t k = 0; k < to.nodes.size(); ++k) {
      const int node = static_cast<int>(k);
      PresentNode& at = to.nodes[k];
      const bool waits = one.waits.contains(node);
      if (one.on.contains(node) && !waits) continue;
      if (!waits &&
          (one.spec == nullptr || to.kinds[static_cast<std::size_t>(at.kind)].single || !allows(*one.spec, at.ground())))
        continue;
      const Amounts& wanted = waits ? one.on.at(node) : one.requests;
      if (has_room(at, load[k], wanted)) {
        carry(at, wanted, one.ports);
      } else {
        one.left_over.push_back(node);
      }
    }
    for (NodeKind& kind : to.kinds) {
      if (one.spec != nullptr) {
        if (!kind.single && allows(*one.spec, kind.ground())) carry(kind, one.requests, one.ports);
        continue;
      }
      // Static pods belong to a kind if they run on all of its nodes, those of daemon sets if they run on any.
      int nodes = 0;
      Amounts most;
      for (const auto& [node, amounts] : one.on) {
        if (&to.kinds[static_cast<std::size_t>(to.nodes[static_cast<std::size_t>(node)].kind)] != &kind) continue;
        ++nodes;
        most.raise(amounts);
      }
      if (nodes > 0 && (!one.is_static || nodes == kind.nodes)) carry(kind, most, one.ports);
    }
  }
  for (NodeKind& kind : to.kinds) {
    Amounts kept;
    for (const auto& [resource, amount] : kind.daemon) {
      if (amount > kind.least.get(resource)) {
        to.note(kind.name + ": its daemon pods request more " + to.from.resources.name(resource) + " than a new node has");
      }
      kept.set(resource, std::min(amount, kind.least.get(resource)));
    }
    kind.daemon = kept;
  }
}

Cluster make_cluster(Objects& from) {
  Cluster to(from);
  std::vector<const PodSpec*> specs;
  for (const auto* list : {&from.controllers, &from.replica_sets, &from.daemon_sets}) {
    for (const Controller& one : *list) {
      if (one.spec != nullptr) specs.push_back(one.spec.get());
    }
  }
  for (const Pod& one : from.pods) specs.push_back(one.spec.get());
  add_node_limits(to);
  const NodeFates fates = collect_nodes(to, specs);
  check_devices(to);
  RequestReader requests(to);
  collect_daemons(to, requests);
  collect_workloads(to, requests, fates);
  spread_daemons(to);
  for (const auto& [kind, count] : from.others) {
    to.leave_out("objects of kind " + kind + " (" + std::to_string(count) + ")");
  }
  if (from.repeated > 0) to.note(std::to_string(from.repeated) + " objects are in the input more than once; the first counts");
  ranges::sort(to.left_out);
  return to;
}

}  // namespace stowage::k8s
