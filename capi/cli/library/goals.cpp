#include "capi/cli/library/goals.h"

#include "capi/text/base/failure.h"
#include "capi/text/base/quantities.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/words.h"

namespace stowage::cli {

NamedGoal goal_in_words(const std::string& words) {
  if (words.empty()) throw Failure("--goal: \"\" lacks a goal (such as cost, or cost,moves*0.01)");
  NamedGoal goal;
  goal.words = words;
  return goal;
}

std::vector<PlanGoalData> resolve_goals(const std::vector<NamedGoal>& goals, const Names& names) {
  std::vector<PlanGoalData> resolved;
  for (const NamedGoal& goal : goals) {
    resolved.push_back(goal);
    if (!goal.of.empty()) resolved.back().resource = names.find_resource(goal.of, "--goal");
  }
  return resolved;
}

std::string goal_words(const wire::ReachedGoal& goal, const Names& names) {
  std::string text = (goal.beside() ? "+ " : "") + std::string(word_of<wire::GoalKind>(goal.what()));
  if (goal.resource() < names.instance().resources()->size()) text += ":" + std::string(names.resource(goal.resource()));
  if (goal.weight() != 1) text += "*" + shortest(goal.weight());
  if (goal.tolerance() != 0) text += "~" + for_people(goal.tolerance() * 100, 4) + "%";
  return text;
}

std::string goal_value(const wire::ReachedGoal& goal, double value) {
  return may_have_resource(static_cast<wire::GoalKind>(goal.what())) ? percent_text(value) : for_people(value, 4);
}

}  // namespace stowage::cli
