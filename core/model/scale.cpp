#include "core/model/scale.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/watched.h"

namespace stowage {
namespace {

constexpr int kMaxDigits = 9;
constexpr double kPowersOfTen[kMaxDigits + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

// Whether a value has at most `digits` decimals: the nearest multiple, divided back, is the value.
bool has_digits(double value, int digits) {
  const double scaled = std::nearbyint(value * kPowersOfTen[digits]);
  return scaled / kPowersOfTen[digits] == value;
}

}  // namespace

Scale Scale::choose(std::span<const double> amounts, std::span<const double> capacities, double heaviest, WatchRef watch) {
  double largest = 0;
  for (const double value : capacities) largest = std::max(largest, value);
  // Residuals of overloaded nodes are negative: 1.5 x kMaxScaled and what rounding adds stays within 32 bits.
  const double span = std::max(largest, std::min(heaviest, largest * kMostOverload) / 1.5);
  Scale result;
  int digits = 0;
  // Profiles repeat values: most equal the one before.
  double last = 0;
  const auto widen = [&](double value) {
    if (value == last || value > largest) return;
    last = value;
    while (digits <= kMaxDigits && !has_digits(value, digits)) ++digits;
  };
  for (const double value : capacities) widen(value);
  in_pieces(amounts, watch, [&](std::span<const double> piece) {
    for (const double value : piece) {
      widen(value);
      if (digits > kMaxDigits) return false;
    }
    return true;
  });
  if (digits <= kMaxDigits && span * kPowersOfTen[digits] <= kMaxScaled) {
    result.scale_ = kPowersOfTen[digits];
    std::int64_t divisor = 0;
    in_pieces(amounts, watch, [&](std::span<const double> piece) {
      for (const double value : piece) {
        if (value > largest) continue;
        divisor = std::gcd(divisor, static_cast<std::int64_t>(std::nearbyint(value * result.scale_)));
        if (divisor == 1) return false;
      }
      return true;
    });
    if (divisor > 1) result.divisor_ = divisor;
  } else {
    result.exact_ = false;
    int exponent = 0;
    // Below this, the scale itself would pass the end of doubles.
    std::frexp(std::max(span, 0x1p-960), &exponent);
    result.scale_ = std::ldexp(1.0, 30 - exponent);
  }
  result.largest_capacity_ = 0;
  for (const double value : capacities) result.largest_capacity_ = std::max(result.largest_capacity_, result.capacity(value));
  return result;
}

std::int64_t Scale::load(double value) const {
  const double scaled = value * scale_;
  constexpr double kLimit = 0x1p62;
  if (scaled >= kLimit) return static_cast<std::int64_t>(kLimit);
  double units = exact_ ? std::nearbyint(scaled) : std::ceil(scaled);
  if (units / scale_ < value) units += 1;  // only values above every capacity are no multiples: they stay above
  return (static_cast<std::int64_t>(units) + divisor_ - 1) / divisor_;
}

std::int32_t Scale::demand(double value) const {
  return static_cast<std::int32_t>(std::min<std::int64_t>(load(value), std::int64_t{largest_capacity_} + 1));
}

std::int64_t Scale::fine(double value) const {
  // Beyond every capacity, the exact number makes no difference as long as sums stay within 64 bits.
  constexpr double kLimit = 0x1p61;
  const double scaled = std::min(value * scale_, kLimit);
  const double units = exact_ ? std::nearbyint(scaled) : std::ceil(scaled);
  // Only values above every capacity are no multiples: they stay above.
  return static_cast<std::int64_t>(units) + (units < kLimit && units / scale_ < value ? 1 : 0);
}

std::int64_t Scale::divided(std::int64_t units) const {
  return units >= 0 ? units / divisor_ : -((-units + divisor_ - 1) / divisor_);
}

std::int64_t Scale::left(double capacity, double daemon) const {
  const double scaled = capacity * scale_;
  const std::int64_t units =
      divided(static_cast<std::int64_t>(exact_ ? std::nearbyint(scaled) : std::floor(scaled)) - fine(daemon));
  // Rounding capacity down and load up leaves less than nothing of a capacity that the load takes exactly.
  return daemon <= capacity ? std::max<std::int64_t>(units, 0) : units;
}

std::int32_t Scale::capacity(double value) const {
  const double scaled = value * scale_;
  return static_cast<std::int32_t>(static_cast<std::int64_t>(exact_ ? std::nearbyint(scaled) : std::floor(scaled)) / divisor_);
}

std::int32_t Scale::least_demand(double value) const {
  if (exact_) return demand(value);
  return static_cast<std::int32_t>(std::min(std::floor(value * scale_), 0x1p31 - 1));
}

std::int64_t Scale::most_left(double capacity, double daemon) const {
  // The checker tolerates 10^-9 of a capacity: up to 1.07 units of the finest scale. Rounding down took up to one more unit,
  // and rounding the load up as much again.
  if (!exact_) return left(capacity, daemon) + (daemon > 0 ? 4 : 3);
  const auto units = static_cast<std::int64_t>(std::nearbyint(capacity * scale_));
  return divided(units + (units >> 29) - fine(daemon));
}

}  // namespace stowage
