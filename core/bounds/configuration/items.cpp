#include "core/bounds/configuration/items.h"

#include <algorithm>
#include <numeric>

namespace stowage {

void PackedItems::choose_dims(const Instance& instance, const Supply& supply, const EligibleGroups& groups,
                              const CapacityPrices& prices) {
  // By what their demand is worth, and beyond that by how many nodes it takes.
  const std::uint32_t dims = instance.dims();
  std::vector<std::pair<double, double>> rank(dims);
  for (std::uint32_t h = 0; h < dims; ++h) {
    const auto demand = static_cast<double>(supply.total_demand()[h]);
    double worth = 0;
    for (std::uint32_t g = 0; g < groups.count(); ++g) {
      const std::size_t first = (std::size_t{g} * dims + h) * prices.classes.count();
      for (std::size_t cell = first; cell < first + prices.classes.count(); ++cell) {
        worth += prices.per_unit[cell] + (prices.per_spread.empty() ? 0 : prices.per_spread[cell]);
      }
    }
    rank[h] = {worth > 0 ? demand * worth : 0, demand / static_cast<double>(std::max<std::int64_t>(1, supply.largest(h)))};
  }
  dims_.resize(dims);
  std::iota(dims_.begin(), dims_.end(), 0u);
  std::stable_sort(dims_.begin(), dims_.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[a] > rank[b]; });
  dims_.resize(std::min<std::size_t>(dims, kMostDims));
  std::sort(dims_.begin(), dims_.end());
}

PackedItems::PackedItems(const Instance& instance, const Supply& supply, const EligibleGroups& groups,
                         const CapacityPrices& prices) {
  choose_dims(instance, supply, groups, prices);
  const std::size_t width = dims_.size();
  // Nodes may keep more replicas of an app than its own limit allows.
  std::vector<std::uint32_t> at_start(instance.apps(), 0);
  for (const std::vector<Residence>* list : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& at : *list) at_start[at.app] = std::max(at_start[at.app], at.replicas);
  }
  std::vector<double> mean(instance.apps() * width);
  std::vector<double> risk(instance.apps() * width);
  std::vector<std::uint32_t> most(instance.apps());
  std::vector<double> total(instance.resources(), 0.0);
  std::vector<AppId> order;
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      const std::uint32_t replicas = instance.replicas(i);
      if (replicas == 0) continue;
      order.push_back(i);
      most[i] = std::min(replicas, std::max(instance.limit_rows().self_limit(i), at_start[i]));
      const auto demand = demand_of(i);
      for (std::size_t k = 0; k < width; ++k) {
        const ResourceId r = instance.resource_of(dims_[k]);
        mean[i * width + k] = demand[dims_[k]];
        risk[i * width + k] = prices.classes.spread(instance, i, r);
        total[r] += risk[i * width + k] * replicas / instance.scale(r).largest_capacity();
      }
    }
  });
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    if (total[r] > 0 && (riskiest_ == kNone || total[r] > total[riskiest_])) riskiest_ = r;
  }
  const auto compare = [&](AppId a, AppId b) {
    if (groups.of(a) != groups.of(b)) return groups.of(a) < groups.of(b) ? -1 : 1;
    for (const std::vector<double>* values : {&mean, &risk}) {
      for (std::size_t k = 0; k < width; ++k) {
        const double left = (*values)[a * width + k];
        const double right = (*values)[b * width + k];
        if (left != right) return left < right ? -1 : 1;
      }
    }
    const bool limited = most[a] < instance.replicas(a);
    if (limited != (most[b] < instance.replicas(b))) return limited ? 1 : -1;
    return 0;
  };
  std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return compare(a, b) < 0; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const AppId i = order[k];
    if (k == 0 || compare(order[k - 1], i) != 0) {
      items_.push_back({groups.of(i), most[i] < instance.replicas(i), 0, 0, {}});
      mean_.insert(mean_.end(), mean.begin() + static_cast<std::ptrdiff_t>(i * width),
                   mean.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      risk_.insert(risk_.end(), risk.begin() + static_cast<std::ptrdiff_t>(i * width),
                   risk.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    }
    Item& item = items_.back();
    item.replicas += instance.replicas(i);
    item.most += most[i];
    item.apps.push_back(i);
  }
}

}  // namespace stowage
