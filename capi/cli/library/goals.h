// Goals by name, as --goal gives them.
#pragma once

#include <string>
#include <vector>

#include "capi/text/formats/names.h"
#include "capi/text/records/request_records.h"

namespace stowage::cli {

/// A goal whose resource has a name.
struct NamedGoal : PlanGoalData {
  std::string of;  ///< empty: all resources, or none
};

/// A goal in the words of --goal. Fails where there are none.
NamedGoal goal_in_words(const std::string& words);

/// The goals with the resources' places in the instance. Fails where it has no such resource.
std::vector<PlanGoalData> resolve_goals(const std::vector<NamedGoal>& goals, const Names& names);

}  // namespace stowage::cli
