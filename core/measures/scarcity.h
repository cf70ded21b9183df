// How much each resource binds.
#pragma once

#include <algorithm>
#include <vector>

#include "core/model/instance.h"

namespace stowage {

/// Per resource, 1 for the one whose demand at its peak asks for most nodes, and less, quickly, for the others: the ratio of
/// both needs to the power of 24. A resource at 95 % of the scarcest one still counts 0.3, one at 80 % nothing.
inline std::vector<double> resource_scarcity(const Instance& instance) {
  const std::uint32_t periods = instance.periods();
  std::vector<double> scarcity(instance.resources());
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const auto first = instance.total_demand().begin() + r * periods;
    const auto peak = static_cast<double>(*std::max_element(first, first + periods));
    scarcity[r] = peak / std::max(1, instance.scale(r).largest_capacity());
  }
  const double largest = scarcity.empty() ? 0 : *std::max_element(scarcity.begin(), scarcity.end());
  for (double& p : scarcity) {
    const double ratio = largest > 0 ? p / largest : 0;
    const double cube = ratio * ratio * ratio;
    const double sixth = cube * cube;
    p = (sixth * sixth) * (sixth * sixth);
  }
  return scarcity;
}

/// The one that binds most.
inline ResourceId scarcest_resource(const std::vector<double>& scarcity) {
  return static_cast<ResourceId>(std::max_element(scarcity.begin(), scarcity.end()) - scarcity.begin());
}

}  // namespace stowage
