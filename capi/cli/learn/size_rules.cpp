#include "capi/cli/learn/size_rules.h"

#include <algorithm>

#include "capi/cli/base/text/csv.h"
#include "capi/text/base/failure.h"
#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"

namespace stowage::cli::learn {
namespace {

constexpr std::string_view kNothing = "none";

std::optional<double> parse_seconds(std::string_view text) {
  if (text == kNothing) return 0;
  const auto duration = parse_duration(text);
  return duration ? std::optional<double>(static_cast<double>(duration->count()) / 1000) : std::nullopt;
}

std::optional<double> parse_amount(std::string_view text) {
  const auto number = parse_number(text);
  return number && *number >= 0 ? number : std::nullopt;
}

/// A value that holds a condition, or nothing.
template <class Condition>
std::optional<double> where(std::optional<double> value, Condition condition) {
  return value && condition(*value) ? value : std::nullopt;
}

std::size_t position_of(const std::string& resource, const std::vector<std::string>& resources) {
  return static_cast<std::size_t>(std::find(resources.begin(), resources.end(), resource) - resources.begin());
}

[[noreturn]] void no_such_resource(const char* option, const std::string& name, const std::vector<std::string>& resources) {
  throw Failure(std::string(option) + ": there is no resource \"" + name + "\"" +
                did_you_mean(name, {resources.begin(), resources.end()}));
}

}  // namespace

std::vector<double> per_resource(const PerResource& option, const std::vector<std::string>& resources,
                                 const std::function<std::optional<double>(std::string_view)>& parse) {
  std::vector<std::optional<double>> named(resources.size());
  std::optional<double> for_all;
  const auto read = [&](const std::string& text, bool is_default) {
    for (const std::string& part : split_fields(text, ',')) {
      const std::size_t equals = part.find('=');
      const auto value = parse(std::string_view(part).substr(equals == std::string::npos ? 0 : equals + 1));
      if (!value) throw Failure(std::string(option.option) + ": \"" + part + "\" is not " + option.expected);
      if (equals == std::string::npos) {
        // A value for all resources replaces the default of each.
        for_all = value;
        std::fill(named.begin(), named.end(), std::nullopt);
        continue;
      }
      const std::string name = part.substr(0, equals);
      const std::size_t resource = position_of(name, resources);
      if (resource < resources.size()) {
        named[resource] = value;
      } else if (!is_default) {
        no_such_resource(option.option, name, resources);
      }
    }
  };
  read(option.otherwise, true);
  if (!option.given.empty()) read(option.given, false);
  std::vector<double> values;
  values.reserve(named.size());
  for (const auto& value : named) values.push_back(value ? *value : *for_all);
  return values;
}

std::vector<SizeRuleData> size_rules(const SizeTexts& texts, const std::vector<std::string>& resources) {
  const auto share = per_resource(texts.percentile, resources, [](std::string_view text) {
    return where(parse_share(text), [](double value) { return value > 0; });
  });
  const auto half_life = per_resource(texts.half_life, resources, parse_seconds);
  const auto window = per_resource(texts.peaks, resources, [](std::string_view text) {
    return where(parse_seconds(text), [](double value) { return value == 0 || value >= 1; });
  });
  const auto margin = per_resource(texts.margin, resources, parse_share);
  const auto bump = per_resource(texts.bump, resources, [](std::string_view text) {
    return where(parse_number(text), [](double value) { return value >= 1; });
  });
  const auto floor = per_resource(texts.floor, resources, parse_amount);
  const auto ceiling = per_resource(texts.ceiling, resources, [](std::string_view text) {
    return text == kNothing ? std::optional<double>(0) : where(parse_amount(text), [](double value) { return value > 0; });
  });
  std::vector<SizeRuleData> rules;
  for (std::size_t r = 0; r < resources.size(); ++r) {
    rules.push_back({share[r], half_life[r], window[r], margin[r], bump[r], floor[r], ceiling[r], texts.uncertain == "all"});
    if (ceiling[r] > 0 && ceiling[r] < floor[r]) throw Failure("--ceiling: is below the floor of " + resources[r]);
  }
  if (texts.uncertain.empty() || texts.uncertain == "all") return rules;
  for (const std::string& name : split_fields(texts.uncertain, ',')) {
    const std::size_t resource = position_of(name, resources);
    if (resource == resources.size()) no_such_resource("--uncertain", name, resources);
    rules[resource].uncertain = true;
  }
  return rules;
}

}  // namespace stowage::cli::learn
