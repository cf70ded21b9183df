// What capacity is worth.
#pragma once

#include <vector>

#include "core/model/instance.h"

namespace stowage {

/// Per app: what the demand of one replica costs, in units of cost, at prices of capacity at which no node class is worth more
/// than it costs.
std::vector<double> worth_of_apps(const Instance& instance);

}  // namespace stowage
