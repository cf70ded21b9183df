#include "core/terms/asked/goals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/numbers/amounts.h"
#include "core/plan/objective.h"
#include "core/plan/side_effects.h"
#include "core/terms/asked/goal_words.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

Error refused_goal(std::string_view field, std::string message) {
  return {Code::kInvalid, std::move(message), std::string(field)};
}

// What the value of a goal is measured by.
Objective measured_by(const Instance& instance, Objective of_goal) {
  return of_goal == Objective::kCost ? judged_by(instance, Objective::kNodes) : of_goal;
}

// The objective with which a request asks for the goal alone; nothing where there is none.
std::optional<Objective> objective_of_goal(GoalKind what) {
  const std::optional<Objective> of_goal = goal_term(what).objective;
  if (of_goal == Objective::kSoftRules) return std::nullopt;
  return of_goal == Objective::kCost ? Objective::kNodes : of_goal;
}

// Checks a goal that comes behind others. The error's path is that of the field.
Error check_goal(const Instance& instance, const Request& request, std::span<const PlanGoal> before, const PlanGoal& goal) {
  if (goal.what >= GoalKind::kEnd) return refused_goal("what", "there is no such goal");
  if (!(goal.weight > 0) || !std::isfinite(goal.weight)) return refused_goal("weight", "a weight is above 0 and finite");
  if (!(goal.tolerance >= 0) || !std::isfinite(goal.tolerance)) {
    return refused_goal("tolerance", "a tolerance is at least 0 and finite");
  }
  if (goal.beside && before.empty()) return refused_goal("beside", "no goal stands before the first one");
  if (goal.beside && goal.tolerance > 0) {
    return refused_goal("tolerance", "of goals that count together, the first one says the tolerance");
  }
  if (goal.resource != kNone && !may_have_resource(goal.what)) return refused_goal("resource", "the goal is not of a resource");
  if (goal.resource != kNone && goal.resource >= instance.resources())
    return refused_goal("resource", "there is no such resource");
  for (const PlanGoal& other : before) {
    if (other.what == goal.what && other.resource == goal.resource) return refused_goal("what", "the goal stands twice");
  }
  const auto refusal = goal_term(goal.what).refusal;
  std::string why = refusal == nullptr ? std::string() : refusal(instance, request);
  return why.empty() ? Error{} : refused_goal("what", std::move(why));
}

// Adds what an entry of the request means. The error's path is that of the field.
Error add_goals(const Instance& instance, const Request& request, const PlanGoal& asked, std::vector<PlanGoal>& goals) {
  std::vector<PlanGoal> meant = {asked};
  if (!asked.words.empty()) {
    if (asked.what != GoalKind::kCost || asked.resource != kNone || asked.weight != 1 || asked.tolerance != 0) {
      return refused_goal("words", "words and other fields: the words say all of a goal but whether it counts beside another");
    }
    auto read = goals_of_words(instance, asked.words);
    if (!read) return {read.error().code, read.error().message, "words"};
    meant = std::move(*read);
    meant.front().beside = asked.beside;
  }
  for (PlanGoal& goal : meant) {
    Error e = check_goal(instance, request, goals, goal);
    if (failed(e) && !asked.words.empty()) {
      return {e.code, "\"" + std::string(kGoalWords[static_cast<std::size_t>(goal.what)]) + "\": " + e.message, "words"};
    }
    if (failed(e)) return e;
    goals.push_back(std::move(goal));
  }
  return {};
}

bool is_single_goal(const GoalLevel& level) { return level.end == level.begin + 1; }

// The level that the objective stands for, if any; the one before it may be that of soft rules.
std::size_t level_of_objective(const Request& request, const std::vector<GoalLevel>& levels) {
  const bool soft_first = is_single_goal(levels[0]) && request.goals[0].what == GoalKind::kSoftRules;
  return soft_first ? 1 : 0;
}

double value_of_term(const Term& term, const Instance& instance, const Plan& plan) {
  std::vector<Tenant> tenants;
  std::vector<std::uint8_t> is_planned(instance.listed_nodes(), 0);
  double sum = 0;
  double squares = 0;
  double most = 0;
  double in_use = 0;
  const auto add = [&](const NodeView& node, double copies) {
    const double of_node = term.at(node);
    sum += copies * of_node;
    squares += copies * of_node * of_node;
    most = std::max(most, of_node);
    in_use += node.in_use() ? copies : 0;
  };
  auto next = plan.placed.begin();
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    tenants.clear();
    for (; next != plan.placed.end() && next->node == n; ++next) tenants.push_back({next->app, next->replicas});
    const bool is_listed = node.listed != kNone;
    if (is_listed) is_planned[node.listed] = 1;
    add({node.listed, node.node_class, tenants, is_listed && instance.is_loaded(node.listed)}, node.copies);
  }
  for (NodeId node = 0; node < instance.listed_nodes(); ++node) {
    if (is_planned[node] == 0) add({node, instance.data().node_class[node], {}, false}, 1);
  }
  if (term.fold() == Term::Fold::kLargest) return most;
  if (term.fold() != Term::Fold::kDeviation) return std::max(0.0, term.constant() + sum);
  if (in_use == 0) return 0;
  const double mean = sum / in_use;
  return std::sqrt(std::max(0.0, squares / in_use - mean * mean));
}

