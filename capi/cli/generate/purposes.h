// What random numbers are drawn for. Each purpose has its own streams (capi/cli/base/random.h).
#pragma once

#include <cstdint>

namespace stowage::cli::stochastic {

enum Purpose : std::uint64_t { kPickServices = 101, kDeviations, kEvictions, kUsage };

}  // namespace stowage::cli::stochastic
