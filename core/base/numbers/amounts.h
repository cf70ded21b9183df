// Amounts: the numbers that demand, capacity, load, price and the like may be.
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "core/base/status.h"

namespace stowage {

/// Amounts are 0 or lie between these, so that no sum, product or share of amounts leaves the range of doubles.
inline constexpr double kSmallestAmount = 1e-100;
inline constexpr double kLargestAmount = 1e100;

[[nodiscard]] inline bool is_amount(double value) {
  return value == 0 || (value >= kSmallestAmount && value <= kLargestAmount);
}
/// Code::kOk, or why the value is no amount.
Error check_amount(double value, const std::string& path);
/// The same of a number that may have to be above 0; one of whole numbers is right otherwise.
template <class Number>
Error check_number(Number value, const std::string& path, bool positive) {
  if (positive && !(value > 0)) return invalid(path, "not above 0");
  if constexpr (std::is_same_v<Number, double>) return check_amount(value, path);
  return {};
}
/// Code::kOk, or why the first value that is no amount is none. The error's path is `path` with the value's index.
Error check_amounts(std::span<const double> values, const char* path);

}  // namespace stowage
