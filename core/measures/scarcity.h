// How scarce each resource is.
#pragma once

#include <algorithm>
#include <vector>

#include "core/model/instance.h"

namespace stowage {

/// Scarcity per resource. The need of a resource is its total demand in its peak period divided by its largest node capacity.
/// Its scarcity is (need / largest need of any resource)^24: 1 for the scarcest resource, 0.3 at 95 % of that need, 0.005 at
/// 80 %.
inline std::vector<double> resource_scarcity(const Instance& instance) {
  const std::uint32_t periods = instance.periods();
  std::vector<double> scarcity(instance.resources());
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const auto first = instance.total_demand().begin() + r * periods;
    const auto peak = static_cast<double>(*std::max_element(first, first + periods));
    scarcity[r] = peak / std::max(1, instance.scale(r).largest_capacity());
  }
  const double largest = scarcity.empty() ? 0 : *std::max_element(scarcity.begin(), scarcity.end());
  for (double& value : scarcity) {
    const double ratio = largest > 0 ? value / largest : 0;
    const double cube = ratio * ratio * ratio;
    const double sixth = cube * cube;
    value = (sixth * sixth) * (sixth * sixth);
  }
  return scarcity;
}

/// The resource with the largest scarcity; among equals, the lowest index.
inline ResourceId scarcest_resource(const std::vector<double>& scarcity) {
  return static_cast<ResourceId>(std::max_element(scarcity.begin(), scarcity.end()) - scarcity.begin());
}

}  // namespace stowage
