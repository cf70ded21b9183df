// The exponential and the normal distribution's tail, equal to the last bit on every platform: they use the correctly rounded
// operations + - * / and exact scaling alone. natural_log() lies in core/base/numbers/quantile.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace stowage {

/// e^x with a relative error below 2^-48; 0 below -700, and the value at 700 above it.
double natural_exp(double x);

/// P(X >= x) for a standard normal X: a table with linear interpolation, flat beyond 8. Absolute error below 2e-6.
class NormalTail {
 public:
  NormalTail();
  double operator()(double x) const {
    const double place = std::clamp((x + kEnd) * kPerUnit, 0.0, static_cast<double>(kSteps));
    const auto k = static_cast<std::size_t>(place);
    return tail_[k] + (place - static_cast<double>(k)) * (tail_[k + 1] - tail_[k]);
  }

 private:
  static constexpr int kEnd = 8;
  static constexpr int kPerUnit = 128;
  static constexpr std::size_t kSteps = std::size_t{2} * kEnd * kPerUnit;
  std::array<double, kSteps + 2> tail_;
};

/// The one table.
const NormalTail& normal_tail();

}  // namespace stowage
