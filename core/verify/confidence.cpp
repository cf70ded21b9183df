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

// P(X > x) of a standard normal X, for x >= 0: the series around 0 below 2.5, the continued fraction of the tail above.
double upper_tail(double x) {
  constexpr double kOneByRootTwoPi = 0.39894228040143267794;
  const double density = kOneByRootTwoPi * decay(x * x / 2);
  if (x < 2.5) {
    double term = x;
    double sum = x;
    for (int k = 3; k < 120; k += 2) {
      term *= x * x / k;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  double fraction = x;
  for (int k = 160; k >= 1; --k) fraction = x + k / fraction;
  return density / fraction;
}

// The x in 0 .. 64 at which a decreasing function reaches `value`.
template <class Function>
double solve(Function&& decreasing, double value) {
  double low = 0;
  double high = 64;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (decreasing(middle) > value ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double checked_confidence_factor(const Uncertainty& uncertainty) {
  switch (uncertainty.model) {
    case ChanceModel::kGaussian:
      // P(X > 0) = 0.5 exactly.
      return uncertainty.confidence == 0.5 ? 0 : solve(upper_tail, 1 - uncertainty.confidence);
    case ChanceModel::kBoundedSupport:
      return std::sqrt(solve(decay, 1 - uncertainty.confidence) / 2);
    case ChanceModel::kFactor:
      break;
  }
  return uncertainty.factor;
}

}  // namespace stowage
