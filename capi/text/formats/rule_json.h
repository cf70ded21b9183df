// Placement rules as people write them in JSON, over tags by number or by name.
#pragma once

#include "capi/text/base/json_text.h"
#include "capi/text/formats/amounts/resource_json.h"
#include "capi/text/formats/words.h"
#include "instance_generated.h"

namespace stowage::cli {

/// Reads a rule. read_condition(at, condition) reads each of its conditions.
template <class Rule, class ReadCondition>
void read_rule_json(const JsonAt& at, Rule& rule, const ReadCondition& read_condition) {
  const auto add_conjunction = [&](const JsonAt& all_of) {
    auto& conjunction = rule.any_of.emplace_back();
    all_of.elements([&](std::size_t, const JsonAt& one) { read_condition(one, conjunction.emplace_back()); });
  };
  at.read("name", rule.name);
  at.member("all_of", add_conjunction);
  at.member("any_of", [&](const JsonAt& any_of) {
    any_of.elements([&](std::size_t, const JsonAt& all_of) { add_conjunction(all_of); });
  });
  at.read("hard", rule.hard);
  at.member("weight", [&](const JsonAt& weight) { rule.weight = not_negative(weight); });
  at.read("origin", rule.origin);
}

/// Fails where an object has other keys than a rule, or not one of those of its conditions.
inline void check_rule_keys(const JsonAt& at) {
  for (const char* key : {"kind", "subject", "target", "min", "max", "group", "negated"}) {
    at.member(key, [](const JsonAt& one) { one.fail("belongs into a condition, in the list \"all_of\" of the rule"); });
  }
  at.only({"name", "any_of", "all_of", "hard", "weight", "origin"});
  if ((at.value().find("any_of") == nullptr) == (at.value().find("all_of") == nullptr)) {
    at.fail("needs either \"all_of\" (a list of conditions) or \"any_of\" (a list of such lists)");
  }
}

/// Reads a condition: tags by read_tags(at, list), the group by read_group(at).
template <class Condition, class ReadTags, class ReadGroup>
void read_condition_json(const JsonAt& at, Condition& to, const ReadTags& read_tags, const ReadGroup& read_group) {
  at.only({"kind", "subject", "target", "min", "max", "group", "negated"});
  if (at.value().find("subject") == nullptr) at.fail("has no \"subject\" (the tags of the replicas it is about)");
  at.read("kind", to.kind);
  at.member("subject", [&](const JsonAt& tags) { read_tags(tags, to.subject); });
  at.member("target", [&](const JsonAt& tags) { read_tags(tags, to.target); });
  at.read("min", to.min).read("max", to.max);
  at.member("group", [&](const JsonAt& group) { read_group(group); });
  at.read("negated", to.negated);
}

/// Calls add(tag) for each tag of a list, for the only one, or for each label of an object: {"zone": "a", "ssd": true} are
/// "zone=a" and "ssd".
template <class Add>
void read_tags_json(const JsonAt& at, const Add& add) {
  if (at.is(JsonValue::Type::kText)) {
    add(at.text());
  } else if (at.is(JsonValue::Type::kObject)) {
    at.members([&](const std::string& key, const JsonAt& value) {
      if (!value.is(JsonValue::Type::kBool)) return add(key + "=" + value.text());
      if (!value.flag()) value.fail("must be a string, or true for a label without a value");
      add(key);
    });
  } else {
    at.elements([&](std::size_t, const JsonAt& tag) { add(tag.text()); });
  }
}

}  // namespace stowage::cli
