// Which measure orders apps (P0, table 1) and nodes (P0, table 2).
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage {

enum class Measure : std::uint8_t { kAverage, kMax, kAverageExponential, kSurrogate, kExtendedSum };

inline constexpr Measure kMeasures[] = {Measure::kAverage, Measure::kMax, Measure::kAverageExponential, Measure::kSurrogate,
                                        Measure::kExtendedSum};

/// As planner names spell it, such as "avgexp".
constexpr std::string_view measure_name(Measure measure) {
  switch (measure) {
    case Measure::kAverage:
      return "avg";
    case Measure::kMax:
      return "max";
    case Measure::kAverageExponential:
      return "avgexp";
    case Measure::kSurrogate:
      return "surrogate";
    case Measure::kExtendedSum:
      return "extsum";
  }
  return "";
}

/// Exponents of measures stop here; e^64 times any sum of shares is far from the end of doubles.
inline constexpr double kLargestExponent = 64;

/// How often arguments of at most `largest` must be halved before portable_exp() is accurate for them.
inline int halvings_for(double largest) {
  int halvings = 0;
  for (; largest > 0x1p-4 && halvings < 16; largest /= 2) ++halvings;
  return halvings;
}

/// e^x for x >= 0 from basic arithmetic alone, so that its last bit is the same on every platform: libm's is not. Relative
/// error below 1e-12. Free of branches on x, so that loops over it vectorize.
inline double portable_exp(double x, int halvings) {
  double y = x;
  for (int k = 0; k < halvings; ++k) y *= 0.5;
  // The Taylor series of degree 8 leaves less than 2^-53 of arguments up to 2^-4.
  double power =
      1 +
      y * (1 + y * (1.0 / 2 +
                    y * (1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720 + y * (1.0 / 5040 + y * (1.0 / 40320))))))));
  for (int k = 0; k < halvings; ++k) power *= power;
  return power;
}

}  // namespace stowage
