#include "capi/k8s/questions/change.h"

#include <algorithm>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/failure.h"

namespace stowage::k8s {
namespace {

/// The number at the end of the name of a stateful set's pod.
std::int64_t ordinal(View name) {
  const std::size_t dash = name.rfind('-');
  std::int64_t number = 0;
  for (const char c : dash == View::npos ? View() : name.substr(dash + 1)) {
    if (c < '0' || c > '9') return 0;
    number = std::min<std::int64_t>(number * 10 + (c - '0'), 1'000'000'000);
  }
  return number;
}

/// Copies a node of a kind or instance type, without its conditions.
void add_nodes(Objects& to, const std::string& name, std::int64_t count) {
  const Cluster cluster = make_cluster(to);
  for (const PresentNode& like : cluster.nodes) {
    const NodeKind& kind = cluster.kinds[static_cast<std::size_t>(like.kind)];
    if (kind.name != name && like.labels.get(kInstanceType) != name) continue;
    const Node model = *like.from;
    for (std::int64_t k = 1; k <= count; ++k) {
      Node made = model;
      made.name = to.texts.keep("new-" + std::to_string(k) + "-like-" + std::string(model.name));
      made.labels.add(kHostname, made.name);
      made.cordoned = false;
      std::erase_if(made.taints, [](const Taint& one) { return one.key.starts_with("node.kubernetes.io/"); });
      // Limits of volumes are by the name of the node.
      for (const VolumeLimits& limits : std::vector<VolumeLimits>(to.volume_limits)) {
        if (limits.name != model.name) continue;
        to.volume_limits.push_back(limits);
        to.volume_limits.back().name = made.name;
      }
      to.nodes.push_back(std::move(made));
    }
    return;
  }
  throw cli::Failure("--add: no node is of the class or type \"" + name + "\"");
}

/// Removes the pods of a workload that are too many: those that wait, and then those of the node with the most; of a stateful
/// set the last ones.
void shrink(Objects& to, const std::string& name, std::int64_t count) {
  std::set<std::string> names;
  bool stateful = false;
  const Cluster cluster = make_cluster(to);
  for (const App& one : cluster.apps) {
    const std::size_t space = one.key.find(' ');
    if (one.key.substr(space + 1) != name || one.key.starts_with("pod ")) continue;
    stateful = one.key.starts_with("statefulset ");
    for (const std::string& pod : one.pods) names.insert(std::string(one.ns) + "/" + pod);
  }
  std::map<View, int> per_node;
  std::vector<const Pod*> pods;
  for (const Pod& pod : to.pods) {
    if (!names.contains(pod.path())) continue;
    ++per_node[pod.node];
    pods.push_back(&pod);
  }
  std::set<const Pod*> gone;
  const auto goes_before = [&](const Pod* a, const Pod* b) {
    if (stateful) return ordinal(a->name) > ordinal(b->name);
    if (a->node.empty() != b->node.empty()) return a->node.empty();
    return per_node[a->node] > per_node[b->node];
  };
  while (static_cast<std::int64_t>(pods.size() - gone.size()) > count) {
    const Pod* victim = nullptr;
    for (const Pod* pod : pods) {
      if (!gone.contains(pod) && (victim == nullptr || goes_before(pod, victim))) victim = pod;
    }
    gone.insert(victim);
    --per_node[victim->node];
  }
  std::vector<Pod> kept;
  for (const Pod& pod : to.pods) {
    if (!gone.contains(&pod)) kept.push_back(pod);
  }
  to.pods = std::move(kept);
}

void scale(Objects& to, const std::string& name, std::int64_t count) {
  Controller* wanted = nullptr;
  for (Controller& one : to.replica_sets) {
    if (one.owner.empty() && one.path() == name) wanted = &one;
  }
  for (Controller& one : to.controllers) {
    if (one.kind != "job" && one.path() == name) wanted = &one;
  }
  if (wanted == nullptr) throw cli::Failure("--replicas: no workload is called \"" + name + "\"; it is NAMESPACE/NAME");
  wanted->replicas = count;
  shrink(to, name, count);
}

}  // namespace

Evicted evict(Objects& from, const std::set<View>& nodes) {
  Evicted found;
  std::vector<Pod> kept;
  for (Pod& pod : from.pods) {
    const bool daemon = pod.owner_kind == "DaemonSet" || pod.owner_kind == "Node";
    if (nodes.contains(pod.node) && !daemon) {
      if (pod.going || pod.ended) continue;
      if (pod.owner.empty()) {
        found.lost.push_back(pod.path());
        continue;
      }
      found.pods[pod.path()] = std::string(pod.node);
      pod.node = {};
    }
    kept.push_back(std::move(pod));
  }
  from.pods = std::move(kept);
  return found;
}

void place_pods(Objects& to, const std::map<std::string, std::string>& nodes) {
  for (Pod& pod : to.pods) {
    if (const auto found = nodes.find(pod.path()); found != nodes.end()) pod.node = to.texts.keep(found->second);
  }
}

Evicted apply(Objects& to, const Change& change, std::set<View>& down) {
  for (const std::string& zone : change.zones) {
    const std::size_t before = down.size();
    for (const Node& one : to.nodes) {
      if (one.labels.get(kZone) == zone) down.insert(one.name);
    }
    if (down.size() == before) throw cli::Failure("--zone-down: no node is in the zone \"" + zone + "\"");
  }
  for (const std::string& name : change.nodes) {
    const auto found = ranges::find(to.nodes, View(name), &Node::name);
    if (found == to.nodes.end()) throw cli::Failure("--node-down: there is no node \"" + name + "\"");
    down.insert(found->name);
  }
  for (const auto& [name, count] : change.add) add_nodes(to, name, count);
  for (const auto& [name, count] : change.replicas) scale(to, name, count);
  Evicted found = evict(to, down);
  std::erase_if(to.pods, [&](const Pod& pod) { return down.contains(pod.node); });
  std::erase_if(to.nodes, [&](const Node& one) { return down.contains(one.name); });
  if (to.nodes.empty()) throw cli::Failure("no node is left");
  return found;
}

}  // namespace stowage::k8s
