// Whether the devices of one node suffice for what it holds, for the checker. Shares no code with the planners' packing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/watch.h"

namespace stowage {

/// One node after another, from the original doubles. Amounts may exceed a device by 1e-9 of it.
class DeviceCheck {
 public:
  /// Begins an empty node.
  /// @param device above 0
  void begin(double device);
  /// What one replica takes: a part of one device, or whole ones.
  void add_demand(double amount, std::uint64_t replicas);
  /// Load: whole devices, and the rest as a part of one more.
  void add_load(double amount);
  /// Whether everything fits on so many devices. By first fit decreasing, else by search; what takes more than 2 x 10^5 steps
  /// counts as not fitting, and 10^3 steps once 100 nodes did not fit.
  /// @param watch ends the search: the answer means nothing
  [[nodiscard]] bool fits(double devices, WatchRef watch = {});
  /// The devices taken by first fit decreasing: at least those that are needed.
  [[nodiscard]] double taken() const;

 private:
  struct Part {
    double size;
    std::uint64_t count;
  };

  [[nodiscard]] bool search(std::uint64_t devices, WatchRef watch);

  double device_ = 1;
  double whole_ = 0;
  std::vector<Part> parts_;
  std::uint64_t failures_ = 0;
};

}  // namespace stowage
