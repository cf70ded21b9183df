// How many random cases a test takes.
#pragma once

#include <cstdint>

namespace stowage::test {

/// Programs with sanitizers are many times slower: they take one case in STOWAGE_TEST_SHARE, all others take all.
#ifdef STOWAGE_TEST_SHARE
constexpr std::uint64_t cases(std::uint64_t all) { return (all + STOWAGE_TEST_SHARE - 1) / STOWAGE_TEST_SHARE; }
#else
constexpr std::uint64_t cases(std::uint64_t all) { return all; }
#endif

}  // namespace stowage::test
