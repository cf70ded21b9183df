// Random numbers that are the same on every platform: xoshiro256** by Blackman and Vigna, seeded by SplitMix64. No
// std:: distributions, whose results differ between libraries.
#pragma once

#include <cstdint>

namespace stowage::cli {

class Random {
 public:
  /// Every (seed, purpose, index) has its own stream.
  Random(std::uint64_t seed, std::uint64_t purpose, std::uint64_t index) {
    std::uint64_t state = mixed(mixed(mixed(seed) ^ purpose) ^ index);
    for (std::uint64_t& word : state_) {
      state += kStep;
      word = mixed(state);
    }
  }

  std::uint64_t bits() {
    const std::uint64_t result = rotated(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotated(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1), in steps of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  /// Uniform among 0 .. size - 1, without bias (Lemire's multiplication with rejection). `size` > 0.
  std::uint32_t below(std::uint32_t size) {
    std::uint64_t product = (bits() >> 32) * size;
    if (static_cast<std::uint32_t>(product) < size) {
      const std::uint32_t threshold = (0U - size) % size;
      while (static_cast<std::uint32_t>(product) < threshold) product = (bits() >> 32) * size;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Nearly normal with mean 0 and standard deviation 1: the sum of twelve uniforms less six, which needs no libm.
  double nearly_normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;

  static std::uint64_t rotated(std::uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }
  static std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
    return word ^ (word >> 31);
  }

  std::uint64_t state_[4];
};

}  // namespace stowage::cli
