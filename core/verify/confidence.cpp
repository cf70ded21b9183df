#include "core/verify/confidence.h"

#include <cmath>

namespace stowage {
namespace {

// exp(-x) for x >= 0: the series at x / 2^n, squared n times.
double decay(double x) {
  int halvings = 0;
  for (; x > 0.125; x /= 2) ++halvings;
  double sum = 1;
  for (int k = 16; k >= 1; --k) sum = 1 - x / k * sum;
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

// 1 - exp(-x) for 0 <= x <= 1, without cancellation: the series x - x^2 / 2! + x^3 / 3! - ...
double rise(double x) {
  double sum = 1;
  for (int k = 24; k >= 2; --k) sum = 1 - x / k * sum;
  return x * sum;
}

double normal_density(double x) {
  constexpr double kOneByRootTwoPi = 0.39894228040143267794;
  return kOneByRootTwoPi * decay(x * x / 2);
}

// P(0 < X <= x) of a standard normal X, for 0 <= x < 2.5: the series around 0, whose terms are all positive.
double central(double x) {
  double term = x;
  double sum = x;
  for (int k = 3; k < 120; k += 2) {
    term *= x * x / k;
    sum += term;
  }
  return normal_density(x) * sum;
}

// P(X > x) of a standard normal X, for x >= 0: by the centre below 2.5, by the continued fraction of the tail above.
double upper_tail(double x) {
  if (x < 2.5) return 0.5 - central(x);
  double fraction = x;
  for (int k = 160; k >= 1; --k) fraction = x + k / fraction;
  return normal_density(x) / fraction;
}

// The x in 0 .. 64 at which a decreasing function reaches `value`.
template <class Function>
double solve_descending(Function&& descending, double value) {
  double low = 0;
  double high = 64;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (descending(middle) > value ? low : high) = middle;
  }
  return (low + high) / 2;
}

// The x in 0 .. `most` at which a function that ascends from 0 reaches `value` > 0: to full precision however small it is.
template <class Function>
double solve_ascending(Function&& ascending, double value, double most) {
  double high = most;
  while (ascending(high / 2) >= value) high /= 2;
  double low = high / 2;
  for (int k = 0; k < 60; ++k) {
    const double middle = low + (high - low) / 2;
    (ascending(middle) < value ? low : high) = middle;
  }
  return high;
}

// Below these, a probability is found by what lies below it, since 1 - probability would lose all its digits.
constexpr double kSmallTotal = 0.5;
constexpr double kSmallCentre = 0.49;

}  // namespace

double checked_confidence_factor(const Uncertainty& uncertainty) {
  const double confidence = uncertainty.confidence;
  switch (uncertainty.model) {
    case ChanceModel::kGaussian: {
      const double centre = confidence - 0.5;
      if (centre == 0) return 0;
      return centre < kSmallCentre ? solve_ascending(central, centre, 2.5) : solve_descending(upper_tail, 1 - confidence);
    }
    case ChanceModel::kBoundedSupport: {
      const bool is_small = confidence < kSmallTotal;
      return std::sqrt((is_small ? solve_ascending(rise, confidence, 1) : solve_descending(decay, 1 - confidence)) / 2);
    }
    case ChanceModel::kFactor:
      break;
  }
  return uncertainty.factor;
}

}  // namespace stowage
