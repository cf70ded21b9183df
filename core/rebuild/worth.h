// What capacity is worth.
#pragma once

#include <vector>

#include "core/bounds/prices/capacity_prices.h"
#include "core/model/instance.h"

namespace stowage {

/// Per app: what the demand of one replica costs, in units of cost, at prices of capacity at which no node class is worth more
/// than it costs.
/// @param cost what a node costs
std::vector<double> worth_of_apps(const Instance& instance, NodeCost cost);
inline std::vector<double> worth_of_apps(const Instance& instance) {
  return worth_of_apps(instance, instance.has_prices() ? NodeCost::kPrice : NodeCost::kOne);
}

}  // namespace stowage
