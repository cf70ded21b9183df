#include "core/verify/kind_costs.h"

#include <algorithm>

namespace stowage {

KindCosts::KindCosts(const Instance& instance) : data_(instance.data()), instance_(instance) {
  load_.assign(data_.interference.kind_count, 0);
  replicas_.assign(data_.interference.kind_count, 0);
}

void KindCosts::clear() {
  for (const std::uint32_t k : kinds_) {
    load_[k] = 0;
    replicas_[k] = 0;
  }
  kinds_.clear();
}

void KindCosts::add(AppId app, std::uint64_t replicas) {
  const std::span<const double> demand = instance_.demand_over_time(app, data_.interference.resource);
  const std::uint32_t kind = data_.kind[app];
  if (replicas_[kind] == 0) kinds_.insert(std::lower_bound(kinds_.begin(), kinds_.end(), kind), kind);
  load_[kind] += static_cast<double>(replicas) * *std::max_element(demand.begin(), demand.end());
  replicas_[kind] += replicas;
}

double KindCosts::cost(std::uint32_t kind) const {
  double sum = 0;
  for (const std::uint32_t u : kinds_) {
    sum += load_[u] * data_.interference.coefficient[std::size_t{kind} * data_.interference.kind_count + u];
  }
  return sum;
}

}  // namespace stowage
