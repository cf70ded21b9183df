#include "core/rebuild/worth.h"

#include <algorithm>

namespace stowage {

std::vector<double> worth_of_apps(const Instance& instance) {
  // Multiplicative weights.
  const std::uint32_t dims = instance.dims();
  const auto total = instance.total_demand();
  std::vector<double> weight(dims, 1), sum(dims, 0);
  for (int round = 0; round < 4000; ++round) {
    double best = 0;
    ClassId chosen = 0;
    for (ClassId c = 0; c < instance.classes(); ++c) {
      double value = 0;
      for (std::uint32_t h = 0; h < dims; ++h) {
        if (total[h] > 0) value += weight[h] * instance.scaled_capacity(c)[instance.resource_of(h)] / static_cast<double>(total[h]);
      }
      value /= std::max(instance.node_cost(c), 1e-9);
      if (value > best) best = value, chosen = c;
    }
    double all = 0;
    for (std::uint32_t h = 0; h < dims; ++h) all += weight[h];
    for (std::uint32_t h = 0; h < dims; ++h) {
      sum[h] += weight[h] / all;
      const double gain = total[h] > 0 ? instance.scaled_capacity(chosen)[instance.resource_of(h)] / static_cast<double>(total[h]) /
                                             std::max(instance.node_cost(chosen), 1e-9) / (best / all)
                                       : 50;
      weight[h] /= 1 + 0.02 * std::min(gain, 50.0);
    }
  }
  double most = 0;
  std::vector<double> y(dims, 0);
  for (std::uint32_t h = 0; h < dims; ++h) y[h] = total[h] > 0 ? sum[h] / static_cast<double>(total[h]) : 0;
  for (ClassId c = 0; c < instance.classes(); ++c) {
    double value = 0;
    for (std::uint32_t h = 0; h < dims; ++h) value += y[h] * instance.scaled_capacity(c)[instance.resource_of(h)];
    most = std::max(most, value / std::max(instance.node_cost(c), 1e-9));
  }
  double bound = 0;
  for (std::uint32_t h = 0; h < dims; ++h) bound += y[h] / most * static_cast<double>(total[h]);
  std::vector<double> worth(instance.apps(), 0);
  instance.visit_unit([&](auto unit) {
    for (AppId app = 0; app < instance.apps(); ++app) {
      const auto demand = instance.scaled_demand<decltype(unit)>(app);
      for (std::uint32_t h = 0; h < dims; ++h) worth[app] += y[h] / most * demand[h];
    }
  });
  return worth;
}

}  // namespace stowage
