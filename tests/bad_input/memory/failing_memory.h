// Memory that fails on request: replaces operator new and, in programs that are linked with --wrap=malloc and --wrap=free,
// malloc.
#pragma once

#include <atomic>
#include <limits>

namespace stowage::test {

inline constexpr long kNever = std::numeric_limits<long>::max();
/// The number of allocations that still succeed.
extern std::atomic<long> allowance;
/// Blocks that are allocated and not yet freed.
extern std::atomic<long> live_blocks;

}  // namespace stowage::test
