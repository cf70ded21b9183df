#include "core/plan/objective.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "core/plan/compact_plan.h"
#include "core/plan/plan.h"
#include "core/plan/remote_traffic.h"
#include "core/plan/side_effects.h"
#include "core/plan/used_capacity.h"

namespace stowage {
namespace {

bool always(const Instance&) { return true; }
double count_nodes(const Instance&, const Plan& plan) { return static_cast<double>(nodes_in_use(plan)); }

bool is_uncertain(const Instance& instance) { return instance.uncertain(); }

bool has_side_effects(const Instance& instance) { return instance.has_interference(); }
double worst_cost(const Instance& instance, const Plan& plan) { return side_effects(instance, plan).worst; }
double total_cost(const Instance& instance, const Plan& plan) { return side_effects(instance, plan).total; }

// Per app: whether it is the lowest index of an application that lacks replicas.
std::vector<std::uint8_t> left_out_applications(const Instance& instance, const Plan& plan) {
  std::vector<std::uint8_t> left_out(instance.apps(), 0);
  for (const Unplaced& left : plan.unplaced)
    if (left.replicas > 0) left_out[instance.application(left.app)] = 1;
  return left_out;
}
double left_out_weight(const Instance& instance, const Plan& plan) {
  const std::vector<std::uint8_t> left_out = left_out_applications(instance, plan);
  const std::vector<double> weight = application_weights(instance);
  double sum = 0;
  for (AppId app = 0; app < instance.apps(); ++app) sum += left_out[app] != 0 ? weight[app] : 0;
  return sum;
}
double all_weight(const Instance& instance) {
  const std::vector<double> weight = application_weights(instance);
  return std::accumulate(weight.begin(), weight.end(), 0.0);
}

bool has_traffic(const Instance& instance) { return !instance.data().traffic.empty(); }

bool has_prices(const Instance& instance) { return instance.has_prices(); }
// By class, so that plans with the same nodes have the same cost to the last bit.
double sum_prices(const Instance& instance, const Plan& plan) {
  std::vector<std::uint64_t> nodes(instance.classes(), 0);
  for (const PlannedNode& node : plan.nodes) nodes[node.node_class] += node.copies;
  double sum = 0;
  for (ClassId c = 0; c < instance.classes(); ++c) sum += static_cast<double>(nodes[c]) * instance.node_cost(c);
  return sum;
}

bool has_soft_rules(const Instance& instance) { return instance.tag_model().has_soft(); }
double soft_violations(const Instance&, const Plan& plan) { return plan.rule_costs.cost; }

constexpr ObjectiveInfo kTable[] = {
    {Objective::kNodes, "nodes", false, always, count_nodes},
    {Objective::kUcac, "ucac", true, is_uncertain, used_capacity},
    {Objective::kWorst, "worst", true, has_side_effects, worst_cost},
    {Objective::kTotal, "total", true, has_side_effects, total_cost},
    {Objective::kAdmitted, "admitted", true, always, left_out_weight, all_weight},
    {Objective::kTraffic, "traffic", true, has_traffic, remote_traffic, all_traffic},
    {Objective::kCost, "cost", true, has_prices, sum_prices},
    {Objective::kSoftRules, "soft-rules", true, has_soft_rules, soft_violations},
};
static_assert(std::size(kTable) == kObjectives);

}  // namespace

std::span<const ObjectiveInfo> objective_table() { return kTable; }

Objective judged_by(const Instance& instance, Objective requested) {
  return requested == Objective::kNodes && instance.has_prices() ? Objective::kCost : requested;
}

double value(const Instance& instance, const Plan& plan, Objective objective) {
  return info_of(objective).value(instance, plan);
}

double judged_value(const Instance& instance, const Plan& plan, const Judgement& judgement) {
  const double own = value(instance, plan, judged_by(instance, judgement.objective));
  // A plan that the checker has not seen has a negative value of kSoftRules.
  return judgement.soft == SoftPolicy::kPrice
             ? own + judgement.soft_price * std::max(0.0, value(instance, plan, Objective::kSoftRules))
             : own;
}

bool reaches(Objective objective, double value, double bound) {
  return value <= (info_of(objective).rounds ? bound * (1 + kValueTolerance) : bound);
}

bool violations_count(const Instance& instance, const Plan& plan) {
  if (plan.objective != Objective::kNodes || plan.soft == SoftPolicy::kLast) return false;
  const std::vector<PlacementRule>& rules = instance.rules();
  // A price holds for what was broken at the start as well.
  return plan.soft == SoftPolicy::kPrice
             ? !rules.empty()
             : std::any_of(rules.begin(), rules.end(), [](const PlacementRule& rule) { return !rule.hard; });
}

bool proven(const Instance& instance, const Plan& plan) {
  if (!std::all_of(plan.goals.begin(), plan.goals.end(), [](const ReachedGoal& goal) { return goal.proven; })) return false;
  if (plan.soft == SoftPolicy::kFirst && violations_count(instance, plan) && plan.rule_costs.cost > 0) return false;
  const Objective objective = judged_by(instance, plan.objective);
  const std::optional<Bound>& bound = plan.bounds[objective];
  return plan.is_complete() && bound && reaches(objective, judged_value(instance, plan, plan.judgement()), bound->value);
}

double gap_of(const Instance& instance, const Plan& plan) {
  const Objective objective = judged_by(instance, plan.objective);
  const std::optional<Bound>& bound = plan.bounds[objective];
  const auto whole = info_of(objective).whole;
  if ((!plan.unplaced.empty() && whole == nullptr) || !plan.keeps_promises() || !bound) return -1;
  const double value = judged_value(instance, plan, plan.judgement());
  const double all = whole == nullptr ? 0 : whole(instance);
  const double measure = whole == nullptr ? bound->value : all - value;
  // Where nothing is there, the difference of two sums may be a little above 0.
  if (!(measure > kValueTolerance * all)) return -1;
  return reaches(objective, value, bound->value) ? 0 : (value - bound->value) / measure;
}

bool counts_replicas(const Instance& instance, const Judgement& judgement) {
  return judgement.objective != Objective::kAdmitted && !judgement.fill && instance.data().weight.empty();
}

std::vector<double> application_weights(const Instance& instance) {
  std::vector<double> weight(instance.apps(), 0);
  for (AppId app = 0; app < instance.apps(); ++app) {
    double& most = weight[instance.application(app)];
    if (instance.replicas(app) > 0) most = std::max(most, instance.weight(app));
  }
  return weight;
}

double replica_worth(const Instance& instance, AppId app, bool fill) {
  if (!fill) return instance.weight(app);
  double share = 0;
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    const double capacity = instance.largest_capacity(r);
    if (!(capacity > 0)) continue;
    const std::span<const double> demand = instance.demand_over_time(app, r);
    share += std::accumulate(demand.begin(), demand.end(), 0.0) / static_cast<double>(demand.size()) / capacity;
  }
  return instance.weight(app) * share / instance.resources();
}

