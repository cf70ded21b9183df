#include "capi/cli/library/goals.h"

#include <algorithm>

#include "capi/text/base/failure.h"
#include "capi/text/base/printable.h"
#include "capi/text/base/quantities.h"
#include "capi/text/base/table.h"
#include "capi/text/formats/words.h"

namespace stowage::cli {
namespace {

constexpr const char* kOption = "--goal";

std::string quoted(std::string_view text) { return std::string(kOption) + ": \"" + printable(std::string(text)) + "\" "; }

bool has_resource(wire::GoalKind what) { return what == wire::GoalKind::Balance || what == wire::GoalKind::Evenness; }

wire::GoalKind parse_kind(std::string_view word) {
  if (const auto what = find_word<wire::GoalKind>(word)) return *what;
  std::string list;
  for (const char* one : Words<wire::GoalKind>::kAll) list += (list.empty() ? "" : ", ") + std::string(one);
  const auto& all = Words<wire::GoalKind>::kAll;
  throw Failure(quoted(word) + "is no goal" + did_you_mean(word, {all.begin(), all.end()}) + "; use one of " + list);
}

NamedGoal parse_term(std::string_view term) {
  NamedGoal goal;
  // A name of a resource may contain these signs.
  if (const std::size_t star = term.rfind('*'); star != std::string_view::npos) {
    const auto weight = parse_number(term.substr(star + 1));
    if (!weight || !(*weight > 0)) throw Failure(quoted(term) + "has a weight that is no number above 0 (such as moves*0.01)");
    goal.weight = *weight;
    term = term.substr(0, star);
  }
  const std::size_t colon = term.find(':');
  goal.what = parse_kind(term.substr(0, colon));
  if (colon == std::string_view::npos) return goal;
  goal.of = term.substr(colon + 1);
  if (!has_resource(goal.what)) throw Failure(quoted(term) + "is of no resource; only balance and evenness are");
  if (goal.of.empty()) throw Failure(quoted(term) + "names no resource (such as balance:memory)");
  return goal;
}

}  // namespace

std::vector<NamedGoal> parse_goals(std::string_view level) {
  const std::string_view all = level;
  double tolerance = 0;
  if (const std::size_t tilde = level.rfind('~'); tilde != std::string_view::npos) {
    const auto share = parse_share(level.substr(tilde + 1));
    if (!share) throw Failure(quoted(all) + "has a tolerance that is no share (such as cost~1%)");
    tolerance = *share;
    level = level.substr(0, tilde);
  }
  std::vector<NamedGoal> goals;
  for (std::size_t begin = 0; begin <= level.size();) {
    const std::size_t end = std::min(level.find(',', begin), level.size());
    if (end == begin) throw Failure(quoted(all) + "lacks a goal (such as cost, or cost,moves*0.01)");
    goals.push_back(parse_term(level.substr(begin, end - begin)));
    goals.back().beside = goals.size() > 1;
    begin = end + 1;
  }
  goals.front().tolerance = tolerance;
  return goals;
}

std::vector<PlanGoalData> resolve_goals(const std::vector<NamedGoal>& goals, const Names& names) {
  std::vector<PlanGoalData> resolved;
  for (const NamedGoal& goal : goals) {
    resolved.push_back(goal);
    if (!goal.of.empty()) resolved.back().resource = names.find_resource(goal.of, kOption);
  }
  return resolved;
}

std::string goal_words(const NamedGoal& goal) {
  std::string text = word_of<wire::GoalKind>(goal.what);
  if (!goal.of.empty()) text += ":" + goal.of;
  if (goal.weight != 1) text += "*" + shortest(goal.weight);
  if (goal.tolerance != 0) text += "~" + for_people(goal.tolerance * 100, 4) + "%";
  return text;
}

std::string goal_words(const wire::ReachedGoal& goal, const Names& names) {
  NamedGoal named;
  named.what = static_cast<wire::GoalKind>(goal.what());
  named.weight = goal.weight();
  named.tolerance = goal.tolerance();
  if (goal.resource() < names.instance().resources()->size()) named.of = names.resource(goal.resource());
  return (goal.beside() ? "+ " : "") + goal_words(named);
}

std::string goal_value(const wire::ReachedGoal& goal, double value) {
  if (has_resource(static_cast<wire::GoalKind>(goal.what()))) return percent_text(value);
  return for_people(value, 4);
}

}  // namespace stowage::cli
