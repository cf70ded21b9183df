// Schedulers that place one task after the other, each on a GPU of its own choice: what planners are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "capi/lab/devices/trace.h"

namespace stowage::cli::devices {

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
