// Schedulers that place one task after the other, each on a GPU of its own choice: what planners are compared with.
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

enum class Rule : std::uint8_t {
  kBestFit,   ///< the node that the task leaves with the least free share of cores and GPUs, the fullest GPU with room
  kFragments  ///< the node and GPU where fragmentation grows least: Fragmentation Gradient Descent
};

struct OnlineOptions {
  Rule rule = Rule::kBestFit;
  bool decreasing = false;    ///< tasks by falling GPUs and cores instead of as they arrive
  std::uint32_t quantum = 1;  ///< parts of a GPU are rounded up to a multiple of this
};

/// Thousandths of GPUs that the placed tasks ask for, before rounding.
std::uint64_t place_online(const Trace& trace, const OnlineOptions& options);

/// Whether parts and whole GPUs fit on so many GPUs. Exact search.
bool gpus_suffice(std::vector<std::uint32_t> parts, std::uint32_t gpus);

}  // namespace stowage::cli::devices
