// Uncertain demand, for bounds that price it.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/watch.h"
#include "core/model/instance.h"

namespace stowage {

/// The app's spread in squares of scaled units, times the squared confidence factor: means M and risks V of what a node holds
/// obey M + sqrt(V) <= capacity. Beyond a limit that no node has room for, more makes no difference.
double risk_of(const Instance& instance, AppId app, ResourceId r);

/// Mean and spread of some demand, as a direction.
struct Ray {
  double mean = 0;
  double spread = 0;
  /// The multiple of the ray at which mean + sqrt(spread) reaches a capacity.
  [[nodiscard]] Ray reach(double capacity) const {
    // The solution of mean u^2 + sqrt(spread) u = capacity, in a form that also holds where one of them is 0.
    const double u = 2 * capacity / (std::sqrt(spread) + std::sqrt(spread + 4 * mean * capacity));
    return {mean * u * u, spread * u * u};
  }
};

/// Per resource: whether some node holds more than its capacity at confidence at the start. It may go on to do so, with other
/// replicas. Incomplete where the watch ends it.
std::vector<std::uint8_t> starts_above(const Instance& instance, WatchRef watch = {});

}  // namespace stowage
