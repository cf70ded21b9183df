// Instances of admission, in the design of P3, section 4.2.2. docs/reference/generate.md describes what is drawn.
#pragma once

#include <cstdint>

#include "capi/text/formats/instance_data.h"

namespace stowage::cli::lras {

struct Options {
  std::uint32_t apps = 0;
  std::uint32_t nodes = 0;
  std::uint32_t dims = 3;
  /// Containers of an app: uniform in 1 .. this. The paper does not state it.
  std::uint32_t containers = 1;
  /// Factor of the sizes of containers, in (0, 1]; 1 as printed.
  double scale = 1;
  /// Whether nodes of size 1 may be added, at a price; the others cost nothing (phase 2).
  bool add = false;
  std::uint64_t seed = 0;
};

inline constexpr std::uint32_t kMostDims = 32;
/// Containers of an app that may share a node: uniform in 1 .. this.
inline constexpr std::uint32_t kMostTogether = 10;

/// The same options give the same instance on every platform. Nodes do not depend on the apps, nor sizes on the scale but for
/// their factor.
InstanceData generate(const Options& options);

}  // namespace stowage::cli::lras
