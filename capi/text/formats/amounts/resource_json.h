// Amounts per resource as people write them in JSON: a number or a quantity for all periods, or one per period.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capi/text/base/json_text.h"
#include "capi/text/base/quantities.h"
#include "capi/text/formats/instance_data.h"

namespace stowage::cli {

inline double not_negative(const JsonAt& at) {
  const double value = at.number();
  if (value < 0) at.fail("must not be negative");
  return value;
}

class ResourceJson {
 public:
  /// Keeps references to both and reads them in every call.
  ResourceJson(const std::vector<ResourceData>& resources, const std::uint32_t& periods)
      : resources_(resources), periods_(periods) {}

  /// Calls `visit(resource, at)` for every member of an object, whose names are those of resources.
  template <class Visit>
  void per_resource(const JsonAt& at, const Visit& visit) const {
    if (!at.is(JsonValue::Type::kObject)) at.expect(JsonValue::Type::kObject, example());
    at.members([&](const std::string& name, const JsonAt& value) {
      for (std::size_t r = 0; r < resources_.size(); ++r) {
        if (resources_[r].name == name) {
          visit(r, value);
          return;
        }
      }
      std::vector<std::string_view> known;
      for (const ResourceData& resource : resources_) known.push_back(resource.name);
      value.fail("there is no resource of that name" + what_there_is(name, known));
    });
  }

  [[nodiscard]] double quantity(const JsonAt& at, std::size_t resource) const {
    if (at.is_number()) return not_negative(at);
    if (at.is(JsonValue::Type::kArray)) at.fail("must be one quantity; it is the same in all periods");
    if (!at.is(JsonValue::Type::kText)) at.fail("must be a number or a quantity such as \"500m\" or \"2Gi\"");
    const std::string& text = at.value().text;
    const std::string& unit = resources_[resource].unit;
    const auto value = parse_quantity(text, unit);
    if (!value) {
      const std::string suggestion = suggest_quantity(text, unit);
      at.fail("\"" + text + "\" is not a quantity" + (suggestion.empty() ? "" : " (try \"" + suggestion + "\")"));
    }
    if (*value < 0) at.fail("must not be negative");
    return *value;
  }

  /// Reads PREFIXvariance in squared units, or a standard deviation PREFIXdeviation given as a quantity: set(resource,
  /// variance).
  template <class Set>
  void variance(const JsonAt& at, const std::string& prefix, const Set& set) const {
    const std::string variance_key = prefix + "variance";
    at.member(variance_key, [&](const JsonAt& variance) {
      per_resource(variance, [&](std::size_t resource, const JsonAt& value) { set(resource, not_negative(value)); });
    });
    at.member(prefix + "deviation", [&](const JsonAt& deviation) {
      const JsonValue* variance = at.value().find(variance_key);
      per_resource(deviation, [&](std::size_t resource, const JsonAt& value) {
        if (variance != nullptr && variance->find(resources_[resource].name) != nullptr) {
          value.fail("is given twice: here and as \"" + variance_key + "\"");
        }
        const double one = quantity(value, resource);
        set(resource, one * one);
      });
    });
  }

  /// Reads [smallest, largest] per resource: set(resource, whether it is the largest, quantity).
  template <class Set>
  void ranges(const JsonAt& at, const Set& set) const {
    per_resource(at, [&](std::size_t resource, const JsonAt& range) {
      range.expect(JsonValue::Type::kArray);
      if (range.value().items.size() != 2) range.fail("must be [smallest, largest]");
      range.elements([&](std::size_t end, const JsonAt& value) { set(resource, end == 1, quantity(value, resource)); });
    });
  }

  /// Calls one(quantity) where there is one for all periods, and all(quantities) where there is a list with one per period.
  template <class One, class All>
  void profile(const JsonAt& at, std::size_t resource, const One& one, const All& all) const {
    if (!at.is(JsonValue::Type::kArray)) return one(quantity(at, resource));
    if (const std::size_t count = at.value().items.size(); count != periods_) {
      const std::string has = "has " + std::to_string(count) + (count == 1 ? " value" : " values");
      if (periods_ == 1 && count > 1) at.fail(has + ", which needs \"periods\": " + std::to_string(count));
      at.fail(has + ", but \"periods\" is " + std::to_string(periods_));
    }
    std::vector<double> values;
    values.reserve(periods_);
    at.elements([&](std::size_t, const JsonAt& value) { values.push_back(quantity(value, resource)); });
    all(values);
  }

 private:
  /// Amounts of these resources, of which there are any.
  [[nodiscard]] std::string example() const {
    std::string text;
    for (const ResourceData& resource : resources_) {
      if (!text.empty()) return "{" + text + ", ...}";
      text = "\"" + resource.name + "\": 1";
    }
    return "{" + text + "}";
  }

  const std::vector<ResourceData>& resources_;
  const std::uint32_t& periods_;
};

}  // namespace stowage::cli
