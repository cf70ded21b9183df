#include <cstddef>
#include <memory>

#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {

const GoalTerm& goal_term(GoalKind what) { return *kGoalTerms[static_cast<std::size_t>(what)]; }

std::unique_ptr<Term> make_term(const Instance& instance, const PlanGoal& goal) {
  return goal_term(goal.what).make(instance, goal.resource);
}

}  // namespace stowage
