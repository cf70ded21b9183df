#include "core/base/numbers/quantile.h"

#include <cmath>
#include <cstddef>

namespace stowage {
namespace {

// Coefficients of numerator and denominator, lowest power first.
template <std::size_t N>
double ratio(const double (&numerator)[N], const double (&denominator)[N], double x) {
  double top = numerator[N - 1];
  double bottom = denominator[N - 1];
  for (std::size_t k = N - 1; k-- > 0;) {
    top = top * x + numerator[k];
    bottom = bottom * x + denominator[k];
  }
  return top / bottom;
}

}  // namespace

double natural_log(double value) {
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent);  // exact
  constexpr double kRootHalf = 0.70710678118654752;
  if (mantissa < kRootHalf) {
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 artanh t with |t| < 0.172: the next term of the series is below 10^-20.
  const double t = (mantissa - 1) / (mantissa + 1);
  const double square = t * t;
  double sum = 0;
  for (int k = 25; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  constexpr double kLog2High = 0x1.62e42fee00000p-1;  // 32 bits: its product with an exponent is exact
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  return exponent * kLog2High + (2 * t + (2 * t * sum + exponent * kLog2Low));
}

double minus_log_of_rest(double share) {
  if (share >= 0.25) return -natural_log(1 - share);
  // 1 - share = (1 - t) / (1 + t), so that this is 2 artanh t with t < 0.143: the next term is below 10^-20.
  const double t = share / (2 - share);
  const double square = t * t;
  double sum = 0;
  for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
  return 2 * t + 2 * t * sum;
}

double normal_quantile(double probability) {
  static constexpr double kA[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                  1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                  3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr double kB[] = {1,
                                  4.2313330701600911252e+1,
                                  6.8718700749205790830e+2,
                                  5.3941960214247511077e+3,
                                  2.1213794301586595867e+4,
                                  3.9307895800092710610e+4,
                                  2.8729085735721942674e+4,
                                  5.2264952788528545610e+3};
  static constexpr double kC[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                  3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kD[] = {1,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  static constexpr double kE[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                  2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kF[] = {1,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};
  const double centred = probability - 0.5;
  if (centred >= -0.425 && centred <= 0.425) return centred * ratio(kA, kB, 0.180625 - centred * centred);
  const double tail = centred < 0 ? probability : 1 - probability;
  const double depth = std::sqrt(-natural_log(tail));
  const double value = depth <= 5 ? ratio(kC, kD, depth - 1.6) : ratio(kE, kF, depth - 5);
  return centred < 0 ? -value : value;
}

}  // namespace stowage
