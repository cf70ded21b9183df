#include "core/planners/shards/seam.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stowage {
namespace {

/// Room on the nodes of a seam, as a multiple of what it might save.
constexpr double kRoomPerGap = 2;

/// Demand of an app for a resource, as its mean over time.
double mean_demand(const Instance& instance, AppId app, ResourceId resource) {
  const auto values = instance.demand_over_time(app, resource);
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Per node: the used share of each resource.
std::vector<double> shares_used(const Instance& instance, const Plan& plan) {
  const std::uint32_t resources = instance.resources();
  std::vector<double> used(plan.nodes.size() * resources, 0);
  for (const Placed& one : plan.placed) {
    for (ResourceId r = 0; r < resources; ++r) {
      used[std::size_t{one.node} * resources + r] += mean_demand(instance, one.app, r) * one.replicas;
    }
  }
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    for (ResourceId r = 0; r < resources; ++r) {
      double& share = used[n * resources + r];
      if (node.listed != kNone) share += instance.load(node.listed, r, 0);
      const double capacity = instance.data().classes[node.node_class].capacity[r];
      share = capacity > 0 ? std::min(1.0, share / capacity) : 1;
    }
  }
  return used;
}

/// Per node: what is free of the resource of which most is used, in costs of the node.
std::vector<double> free_worth(const Instance& instance, const Plan& plan) {
  const std::uint32_t resources = instance.resources();
  const std::vector<double> used = shares_used(instance, plan);
  std::vector<double> sum(resources, 0);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    for (ResourceId r = 0; r < resources; ++r) sum[r] += used[n * resources + r];
  }
  const auto scarcest = static_cast<std::size_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
  std::vector<double> worth(plan.nodes.size());
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    worth[n] = instance.node_cost(plan.nodes[n].node_class) * (1 - used[n * resources + scarcest]);
  }
  return worth;
}

}  // namespace

Seam seam_of(const Instance& instance, const Plan& plan, std::span<const std::uint8_t> wide, double gap,
             std::uint64_t most_replicas, bool limited) {
  const std::vector<double> worth = free_worth(instance, plan);
  std::vector<std::uint64_t> held(plan.nodes.size(), 0);
  std::vector<std::uint8_t> stays(plan.nodes.size(), 0);
  for (const Placed& one : plan.placed) {
    held[one.node] += one.replicas;
    if (!wide.empty() && wide[one.app] != 0) stays[one.node] = 1;
  }
  std::vector<NodeId> order;
  for (NodeId node = 0; node < plan.nodes.size(); ++node) {
    if (stays[node] == 0 && held[node] > 0) order.push_back(node);
  }
  // Of equal nodes, the first.
  std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return worth[a] != worth[b] ? worth[a] > worth[b] : a < b; });
  double room = 0;
  std::uint64_t replicas = 0;
  std::vector<std::uint8_t> chosen(plan.nodes.size(), 0);
  for (const NodeId node : order) {
    if (room > kRoomPerGap * (gap + 1) || replicas + held[node] > most_replicas) break;
    room += worth[node];
    replicas += held[node];
    chosen[node] = 1;
  }
  Seam seam;
  seam.share.further.assign(instance.classes(), 0);
  std::vector<NodeId> index(plan.nodes.size());
  for (NodeId node = 0; node < plan.nodes.size(); ++node) {
    Plan& side = chosen[node] != 0 ? seam.before : seam.rest;
    index[node] = static_cast<NodeId>(side.nodes.size());
    side.nodes.push_back(plan.nodes[node]);
    if (chosen[node] == 0) continue;
    if (plan.nodes[node].listed != kNone) {
      seam.share.listed.push_back(plan.nodes[node].listed);
    } else {
      ++seam.share.further[plan.nodes[node].node_class];
    }
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    if (instance.data().classes[c].count == 0) seam.share.further[c] = Share::kEndless;
  }
  std::vector<std::uint32_t> of_app(instance.apps(), 0);
  for (const Placed& one : plan.placed) {
    (chosen[one.node] != 0 ? seam.before : seam.rest).placed.push_back({one.app, index[one.node], one.replicas});
    if (chosen[one.node] != 0) of_app[one.app] += one.replicas;
  }
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (of_app[app] > 0) seam.share.apps.push_back({app, of_app[app]});
  }
  seam.rest.unplaced = plan.unplaced;
  if (limited) seam.share.node_limit = static_cast<std::uint32_t>(seam.before.nodes.size());
  return seam;
}

}  // namespace stowage
