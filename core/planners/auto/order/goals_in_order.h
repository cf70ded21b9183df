// The part of `auto` that seeks goals one after the other (docs/understand/goals.md).
#pragma once

#include <functional>
#include <memory>

#include "core/planners/auto/order/rounds.h"
#include "core/planners/planner.h"

namespace stowage {

/// How the first goals of a request are sought, as its objective.
struct FirstGoals {
  std::function<Error(const PlannerInput& input, Plan& plan)> search;           ///< from the beginning to the end of the run
  std::function<std::unique_ptr<Rounds>(const PlannerInput& input)> in_rounds;  ///< the same; for Objective::kNodes alone
};

/// Whether the request has goals beyond its objective.
[[nodiscard]] bool has_later_goals(const PlannerInput& input);

/// Seeks all goals of the request: the first of them as the objective is sought, the others by neighbourhoods that all goals
/// share. Both take turns, each with as much work as the other, until the end of the run or until all goals are proven.
Error seek_goals(const PlannerInput& input, const FirstGoals& first, Plan& plan);

}  // namespace stowage
