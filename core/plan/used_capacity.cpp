#include "core/plan/used_capacity.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stowage {

namespace {

// Used capacity of one copy of each node of the plan, in the resource's unit.
std::vector<double> capacity_of_nodes(const Instance& instance, const Plan& plan) {
  const ResourceId r = instance.uncertain_resource();
  const std::uint32_t periods = instance.periods();
  std::vector<double> mean(plan.nodes.size() * periods, 0);
  std::vector<double> spread(plan.nodes.size(), 0);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const NodeId listed = plan.nodes[n].listed;
    if (listed == kNone) continue;
    for (std::uint32_t t = 0; t < periods; ++t) mean[n * periods + t] = instance.load(listed, r, t);
    spread[n] = instance.load_spread(listed, r);
  }
  for (const Placed& p : plan.placed) {
    for (std::uint32_t t = 0; t < periods; ++t) mean[p.node * periods + t] += p.replicas * instance.demand(p.app, r, t);
    spread[p.node] += p.replicas * instance.spread(p.app, r);
  }
  std::vector<double> used(plan.nodes.size());
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const auto first = mean.begin() + static_cast<std::ptrdiff_t>(n * periods);
    used[n] = *std::max_element(first, first + periods) + instance.confidence_factor() * std::sqrt(spread[n]);
  }
  return used;
}

double sum_over_copies(const Plan& plan, const std::vector<double>& of_node) {
  double sum = 0;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) sum += plan.nodes[n].copies * of_node[n];
  return sum;
}

}  // namespace

double used_capacity(const Instance& instance, const Plan& plan) {
  return sum_over_copies(plan, capacity_of_nodes(instance, plan));
}

void measure_used_capacity(const Instance& instance, Plan& plan) {
  plan.ucac_resource = instance.uncertain_resource();
  plan.node_ucac = capacity_of_nodes(instance, plan);
  plan.ucac = sum_over_copies(plan, plan.node_ucac);
}

}  // namespace stowage
