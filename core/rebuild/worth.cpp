#include "core/rebuild/worth.h"

#include "core/bounds/capacity_prices.h"

namespace stowage {

std::vector<double> worth_of_apps(const Instance& instance) {
  const Supply supply(instance);
  const AppGroups groups(instance);
  const CapacityPrices prices =
      capacity_prices(instance, supply, groups, instance.has_prices() ? NodeCost::kPrice : NodeCost::kOne);
  std::vector<double> worth(instance.apps(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) worth[app] = prices.worth(instance, groups, app);
  return worth;
}

}  // namespace stowage
