#include "core/verify/goals/goal_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "core/verify/goals/row_lists.h"

namespace stowage {
namespace {

// Steps of a node besides those for its tenants.
constexpr std::uint64_t kStepsPerFigureNode = 4;

// How full the nodes of a plan are. Entries are read node by node, so that one row of periods has all that is summed.
class CheckedUse {
 public:
  CheckedUse(const Instance& instance, const Plan& plan, WatchRef watch)
      : instance_(instance), plan_(plan), watch_(watch), row_(instance.periods(), 0) {}

  // Per node of the plan: the share of its capacity that is used in the fullest period, of one resource or of the one of which
  // most is used. Where the watch ends the call, it is incomplete and nobody uses it.
  std::vector<double> of_nodes(ResourceId of) {
    if (entries_.begin.empty()) find_entries();
    std::vector<double> shares(plan_.nodes.size(), 0);
    for (NodeId n = 0; n < shares.size(); ++n) {
      if (watch_.step(kStepsPerFigureNode)) return shares;
      const PlannedNode& node = plan_.nodes[n];
      const bool bad =
          node.node_class >= instance_.classes() || (node.listed != kNone && node.listed >= instance_.listed_nodes());
      if (bad) continue;
      for (ResourceId r = 0; r < instance_.resources(); ++r) {
        const double capacity = instance_.data().classes[node.node_class].capacity[r];
        if ((of != kNone && r != of) || !(capacity > 0)) continue;
        if (watch_.step((1 + entries_[n].size()) * row_.size())) return shares;
        shares[n] = std::max(shares[n], most_used(n, r) / capacity);
      }
    }
    return shares;
  }

 private:
  // Entries that are not valid are in a row after those of the nodes.
  void find_entries() {
    const auto row_of = [this](std::size_t entry) {
      const Placed& placed = plan_.placed[entry];
      return placed.app < instance_.apps() ? std::min<std::size_t>(placed.node, plan_.nodes.size()) : plan_.nodes.size();
    };
    entries_ = rows_by(plan_.nodes.size() + 1, plan_.placed.size(), row_of, watch_);
  }

  double most_used(NodeId n, ResourceId r) {
    const PlannedNode& node = plan_.nodes[n];
    std::fill(row_.begin(), row_.end(), 0);
    for (const std::uint32_t entry : entries_[n]) {
      const Placed& placed = plan_.placed[entry];
      const std::span<const double> demand = instance_.demand_over_time(placed.app, r);
      const std::size_t stride = demand.size() > 1 ? 1 : 0;
      for (std::size_t t = 0; t < row_.size(); ++t) row_[t] += placed.replicas * demand[t * stride];
    }
    double most = 0;
    for (std::uint32_t t = 0; t < row_.size(); ++t) {
      const double load = node.listed == kNone ? 0 : instance_.load(node.listed, r, t);
      most = std::max(most, row_[t] + load + instance_.daemon(node.listed, node.node_class, r, t));
    }
    return most;
  }

  const Instance& instance_;
  const Plan& plan_;
  WatchRef watch_;
  RowLists entries_;         // entries of the plan by node; empty before they are needed
  std::vector<double> row_;  // scratch, per period
};

// Between the nodes in use: spare nodes hold nothing. Means nothing where the watch ends the call.
double checked_deviation(const Instance& instance, const Plan& plan, const std::vector<double>& of_nodes, WatchRef watch) {
  std::vector<double> copies(of_nodes.size(), 0);
  for (const Placed& placed : plan.placed) {
    if (watch.step()) return 0;
    if (placed.node < copies.size()) copies[placed.node] = plan.nodes[placed.node].copies;
  }
  for (std::size_t n = 0; n < copies.size(); ++n) {
    if (watch.step(kStepsPerFigureNode + instance.dims())) return 0;
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

// Means nothing where the watch ends the call.
double recomputed_goal(const Instance& instance, const Plan& plan, const FoundFigures& found, const ReachedGoal& goal,
                       CheckedUse& use, WatchRef watch) {
  switch (goal.what) {
    case GoalKind::kCost:
      return found.cost;
    case GoalKind::kNodes:
      return found.nodes;
    case GoalKind::kMoves:
      return found.moves;
    case GoalKind::kBalance: {
      const std::vector<double> shares = use.of_nodes(goal.resource);
      return shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    }
    case GoalKind::kEvenness:
      return checked_deviation(instance, plan, use.of_nodes(goal.resource), watch);
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

std::vector<WrongGoal> check_goal_figures(const Instance& instance, const Plan& plan, const FoundFigures& found,
                                          WatchRef watch) {
  // Sums of squares lose half of the digits.
  constexpr double kTolerance = 1e-6;
  std::vector<WrongGoal> wrong;
  CheckedUse use(instance, plan, watch);
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
    const double now = recomputed_goal(instance, plan, found, goal, use, watch);
    if (watch.ended()) return wrong;
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
