#include "core/model/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/watched.h"

namespace stowage {
namespace {

/// Doubles are exact up to this.
constexpr double kExactIntegers = 0x1p52;

/// Beyond every capacity, the exact number makes no difference as long as sums stay within 64 bits.
constexpr std::int64_t kMostFine = std::int64_t{1} << 61;

/// What callers compute, such as sums of thirds, is off by some roundings.
constexpr double kScaleRounding = 16 * std::numeric_limits<double>::epsilon();

/// Whether the value is larger, and not by rounding.
bool is_above(double value, double other) { return value > other * (1 + kScaleRounding); }

/// Whether the nearest multiple of 1 / `parts` is the value, but for rounding.
bool is_multiple(double value, std::int64_t parts) {
  const auto count = static_cast<double>(parts);
  return std::abs(std::nearbyint(value * count) / count - value) <= kScaleRounding * value;
}

/// The fewest parts of 1, at most `most`, of which a decimal number is a multiple; 0 where there are none.
std::int64_t parts_of_decimal(double value, std::int64_t most) {
  for (std::int64_t parts = 1; parts <= most; parts *= 10) {
    if (!is_multiple(value, parts)) continue;
    return parts / std::gcd(parts, static_cast<std::int64_t>(std::nearbyint(value * static_cast<double>(parts))));
  }
  return 0;
}

/// The same of a fraction, by its continued fraction.
std::int64_t parts_of_fraction(double value, std::int64_t most) {
  std::int64_t before = 0;
  std::int64_t parts = 1;
  double rest = value - std::floor(value);
  while (!is_multiple(value, parts)) {
    const double inverse = 1 / rest;
    const double whole = std::floor(inverse);
    rest = inverse - whole;
    if (!(whole * static_cast<double>(parts) + static_cast<double>(before) <= static_cast<double>(most))) return 0;
    before = std::exchange(parts, static_cast<std::int64_t>(whole) * parts + before);
  }
  return parts;
}

/// The fewest parts of 1 of which all values are multiples.
class CommonParts {
 public:
  explicit CommonParts(double most) : most_(static_cast<std::int64_t>(most)), parts_(most_ > 0 ? 1 : 0) {}
  /// False, now and later, where there are none, or more than `most`.
  bool add(double value) {
    if (parts_ == 0 || is_multiple(value, parts_)) return parts_ > 0;
    std::int64_t own = parts_of_decimal(value, most_);
    if (own == 0) own = parts_of_fraction(value, most_);
    const std::int64_t common = own == 0 ? 0 : std::lcm(parts_, own);
    parts_ = common <= most_ ? common : 0;
    return parts_ > 0;
  }
  [[nodiscard]] std::int64_t get() const { return parts_; }

 private:
  std::int64_t most_;
  std::int64_t parts_;
};

}  // namespace

Scale Scale::choose(std::span<const double> amounts, std::span<const double> capacities, double heaviest, WatchRef watch) {
  double largest = 0;
  in_pieces(capacities, watch, [&](std::span<const double> piece) {
    for (const double value : piece) largest = std::max(largest, value);
    return true;
  });
  // Residuals of overloaded nodes are negative: 1.5 x kMaxScaled and what rounding adds stays within 32 bits.
  const double span = std::max(largest, std::min(heaviest, largest * kMostOverload) / 1.5);
  Scale result;
  if (watch.ended()) return result;
  CommonParts parts(std::min<double>(kMaxScaled, kExactIntegers / span));
  // Profiles repeat values: most equal the one before.
  double last = 0;
  const auto add = [&](double value) {
    if (value == last || is_above(value, largest)) return true;
    last = value;
    return parts.add(value);
  };
  for (const auto& values : {capacities, amounts}) {
    in_pieces(values, watch, [&](std::span<const double> piece) { return std::all_of(piece.begin(), piece.end(), add); });
  }
  result.exact_ = parts.get() > 0;
  if (result.exact_) {
    result.scale_ = static_cast<double>(parts.get());
    std::int64_t divisor = 0;
    in_pieces(amounts, watch, [&](std::span<const double> piece) {
      for (const double value : piece) {
        if (is_above(value, largest)) continue;
        divisor = std::gcd(divisor, static_cast<std::int64_t>(std::nearbyint(value * result.scale_)));
        if (divisor == 1) return false;
      }
      return true;
    });
    result.divisor_ = std::max<std::int64_t>(divisor, 1);
    result.exact_ = span / result.unit() <= kMaxScaled;
  }
  if (!result.exact_) {
    int exponent = 0;
    // Below this, the scale itself would pass the end of doubles.
    std::frexp(std::max(span, 0x1p-960), &exponent);
    result.scale_ = std::ldexp(1.0, 30 - exponent);
    result.divisor_ = 1;
  }
  result.largest_capacity_ = 0;
  in_pieces(capacities, watch, [&](std::span<const double> piece) {
    for (const double value : piece) result.largest_capacity_ = std::max(result.largest_capacity_, result.capacity(value));
    return true;
  });
  return result;
}

std::int64_t Scale::load(double value) const {
  const std::int64_t units = fine(value);
  return units == kMostFine ? units : (units + divisor_ - 1) / divisor_;
}

std::int32_t Scale::demand(double value) const {
  return static_cast<std::int32_t>(std::min<std::int64_t>(load(value), std::int64_t{largest_capacity_} + 1));
}

std::int64_t Scale::fine(double value) const {
  const double scaled = value * scale_;
  if (scaled >= static_cast<double>(kMostFine)) return kMostFine;
  const double units = exact_ ? std::nearbyint(scaled) : std::ceil(scaled);
  // Of exact amounts, only those above every capacity are no multiples: they stay above.
  return static_cast<std::int64_t>(units) + (is_above(value, units / scale_) ? 1 : 0);
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
