#include "core/plan/used_capacity.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stowage {

void measure_used_capacity(const Instance& instance, Plan& plan) {
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
  plan.ucac_resource = r;
  plan.ucac = 0;
  plan.node_ucac.resize(plan.nodes.size());
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const auto first = mean.begin() + static_cast<std::ptrdiff_t>(n * periods);
    plan.node_ucac[n] = *std::max_element(first, first + periods) + instance.confidence_factor() * std::sqrt(spread[n]);
    plan.ucac += plan.nodes[n].copies * plan.node_ucac[n];
  }
}

}  // namespace stowage
