// The orders in which planners take apps and node classes.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/sort_by.h"
#include "core/model/instance.h"
#include "core/run/request.h"

namespace stowage {

inline constexpr OptionInfo kEpsilonOption = {"epsilon", "weight exponent of the measure avgexp (P0, tables 1 and 2)", 0.01, 0,
                                              64};
inline constexpr OptionInfo kAlphaOption = {
    "alpha", "share of demand in the order, the rest is degree (P0, Eq. 3); 1 = demand alone", 1, 0, 1};

/// All apps, by descending priority, then by TagModel::depth() (apps after those that a rule with a minimum needs near them),
/// then by descending `larger_first`, then by ascending index.
/// @param larger_first one number per app; empty: no such criterion
/// @param by_priority false: priorities do not count
inline std::vector<AppId> app_order(const Instance& instance, const std::vector<double>& larger_first,
                                    bool by_priority = true) {
  std::vector<AppId> order(instance.apps());
  std::iota(order.begin(), order.end(), 0);
  if (!larger_first.empty()) {
    sort_by_largest(order, larger_first);
  }
  if (instance.tag_model().has_hard_minimum()) {
    std::vector<double> depth(instance.apps());
    for (AppId app = 0; app < instance.apps(); ++app) depth[app] = instance.tag_model().depth(app);
    sort_by(order, depth);
  }
  if (by_priority && contains(instance.features(), Feature::kPriorities)) {
    std::vector<double> priority(instance.apps());
    for (AppId app = 0; app < instance.apps(); ++app) priority[app] = instance.priority(app);
    sort_by_largest(order, priority);
  }
  return order;
}

/// Node classes in the order in which new nodes are opened: by ascending price, then by ascending index.
inline std::vector<ClassId> class_order(const Instance& instance) {
  std::vector<double> price;
  for (const auto& node_class : instance.data().classes) price.push_back(node_class.price);
  return ids_by(price);
}

}  // namespace stowage
