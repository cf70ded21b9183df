// The number of random cases of a test.
#pragma once

#include <cstdint>

namespace stowage::test {

/// Programs with sanitizers are many times slower and run one case in STOWAGE_TEST_SHARE; all others run every case.
#ifdef STOWAGE_TEST_SHARE
inline constexpr std::uint64_t kShare = STOWAGE_TEST_SHARE;
#else
inline constexpr std::uint64_t kShare = 1;
#endif
constexpr std::uint64_t cases(std::uint64_t all) { return (all + kShare - 1) / kShare; }

}  // namespace stowage::test
