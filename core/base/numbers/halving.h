// Weights that halve with age, equal to the last bit on every platform.
#pragma once

#include <cmath>

namespace stowage {

/// 2^-x for x >= 0, from basic arithmetic alone; relative error below 1e-15. 0 where the result is below the range of doubles.
inline double half_to_the(double x) {
  constexpr double kVanishes = 1100;
  if (!(x < kVanishes)) return 0;
  const double whole = std::floor(x);
  // exp(-z) for z in [0, log 2) by its Taylor series, the smallest terms first.
  const double z = (x - whole) * 0.6931471805599453;
  double sum = 1;
  for (int k = 18; k > 0; --k) sum = 1 - z / k * sum;
  return std::ldexp(sum, -static_cast<int>(whole));
}

}  // namespace stowage
