// All resources and periods at once, for mixed node classes: a demand that one class carries badly needs nodes of another. The
// proof is that of capacity_prices.cpp.

#include <cmath>

#include "core/bounds/bounds.h"
#include "core/bounds/capacity_prices.h"

namespace stowage {

BoundValue lagrangian_bound(const Instance& instance, const Supply& supply) {
  const CapacityPrices prices = capacity_prices(instance, supply, AppGroups(instance), NodeCost::kOne);
  return {std::ceil(prices.bound), prices.resource, prices.period};
}

BoundValue lagrangian_price_bound(const Instance& instance, const Supply& supply) {
  const CapacityPrices prices = capacity_prices(instance, supply, AppGroups(instance), NodeCost::kPrice);
  return {prices.bound * (1 - 0x1p-40), prices.resource, prices.period};
}

}  // namespace stowage
