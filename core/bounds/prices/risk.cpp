#include "core/bounds/prices/risk.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace stowage {
namespace {

constexpr double kStartMargin = 1e-8;

}  // namespace

double risk_of(const Instance& instance, AppId app, ResourceId r) {
  const double factor = instance.confidence_factor() / instance.scale(r).unit();
  return std::min(factor * (factor * instance.spread(app, r)), 0x1p64);
}

bool starts_above(const Instance& instance, ResourceId r) {
  const std::uint32_t listed = instance.listed_nodes();
  std::vector<double> spread(listed);
  for (NodeId n = 0; n < listed; ++n) spread[n] = instance.load_spread(n, r);
  const InstanceData& data = instance.data();
  for (const std::vector<Residence>* list : {&data.running, &data.pinned}) {
    for (const Residence& at : *list) spread[at.node] += instance.spread(at.app, r) * at.replicas;
  }
  for (std::uint32_t t = 0; t < instance.periods(); ++t) {
    std::vector<double> mean(listed);
    for (NodeId n = 0; n < listed; ++n) mean[n] = instance.load(n, r, t);
    for (const std::vector<Residence>* list : {&data.running, &data.pinned}) {
      for (const Residence& at : *list) mean[at.node] += instance.demand(at.app, r, t) * at.replicas;
    }
    for (NodeId n = 0; n < listed; ++n) {
      const ClassId c = data.node_class[n];
      const double capacity = data.classes[c].capacity[r] - instance.daemon(n, c, r, t);
      if (mean[n] + instance.confidence_factor() * std::sqrt(spread[n]) > capacity * (1 - kStartMargin)) return true;
    }
  }
  return false;
}

}  // namespace stowage
