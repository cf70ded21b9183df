// What random numbers are drawn for: each purpose has streams of its own (capi/cli/random.h).
#pragma once

#include <cstdint>

namespace stowage::cli::stochastic {

enum Purpose : std::uint64_t { kPickServices = 101, kDeviations, kEvictions, kUsage };

}  // namespace stowage::cli::stochastic
