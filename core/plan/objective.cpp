#include "core/plan/objective.h"

#include <algorithm>

#include "core/plan/compact_plan.h"
#include "core/plan/plan.h"
#include "core/plan/used_capacity.h"

namespace stowage {
namespace {

bool always(const Instance&) { return true; }
double count_nodes(const Instance&, const Plan& plan) { return static_cast<double>(nodes_in_use(plan)); }

bool is_uncertain(const Instance& instance) { return instance.uncertain(); }

bool has_prices(const Instance& instance) { return instance.has_prices(); }
double sum_prices(const Instance& instance, const Plan& plan) {
  double sum = 0;
  for (const PlannedNode& node : plan.nodes) sum += node.copies * instance.data().classes[node.node_class].price;
  return sum;
}

bool has_soft_rules(const Instance& instance) { return instance.tag_model().has_soft(); }
double soft_violations(const Instance&, const Plan& plan) { return plan.rule_costs.cost; }

constexpr ObjectiveInfo kTable[] = {
    {Objective::kNodes, "nodes", false, always, count_nodes},
    {Objective::kUcac, "ucac", true, is_uncertain, used_capacity},
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

bool reaches(Objective objective, double value, double bound) {
  return value <= (info_of(objective).rounds ? bound * (1 + kValueTolerance) : bound);
}

bool proven(const Instance& instance, const Plan& plan) {
  const Objective objective = judged_by(instance, plan.objective);
  const std::optional<Bound>& bound = plan.bounds[objective];
  return plan.unplaced.empty() && bound && reaches(objective, value(instance, plan, objective), bound->value);
}

LeftOver::LeftOver(const Instance& instance, const Plan& plan) {
  for (const Unplaced& left : plan.unplaced) add(instance.priority(left.app), left.replicas);
}

bool places_most(const Instance& instance, const Plan& plan) {
  return !plan.unplaced.empty() && plan.left_over_bound && LeftOver(instance, plan) == *plan.left_over_bound;
}

bool operator<(const PlanKey& a, const PlanKey& b) {
  if (!(a.left_over == b.left_over)) return a.left_over < b.left_over;
  if (a.inherited != b.inherited) return a.inherited < b.inherited;
  if (a.soft != b.soft) return a.soft < b.soft;
  return a.value != b.value ? a.value < b.value : a.nodes < b.nodes;
}

PlanKey key_of(const Instance& instance, const Plan& plan, Objective requested) {
  PlanKey key;
  key.left_over = LeftOver(instance, plan);
  key.inherited = plan.inherited_violations;
  if (requested == Objective::kNodes) {
    key.soft = value(instance, plan, Objective::kSoftRules);
    key.nodes = value(instance, plan, Objective::kNodes);
  }
  key.value = value(instance, plan, judged_by(instance, requested));
  return key;
}

bool better(const Instance& instance, Objective requested, const Plan& a, const Plan& b) {
  return key_of(instance, a, requested) < key_of(instance, b, requested);
}

}  // namespace stowage
