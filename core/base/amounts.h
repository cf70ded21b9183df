// Amounts: what demand, capacity, load, price and the like may be.
#pragma once

#include <span>
#include <string>

#include "core/base/status.h"

namespace stowage {

/// Amounts are 0 or lie between these. Then no sum, product or share of amounts leaves the range of doubles.
inline constexpr double kSmallestAmount = 1e-100;
inline constexpr double kLargestAmount = 1e100;

/// Code::kOk, or why this is no amount.
Error check_amount(double value, const std::string& path);
/// The same for the first of some values that is none; its index follows the path.
Error check_amounts(std::span<const double> values, const char* path);

}  // namespace stowage
