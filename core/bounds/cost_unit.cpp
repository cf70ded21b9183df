#include "core/bounds/cost_unit.h"

#include <cmath>
#include <cstdint>
#include <numeric>

namespace stowage {
namespace {

constexpr int kMostDecimals = 9;
// Multiples of the unit up to this are told apart.
constexpr double kMostMultiple = 0x1p36;
constexpr double kCostMargin = 0x1p-40;

/// Whether the number stands for a whole one: it may have been rounded twice.
bool is_whole(double x) { return std::abs(x - std::nearbyint(x)) <= x * 0x1p-51; }

}  // namespace

CostUnit::CostUnit(const Supply& supply) {
  double scale = 1;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, scale *= 10) {
    std::int64_t divisor = 0;
    bool whole = true;
    double last = -1;
    for (const Supply::Group& group : supply.groups) {
      if (supply.ends(1)) return;
      // Groups of a class, which stand together, have the same price.
      if (group.price == last) continue;
      last = group.price;
      const double multiple = group.price * scale;
      whole = whole && multiple <= kMostMultiple && is_whole(multiple);
      if (!whole) break;
      divisor = std::gcd(divisor, static_cast<std::int64_t>(std::nearbyint(multiple)));
    }
    if (!whole) continue;
    unit_ = static_cast<double>(divisor) / scale;
    return;
  }
  // Where only one price is no 0, it is the unit, whatever it is.
  for (const Supply::Group& group : supply.groups) {
    if (group.price <= 0 || group.price == unit_) continue;
    if (unit_ > 0) {
      unit_ = 0;
      return;
    }
    unit_ = group.price;
  }
}

double CostUnit::round_up(double bound) const {
  if (unit_ > 0 && bound > 0 && bound / unit_ <= kMostMultiple) bound = std::ceil(bound / unit_) * unit_;
  return bound * (1 - kCostMargin);
}

}  // namespace stowage
