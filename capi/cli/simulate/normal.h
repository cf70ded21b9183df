// Normal random numbers that are the same on every platform, and Wilson's interval.
#pragma once

#include <cmath>
#include <cstdint>

#include "capi/cli/base/random.h"

namespace stowage::cli::stochastic {

/// Natural logarithm of a positive number to about 1e-15, by operations that IEEE 754 rounds exactly.
inline double exact_log(double value) {
  constexpr double kLn2 = 0.69314718055994530942;
  constexpr double kSqrtHalf = 0.70710678118654752440;
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent);
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is below 0.172: ten terms suffice.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double sum = 1.0 / 21;
  for (int odd = 19; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
  return 2 * s * sum + exponent * kLn2;
}

/// Standard normal numbers by Marsaglia's polar method, two at a time.
class Normal {
 public:
  explicit Normal(Random& random) : random_(random) {}

  double draw() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      x = 2 * random_.uniform() - 1;
      y = 2 * random_.uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * exact_log(square) / square);
    second_ = y * factor;
    has_second_ = true;
    return x * factor;
  }

  Random& random() { return random_; }

 private:
  Random& random_;
  double second_ = 0;
  bool has_second_ = false;
};

struct Interval {
  double low = 0;
  double high = 0;
};

/// Wilson's score interval at 95 % for a probability, from `hits` hits in `trials` trials. [0, 1] without trials.
inline Interval wilson_interval(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) return {0, 1};
  constexpr double kQuantile = 1.959963984540054;
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(hits) / n;
  const double square = kQuantile * kQuantile;
  const double middle = (share + square / (2 * n)) / (1 + square / n);
  const double half = kQuantile / (1 + square / n) * std::sqrt(share * (1 - share) / n + square / (4 * n * n));
  // With no hits or only hits, one end is exactly 0 or 1; rounding must not move it.
  return {hits == 0 ? 0 : middle - half, hits == trials ? 1 : middle + half};
}

}  // namespace stowage::cli::stochastic
