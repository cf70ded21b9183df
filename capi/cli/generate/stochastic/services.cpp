#include "capi/cli/generate/stochastic/services.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "capi/cli/base/random.h"
#include "capi/cli/generate/purposes.h"

namespace stowage::cli::stochastic {

const std::vector<Service>& table_five() {
  static const std::vector<Service> kServices = {
      {"service-1", 6.18, 1.73, 270, 0.5},  {"service-2", 2.47, 0.47, 55, 0.3},   {"service-3", 1.07, 0.43, 1618, 0.8},
      {"service-4", 4.12, 2.69, 904, 0.5},  {"service-5", 1.06, 0.85, 576, 0.8},  {"service-6", 0.73, 0.19, 1085, 0.8},
      {"service-7", 1.94, 0.90, 1035, 0.5}, {"service-8", 2.48, 0.82, 118, 0.5},  {"service-9", 2.42, 0.97, 1450, 0.5},
      {"service-10", 2.49, 0.62, 313, 0.5}, {"service-11", 0.97, 0.31, 44, 0.8},  {"service-12", 2.46, 0.62, 544, 0.3},
      {"service-13", 2.52, 0.84, 697, 0.5}, {"service-14", 1.06, 0.57, 427, 0.8}, {"service-15", 2.59, 0.70, 363, 0.3},
      {"service-16", 1.96, 0.55, 360, 0.3}, {"service-17", 3.33, 0.90, 701, 0.5},
  };
  return kServices;
}

double total_mean(const std::vector<Service>& services) {
  double total = 0;
  for (const Service& service : services) total += service.mean * service.containers;
  return total;
}

std::vector<Service> draw_services(std::uint32_t count, std::uint64_t seed) {
  const std::vector<Service>& pool = table_five();
  std::vector<Service> drawn;
  drawn.reserve(count);
  for (std::uint32_t round = 0; drawn.size() < count; ++round) {
    std::vector<std::uint32_t> order(pool.size());
    std::iota(order.begin(), order.end(), 0U);
    Random random(seed, kPickServices, round);
    for (std::uint32_t i = 0; i < order.size() && drawn.size() < count; ++i) {
      std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(order.size()) - i)]);
      Service& service = drawn.emplace_back(pool[order[i]]);
      if (round > 0) service.name += "-" + std::to_string(round + 1);
      Random spread(seed, kDeviations, drawn.size() - 1);
      service.deviation = std::floor(service.deviation * (0.9 + 0.2 * spread.uniform()) * 1e4 + 0.5) / 1e4;
    }
  }
  const double scale = total_mean(pool) / total_mean(drawn);
  for (Service& service : drawn) {
    service.containers = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::floor(service.containers * scale + 0.5)));
  }
  return drawn;
}

}  // namespace stowage::cli::stochastic