LeftOver::LeftOver(const Instance& instance, const Plan& plan, bool fill) {
  for (const Unplaced& left : plan.unplaced) {
    add(instance.priority(left.app), left.replicas, replica_worth(instance, left.app, fill));
  }
}

LeftOver left_over_of(const Instance& instance, const Plan& plan, const Judgement& judgement) {
  if (judgement.objective != Objective::kAdmitted) return LeftOver(instance, plan, judgement.fill);
  const std::vector<std::uint8_t> left_out = left_out_applications(instance, plan);
  const std::vector<double> weight = application_weights(instance);
  std::vector<std::int32_t> priority(instance.apps(), std::numeric_limits<std::int32_t>::min());
  for (AppId app = 0; app < instance.apps(); ++app) {
    std::int32_t& highest = priority[instance.application(app)];
    if (instance.replicas(app) > 0) highest = std::max(highest, instance.priority(app));
  }
  LeftOver left;
  for (AppId app = 0; app < instance.apps(); ++app) left.add(priority[app], left_out[app], weight[app]);
  return left;
}

bool places_most(const Instance& instance, const Plan& plan) {
  if (plan.objective == Objective::kAdmitted) {
    // The bound is on the sum over all priorities.
    const std::optional<Bound>& bound = plan.bounds[Objective::kAdmitted];
    return !plan.unplaced.empty() && bound && !contains(instance.features(), Feature::kPriorities) &&
           reaches(Objective::kAdmitted, value(instance, plan, Objective::kAdmitted), bound->value);
  }
  return !plan.unplaced.empty() && plan.left_over_bound && LeftOver(instance, plan, false) == *plan.left_over_bound;
}

bool operator<(const PlanKey& a, const PlanKey& b) {
  if (!(a.left_over == b.left_over)) return a.left_over < b.left_over;
  if (a.inherited != b.inherited) return a.inherited < b.inherited;
  if (a.soft != b.soft) return a.soft < b.soft;
  if (a.goals != b.goals) return a.goals < b.goals;
  if (a.value != b.value) return a.value < b.value;
  return a.soft_among_equals != b.soft_among_equals ? a.soft_among_equals < b.soft_among_equals : a.tie < b.tie;
}

PlanKey key_of(const Instance& instance, const Plan& plan, const Judgement& judgement) {
  PlanKey key;
  key.left_over = left_over_of(instance, plan, judgement);
  key.inherited = plan.inherited_violations;
  if (judgement.objective == Objective::kNodes) {
    double& soft = judgement.soft == SoftPolicy::kFirst ? key.soft : key.soft_among_equals;
    soft = value(instance, plan, Objective::kSoftRules);
    key.tie = value(instance, plan, Objective::kNodes);
  } else if (judgement.objective == Objective::kWorst) {
    key.tie = value(instance, plan, Objective::kTotal);
  } else if (judgement.objective == Objective::kAdmitted || judgement.objective == Objective::kTraffic) {
    key.tie = value(instance, plan, judged_by(instance, Objective::kNodes));
  }
  for (const ReachedGoal& goal : plan.goals) {
    if (key.goals.empty() || !goal.beside) key.goals.push_back(0);
    key.goals.back() += goal.weight * goal.value;
  }
  key.value = judged_value(instance, plan, judgement);
  return key;
}

bool better(const Instance& instance, const Judgement& judgement, const Plan& a, const Plan& b) {
  return key_of(instance, a, judgement) < key_of(instance, b, judgement);
}

}  // namespace stowage
