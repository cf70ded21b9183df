// The price of the cheapest nodes that carry the demand of one resource and period. And, where apps may be on some nodes only:
// the price of each replica's share of the cheapest nodes on which it may be.
//
// Proof sketch. Fix a dimension. Every plan pays for the mandatory nodes. Any complete plan covers the remaining demand with
// further nodes. Fractions of nodes, chosen by ascending price per unit carried, are an optimum of the linear relaxation of
// this covering problem, so their price is at most that of any plan. The order of the sum is fixed, so that every platform
// agrees.
//
// For the second bound, let a node's price be shared by its replicas in proportion to their demand. As it carries at most what
// it carries, a replica's share is at least its demand times the least price per unit carried of the nodes where it may be:
// those of classes on some node of which its app is eligible, and any listed ones for an app with replicas there at the start.
//
// The result is lowered by a relative 2^-40, which is more than all rounding errors.

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/watched.h"
#include "core/bounds/bounds.h"

namespace stowage {
namespace {

/// Per dimension: the sum of the replicas' shares. Incomplete, or empty, where the supply ends it.
std::vector<double> eligible_shares(const Instance& instance, const Supply& supply) {
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  const std::uint32_t dims = instance.dims();
  std::vector<std::uint8_t> anywhere(instance.apps(), 0);
  for (const auto* list : {&instance.data().running, &instance.data().pinned}) {
    for (const Residence& r : *list) {
      if (supply.ends(1)) return {};
      anywhere[r.app] = 1;
    }
  }
  std::vector<double> rate(std::size_t{dims} * (instance.classes() + std::size_t{1}), kNowhere);  // by class; last, of all
  for (const Supply::Group& group : supply.groups) {
    if (supply.ends(dims)) return {};
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (group.carries[h] == 0) continue;
      const double of_group = group.price / static_cast<double>(group.carries[h]);
      for (const std::size_t c : {std::size_t{group.node_class}, std::size_t{instance.classes()}}) {
        rate[c * dims + h] = std::min(rate[c * dims + h], of_group);
      }
    }
  }
  std::vector<double> sum(dims, 0);
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      if (supply.ends(std::uint64_t{dims} * (anywhere[i] != 0 ? 1 : instance.classes()))) return;
      const auto demand = demand_of(i);
      for (std::uint32_t h = 0; h < dims; ++h) {
        double least = anywhere[i] != 0 ? rate[std::size_t{instance.classes()} * dims + h] : kNowhere;
        for (ClassId c = 0; c < instance.classes() && anywhere[i] == 0; ++c) {
          if (instance.eligibility().reaches(i, c)) least = std::min(least, rate[std::size_t{c} * dims + h]);
        }
        // An app that fits nowhere has no share: no complete plan exists.
        if (least < kNowhere) sum[h] += least * static_cast<double>(demand[h]) * instance.replicas(i);
      }
    }
  });
  return sum;
}

}  // namespace

BoundValue price_bound(const Instance& instance, const Supply& supply) {
  struct Offer {
    double price_per_unit;
    const Supply::Group* group;
  };
  BoundValue best;
  const double mandatory = supply.mandatory_price();
  best.value = mandatory;
  std::vector<Offer> offers;
  for (std::uint32_t h = 0; h < instance.dims() && !supply.ends(kStepsToSort * supply.groups.size()); ++h) {
    std::int64_t left = supply.left_by_mandatory(h);
    offers.clear();
    for (const Supply::Group& group : supply.groups) {
      if (supply.ends(1)) return {};
      if (group.mandatory || group.carries[h] == 0) continue;
      offers.push_back({group.price / static_cast<double>(group.carries[h]), &group});
    }
    // Sums of prices depend on the order of all offers.
    watched_sort(offers, supply.watch(), [](const Offer& a, const Offer& b) {
      return a.price_per_unit != b.price_per_unit ? a.price_per_unit < b.price_per_unit : a.group < b.group;
    });
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
  if (instance.eligibility().any()) {
    const std::vector<double> shares = eligible_shares(instance, supply);
    for (std::uint32_t h = 0; h < shares.size(); ++h) {
      if (shares[h] > best.value) best = {shares[h], instance.resource_of(h), instance.period_of(h), best.infeasible};
    }
  }
  best.value *= 1 - 0x1p-40;
  return best;
}

// Proof sketch. A plan pays for the mandatory nodes, and for at least as many further ones as a bound on nodes leaves: not less
// than the cheapest of them cost.
BoundValue cheapest_nodes_bound(const Supply& supply, const BoundValue& nodes) {
  std::vector<const Supply::Group*> optional;
  for (const Supply::Group& group : supply.groups) {
    if (supply.ends(1)) return {};
    if (!group.mandatory) optional.push_back(&group);
  }
  // Sums of prices depend on the order of all groups.
  watched_sort(optional, supply.watch(), [](const Supply::Group* a, const Supply::Group* b) {
    return a->price != b->price ? a->price < b->price : a < b;
  });
  double left = nodes.value - static_cast<double>(supply.mandatory);
  double cost = supply.mandatory_price();
  for (const Supply::Group* group : optional) {
    if (left <= 0) break;
    const double taken = group->count == Supply::kEndless ? left : std::min(left, static_cast<double>(group->count));
    cost += taken * group->price;
    left -= taken;
  }
  return {cost * (1 - 0x1p-40), nodes.resource, nodes.period, nodes.infeasible || left > 0};
}

}  // namespace stowage
