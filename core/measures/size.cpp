#include "core/measures/size.h"

#include <algorithm>

namespace stowage {
std::vector<double> unit_shares(const Instance& instance) {
  std::vector<double> share(instance.dims());
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    const double largest = instance.largest_capacity(instance.resource_of(h));
    share[h] = largest > 0 ? instance.scale(instance.resource_of(h)).unit() / largest : 0;
  }
  return share;
}

NormalizedDemand::NormalizedDemand(const Instance& instance)
    : instance_(&instance), per_capacity_(instance.resources()), total_(instance.dims(), 0.0) {
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const double largest = instance.largest_capacity(r);
    per_capacity_[r] = largest > 0 ? 1 / largest : 1;
  }
  for (AppId i = 0; i < instance.apps(); ++i) {
    const double replicas = instance.replicas(i);
    for_each_share(i, [&](std::uint32_t h, double share) { total_[h] += replicas * share; });
  }
}

double size_average(const NormalizedDemand& demand, AppId app) {
  double sum = 0;
  demand.for_each_share(app, [&](std::uint32_t, double share) { sum += share; });
  return sum / static_cast<double>(demand.total().size());
}

double size_max(const NormalizedDemand& demand, AppId app) {
  double largest = 0;
  demand.for_each_share(app, [&](std::uint32_t, double share) { largest = std::max(largest, share); });
  return largest;
}

double size_weighted(const NormalizedDemand& demand, AppId app, const std::vector<double>& weight) {
  double sum = 0;
  demand.for_each_share(app, [&](std::uint32_t h, double share) { sum += weight[h] * share; });
  return sum;
}

std::vector<double> weights_average_exponential(const NormalizedDemand& demand, double epsilon) {
  std::vector<double> weight(demand.total());
  const double replicas = std::max<double>(1, static_cast<double>(demand.instance().total_replicas()));
  for (double& w : weight) w = std::min(kLargestExponent, epsilon * (w / replicas));
  exponentiate(weight);
  return weight;
}

std::vector<double> weights_surrogate(const NormalizedDemand& demand) {
  double sum = 0;
  for (const double w : demand.total()) sum += w;
  std::vector<double> weight(demand.total());
  for (double& w : weight) w = sum > 0 ? w / sum : 0;
  return weight;
}

std::vector<double> weights_extended_sum(const NormalizedDemand& demand) {
  std::vector<double> weight(demand.total());
  for (double& w : weight) w = w > 0 ? 1 / w : 0;
  return weight;
}

std::vector<double> sizes(const Instance& instance, Measure measure, double epsilon) {
  const NormalizedDemand demand(instance);
  std::vector<double> size(instance.apps());
  const auto fill = [&](auto&& size_of) {
    for (AppId i = 0; i < instance.apps(); ++i) size[i] = size_of(i);
  };
  switch (measure) {
    case Measure::kAverage:
      fill([&](AppId i) { return size_average(demand, i); });
      break;
    case Measure::kMax:
      fill([&](AppId i) { return size_max(demand, i); });
      break;
    case Measure::kAverageExponential:
      fill([&, weight = weights_average_exponential(demand, epsilon)](AppId i) { return size_weighted(demand, i, weight); });
      break;
    case Measure::kSurrogate:
      fill([&, weight = weights_surrogate(demand)](AppId i) { return size_weighted(demand, i, weight); });
      break;
    case Measure::kExtendedSum:
      fill([&, weight = weights_extended_sum(demand)](AppId i) {
        return instance.replicas(i) * size_weighted(demand, i, weight);
      });
      break;
  }
  return size;
}

std::vector<double> hybrid_sizes(const Instance& instance, std::vector<double> size, double alpha) {
  const std::uint32_t apps = instance.apps();
  double size_sum = 0;
  double degree_sum = 0;
  for (AppId i = 0; i < apps; ++i) {
    size_sum += size[i];
    degree_sum += instance.limit_rows().degree(i);
  }
  const double size_factor = size_sum > 0 ? alpha * apps / size_sum : 0;
  const double degree_factor = degree_sum > 0 ? (1 - alpha) * apps / degree_sum : 0;
  for (AppId i = 0; i < apps; ++i) size[i] = size_factor * size[i] + degree_factor * instance.limit_rows().degree(i);
  return size;
}

}  // namespace stowage
