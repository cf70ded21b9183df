// Goals by name, and a plan's goals in the words of --goal.
#pragma once

#include <string>
#include <vector>

#include "capi/text/formats/names.h"
#include "capi/text/records/request_records.h"
#include "plan_generated.h"

namespace stowage::cli {

/// A goal whose resource has a name.
struct NamedGoal : PlanGoalData {
  std::string of;  ///< empty: all resources, or none
};

/// A goal in the words of --goal. Fails where there are none.
NamedGoal goal_in_words(const std::string& words);

/// The goals with the resources' places in the instance. Fails where it has no such resource.
std::vector<PlanGoalData> resolve_goals(const std::vector<NamedGoal>& goals, const Names& names);

/// A plan's goal as --goal has it; of goals that count together, each by itself.
std::string goal_words(const wire::ReachedGoal& goal, const Names& names);
/// A value of such a goal, or a bound on it, for people.
std::string goal_value(const wire::ReachedGoal& goal, double value);

}  // namespace stowage::cli
