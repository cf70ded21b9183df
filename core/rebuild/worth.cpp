#include "core/rebuild/worth.h"

#include <algorithm>
#include <span>

#include "core/bounds/prices/capacity_prices.h"

namespace stowage {
namespace {

/// The prices of a linear program are those of one period, because all others have slack. Other periods in which total demand
/// is nearly as large take this share of the price, each by the power of its total.
constexpr double kSmeared = 0.3;
/// A resource that the linear program finds to be plentiful, but is nearly as scarce as others, is worth at least this share.
constexpr double kLeastShare = 0.15;

double thirtieth_power(double x) {
  const double x2 = x * x;
  const double x4 = x2 * x2;
  const double x8 = x4 * x4;
  return x8 * x8 * x8 * x4 * x2;
}

double eighth_power(double x) {
  const double x2 = x * x;
  return x2 * x2 * x2 * x2;
}

/// Total demand of the apps of each group, groups x dims.
std::vector<double> demand_of_groups(const Instance& instance, const EligibleGroups& groups) {
  std::vector<double> total(std::size_t{groups.count()} * instance.dims(), 0);
  instance.visit_unit([&](auto unit) {
    for (AppId app = 0; app < instance.apps(); ++app) {
      const auto demand = instance.scaled_demand<decltype(unit)>(app);
      double* row = total.data() + std::size_t{groups.of(app)} * instance.dims();
      for (std::uint32_t h = 0; h < instance.dims(); ++h) row[h] += static_cast<double>(demand[h]) * instance.replicas(app);
    }
  });
  return total;
}

/// Spreads the prices of each resource over periods.
void smear(const Instance& instance, std::span<const double> total, std::span<double> price) {
  const std::uint32_t periods = instance.periods();
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const auto of = total.subspan(std::size_t{r} * periods, periods);
    const auto prices = price.subspan(std::size_t{r} * periods, periods);
    double sum = 0;
    for (const double p : prices) sum += p;
    const double peak = *std::max_element(of.begin(), of.end());
    if (!(sum > 0) || !(peak > 0)) continue;
    double weights = 0;
    for (const double demand : of) weights += thirtieth_power(demand / peak);
    for (std::uint32_t t = 0; t < periods; ++t) {
      prices[t] = (1 - kSmeared) * prices[t] + kSmeared * sum * thirtieth_power(of[t] / peak) / weights;
    }
  }
}

/// Gives resources that are nearly scarce a share of the whole worth.
void mix_resources(const Instance& instance, std::span<const double> total, std::span<double> price) {
  const std::uint32_t periods = instance.periods();
  const std::uint32_t resources = instance.resources();
  std::vector<double> nodes(resources, 0);
  std::vector<double> worth(resources, 0);
  double most = 0;
  double all = 0;
  for (ResourceId r = 0; r < resources; ++r) {
    const double capacity = instance.scale(r).largest_capacity();
    for (std::uint32_t t = 0; t < periods; ++t) {
      const std::size_t h = std::size_t{r} * periods + t;
      if (capacity > 0) nodes[r] = std::max(nodes[r], total[h] / capacity);
      worth[r] += price[h] * total[h];
    }
    most = std::max(most, nodes[r]);
    all += worth[r];
  }
  if (!(most > 0) || !(all > 0)) return;
  for (ResourceId r = 0; r < resources; ++r) {
    const double least = kLeastShare * eighth_power(nodes[r] / most) * all;
    if (worth[r] >= least) continue;
    double weights = 0;
    const auto of = total.subspan(std::size_t{r} * periods, periods);
    const double peak = *std::max_element(of.begin(), of.end());
    for (const double demand : of) weights += thirtieth_power(demand / peak) * demand;
    for (std::uint32_t t = 0; t < periods; ++t) {
      price[std::size_t{r} * periods + t] += (least - worth[r]) * thirtieth_power(of[t] / peak) / weights;
    }
  }
}

}  // namespace

std::vector<double> worth_of_apps(const Instance& instance) {
  const Supply supply(instance);
  const EligibleGroups groups(instance);
  CapacityPrices prices = capacity_prices(instance, supply, groups, instance.has_prices() ? NodeCost::kPrice : NodeCost::kOne);
  const std::uint32_t dims = instance.dims();
  const std::vector<double> total = demand_of_groups(instance, groups);
  for (std::uint32_t g = 0; g < groups.count(); ++g) {
    const std::span<const double> of = std::span(total).subspan(std::size_t{g} * dims, dims);
    const std::span<double> price = std::span(prices.per_unit).subspan(std::size_t{g} * dims, dims);
    if (instance.periods() > 1) smear(instance, of, price);
    mix_resources(instance, of, price);
  }
  std::vector<double> worth(instance.apps(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) worth[app] = prices.worth(instance, groups, app);
  return worth;
}

}  // namespace stowage
