#include "capi/cli/library/goals.h"

#include "capi/text/base/failure.h"

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

}  // namespace stowage::cli
