#include "core/predict/linear/elementary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace stowage {
namespace {

constexpr int kTailEnd = 8;
constexpr int kTailSteps = 64;  // per unit

/// The tail and its slope at multiples of 1 / kTailSteps, from 0 to kTailEnd.
struct TailTable {
  struct Entry {
    double tail;
    double slope;
  };
  std::array<Entry, kTailEnd * kTailSteps + 2> entries{};

  TailTable() {
    constexpr double kStep = 1.0 / kTailSteps;
    constexpr double kRoot2Pi = 2.5066282746310005;
    const auto density = [](double x) { return natural_exp(-x * x / 2) / kRoot2Pi; };
    double tail = 0;  // of 6e-16 at 8, which counts as nothing
    for (std::size_t k = entries.size(); k-- > 0;) {
      const double x = static_cast<double>(k) * kStep;
      entries[k] = {tail, -density(x) * kStep};
      // The integral over the step below by Gauss and Legendre, three points.
      const double reach = 0.38729833462074169 * kStep;  // sqrt(3 / 5) / 2
      const double middle = x - kStep / 2;
      tail += kStep * (8 * density(middle) + 5 * (density(middle - reach) + density(middle + reach))) / 18;
    }
  }
};

}  // namespace

double natural_exp(double x) {
  if (x < -700) return 0;
  x = std::min(x, 700.0);
  constexpr double kLog2 = 0.69314718055994531;
  constexpr double kLog2High = 0x1.62e42fee00000p-1;
  constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
  const double power = std::floor(x / kLog2 + 0.5);
  const double rest = (x - power * kLog2High) - power * kLog2Low;  // |rest| < 0.347
  constexpr double kShare[] = {1,       1.0 / 2, 1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                               1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14};
  double sum = 1;
  for (std::size_t k = std::size(kShare); k-- > 0;) sum = 1 + sum * rest * kShare[k];
  return std::ldexp(sum, static_cast<int>(power));
}

double normal_tail(double x) {
  static const TailTable kTable;
  const double place = std::min(std::fabs(x), static_cast<double>(kTailEnd)) * kTailSteps;
  const auto k = static_cast<std::size_t>(place);
  const double t = place - static_cast<double>(k);
  const TailTable::Entry& a = kTable.entries[k];
  const TailTable::Entry& b = kTable.entries[k + 1];
  // Hermite's cubic.
  const double rise = b.tail - a.tail;
  const double tail = a.tail + t * (a.slope + t * (3 * rise - 2 * a.slope - b.slope + t * (a.slope + b.slope - 2 * rise)));
  return x < 0 ? 1 - tail : tail;
}

}  // namespace stowage
