#include "core/predict/linear/elementary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace stowage {
double natural_exp(double x) {
  if (x < -700) return 0;
  x = std::min(x, 700.0);
  constexpr double kLog2 = 0.69314718055994531;
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const double power = std::floor(x / kLog2 + 0.5);
  const double rest = (x - power * kLog2High) - power * kLog2Low;  // |rest| < 0.347
  // Taylor's series to the power of 13; odd and even powers apart, which are computed side by side.
  const double square = rest * rest;
  constexpr double kOdd[] = {1.0 / 6227020800, 1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1};
  constexpr double kEven[] = {1.0 / 479001600, 1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2, 1};
  double odd = 0;
  double even = 0;
  for (std::size_t k = 0; k < std::size(kOdd); ++k) {
    odd = odd * square + kOdd[k];
    even = even * square + kEven[k];
  }
  // 2^power as a double, whose exponent stays in range for |x| <= 700.
  // Not std::bit_cast, which Emscripten's library lacks.
  const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(power) + 1023) << 52;
  double scale = 0;
  std::memcpy(&scale, &bits, sizeof scale);
  return (even + rest * odd) * scale;
}

NormalTail::NormalTail() {
  constexpr double kStep = 1.0 / kPerUnit;
  constexpr double kRoot2Pi = 2.5066282746310005;
  const auto density = [](double x) { return natural_exp(-x * x / 2) / kRoot2Pi; };
  double tail = 0;  // of 6e-16 at 8, which counts as nothing
  for (std::size_t k = tail_.size(); k-- > 0;) {
    tail_[k] = tail;
    // The integral over the step below by Gauss and Legendre, three points.
    const double middle = (static_cast<double>(k) - 0.5) * kStep - kEnd;
    const double reach = 0.38729833462074169 * kStep;  // sqrt(3 / 5) / 2
    tail += kStep * (8 * density(middle) + 5 * (density(middle - reach) + density(middle + reach))) / 18;
  }
}

const NormalTail& normal_tail() {
  static const NormalTail kTable;
  return kTable;
}

}  // namespace stowage
