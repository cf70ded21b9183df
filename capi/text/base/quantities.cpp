#include "capi/text/base/quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

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

/// Units of a thousandth, such as "millicores", in which "500m" is 500.
constexpr std::string_view kMilli = "milli";

Unit parse_unit(std::string_view unit) {
  if (unit.starts_with(kMilli) && unit.size() > kMilli.size()) return {{1, 1e3}, unit.substr(kMilli.size())};
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

// libc++ of Emscripten reads and writes no floating-point numbers by <charconv>. Its C functions round correctly, and know no
// locale that a program sets.
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
std::size_t read_double(std::string_view text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0;
}

std::string shortest_digits(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string fixed_digits(double value, int digits) {
  std::array<char, 400> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr};
}
#else
std::size_t count_digits(std::string_view text) { return std::min(text.find_first_not_of("0123456789"), text.size()); }

std::size_t read_double(std::string_view text, double& number) {
  std::size_t size = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = count_digits(text.substr(size));
  size += whole;
  if (text.substr(size).starts_with('.')) {
    const std::size_t decimals = count_digits(text.substr(size + 1));
    if (whole + decimals == 0) return 0;
    size += 1 + decimals;
  } else if (whole == 0) {
    return 0;
  }
  const std::string_view mantissa = text.substr(0, size);
  if (const std::string_view rest = text.substr(size); !rest.empty() && (rest[0] == 'e' || rest[0] == 'E')) {
    const std::size_t sign = rest.substr(1).starts_with('-') || rest.substr(1).starts_with('+') ? 1 : 0;
    const std::size_t exponent = count_digits(rest.substr(1 + sign));
    if (exponent > 0) size += 1 + sign + exponent;
  }
  number = std::strtod(std::string(text.substr(0, size)).c_str(), nullptr);
  const bool vanished = number == 0 && mantissa.find_first_of("123456789") != std::string_view::npos;
  return vanished || !std::isfinite(number) ? 0 : size;
}

std::string fixed_digits(double value, int digits) {
  std::array<char, 400> text;
  return {text.data(), static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.*f", digits, value))};
}

/// The fewest digits that read back as the same number, and of those the nearest.
std::string scientific_digits(double value) {
  std::array<char, 32> text;
  const auto reads_back = [&] { return std::strtod(text.data(), nullptr) == value; };
  // A number of at most 15 digits is the one that 15 digits give, without the zeros behind.
  for (int decimals = 14; decimals <= 16; ++decimals) {
    std::snprintf(text.data(), text.size(), "%.*e", decimals, value);
    if (reads_back()) break;
    // Numbers above a power of two are further apart than those below it: the nearest digits may lie too low, and the next ones
    // not.
    char& last = *(std::find(text.begin(), text.end(), 'e') - 1);
    if (decimals != 15 || last == '9') continue;
    ++last;
    if (reads_back()) break;
  }
  std::string result = text.data();
  const std::size_t exponent = result.find('e');
  const std::size_t last = result.find_last_not_of('0', exponent - 1);
  const std::size_t kept = result[last] == '.' ? last : last + 1;
  return result.erase(kept, exponent - kept);
}

std::string shortest_digits(double value) {
  const std::string scientific = scientific_digits(value);
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  const std::size_t first = scientific.starts_with('-') ? 1 : 0;
  const int digits = static_cast<int>(e - first) - (scientific.find('.') == std::string::npos ? 0 : 1);
  std::string fixed = fixed_digits(value, std::clamp(digits - 1 - exponent, 0, 40));
  return fixed.size() <= scientific.size() ? fixed : scientific;
}
#endif

struct Split {
  double number;
  std::string_view rest;
};

/// The number that starts `text`, and what follows it.
std::optional<Split> split_number(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const std::size_t size = read_double(text, number);
  if (size == 0 || !std::isfinite(number)) return std::nullopt;
  return Split{number, trimmed(text.substr(size))};
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

std::string likely_quantity(double number, std::string_view unit, double most) {
  const Unit parsed = parse_unit(unit);
  if (std::find(kBases.begin(), kBases.end(), parsed.base) == kBases.end()) {
    if (unit.starts_with(kMilli)) return {};
    // "500m", also where 500 is written as "500M" or in millionths.
    for (double thousandths = number; thousandths >= 1; thousandths /= 1000) {
      if (thousandths / 1000 <= most) return shortest(thousandths) + "m";
    }
    return {};
  }
  const bool binary = unit.size() == parsed.base.size() + 2;
  std::string best;
  double largest = 0;
  for (const Prefix& prefix : kPrefixes) {
    const bool is_kin = prefix.text.empty() || (prefix.text.ends_with('i') == binary && prefix.factor.denominator == 1);
    const double quantity = scaled(number, prefix.factor, parsed.factor);
    if (!is_kin || quantity >= number || quantity > most || quantity <= largest) continue;
    largest = quantity;
    best = shortest(number) + std::string(prefix.text.empty() ? parsed.base : prefix.text);
  }
  return best;
}

std::string suggest_unit(std::string_view unit) {
  for (const Prefix& prefix : kPrefixes) {
    for (const std::string_view base : kBases) {
      // There is no thousandth of a byte.
      if (prefix.factor.denominator > 1 && lower(base).starts_with('b')) continue;
      const std::string known = std::string(prefix.text) + std::string(base);
      if (unit == known) return {};
    }
  }
  for (const Prefix& prefix : kPrefixes) {
    for (const std::string_view base : kBases) {
      std::string known = std::string(prefix.text) + std::string(base);
      if (prefix.text.size() + base.size() > 1 && prefix.factor.denominator == 1 && lower(unit) == lower(known)) return known;
    }
  }
  return {};
}

std::string suggest_quantity(std::string_view text, std::string_view unit) {
  if (std::string with_point(text); std::count(text.begin(), text.end(), ',') == 1) {
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    if (parse_quantity(with_point, unit)) return with_point;
  }
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

std::string shortest(double value) { return shortest_digits(value); }

std::string shortest_of_sum(double value, int digits) {
  constexpr double kSmallest = 1e-9;
  constexpr double kLargest = 1e15;
  const double size = std::abs(value);
  if (!(size >= kSmallest && size <= kLargest)) return shortest(value);
  const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
  const double scale = std::pow(10, std::abs(decimals));
  return shortest(decimals < 0 ? std::round(value / scale) * scale : std::round(value * scale) / scale);
}

std::string for_people(double value, int digits) {
  std::string result = fixed_digits(value, digits);
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
