#include "capi/text/words/judged.h"

#include <cmath>

#include "capi/text/base/quantities.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/words.h"

namespace stowage::cli {

const wire::Bound* bound_of(const wire::Plan& plan) { return plan.cost() >= 0 ? plan.cost_bound() : plan.node_bound(); }

Judged judged(const wire::Plan& plan) {
  const wire::Bound* bound = bound_of(plan);
  return {.priced = plan.cost() >= 0,
          .bound = bound == nullptr ? 0 : bound->value(),
          .gap = plan.gap(),
          .proven = plan.status() == wire::PlanStatus::Optimal};
}

std::string least_text(const Judged& by) {
  if (by.priced) return "no complete plan costs less than " + for_people(by.bound, 4);
  // Sums of the same numbers may differ.
  constexpr double kRounding = 1e-9;
  const double least = std::ceil(by.bound - kRounding);
  return "no complete plan needs fewer than " + for_people(least, 0) + (least == 1 ? " node" : " nodes");
}

std::string above_text(double gap) {
  // What is not 0 does not read as 0.
  constexpr double kSmall = 0.001;
  const std::string share = gap < kSmall ? for_people(gap * 100, 4) + " %" : percent_text(gap);
  return "this one is at most " + share + " above the best";
}

std::string sureness_text(const Judged& by) {
  if (by.proven) return std::string("Proven: no plan ") + (by.priced ? "costs less" : "needs fewer nodes");
  if (by.bound <= 0) return "How far that is from the best plan is not known";
  return capitalized(least_text(by)) + (by.gap < 0 ? "" : ": " + above_text(by.gap));
}

std::string goal_words(const wire::ReachedGoal& goal, const Names& names) {
  std::string text = (goal.beside() ? "+ " : "") + std::string(word_of<wire::GoalKind>(goal.what()));
  if (goal.resource() < names.instance().resources()->size()) text += ":" + std::string(names.resource(goal.resource()));
  if (goal.weight() != 1) text += "*" + shortest(goal.weight());
  if (goal.tolerance() != 0) text += "~" + for_people(goal.tolerance() * 100, 4) + "%";
  return text;
}

std::string goal_value(const wire::ReachedGoal& goal, double value) {
  return may_have_resource(static_cast<wire::GoalKind>(goal.what())) ? percent_text(value) : for_people(value, 4);
}

}  // namespace stowage::cli
