// Numbers as people write them, read without the C library's locale and <charconv>, which not every standard library has whole.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace stowage {

/// The decimal number that is all of the text, such as 12, 0.5 and 2e-3, times 10^exponent; nothing where it is none or not
/// finite. It is rounded once where it has at most 15 digits and at most 22 decimals.
inline std::optional<double> read_decimal(std::string_view text, int exponent = 0) {
  constexpr int kMostExponent = 1000;
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  std::size_t at = 0;
  double number = 0;
  bool any = false;
  for (bool decimals = false; is_digit(at) || (!decimals && at < text.size() && text[at] == '.'); ++at) {
    if (text[at] == '.') {
      decimals = true;
      continue;
    }
    any = true;
    number = number * 10 + (text[at] - '0');
    exponent -= decimals ? 1 : 0;
  }
  if (any && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool is_negative = at < text.size() && text[at] == '-';
    if (is_negative || (at < text.size() && text[at] == '+')) ++at;
    any = is_digit(at);
    int written = 0;
    for (; is_digit(at); ++at) written = written < kMostExponent ? written * 10 + (text[at] - '0') : written;
    exponent += is_negative ? -written : written;
  }
  if (!any || at != text.size()) return std::nullopt;
  double power = 1;
  for (int k = 0; k < std::abs(exponent) && std::isfinite(power); ++k) power *= 10;
  number = exponent < 0 ? number / power : number * power;
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace stowage
