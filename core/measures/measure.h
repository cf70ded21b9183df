// Which measure orders apps (P0, table 1) and nodes (P0, table 2).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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

/// weight[h] = e^(weight[h]), the same to the last bit on every platform; weights in 0 .. kLargestExponent.
void exponentiate(std::vector<double>& weight);

}  // namespace stowage
