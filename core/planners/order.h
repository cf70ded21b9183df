// In which order planners take apps.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/model/instance.h"
#include "core/planners/planner.h"

namespace stowage {

inline constexpr OptionInfo kEpsilonOption = {"epsilon", "weight exponent of the measure avgexp (P0, tables 1 and 2)", 0.01, 0,
                                              64};
inline constexpr OptionInfo kAlphaOption = {
    "alpha", "share of demand in the order, the rest is degree (P0, Eq. 3); 1 = demand alone", 1, 0, 1};

/// All apps by priority (higher first), then by what rules with a minimum say has to be there first, then by `larger_first`
/// (one number per app; empty: no such criterion), then by index.
inline std::vector<AppId> app_order(const Instance& instance, const std::vector<double>& larger_first) {
  std::vector<AppId> order(instance.apps());
  std::iota(order.begin(), order.end(), 0);
  if (!larger_first.empty()) {
    std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return larger_first[a] > larger_first[b]; });
  }
  if (instance.tag_model().has_hard_minimum()) {
    const TagModel& model = instance.tag_model();
    std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return model.depth(a) < model.depth(b); });
  }
  if (contains(instance.features(), Feature::kPriorities)) {
    std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return instance.priority(a) > instance.priority(b); });
  }
  return order;
}

/// Classes in the order in which new nodes are opened: cheapest first (without prices, all cost the same), then by index.
inline std::vector<ClassId> class_order(const Instance& instance) {
  std::vector<ClassId> order(instance.classes());
  std::iota(order.begin(), order.end(), 0);
  const auto& classes = instance.data().classes;
  std::stable_sort(order.begin(), order.end(), [&](ClassId a, ClassId b) { return classes[a].price < classes[b].price; });
  return order;
}

}  // namespace stowage
