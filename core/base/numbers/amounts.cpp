#include "core/base/numbers/amounts.h"

#include <cmath>

namespace stowage {

Error check_amount(double value, const std::string& path) {
  // The negated comparison is also true for NaN.
  if (!(value >= 0) || std::isinf(value)) return invalid(path, "not a finite number >= 0");
  if (value != 0 && (value < kSmallestAmount || value > kLargestAmount)) {
    return too_large(path, "neither 0 nor between 1e-100 and 1e100");
  }
  return {};
}

Error check_amounts(std::span<const double> values, const char* path) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!is_amount(values[k])) return check_amount(values[k], indexed(path, k));
  }
  return {};
}

}  // namespace stowage
