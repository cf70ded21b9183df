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
  std::vector<double> mean(periods);
  std::vector<double> used;
  used.reserve(plan.nodes.size());
  // Entries are ordered by node.
  auto next = plan.placed.begin();
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const NodeId listed = plan.nodes[n].listed;
    for (std::uint32_t t = 0; t < periods; ++t) mean[t] = listed == kNone ? 0 : instance.load(listed, r, t);
    double spread = listed == kNone ? 0 : instance.load_spread(listed, r);
    for (; next != plan.placed.end() && next->node == n; ++next) {
      for (std::uint32_t t = 0; t < periods; ++t) mean[t] += next->replicas * instance.demand(next->app, r, t);
      spread += next->replicas * instance.spread(next->app, r);
    }
    used.push_back(*std::max_element(mean.begin(), mean.end()) + instance.confidence_factor() * std::sqrt(spread));
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
