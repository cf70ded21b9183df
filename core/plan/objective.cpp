#include "core/plan/objective.h"

#include <cstdint>
#include <functional>
#include <map>

#include "core/plan/compact_plan.h"

namespace stowage {

/// Whether a plan leaves less over than another: fewer replicas of the highest priority in which they differ.
bool leaves_less(const Instance& instance, const Plan& plan, const Plan& other) {
  std::map<std::int32_t, std::int64_t, std::greater<>> surplus;
  for (const Unplaced& u : plan.unplaced) surplus[instance.priority(u.app)] += u.replicas;
  for (const Unplaced& u : other.unplaced) surplus[instance.priority(u.app)] -= u.replicas;
  for (const auto& [priority, replicas] : surplus) {
    if (replicas != 0) return replicas < 0;
  }
  return false;
}

/// Whether a plan is better than another of the same request, both with bounds and figures: what is left over counts first,
/// then what breaks rules, then what the request makes small.
bool better_plan(const Instance& instance, const Plan& plan, const Plan& other) {
  if (leaves_less(instance, plan, other)) return true;
  if (leaves_less(instance, other, plan)) return false;
  if (plan.inherited_violations != other.inherited_violations) return plan.inherited_violations < other.inherited_violations;
  if (plan.objective == PlanObjective::kUcac) return plan.ucac < other.ucac;
  if (plan.rule_costs.cost != other.rule_costs.cost) return plan.rule_costs.cost < other.rule_costs.cost;
  if (instance.has_prices() && plan.cost != other.cost) return plan.cost < other.cost;
  return nodes_in_use(plan) < nodes_in_use(other);
}

}  // namespace stowage
