// How much of each resource a plan uses and strands.

#include <algorithm>
#include <utility>

#include "core/base/sort_by.h"
#include "core/explain/explain_parts.h"

namespace stowage {
namespace {

// Apps tried on each node, per resource.
constexpr std::size_t kProbes = 64;
// Apps tried on each node, for all resources together.
constexpr std::size_t kProbesInAll = 256;

}  // namespace

ResourceExplainer::ResourceExplainer(const OpenedPlan& opened)
    : opened_(&opened), instance_(&opened.instance()), total_(opened.instance().dims(), 0) {
  for (ResourceId r = 0; r < instance_->resources(); ++r) result_.push_back({.resource = r});
}

void ResourceExplainer::add(NodeId node, std::span<const double> used) {
  const std::vector<double>& capacity = instance_->data().classes[opened_->plan().nodes[node].node_class].capacity;
  const std::uint32_t copies = opened_->copies(node);
  for (std::size_t h = 0; h < used.size(); ++h) total_[h] += copies * used[h];
  for (ResourceUse& use : result_) use.capacity += copies * capacity[use.resource];
}

void ResourceExplainer::choose_peaks() {
  const std::uint32_t periods = instance_->periods();
  for (ResourceUse& use : result_) {
    const auto first = total_.begin() + use.resource * periods;
    const auto peak = std::max_element(first, first + periods);
    use.peak_period = static_cast<std::uint32_t>(peak - first);
    use.demand = *peak;
  }
  choose_probes();
}

// The probes are the apps whose replica takes the smallest share of a node, by the resource of which it takes most: these are
// the most likely to fit into a remainder.
void ResourceExplainer::choose_probes() {
  std::vector<double> per_capacity(instance_->resources(), 0);
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    double largest = 0;
    for (const NodeClass& c : instance_->data().classes) largest = std::max(largest, c.capacity[r]);
    if (largest > 0) per_capacity[r] = 1 / largest;
  }
  std::vector<double> share(instance_->apps(), 0);
  const auto peak_demand = [&](AppId i, ResourceId r) { return instance_->demand_range(i, r).most; };
  for (AppId i = 0; i < instance_->apps(); ++i) {
    for (ResourceId r = 0; r < instance_->resources(); ++r) share[i] = std::max(share[i], peak_demand(i, r) * per_capacity[r]);
  }
  const std::vector<AppId> order = ids_by(share);

  const std::size_t each = std::min(kProbes, std::max<std::size_t>(1, kProbesInAll / instance_->resources()));
  std::vector<std::uint32_t> probe_of(instance_->apps(), kNone);
  trying_.resize(instance_->resources());
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    for (const AppId i : order) {
      if (trying_[r].size() == each) break;
      if (instance_->replicas(i) == 0 || peak_demand(i, r) == 0) continue;
      if (probe_of[i] == kNone) {
        probe_of[i] = static_cast<std::uint32_t>(probes_.size());
        probes_.push_back(i);
      }
      trying_[r].push_back(probe_of[i]);
    }
  }
}

void ResourceExplainer::add_stranded(NodeId node, std::span<const double> used) {
  const PlannedNode& planned = opened_->plan().nodes[node];
  const Spot spot = opened_->spot(node, used);
  fits_.assign(probes_.size(), -1);
  const auto fits = [&](std::uint32_t probe) {
    if (fits_[probe] < 0) {
      fits_[probe] = 1;
      visit_obstacles(*instance_, probes_[probe], spot, [&](const Obstacle&) {
        fits_[probe] = 0;
        return false;
      });
    }
    return fits_[probe] == 1;
  };
  for (ResourceUse& use : result_) {
    if (opened_->watch().ended()) return;
    const double left = instance_->data().classes[planned.node_class].capacity[use.resource] -
                        used[use.resource * instance_->periods() + use.peak_period];
    if (left <= 0) continue;
    const std::vector<std::uint32_t>& trying = trying_[use.resource];
    if (std::none_of(trying.begin(), trying.end(), fits)) use.stranded += opened_->copies(node) * left;
  }
}

}  // namespace stowage
