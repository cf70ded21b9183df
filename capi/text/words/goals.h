// A plan's goals in the words of --goal.
#pragma once

#include <string>

#include "capi/text/formats/names.h"
#include "plan_generated.h"

namespace stowage::cli {

/// A plan's goal as --goal has it; of goals that count together, each by itself.
std::string goal_words(const wire::ReachedGoal& goal, const Names& names);
/// A value of such a goal, or a bound on it, for people.
std::string goal_value(const wire::ReachedGoal& goal, double value);

}  // namespace stowage::cli
