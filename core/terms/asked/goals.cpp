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

// The objective that a goal is; nothing for the others.
std::optional<Objective> objective_of_goal(GoalKind what) {
  switch (what) {
    case GoalKind::kCost:
    case GoalKind::kNodes:
      return Objective::kNodes;
    case GoalKind::kUcac:
      return Objective::kUcac;
    case GoalKind::kWorst:
      return Objective::kWorst;
    case GoalKind::kTotal:
      return Objective::kTotal;
    case GoalKind::kAdmitted:
      return Objective::kAdmitted;
    case GoalKind::kTraffic:
      return Objective::kTraffic;
    default:
      return std::nullopt;
  }
}

// Whether the instance and the request say what the goal counts.
Error check_meaning_of_goal(const Instance& instance, const Request& request, GoalKind what) {
  if (what == GoalKind::kUcac && !instance.uncertain()) {
    return refused_goal("what", "no demand of the instance is uncertain: there is no used capacity at confidence");
  }
  if (what == GoalKind::kTraffic && instance.data().traffic.empty()) return refused_goal("what", "the instance has no traffic");
  if (what == GoalKind::kWorst || what == GoalKind::kTotal) {
    if (!instance.has_interference()) {
      return refused_goal("what", "the instance has no interference table: nothing costs anything");
    }
    if (most_nodes(instance, request.node_limit) == kNone) {
      return refused_goal(
          "what", "the least cost of side effects needs a number of nodes: a node limit, or a count for each class of nodes");
    }
  }
  if (what == GoalKind::kMoves && request.ignore_running) {
    return refused_goal("what", "moves cannot be counted where the request ignores what runs");
  }
  return {};
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
  return check_meaning_of_goal(instance, request, goal.what);
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

// The most capacity of the resource that nodes have, of so many nodes and so much cost together.
double most_capacity_within(const Instance& instance, ResourceId resource, double nodes, double cost) {
  struct Offer {
    double capacity;
    double price;
    double count;
  };
  const auto most_by = [&](double budget, auto&& price_of) {
    std::vector<Offer> offers;
    for (ClassId c = 0; c < instance.classes(); ++c) {
      const NodeClass& one = instance.data().classes[c];
      const double count = one.count == 0 ? std::numeric_limits<double>::infinity() : one.count;
      offers.push_back({one.capacity[resource], price_of(c), count});
    }
    std::sort(offers.begin(), offers.end(),
              [](const Offer& a, const Offer& b) { return a.capacity * b.price > b.capacity * a.price; });
    double sum = 0;
    for (const Offer& offer : offers) {
      const double taken = offer.price > 0 ? std::min(offer.count, budget / offer.price) : offer.count;
      if (!(offer.capacity > 0) || !(taken > 0)) continue;
      sum += taken * offer.capacity;
      budget -= offer.price > 0 ? taken * offer.price : 0;
    }
    return sum;
  };
  return std::min(most_by(nodes, [](ClassId) { return 1.0; }), most_by(cost, [&](ClassId c) { return instance.node_cost(c); }));
}

// What the replica that needs most of a node needs of the class where that is least.
double largest_share_of_replica(const Instance& instance, ResourceId resource) {
  double most = 0;
  for (AppId app = 0; app < instance.apps(); ++app) {
    double least = std::numeric_limits<double>::infinity();
    for (ClassId c = 0; c < instance.classes() && least > most && instance.replicas(app) > 0; ++c) {
      double share = 0;
      for (ResourceId r = 0; r < instance.resources(); ++r) {
        const double capacity = instance.data().classes[c].capacity[r];
        if ((resource == kNone || r == resource) && capacity > 0) {
          share = std::max(share, instance.demand_range(app, r).most / capacity);
        }
      }
      least = std::min(least, share);
    }
    if (std::isfinite(least)) most = std::max(most, least);
  }
  return most;
}

// No plan on so many nodes, of so much cost, has a smaller largest use: all demand together, by all capacity together.
double balance_bound(const Instance& instance, ResourceId resource, double nodes, double cost) {
  double most = largest_share_of_replica(instance, resource);
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    if (resource != kNone && r != resource) continue;
    const double capacity = most_capacity_within(instance, r, nodes, cost);
    if (!(capacity > 0)) continue;
    for (std::uint32_t t = 0; t < instance.periods(); ++t) {
      double demand = 0;
      for (AppId app = 0; app < instance.apps(); ++app) demand += instance.replicas(app) * instance.demand(app, r, t);
      for (NodeId node = 0; node < instance.listed_nodes(); ++node) demand += instance.load(node, r, t);
      most = std::max(most, demand / capacity);
    }
  }
  return most * (1 - kValueTolerance);
}

// Of any complete plan that is as good as this one by the goals before; negative: none is known.
double bound_of_goal(const Instance& instance, const Request& request, const Plan& plan, std::size_t k) {
  const PlanGoal& goal = plan.goals[k];
  if (!plan.is_complete() && goal.what != GoalKind::kAdmitted) return -1;
  if (goal.what == GoalKind::kBalance) {
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
    return balance_bound(instance, goal.resource, nodes, cost);
  }
  const auto objective = goal.what == GoalKind::kNodes  ? Objective::kNodes
                         : goal.what == GoalKind::kCost ? judged_by(instance, Objective::kNodes)
                                                        : objective_of_goal(goal.what).value_or(Objective::kSoftRules);
  if (objective == Objective::kSoftRules) return 0;
  const std::optional<Bound>& bound = plan.bounds[objective];
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
  const auto has = [&](GoalKind what) {
    return std::any_of(request.goals.begin(), request.goals.end(), [&](const PlanGoal& goal) { return goal.what == what; });
  };
  const std::size_t first = level_of_objective(request, levels);
  if (first < levels.size() && is_single_goal(levels[first])) {
    run.objective = objective_of_goal(request.goals[levels[first].begin].what).value_or(Objective::kNodes);
  }
  if (first == 0 && has(GoalKind::kSoftRules)) run.soft = SoftPolicy::kLast;
  if (has(GoalKind::kAdmitted)) run.all_or_nothing = true;
  if (has(GoalKind::kMoves) && run.move_budget == 0) run.move_budget = kNone;
  return run;
}

std::size_t levels_by_objective(const Instance& instance, const Request& request) {
  const std::vector<GoalLevel> levels = levels_of(request.goals);
  const std::size_t first = levels.empty() ? 0 : level_of_objective(request, levels);
  if (first >= levels.size() || !is_single_goal(levels[first])) return first;
  const GoalKind what = request.goals[levels[first].begin].what;
  // The objective means cost where there are prices.
  if (!objective_of_goal(what) || (what == GoalKind::kNodes && instance.has_prices())) return first;
  return first + 1;
}

double goal_value(const Instance& instance, const PlanGoal& goal, const Plan& plan) {
  switch (goal.what) {
    case GoalKind::kCost:
      return value(instance, plan, judged_by(instance, Objective::kNodes));
    case GoalKind::kMoves:
    case GoalKind::kBalance:
    case GoalKind::kEvenness:
      return value_of_term(*make_term(instance, goal), instance, plan);
    case GoalKind::kSoftRules:
      return std::max(0.0, value(instance, plan, Objective::kSoftRules));
    default:
      return value(instance, plan, *objective_of_goal(goal.what));
  }
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
