// Goals in order: what a request may ask for, what a plan reaches, and how far it could get.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/request.h"

namespace stowage {

/// The goals that count together, as positions in the list: all but the first of them are `beside`.
struct GoalLevel {
  std::size_t begin;
  std::size_t end;
};
template <class Goal>
[[nodiscard]] std::vector<GoalLevel> levels_of(const std::vector<Goal>& goals) {
  std::vector<GoalLevel> levels;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    if (levels.empty() || !goals[k].beside) levels.push_back({k, k});
    levels.back().end = k + 1;
  }
  return levels;
}

/// Puts goals in the place of words. Errors: kInvalid with the path of the field, where a goal means nothing.
[[nodiscard]] Error read_goals(const Instance& instance, Request& request);

/// The request with the objective, the soft policy and the move budget that its goals ask for. Objective and policy are those
/// of the first goals; what comes after these, planners that order goals seek.
[[nodiscard]] Request by_goals(const Request& request);
/// How many levels, from the first one on, the objective and the soft policy of by_goals() stand for.
[[nodiscard]] std::size_t levels_by_objective(const Instance& instance, const Request& request);

/// The value of a plan, whose violated rules are counted where a goal asks for them. O(placed + nodes + listed nodes).
[[nodiscard]] double goal_value(const Instance& instance, const PlanGoal& goal, const Plan& plan);

/// Fills Plan::goals by the request's. The plan's bounds are filled in.
void measure_goals(const Instance& instance, const Request& request, Plan& plan);

/// Whether a value reaches a bound, but for rounding.
[[nodiscard]] bool reaches_goal(double value, double bound);

}  // namespace stowage
