#include "core/plan/side_effects.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace stowage {
namespace {

/// Per cell of (node, kind): load and replicas of one copy.
struct Presence {
  double load = 0;
  std::uint64_t replicas = 0;
};

// Listed nodes that run something, have something pinned or carry load.
std::uint32_t used_at_start(const Instance& instance) {
  const InstanceData& data = instance.data();
  std::vector<std::uint8_t> used(instance.listed_nodes(), 0);
  for (const Residence& r : data.running) used[r.node] = 1;
  for (const Residence& r : data.pinned) used[r.node] = 1;
  const std::size_t width = used.empty() ? 0 : data.load.size() / used.size();
  for (std::size_t k = 0; k < data.load.size(); ++k) {
    if (data.load[k] > 0) used[k / width] = 1;
  }
  return static_cast<std::uint32_t>(std::count(used.begin(), used.end(), 1));
}

}  // namespace

SideEffects side_effects(const Instance& instance, const Plan& plan) {
  const std::uint32_t kinds = instance.kinds();
  SideEffects sum;
  sum.node_worst.assign(plan.nodes.size(), 0);
  // Entries are ordered by node, so that one row of kinds serves all nodes.
  std::vector<Presence> row(kinds);
  std::vector<std::uint32_t> present;
  const auto close = [&](std::size_t node) {
    for (const std::uint32_t t : present) {
      double cost = 0;
      for (const std::uint32_t u : present) cost += instance.coefficient(t, u) * row[u].load;
      sum.node_worst[node] = std::max(sum.node_worst[node], cost);
      sum.total += static_cast<double>(row[t].replicas) * plan.nodes[node].copies * cost;
    }
    sum.worst = std::max(sum.worst, sum.node_worst[node]);
    for (const std::uint32_t t : present) row[t] = {};
    present.clear();
  };
  for (std::size_t k = 0; k < plan.placed.size(); ++k) {
    const Placed& p = plan.placed[k];
    Presence& at = row[instance.kind(p.app)];
    if (at.replicas == 0) present.push_back(instance.kind(p.app));
    at.load += p.replicas * instance.interfering_load(p.app);
    at.replicas += p.replicas;
    if (k + 1 == plan.placed.size() || plan.placed[k + 1].node != p.node) {
      std::sort(present.begin(), present.end());
      close(p.node);
    }
  }
  return sum;
}

void measure_side_effects(const Instance& instance, Plan& plan) {
  SideEffects sum = side_effects(instance, plan);
  plan.max_cost = sum.worst;
  plan.total_cost = sum.total;
  plan.node_max_cost = std::move(sum.node_worst);
}

std::optional<Instance> within_max_cost(const Instance& instance, double max_cost) {
  if (!(max_cost > 0) || !instance.has_interference()) return std::nullopt;
  return instance.with_max_cost(max_cost);
}

std::uint32_t most_nodes(const Instance& instance, std::uint32_t node_limit) {
  // Nodes that are in use at the start may stay in use.
  const std::uint32_t limit = node_limit == 0 ? kNone : std::max(node_limit, used_at_start(instance));
  std::uint64_t nodes = 0;
  for (const NodeClass& c : instance.data().classes) {
    if (c.count == 0) return limit;
    nodes += c.count;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>({nodes, limit, kNone - 1}));
}

}  // namespace stowage
