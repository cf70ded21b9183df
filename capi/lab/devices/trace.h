// Clusters of nodes with GPUs, and tasks that take parts of a GPU or whole ones, shaped like the published trace of shared
// GPUs.
#pragma once

#include <cstdint>
#include <vector>

namespace stowage::cli::devices {

/// Amounts of a GPU are in thousandths.
inline constexpr std::uint32_t kGpu = 1000;

struct Shape {
  std::uint32_t cores = 0;
  std::uint32_t gpu = 0;  ///< less than kGpu, a multiple of it, or 0

  auto operator<=>(const Shape&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
};

struct NodeModel {
  std::uint32_t cores;
  std::uint32_t gpus;
  std::uint32_t count;
};

struct Trace {
  std::vector<NodeModel> models;
  std::vector<Shape> shapes;         ///< different ones
  std::vector<std::uint32_t> tasks;  ///< in the order in which they arrive: indices into shapes

  [[nodiscard]] std::uint64_t gpu_capacity() const;
};

/// Nodes with 1, 2, 4 and 8 GPUs. Tasks by number, as Weng et al. publish them (Beware of Fragmentation, USENIX ATC '23, table
/// 1): 13.3 % without GPU, 37.8 % with a part, 48 % with one, .2, .2 and .5 % with 2, 4 and 8. Parts have the sizes that are
/// frequent in their trace, cores go with them. Tasks arrive until they ask for `load` times the GPUs.
Trace generate_trace(std::uint32_t nodes, double load, std::uint64_t seed);

}  // namespace stowage::cli::devices
