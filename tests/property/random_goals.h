// Goals in order, at random.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/instance.h"
#include "core/run/request.h"
#include "tests/unit/support/random.h"

namespace stowage::test {

/// So many goals, of any kind that requests may name. Not every list means something for the instance (read_goals()).
inline std::vector<PlanGoal> draw_goals(Random& random, const Instance& instance, std::uint32_t count) {
  std::vector<PlanGoal> goals;
  for (std::uint32_t k = 0; k < count; ++k) {
    PlanGoal goal;
    goal.what = static_cast<GoalKind>(random.below(static_cast<std::uint32_t>(GoalKind::kEnd)));
    if (may_have_resource(goal.what) && random.chance(0.5)) goal.resource = random.below(instance.resources());
    goal.beside = k > 0 && random.chance(0.2);
    goal.weight = random.chance(0.8) ? 1 : random.between(1, 30) / 10.0;
    if (!goal.beside && random.chance(0.2)) goal.tolerance = random.below(4) / 10.0;
    goals.push_back(goal);
  }
  return goals;
}

}  // namespace stowage::test
