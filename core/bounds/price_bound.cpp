// The price of the cheapest nodes that carry the demand of one resource and period.
//
// Proof sketch. Fix a dimension. Every plan pays for the mandatory nodes. Any complete plan covers the remaining demand with
// further nodes. Fractions of nodes, chosen by ascending price per unit carried, are an optimum of the linear relaxation of
// this covering problem, so their price is at most that of any plan. The order of the sum is fixed, so that every platform
// agrees. The result is lowered by a relative 2^-40, which is more than all rounding errors.

#include <algorithm>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {

BoundValue price_bound(const Instance& instance, const Supply& supply) {
  struct Offer {
    double price_per_unit;
    const Supply::Group* group;
  };
  BoundValue best;
  const double mandatory = supply.mandatory_price();
  best.value = mandatory;
  std::vector<Offer> offers;
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    std::int64_t left = supply.left_by_mandatory(h);
    offers.clear();
    for (const Supply::Group& group : supply.groups) {
      if (group.mandatory || group.carries[h] == 0) continue;
      offers.push_back({group.price / static_cast<double>(group.carries[h]), &group});
    }
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offer& a, const Offer& b) { return a.price_per_unit < b.price_per_unit; });
    double cost = mandatory;
    for (const auto& [price_per_unit, group] : offers) {
      if (left <= 0) break;
      const double nodes = static_cast<double>(left) / static_cast<double>(group->carries[h]);
      if (group->count == Supply::kEndless || nodes <= static_cast<double>(group->count)) {
        cost += nodes * group->price;
        left = 0;
      } else {
        cost += static_cast<double>(group->count) * group->price;
        left -= static_cast<std::int64_t>(group->count) * group->carries[h];
      }
    }
    if (cost > best.value || best.resource == kNone) {
      best = {std::max(cost, best.value), instance.resource_of(h), instance.period_of(h), best.infeasible || left > 0};
    }
  }
  best.value *= 1 - 0x1p-40;
  return best;
}

// Proof sketch. A plan pays for the mandatory nodes, and for at least as many further ones as a bound on nodes leaves: not less
// than the cheapest of them cost.
BoundValue cheapest_nodes_bound(const Instance& instance, const Supply& supply) {
  BoundValue most;
  for (const BoundInfo& info : bound_table()) {
    if (info.objective != Objective::kNodes || (info.function == confidence_bound && !instance.uncertain())) continue;
    const BoundValue nodes = info.function(instance, supply);
    if (nodes.value > most.value) most = nodes;
  }
  std::vector<const Supply::Group*> optional;
  for (const Supply::Group& group : supply.groups) {
    if (!group.mandatory) optional.push_back(&group);
  }
  std::stable_sort(optional.begin(), optional.end(),
                   [](const Supply::Group* a, const Supply::Group* b) { return a->price < b->price; });
  double left = most.value - static_cast<double>(supply.mandatory);
  double cost = supply.mandatory_price();
  for (const Supply::Group* group : optional) {
    if (left <= 0) break;
    const double taken = group->count == Supply::kEndless ? left : std::min(left, static_cast<double>(group->count));
    cost += taken * group->price;
    left -= taken;
  }
  return {cost * (1 - 0x1p-40), most.resource, most.period, most.infeasible || left > 0};
}

}  // namespace stowage
