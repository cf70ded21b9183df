// Random numbers for tests: the same on every platform, which the distributions of <random> are not.
#pragma once

#include <cstdint>

namespace stowage::test {

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// From 0 to count - 1; count is small, so the bias of the remainder does not matter.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(next() % count); }
  /// From first to last.
  std::uint32_t between(std::uint32_t first, std::uint32_t last) { return first + below(last - first + 1); }
  bool chance(double probability) { return static_cast<double>(next() >> 11) * 0x1p-53 < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace stowage::test
