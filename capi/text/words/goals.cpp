#include "capi/text/words/goals.h"

#include "capi/text/base/quantities.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/words.h"

namespace stowage::cli {

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
