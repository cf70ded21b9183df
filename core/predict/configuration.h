// A way to run a container.
#pragma once

#include <cstdint>
#include <vector>

namespace stowage {

/// How a container may run: an amount of each resource of the model, and how many containers of the app share a node.
struct Configuration {
  std::vector<double> amounts;
  std::uint32_t collocation = 1;
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

}  // namespace stowage
