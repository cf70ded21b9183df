#include "capi/text/base/quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace stowage::cli {
namespace {

/// A factor as numerator / denominator, so that scaling by powers of ten rounds once.
struct Factor {
  double numerator = 1;
  double denominator = 1;
};

struct Prefix {
  std::string_view text;
  Factor factor;
};

constexpr std::array<Prefix, 17> kPrefixes = {{
    {"Ki", {1024.0, 1}},
    {"Mi", {1048576.0, 1}},
    {"Gi", {1073741824.0, 1}},
    {"Ti", {1099511627776.0, 1}},
    {"Pi", {1125899906842624.0, 1}},
    {"Ei", {1152921504606846976.0, 1}},
    {"n", {1, 1e9}},
    {"u", {1, 1e6}},
    {"m", {1, 1e3}},
    {"k", {1e3, 1}},
    {"K", {1e3, 1}},
    {"M", {1e6, 1}},
    {"G", {1e9, 1}},
    {"T", {1e12, 1}},
    {"P", {1e15, 1}},
    {"E", {1e18, 1}},
    {"", {1, 1}},
}};

/// Bases that take a prefix inside a unit's name. Any other unit, such as "cores" or "Kunden", is a base as a whole.
constexpr std::array<std::string_view, 10> kBases = {"B", "B/s", "Bps", "b", "b/s", "bps", "bit", "bit/s", "Hz", "W"};

struct Unit {
  Factor factor;
  std::string_view base;
};

Unit parse_unit(std::string_view unit) {
  for (const Prefix& prefix : kPrefixes) {
    if (!unit.starts_with(prefix.text)) continue;
    const std::string_view rest = unit.substr(prefix.text.size());
    if (std::find(kBases.begin(), kBases.end(), rest) != kBases.end()) return {prefix.factor, rest};
  }
  return {{}, unit};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

struct Split {
  double number;
  std::string_view rest;
};

/// The number that starts `text`, and what follows it.
std::optional<Split> split_number(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  return Split{number, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

/// number x by / unit, rounded once where one of the two factors divides the other.
double scaled(double number, const Factor& by, const Factor& unit) {
  const double numerator = by.numerator * unit.denominator;
  const double denominator = by.denominator * unit.numerator;
  if (std::fmod(numerator, denominator) == 0) return number * (numerator / denominator);
  if (std::fmod(denominator, numerator) == 0) return number / (denominator / numerator);
  return number * numerator / denominator;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

}  // namespace

std::optional<double> parse_quantity(std::string_view text, std::string_view unit) {
  const auto split = split_number(text);
  if (!split) return std::nullopt;
  if (split->rest.empty() || split->rest == unit) return split->number;
  const Unit parsed = parse_unit(unit);
  for (const Prefix& prefix : kPrefixes) {
    if (!split->rest.starts_with(prefix.text)) continue;
    const std::string_view base = trimmed(split->rest.substr(prefix.text.size()));
    if (!base.empty() && base != parsed.base) continue;
    const double quantity = scaled(split->number, prefix.factor, parsed.factor);
    if (!std::isfinite(quantity)) return std::nullopt;
    return quantity;
  }
  return std::nullopt;
}

std::string suggest_quantity(std::string_view text, std::string_view unit) {
  const auto split = split_number(text);
  if (!split) return {};
  std::string number(trimmed(text).substr(0, trimmed(text).size() - split->rest.size()));
  const std::string rest = lower(split->rest);
  const Unit parsed = parse_unit(unit);
  for (const Prefix& prefix : kPrefixes) {
    const std::string word = lower(prefix.text);
    if (!word.empty() && (rest == word || rest == word + lower(parsed.base))) return number + std::string(prefix.text);
  }
  for (const Prefix& prefix : kPrefixes) {
    if (!rest.empty() && prefix.text.size() == 2 && rest.front() == lower(prefix.text).front()) {
      return number + std::string(prefix.text);
    }
  }
  return number;
}

std::optional<double> parse_number(std::string_view text) {
  const auto split = split_number(text);
  if (!split || !split->rest.empty()) return std::nullopt;
  return split->number;
}

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto split = split_number(text);
  if (!split || split->number < 0) return std::nullopt;
  double milliseconds = 0;
  if (split->rest.empty() || split->rest == "s") {
    milliseconds = split->number * 1000;
  } else if (split->rest == "ms") {
    milliseconds = split->number;
  } else if (split->rest == "m" || split->rest == "min") {
    milliseconds = split->number * 60'000;
  } else if (split->rest == "h") {
    milliseconds = split->number * 3'600'000;
  } else {
    return std::nullopt;
  }
  if (milliseconds > 1e15) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(milliseconds)));
}

std::optional<double> parse_share(std::string_view text) {
  const auto split = split_number(text);
  if (!split) return std::nullopt;
  double share = split->number;
  if (split->rest == "%") {
    // Rounded once, so that "99.9%" is what 0.999 is: a division would round twice.
    const std::string_view digits = trimmed(text).substr(0, trimmed(text).find_first_of(" \t%eE"));
    const auto hundredth = parse_number(std::string(digits) + "e-2");
    share = hundredth && split->number == parse_number(digits) ? *hundredth : share / 100;
  }
  if ((!split->rest.empty() && split->rest != "%") || share < 0 || share > 1) return std::nullopt;
  return share;
}

std::string shortest(double value) {
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : std::string("nan");
}

std::string for_people(double value, int digits) {
  // std::snprintf would take the decimal point of the process's locale.
  std::array<char, 400> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits);
  std::string result(text.data(), written.ptr);
  if (result.find('.') != std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  if (result == "-0") return "0";
  std::size_t end = std::min(result.find('.'), result.size());
  const std::size_t first = result.front() == '-' ? 1 : 0;
  while (end > first + 3) {
    end -= 3;
    result.insert(end, ",");
  }
  return result;
}

}  // namespace stowage::cli
