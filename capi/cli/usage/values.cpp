#include "capi/cli/usage/values.h"

#include <algorithm>
#include <utility>

#include "capi/text/base/quantities.h"

namespace stowage::cli {
namespace {

constexpr std::uint64_t kMostWhole = std::numeric_limits<std::uint64_t>::max();

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

std::string digits_of(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto refuse = [least, most](const std::string& text) -> std::string {
    const auto value = parse_whole(text);
    if (value && *value >= least && *value <= most) return {};
    return in_quotes(text) + " is not a whole number from " + digits_of(least) + " to " + digits_of(most);
  };
  return CLI::Validator(refuse, "");
}

CLI::Validator number_between(double least, double most) {
  const auto refuse = [least, most](const std::string& text) -> std::string {
    const auto value = parse_number(text);
    if (value && *value >= least && *value <= most) return {};
    return in_quotes(text) + " is not a number from " + for_people(least) + " to " + for_people(most);
  };
  return CLI::Validator(refuse, "");
}

CLI::Validator number_above(double limit) {
  const auto refuse = [limit](const std::string& text) -> std::string {
    const auto value = parse_number(text);
    return value && *value > limit ? std::string() : in_quotes(text) + " is not a number above " + for_people(limit);
  };
  return CLI::Validator(refuse, "");
}

CLI::Validator one_of(std::vector<std::string> words) {
  const auto choose = [words = std::move(words)](std::string& text) -> std::string {
    const std::string lower = CLI::detail::to_lower(text);
    if (std::find(words.begin(), words.end(), lower) != words.end()) {
      text = lower;
      return {};
    }
    if (words.size() == 2) return in_quotes(text) + " is neither " + words[0] + " nor " + words[1];
    std::string list;
    for (std::size_t k = 0; k < words.size(); ++k) {
      list += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
    }
    return in_quotes(text) + " is not possible here; use " + list;
  };
  return CLI::Validator(choose, "");
}

void require_values(CLI::App& app) {
  const CLI::Validator whole = whole_number(0, kMostWhole);
  const CLI::Validator number(
      [](const std::string& text) -> std::string {
        return parse_number(text) ? std::string() : in_quotes(text) + " is not a number";
      },
      "");
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) {  // a flag; some stand for a text that may be replaced
      const std::vector<std::string>& names = option->get_lnames();
      option->disable_flag_override(names.empty() || option->get_flag_value(names.front(), "") == "true");
      continue;
    }
    const std::string type = option->get_type_name();
    if (type == "UINT") option->check(whole);
    if (type == "FLOAT") option->check(number);
  }
  for (CLI::App* sub : app.get_subcommands(nullptr)) require_values(*sub);
}

}  // namespace stowage::cli
