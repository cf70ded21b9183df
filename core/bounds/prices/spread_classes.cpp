#include "core/bounds/prices/spread_classes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

namespace stowage {
namespace {

constexpr std::uint32_t kMostClasses = 8;
// Classes of all groups together.
constexpr std::uint32_t kMostOfGroups = 32;

// Fills what is between the first and the last ratio so that neighbours have the same quotient. Square roots are the same on
// every platform.
void divide(std::span<double> ratios) {
  if (ratios.size() < 3) return;
  const std::size_t middle = ratios.size() / 2;
  ratios[middle] = std::sqrt(ratios.front()) * std::sqrt(ratios.back());
  divide(ratios.first(middle + 1));
  divide(ratios.subspan(middle));
}

}  // namespace

SpreadClasses::SpreadClasses(const Instance& instance, const Supply& supply, std::uint32_t groups) {
  if (!instance.uncertain()) return;
  for (const std::uint8_t above : starts_above(instance, supply.watch())) at_confidence_.push_back(above == 0);
  count_ = std::bit_floor(std::clamp(kMostOfGroups / std::max(1u, groups), 1u, kMostClasses));
  const std::uint32_t dims = instance.dims();
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  std::vector<double> least(dims, kEndless);
  std::vector<double> most(dims, 0.0);
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (instance.replicas(i) == 0) continue;
      const auto demand = demand_of(i);
      for (std::uint32_t h = 0; h < dims; ++h) {
        const double spread = this->spread(instance, i, instance.resource_of(h));
        if (spread <= 0 || demand[h] <= 0) continue;
        least[h] = std::min(least[h], spread / demand[h]);
        most[h] = std::max(most[h], spread / demand[h]);
      }
    }
  });
  lowest_.assign(std::size_t{dims} * (count_ - 1), kEndless);
  std::vector<double> ratios(std::size_t{count_} + 1);
  for (std::uint32_t h = 0; h < dims; ++h) {
    if (most[h] <= least[h]) continue;
    ratios.front() = least[h];
    ratios.back() = most[h];
    divide(ratios);
    std::copy(ratios.begin() + 1, ratios.end() - 1, lowest_.data() + std::size_t{h} * (count_ - 1));
  }
}

std::uint32_t SpreadClasses::of(std::uint32_t h, double mean, double spread) const {
  const double* first = lowest_.data() + std::size_t{h} * (count_ - 1);
  return static_cast<std::uint32_t>(
      std::count_if(first, first + (count_ - 1), [&](double ratio) { return spread >= ratio * mean; }));
}

}  // namespace stowage
