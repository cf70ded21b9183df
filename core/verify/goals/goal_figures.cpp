#include "core/verify/goals/goal_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stowage {
namespace {

// Per node of the plan: the share of its capacity that is used in the fullest period, of one resource or of the one of which
// most is used.
std::vector<double> checked_use_of_nodes(const Instance& instance, const Plan& plan, ResourceId of) {
  const std::uint32_t periods = instance.periods();
  const std::size_t cells = std::size_t{instance.resources()} * periods;
  std::vector<double> used(plan.nodes.size() * cells, 0);
  for (const Placed& placed : plan.placed) {
    if (placed.node >= plan.nodes.size() || placed.app >= instance.apps()) continue;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const auto r = static_cast<ResourceId>(cell / periods);
      used[placed.node * cells + cell] +=
          placed.replicas * instance.demand(placed.app, r, static_cast<std::uint32_t>(cell % periods));
    }
  }
  std::vector<double> shares(plan.nodes.size(), 0);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    if (node.node_class >= instance.classes() || (node.listed != kNone && node.listed >= instance.listed_nodes())) continue;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const auto r = static_cast<ResourceId>(cell / periods);
      const auto t = static_cast<std::uint32_t>(cell % periods);
      const double capacity = instance.data().classes[node.node_class].capacity[r];
      if ((of != kNone && r != of) || !(capacity > 0)) continue;
      const double load = node.listed == kNone ? 0 : instance.load(node.listed, r, t);
      const double sum = used[n * cells + cell] + load + instance.daemon(node.listed, node.node_class, r, t);
      shares[n] = std::max(shares[n], sum / capacity);
    }
  }
  return shares;
}

// Between the nodes in use: spare nodes hold nothing.
double checked_deviation(const Instance& instance, const Plan& plan, const std::vector<double>& of_nodes) {
  std::vector<double> copies(of_nodes.size(), 0);
  for (const Placed& placed : plan.placed) {
    if (placed.node < copies.size()) copies[placed.node] = plan.nodes[placed.node].copies;
  }
  for (std::size_t n = 0; n < copies.size(); ++n) {
    const NodeId listed = plan.nodes[n].listed;
    if (listed < instance.listed_nodes() && instance.is_loaded(listed)) copies[n] = 1;
  }
  double nodes = 0;
  double mean = 0;
  for (std::size_t n = 0; n < of_nodes.size(); ++n) {
    nodes += copies[n];
    mean += copies[n] * of_nodes[n];
  }
  if (!(nodes > 0)) return 0;
  mean /= nodes;
  double sum = 0;
  for (std::size_t n = 0; n < of_nodes.size(); ++n) sum += copies[n] * (of_nodes[n] - mean) * (of_nodes[n] - mean);
  return std::sqrt(sum / nodes);
}

double recomputed_goal(const Instance& instance, const Plan& plan, const FoundFigures& found, const ReachedGoal& goal) {
  switch (goal.what) {
    case GoalKind::kCost:
      return found.cost;
    case GoalKind::kNodes:
      return found.nodes;
    case GoalKind::kMoves:
      return found.moves;
    case GoalKind::kBalance: {
      const std::vector<double> shares = checked_use_of_nodes(instance, plan, goal.resource);
      return shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    }
    case GoalKind::kEvenness:
      return checked_deviation(instance, plan, checked_use_of_nodes(instance, plan, goal.resource));
    case GoalKind::kSoftRules:
      return found.soft_rules;
    case GoalKind::kUcac:
      return found.ucac;
    case GoalKind::kWorst:
      return found.worst;
    case GoalKind::kTotal:
      return found.total;
    case GoalKind::kAdmitted:
      return found.left_out;
    case GoalKind::kTraffic:
      return found.remote_traffic;
    case GoalKind::kEnd:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<WrongGoal> check_goal_figures(const Instance& instance, const Plan& plan, const FoundFigures& found) {
  // Sums of squares lose half of the digits.
  constexpr double kTolerance = 1e-6;
  std::vector<WrongGoal> wrong;
  std::size_t begin = 0;
  double value = 0;
  double bound = 0;
  for (std::size_t k = 0; k < plan.goals.size(); ++k) {
    const ReachedGoal& goal = plan.goals[k];
    const auto refuse = [&](const char* field, double said, double expected) {
      wrong.push_back({indexed("goals", k) + "." + field, said, expected});
    };
    if (goal.what >= GoalKind::kEnd || (goal.resource != kNone && goal.resource >= instance.resources())) {
      refuse("what", static_cast<double>(goal.what), 0);
      return wrong;
    }
    if (!(goal.weight > 0) || !std::isfinite(goal.weight)) refuse("weight", goal.weight, 1);
    if (!(goal.tolerance >= 0) || !std::isfinite(goal.tolerance)) refuse("tolerance", goal.tolerance, 0);
    const double now = recomputed_goal(instance, plan, found, goal);
    const double slack = kTolerance * (1 + std::abs(now));
    if (!(std::abs(goal.value - now) <= slack)) refuse("value", goal.value, now);
    if (std::isnan(goal.bound) || (goal.bound > now + slack && plan.unplaced.empty())) refuse("bound", goal.bound, now);
    if (k == 0 || !goal.beside) {
      begin = k;
      value = 0;
      bound = 0;
    }
    value += goal.weight * now;
    bound = goal.bound < 0 || bound < 0 ? -1 : bound + goal.weight * goal.bound;
    const bool ends = k + 1 == plan.goals.size() || !plan.goals[k + 1].beside;
    if (!ends) continue;
    const bool may_be_proven = bound >= 0 && value <= bound + kTolerance * (1 + bound);
    for (std::size_t j = begin; j <= k; ++j) {
      if (plan.goals[j].proven && !may_be_proven) wrong.push_back({indexed("goals", j) + ".proven", value, bound});
    }
  }
  return wrong;
}

}  // namespace stowage
