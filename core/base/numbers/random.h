// Random numbers, equal on every platform.
#pragma once

#include <array>
#include <cstdint>

namespace stowage {

/// SplitMix64 (Steele, Lea and Flood 2014). Every seed is valid.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// Uniform in 0 .. n - 1 but for a bias below n / 2^32.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }
  /// Uniform in [0, 1).
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Natural logarithm of x in [2^-64, 1] from basic arithmetic alone; relative error below 1e-12.
inline double portable_log(double x) {
  int halvings = 0;
  for (; x < 0.5; x *= 2) ++halvings;
  // log x = 2 artanh((x - 1) / (x + 1)), whose argument lies in [-1/3, 0].
  const double z = (x - 1) / (x + 1);
  const double square = z * z;
  double sum = 0;
  for (int k = 25; k > 0; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * z * sum - halvings * 0.6931471805599453;
}

/// Draws the logarithm of a uniform number, at 4096 quantiles: a loss is accepted at temperature T if it is above T x draw
/// (Metropolis et al., 1953).
class LogTable {
 public:
  LogTable() {
    for (std::size_t k = 0; k < draws_.size(); ++k)
      draws_[k] = portable_log((static_cast<double>(k) + 0.5) / static_cast<double>(draws_.size()));
  }
  double draw(Random& random) const { return draws_[random.next() >> 52]; }

 private:
  std::array<double, 4096> draws_;
};

}  // namespace stowage
