// The measures by which apps (P0, table 1) and nodes (P0, table 2) are ordered.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stowage {

enum class Measure : std::uint8_t { kAverage, kMax, kAverageExponential, kSurrogate, kExtendedSum };

inline constexpr Measure kMeasures[] = {Measure::kAverage, Measure::kMax, Measure::kAverageExponential, Measure::kSurrogate,
                                        Measure::kExtendedSum};

/// The measure's spelling in planner names, such as "avgexp".
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

/// Larger exponents are reduced to this one; e^64 times any sum of shares is far from the largest double.
inline constexpr double kLargestExponent = 64;

/// weight[h] = e^(weight[h]), for weights in 0 .. kLargestExponent. The same to the last bit on every platform.
void exponentiate(std::vector<double>& weight);

}  // namespace stowage