// Of any complete plan that is as good as this one by the goals before; negative: none is known.
double bound_of_goal(const Instance& instance, const Request& request, const Plan& plan, std::size_t k) {
  const PlanGoal& goal = plan.goals[k];
  const GoalTerm& all = goal_term(goal.what);
  if (!plan.is_complete() && all.objective != Objective::kAdmitted) return -1;
  if (all.bound != nullptr) {
    double nodes = most_nodes(instance, request.node_limit);
    double cost = std::numeric_limits<double>::infinity();
    if (nodes >= kNone) nodes = cost;
    for (const GoalLevel& level : levels_of(plan.goals)) {
      if (level.end > k || !is_single_goal(level)) continue;
      const ReachedGoal& before = plan.goals[level.begin];
      const double most = before.value * (1 + before.tolerance);
      if (before.what == GoalKind::kNodes) nodes = std::min(nodes, most);
      if (before.what == GoalKind::kCost) cost = std::min(cost, most);
    }
    return all.bound(instance, goal.resource, nodes, cost);
  }
  if (!all.objective || all.objective == Objective::kSoftRules) return 0;
  const std::optional<Bound>& bound = plan.bounds[measured_by(instance, *all.objective)];
  return bound ? std::max(0.0, bound->value) : 0;
}

}  // namespace

bool reaches_goal(double value, double bound) { return bound >= 0 && value <= bound + kValueTolerance * (1 + bound); }

Error read_goals(const Instance& instance, Request& request) {
  if (request.goals.empty()) return {};
  if (request.objective != Objective::kNodes) {
    return {Code::kInvalid, "goals and an objective: the goals say what is to be minimized", "objective"};
  }
  if (request.soft != SoftPolicy::kFirst || request.soft_price != 0) {
    return {Code::kInvalid, "goals and a policy for soft rules: the goals say when soft rules count", "soft"};
  }
  std::vector<PlanGoal> goals;
  for (std::size_t k = 0; k < request.goals.size(); ++k) {
    if (Error e = add_goals(instance, request, request.goals[k], goals); failed(e)) {
      return {e.code, e.message, indexed("goals", k) + "." + e.path};
    }
  }
  request.goals = std::move(goals);
  return {};
}

Request by_goals(const Request& request) {
  if (request.goals.empty()) return request;
  Request run = request;
  const std::vector<GoalLevel> levels = levels_of(request.goals);
  const std::size_t first = level_of_objective(request, levels);
  if (first < levels.size() && is_single_goal(levels[first])) {
    run.objective = objective_of_goal(request.goals[levels[first].begin].what).value_or(Objective::kNodes);
  }
  for (const PlanGoal& goal : request.goals) {
    if (first == 0 && goal.what == GoalKind::kSoftRules) run.soft = SoftPolicy::kLast;
    if (const auto ask = goal_term(goal.what).ask; ask != nullptr) ask(run);
  }
  return run;
}

std::size_t levels_by_objective(const Instance& instance, const Request& request) {
  const std::vector<GoalLevel> levels = levels_of(request.goals);
  const std::size_t first = levels.empty() ? 0 : level_of_objective(request, levels);
  if (first >= levels.size() || !is_single_goal(levels[first])) return first;
  const GoalKind what = request.goals[levels[first].begin].what;
  const std::optional<Objective> asked = objective_of_goal(what);
  // The objective kNodes means cost where there are prices.
  return asked && judged_by(instance, *asked) == measured_by(instance, *goal_term(what).objective) ? first + 1 : first;
}

double goal_value(const Instance& instance, const PlanGoal& goal, const Plan& plan) {
  const std::optional<Objective> objective = goal_term(goal.what).objective;
  if (!objective) return value_of_term(*make_term(instance, goal), instance, plan);
  return std::max(0.0, value(instance, plan, measured_by(instance, *objective)));
}

void measure_goals(const Instance& instance, const Request& request, Plan& plan) {
  plan.goals.clear();
  for (const PlanGoal& goal : request.goals) {
    ReachedGoal& reached = plan.goals.emplace_back();
    static_cast<PlanGoal&>(reached) = goal;
    reached.value = goal_value(instance, goal, plan);
  }
  for (const GoalLevel& level : levels_of(plan.goals)) {
    double value = 0;
    double bound = 0;
    for (std::size_t k = level.begin; k < level.end; ++k) {
      ReachedGoal& one = plan.goals[k];
      one.bound = bound_of_goal(instance, request, plan, k);
      value += one.weight * one.value;
      bound = one.bound < 0 || bound < 0 ? -1 : bound + one.weight * one.bound;
    }
    const bool proven = reaches_goal(value, bound);
    for (std::size_t k = level.begin; k < level.end; ++k) plan.goals[k].proven = proven;
  }
}

}  // namespace stowage
