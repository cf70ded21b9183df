#include "capi/k8s/read/amounts.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "capi/k8s/read/ranges.h"
#include "capi/text/base/quantities.h"

namespace stowage::k8s {
namespace {

/// Doubles hold whole numbers up to this.
constexpr std::int64_t kMostAmount = std::int64_t{1} << 53;

__extension__ typedef unsigned __int128 Wide;  // NOLINT(modernize-use-using)
constexpr Wide kMostWide = Wide{1} << 120;

struct Suffix {
  std::string_view name;
  int ten = 0, two = 0;  ///< powers
};
constexpr std::array<Suffix, 16> kSuffixes = {{{"n", -9, 0},
                                               {"u", -6, 0},
                                               {"m", -3, 0},
                                               {"", 0, 0},
                                               {"k", 3, 0},
                                               {"M", 6, 0},
                                               {"G", 9, 0},
                                               {"T", 12, 0},
                                               {"P", 15, 0},
                                               {"E", 18, 0},
                                               {"Ki", 0, 10},
                                               {"Mi", 0, 20},
                                               {"Gi", 0, 30},
                                               {"Ti", 0, 40},
                                               {"Pi", 0, 50},
                                               {"Ei", 0, 60}}};

/// Powers of ten and two of what follows the digits; false where it is no suffix.
bool read_suffix(std::string_view text, int& ten, int& two) {
  for (const Suffix& one : kSuffixes) {
    if (text != one.name) continue;
    ten += one.ten;
    two = one.two;
    return true;
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return false;
  std::string_view digits = text.substr(1);
  if (digits[0] == '+') digits.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  ten += std::clamp(exponent, -60, 60);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::optional<std::int64_t> read_quantity(std::string_view text, bool milli) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int ten = milli ? 3 : 0, two = 0;
  Wide number = 0;
  bool digits = false, fraction = false, cut = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    digits = true;
    if (number < kMostWide / 10) {
      number = number * 10 + static_cast<unsigned>(c - '0');
      ten -= fraction ? 1 : 0;
    } else {
      cut = cut || c != '0';
      ten += fraction ? 0 : 1;
    }
  }
  if (!digits || !read_suffix(text.substr(at), ten, two)) return std::nullopt;
  for (; two > 0 && number != 0; --two) number = number >= kMostWide / 2 ? kMostWide : number * 2;
  for (; ten > 0 && number != 0; --ten) number = number >= kMostWide / 10 ? kMostWide : number * 10;
  for (; ten < 0 && number != 0; ++ten) {
    cut = cut || number % 10 != 0;
    number /= 10;
  }
  return static_cast<std::int64_t>(std::min<Wide>(number + (cut ? 1 : 0), static_cast<Wide>(kMostAmount)));
}

std::int64_t quantity(At value, bool milli) {
  const auto amount = read_quantity(value.written(), milli);
  if (!amount) value.fail("\"" + std::string(value.written()) + "\" is no quantity");
  return *amount;
}

Amounts amounts_of(At list, ResourceNames& names) {
  Amounts all;
  for (const At one : list.members()) {
    const int resource = names.number(one.key());
    all.set(resource, quantity(one, resource == ResourceNames::kCpu));
  }
  return all;
}

int ResourceNames::find(std::string_view name) const {
  const auto found = ranges::find(names_, name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

int ResourceNames::number(std::string_view name) {
  if (const int known = find(name); known >= 0) return known;
  names_.emplace_back(name);
  return count() - 1;
}

bool ResourceNames::in_bytes(int number) const {
  const std::string& its = name(number);
  return number == kMemory || its == "ephemeral-storage" || its.starts_with("hugepages-");
}

std::string ResourceNames::unit(int number) const { return number == kCpu ? "millicores" : in_bytes(number) ? "bytes" : ""; }

std::string ResourceNames::text(int number, std::int64_t amount) const {
  if (number == kCpu) {
    return decimal_text(static_cast<double>(amount) / 1000) + (amount == 1000 ? " core" : " cores") + " of cpu";
  }
  return (in_bytes(number) ? bytes_text(amount) : std::to_string(amount)) + " of " + name(number);
}

double ResourceNames::shown(int number, std::int64_t amount) const {
  if (number == kCpu) return static_cast<double>(amount) / 1000;
  return in_bytes(number) ? static_cast<double>(amount) / (1 << 20) : static_cast<double>(amount);
}

std::int64_t Amounts::get(int resource) const {
  for (const auto& [its, amount] : list_) {
    if (its == resource) return amount;
  }
  return 0;
}

bool Amounts::has(int resource) const {
  return ranges::any_of(list_, [&](const auto& one) { return one.first == resource; });
}

void Amounts::set(int resource, std::int64_t amount) {
  const auto at = ranges::lower_bound(list_, resource, &std::pair<int, std::int64_t>::first);
  if (at != list_.end() && at->first == resource) {
    at->second = amount;
  } else {
    list_.insert(at, {resource, amount});
  }
}

void Amounts::add(int resource, std::int64_t amount) { set(resource, std::min(get(resource) + amount, kMostAmount)); }

void Amounts::add(const Amounts& other, std::int64_t times) {
  for (const auto& [resource, amount] : other) add(resource, amount * times);
}

void Amounts::raise(const Amounts& other) {
  for (const auto& [resource, amount] : other) set(resource, std::max(get(resource), amount));
}

void Amounts::erase(int resource) {
  std::erase_if(list_, [&](const auto& one) { return one.first == resource; });
}

std::string decimal_text(double value, int digits) { return cli::shortest_of_sum(value, digits); }

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (value /= 1024; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return decimal_text(value) + " " + std::string(kUnits[unit]);
}

}  // namespace stowage::k8s
