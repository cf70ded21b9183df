#include "core/terms/asked/goal_words.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers/decimal.h"

namespace stowage {
namespace {

Error refused_words(std::string_view words, const std::string& why) {
  return {Code::kInvalid, "\"" + std::string(words) + "\" " + why, {}};
}

std::string listed_goals(bool of_resource) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kGoalWords.size(); ++k) {
    if (!of_resource || may_have_resource(static_cast<GoalKind>(k))) names.emplace_back(kGoalWords[k]);
  }
  return listed(names);
}

Result<PlanGoal> goal_of_term(const Instance& instance, std::string_view term) {
  PlanGoal goal;
  std::string_view words = term;
  // A name of a resource may contain these signs.
  if (const std::size_t star = words.rfind('*'); star != std::string_view::npos) {
    goal.weight = read_decimal(words.substr(star + 1)).value_or(0);
    if (!(goal.weight > 0)) return refused_words(term, "has a weight that is no number above 0 (such as moves*0.01)");
    words = words.substr(0, star);
  }
  const std::size_t colon = std::min(words.find(':'), words.size());
  const auto* const known = std::find(kGoalWords.begin(), kGoalWords.end(), words.substr(0, colon));
  if (known == kGoalWords.end()) return refused_words(words.substr(0, colon), "is no goal; use one of " + listed_goals(false));
  goal.what = static_cast<GoalKind>(known - kGoalWords.begin());
  if (colon == words.size()) return goal;
  if (!may_have_resource(goal.what)) return refused_words(term, "names a resource; only these may: " + listed_goals(true));
  const std::vector<Resource>& resources = instance.data().resources;
  const auto found = std::find_if(resources.begin(), resources.end(),
                                  [&](const Resource& one) { return one.name == words.substr(colon + 1); });
  if (found == resources.end()) {
    std::vector<std::string> names;
    names.reserve(resources.size());
    for (const Resource& one : resources) names.push_back(one.name);
    return refused_words(term, "is of no resource that the instance has; these are " + listed(names));
  }
  goal.resource = static_cast<ResourceId>(found - resources.begin());
  return goal;
}

}  // namespace

Result<std::vector<PlanGoal>> goals_of_words(const Instance& instance, std::string_view words) {
  std::string_view terms = words;
  std::optional<double> tolerance = 0;
  if (const std::size_t tilde = terms.rfind('~'); tilde != std::string_view::npos) {
    const std::string_view share = terms.substr(tilde + 1);
    tolerance = share.ends_with('%') ? read_decimal(share.substr(0, share.size() - 1), -2) : read_decimal(share);
    if (!tolerance || *tolerance > 1) return refused_words(words, "has a tolerance that is no share (such as cost~1%)");
    terms = terms.substr(0, tilde);
  }
  std::vector<PlanGoal> goals;
  const std::size_t most = kGoalWords.size() * (std::size_t{instance.resources()} + 1);
  for (std::size_t begin = 0; begin <= terms.size();) {
    const std::size_t end = std::min(terms.find(',', begin), terms.size());
    if (goals.size() >= most) return refused_words(words.substr(0, begin), "has more goals than there are");
    if (end == begin) return refused_words(words, "lacks a goal (such as cost, or cost,moves*0.01)");
    auto goal = goal_of_term(instance, terms.substr(begin, end - begin));
    if (!goal) return goal.error();
    goal->beside = !goals.empty();
    goals.push_back(std::move(*goal));
    begin = end + 1;
  }
  goals.front().tolerance = *tolerance;
  return goals;
}

}  // namespace stowage
