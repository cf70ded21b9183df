#include "core/verify/metrics.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

/// A remainder up to this share of a capacity counts as nothing.
constexpr double kNothingLeftShare = 1e-9;

// Steps of a resource of a node.
constexpr std::uint64_t kStepsEach = 4;

}  // namespace

ClusterMetrics measure_cluster(const Instance& instance, const Plan& plan, const std::vector<double>& peak, WatchRef watch) {
  ClusterMetrics metrics;
  const InstanceData& data = instance.data();
  const std::uint32_t width = instance.resources();

  std::vector<std::uint8_t> wanted(instance.apps(), 0);
  std::vector<std::uint8_t> incomplete(instance.apps(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (instance.replicas(app) > 0) wanted[instance.application(app)] = 1;
  }
  for (const Unplaced& u : plan.unplaced) {
    if (u.app < instance.apps() && u.replicas > 0) incomplete[instance.application(u.app)] = 1;
  }
  for (AppId app = 0; app < instance.apps(); ++app) {
    metrics.applications += wanted[app];
    metrics.applications_placed += wanted[app] != 0 && incomplete[app] == 0 ? 1 : 0;
  }

  // The metrics are over the nodes that exist: those of the plan, and all nodes of finite classes.
  std::vector<std::uint64_t> seen(instance.classes(), 0);
  std::vector<double> sum(width, 0);
  std::vector<double> squares(width, 0);
  std::vector<std::uint64_t> nodes(width, 0);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    if (watch.step(kStepsEach * width)) return metrics;
    const ClassId c = plan.nodes[n].node_class;
    const std::uint32_t copies = plan.nodes[n].copies;
    metrics.nodes_used += copies;
    if (c >= instance.classes()) continue;
    seen[c] += copies;
    bool tight = false;
    bool full = true;
    for (ResourceId r = 0; r < width; ++r) {
      const double capacity = data.classes[c].capacity[r];
      if (capacity <= 0) continue;
      const double used = peak[n * width + r];
      const double left = capacity - used;
      // With less left than the smallest demand of any app, the node takes no app that needs the resource.
      const double least = instance.least_demand(r);
      tight = tight || (std::isfinite(least) && left < least - kNothingLeftShare * capacity);
      full = full && left <= kNothingLeftShare * capacity;
      const double share = used / capacity;
      sum[r] += copies * share;
      squares[r] += copies * share * share;
      nodes[r] += copies;
    }
    if (tight && !full) metrics.fragmented_nodes += copies;
  }
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const std::uint64_t all = std::max<std::uint64_t>(seen[c], data.classes[c].count);
    metrics.nodes += all;
    for (ResourceId r = 0; r < width; ++r) nodes[r] += data.classes[c].capacity[r] > 0 ? all - seen[c] : 0;
  }
  for (ResourceId r = 0; r < width; ++r) {
    const auto count = static_cast<double>(nodes[r]);
    const double mean = count > 0 ? sum[r] / count : 0;
    const double variance = count > 0 ? std::max(0.0, squares[r] / count - mean * mean) : 0;
    metrics.imbalance.push_back(mean > 0 ? std::sqrt(variance) / mean : 0);
  }
  return metrics;
}

}  // namespace stowage
