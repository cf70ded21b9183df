#include "core/bounds/prices/risk.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/model/resident_rows.h"

namespace stowage {
namespace {

constexpr double kStartMargin = 1e-8;

bool is_above(const Instance& instance, std::span<const Tenant> held, NodeId node, ResourceId r) {
  const NodeClass& node_class = instance.data().classes[instance.data().node_class[node]];
  double spread = instance.load_spread(node, r);
  for (const auto& [app, replicas] : held) spread += instance.spread(app, r) * replicas;
  const double beyond_mean = instance.confidence_factor() * std::sqrt(spread);
  for (std::uint32_t t = 0; t < instance.periods(); ++t) {
    double mean = instance.load(node, r, t);
    for (const auto& [app, replicas] : held) mean += instance.demand(app, r, t) * replicas;
    const double capacity = node_class.capacity[r] - instance.daemon(node, instance.data().node_class[node], r, t);
    if (mean + beyond_mean > capacity * (1 - kStartMargin)) return true;
  }
  return false;
}

}  // namespace

double risk_of(const Instance& instance, AppId app, ResourceId r) {
  const double factor = instance.confidence_factor() / instance.scale(r).unit();
  return std::min(factor * (factor * instance.spread(app, r)), 0x1p64);
}

std::vector<std::uint8_t> starts_above(const Instance& instance, WatchRef watch) {
  const InstanceData& data = instance.data();
  std::vector<std::uint8_t> above(instance.resources(), 0);
  const ResidentRows held(instance.listed_nodes(), {&data.running, &data.pinned}, watch);
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (watch.step(instance.dims() * (1 + held.at(n).size()) + kStepsToOpen)) break;
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      if (above[r] == 0 && is_above(instance, held.at(n), n, r)) above[r] = 1;
    }
  }
  return above;
}

}  // namespace stowage
