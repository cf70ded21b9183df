// The options of `stowage size` as people write them: one value for all resources, others for some.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/records/learning/usage_records.h"

namespace stowage::cli::learn {

/// An option such as "95%,memory=98%": a value for all resources, and values for some.
struct PerResource {
  const char* option;      ///< its name, for messages
  const char* expected;    ///< what a value is, for messages, such as "a share (try 95%)"
  std::string otherwise;   ///< the default, in the same form; may name resources that are not there
  std::string given = {};  ///< as given; empty: the default
};

/// The value of each resource. `parse` reads one value, or returns nothing. Fails where a value is none, or a resource that was
/// given is not there.
std::vector<double> per_resource(const PerResource& option, const std::vector<std::string>& resources,
                                 const std::function<std::optional<double>(std::string_view)>& parse);

/// How sizes follow from usage. The defaults are those of Autopilot and of the Vertical Pod Autoscaler (docs/cookbook/size.md).
struct SizeTexts {
  PerResource percentile{"--percentile", "a share above 0 (try 95%)", "95%,memory=98%"};
  PerResource half_life{"--half-life", "a duration (try 12h), or none", "12h,memory=48h"};
  PerResource peaks{"--peaks", "a duration of at least a second (try 24h), or none", "none"};
  PerResource margin{"--margin", "a share (try 15%)", "15%"};
  PerResource bump{"--bump", "a number of at least 1 (try 1.2)", "1,memory=1.2"};
  PerResource floor{"--floor", "a number", "0"};
  PerResource ceiling{"--ceiling", "a number above 0, or none", "none"};
  std::string uncertain;  ///< "all", or resources separated by commas; empty: none
};

/// The rules of all resources. Fails, with the option's name, where a text is wrong.
std::vector<SizeRuleData> size_rules(const SizeTexts& texts, const std::vector<std::string>& resources);

}  // namespace stowage::cli::learn
