// --goal: goals in order, in the words of the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capi/text/formats/names.h"
#include "capi/text/records/request_records.h"
#include "plan_generated.h"

namespace stowage::cli {

/// A goal whose resource has a name.
struct NamedGoal : PlanGoalData {
  std::string of;  ///< empty: all resources, or none
};

/// Reads goals that count together, TERM[,TERM...][~TOLERANCE] with TERM = NAME[:RESOURCE][*WEIGHT], such as "cost~1%",
/// "balance:memory" and "cost,moves*0.01". Fails, naming --goal, for anything else.
std::vector<NamedGoal> parse_goals(std::string_view level);

/// The goals with the resources' places in the instance. Fails where it has no such resource.
std::vector<PlanGoalData> resolve_goals(const std::vector<NamedGoal>& goals, const Names& names);

/// A goal as --goal has it; of goals that count together, each by itself.
std::string goal_words(const NamedGoal& goal);
/// The same of a plan's goal.
std::string goal_words(const wire::ReachedGoal& goal, const Names& names);
/// A value of such a goal, or a bound on it, for people.
std::string goal_value(const wire::ReachedGoal& goal, double value);

}  // namespace stowage::cli
