#include "core/rebuild/worth.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/bounds/prices/risk.h"

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

/// What a replica takes of each dimension, as one number: mean, plus spread at the price at which it takes what is left of a
/// node that is full of the average of all demand.
class EffectiveDemand {
 public:
  explicit EffectiveDemand(const Instance& instance) : instance_(&instance), per_spread_(instance.dims(), 0.0) {
    if (!instance.uncertain()) return;
    std::vector<double> mean(instance.dims(), 0.0);
    std::vector<double> spread(instance.resources(), 0.0);
    instance.visit_unit([&](auto unit) {
      for (AppId app = 0; app < instance.apps(); ++app) {
        const auto demand = instance.scaled_demand<decltype(unit)>(app);
        for (std::uint32_t h = 0; h < instance.dims(); ++h) mean[h] += static_cast<double>(demand[h]) * instance.replicas(app);
        for (ResourceId r = 0; r < instance.resources(); ++r) spread[r] += risk_of(instance, app, r) * instance.replicas(app);
      }
    });
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      const ResourceId r = instance.resource_of(h);
      if (spread[r] <= 0) continue;
      const Ray full = Ray{mean[h], spread[r]}.reach(static_cast<double>(instance.scale(r).largest_capacity()));
      if (full.spread > 0) per_spread_[h] = 1 / std::sqrt(full.spread);
    }
  }
  /// Calls work(h, amount) for each dimension.
  template <class Work>
  void visit(AppId app, Work&& work) const {
    instance_->visit_unit([&](auto unit) {
      const auto demand = instance_->scaled_demand<decltype(unit)>(app);
      for (std::uint32_t h = 0; h < instance_->dims(); ++h) {
        double amount = demand[h];
        if (per_spread_[h] > 0) amount += per_spread_[h] * risk_of(*instance_, app, instance_->resource_of(h));
        work(h, amount);
      }
    });
  }

 private:
  const Instance* instance_;
  std::vector<double> per_spread_;
};

/// What the apps of one group demand, and what that is worth by the linear program.
struct GroupTotals {
  std::vector<double> demand;  // per dimension
  std::vector<double> worth;   // per resource
};

/// Adds to `price`, per dimension, what makes the group's demand of a resource worth `amount`, spread over periods.
void add_smeared(const Instance& instance, const GroupTotals& of, ResourceId r, double amount, std::span<double> price) {
  const std::uint32_t periods = instance.periods();
  const auto demand = std::span(of.demand).subspan(std::size_t{r} * periods, periods);
  const double peak = *std::max_element(demand.begin(), demand.end());
  if (!(amount > 0) || !(peak > 0)) return;
  double weights = 0;
  for (const double d : demand) weights += thirtieth_power(d / peak) * d;
  for (std::uint32_t t = 0; t < periods; ++t) {
    price[std::size_t{r} * periods + t] += amount * thirtieth_power(demand[t] / peak) / weights;
  }
}

/// Prices beside those of the linear program, per dimension.
std::vector<double> further_prices(const Instance& instance, const GroupTotals& of) {
  const std::uint32_t periods = instance.periods();
  const std::uint32_t resources = instance.resources();
  std::vector<double> price(instance.dims(), 0.0);
  std::vector<double> nodes(resources, 0.0);
  double most = 0;
  double all = 0;
  for (ResourceId r = 0; r < resources; ++r) {
    const auto capacity = static_cast<double>(instance.scale(r).largest_capacity());
    const auto demand = std::span(of.demand).subspan(std::size_t{r} * periods, periods);
    if (capacity > 0) nodes[r] = *std::max_element(demand.begin(), demand.end()) / capacity;
    most = std::max(most, nodes[r]);
    all += of.worth[r];
  }
  if (!(most > 0) || !(all > 0)) return price;
  for (ResourceId r = 0; r < resources; ++r) {
    const double least = kLeastShare * eighth_power(nodes[r] / most) * all;
    if (periods > 1) add_smeared(instance, of, r, kSmeared * of.worth[r], price);
    add_smeared(instance, of, r, least - of.worth[r], price);
  }
  return price;
}

}  // namespace

std::vector<double> worth_of_apps(const Instance& instance, NodeCost cost) {
  const EligibleGroups groups(instance);
  const CapacityPrices prices = capacity_prices(instance, Supply(instance), groups, cost);
  const EffectiveDemand effective(instance);
  std::vector<GroupTotals> totals(groups.count(), {std::vector(instance.dims(), 0.0), std::vector(instance.resources(), 0.0)});
  std::vector<double> worth(instance.apps(), 0.0);
  std::vector<double> of_resource(instance.resources());
  const double kept = instance.periods() > 1 ? 1 - kSmeared : 1;
  for (AppId app = 0; app < instance.apps(); ++app) {
    std::fill(of_resource.begin(), of_resource.end(), 0.0);
    prices.add_worth(instance, groups, app, of_resource);
    GroupTotals& of = totals[groups.of(app)];
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      of.worth[r] += of_resource[r] * instance.replicas(app);
      worth[app] += kept * of_resource[r];
    }
    effective.visit(app, [&](std::uint32_t h, double amount) { of.demand[h] += amount * instance.replicas(app); });
  }
  std::vector<std::vector<double>> further;
  further.reserve(totals.size());
  for (const GroupTotals& of : totals) further.push_back(further_prices(instance, of));
  for (AppId app = 0; app < instance.apps(); ++app) {
    const std::vector<double>& price = further[groups.of(app)];
    effective.visit(app, [&](std::uint32_t h, double amount) { worth[app] += price[h] * amount; });
  }
  return worth;
}

}  // namespace stowage
