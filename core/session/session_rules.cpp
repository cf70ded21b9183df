// What a session has to know of its rules before it lets an operation through.

#include <algorithm>
#include <functional>
#include <map>

#include "core/model/constraints/tags.h"
#include "core/session/apply.h"

namespace stowage {
namespace {

/// Numbers tags in the order in which they are asked for.
class TagNames {
 public:
  std::uint32_t operator()(const std::string& name) {
    const auto [at, fresh] = numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (fresh) names_.push_back(name);
    return at->second;
  }
  [[nodiscard]] const std::string& name(std::uint32_t tag) const { return names_[tag]; }

 private:
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

}  // namespace

PlacementRule written_rule(const SessionRule& rule, const std::function<std::uint32_t(const std::string&)>& number) {
  const auto numbers = [&](const std::vector<std::string>& names) {
    std::vector<std::uint32_t> result;
    result.reserve(names.size());
    for (const std::string& name : names) result.push_back(number(name));
    return result;
  };
  PlacementRule result{rule.name, {}, rule.hard, rule.weight, rule.from_operator};
  for (const auto& conjunction : rule.any_of) {
    auto& parts = result.any_of.emplace_back();
    for (const auto& [part, group] : conjunction) {
      parts.push_back({part.kind, numbers(part.subject), numbers(part.target), part.min, part.max, group, part.negated});
    }
  }
  return result;
}

Error check_session_rule(const SessionRule& rule, const std::string& path) {
  TagNames tags;
  return check_negations(written_rule(rule, std::ref(tags)), path);
}

std::vector<SessionContradiction> session_contradictions(const std::vector<SessionRule>& rules) {
  TagNames tags;
  std::vector<PlacementRule> written;
  written.reserve(rules.size());
  for (const SessionRule& rule : rules) written.push_back(written_rule(rule, std::ref(tags)));
  std::vector<RuleConflict> conflicts;
  written = narrowed_rules(written, conflicts);
  std::vector<SessionContradiction> result;
  for (const RuleContradiction& one : contradictions(written)) {
    SessionContradiction& to = result.emplace_back();
    for (const std::uint32_t tag : one.subject) to.subject.push_back(tags.name(tag));
    to.rule = rules[one.rule].name;
    to.other = rules[one.other].name;
  }
  return result;
}

const SessionContradiction* contradiction_for(const std::vector<SessionContradiction>& all, const AppSpec& app) {
  const auto carries = [&](const std::string& tag) {
    return std::find(app.tags.begin(), app.tags.end(), tag) != app.tags.end() ||
           tag == std::string(kAppTagPrefix) + app.name->first;
  };
  for (const SessionContradiction& one : all) {
    if (std::all_of(one.subject.begin(), one.subject.end(), carries)) return &one;
  }
  return nullptr;
}

}  // namespace stowage
