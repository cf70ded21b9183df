// What a plan says of its goals, recomputed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// What the checker has found of a plan: values that goals may have.
struct FoundFigures {
  double nodes;
  double cost;  ///< the nodes where there are no prices
  double moves;
  double soft_rules;
  double ucac;
  double worst;
  double total;
  double left_out;
  double remote_traffic;
};

/// A figure of a goal that is wrong.
struct WrongGoal {
  std::string what;  ///< such as "goals[1].value"
  double said;
  double expected;
};

/// Recomputes the value of each goal, and whether its bound and its claim to be proven agree with it.
/// @param watch ends the check: the result is incomplete, and nobody uses it
[[nodiscard]] std::vector<WrongGoal> check_goal_figures(const Instance& instance, const Plan& plan, const FoundFigures& found,
                                                        WatchRef watch = {});

}  // namespace stowage
