// Every planner on generated instances: random requests, and what has to hold of each plan: planner, checker, judge and
// replays agree. Failures are GoogleTest's.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/columns/tree/column_bound.h"
#include "core/plan/compact_plan.h"
#include "core/plan/side_effects.h"
#include "core/planners/planner.h"
#include "core/run/portfolio.h"
#include "core/terms/asked/goals.h"
#include "core/verify/checker.h"
#include "tests/property/endless.h"
#include "tests/property/generator.h"
#include "tests/property/judge.h"

namespace stowage::test {

/// An objective of side effects, and a limit on what they may cost, from the request's seed.
inline void add_side_effects(const PlannerInfo& info, const Instance& instance, Request& request) {
  Random random(request.seed);
  const bool counted = most_nodes(instance, request.node_limit) != kNone;
  for (const Objective objective : {Objective::kWorst, Objective::kTotal}) {
    const bool pursued = info.pursues.contains(objective);
    if (counted && pursued && (!info.pursues.contains(Objective::kNodes) || random.chance(0.3))) request.objective = objective;
  }
  if ((info.honours & static_cast<FeatureSet>(Feature::kInterference)) == 0 || random.chance(0.6)) return;
  const std::vector<double> alone = instance.costs_alone();
  request.max_cost = *std::max_element(alone.begin(), alone.end()) * (1 + random.below(4)) + random.below(5);
}

/// A random request with options of the planner.
inline Request any_request(const PlannerInfo& info, const Generated& instance, const Instance& built, Random& random) {
  Request request;
  request.planner = info.name;
  request.seed = random.next();
  for (const OptionInfo& option : info.options) {
    if (random.chance(0.5)) continue;
    const double share = random.chance(0.2) ? 0 : random.chance(0.2) ? 1 : random.below(101) / 100.0;
    if (option.name == kPortfolioOption.name) {
      // Few runs, because each takes as long as a plan without the option.
      request.options.push_back({std::string(option.name), 1.0 + random.below(3), ""});
      request.threads = random.between(1, 3);
      continue;
    }
    request.options.push_back({std::string(option.name), option.min + share * (option.max - option.min), ""});
  }
  if (random.chance(0.3)) request.node_limit = random.between(1, instance.apps() + 2);
  request.ignore_running = random.chance(0.3);
  if (info.pursues.contains(Objective::kUcac) && built.uncertain() && random.chance(0.5)) request.objective = Objective::kUcac;
  request.all_or_nothing = (info.honours & static_cast<FeatureSet>(Feature::kPlacementRules)) != 0 && random.next() % 8 == 0;
  if (info.pursues.contains(Objective::kAdmitted) && (!info.pursues.contains(Objective::kNodes) || request.seed % 5 == 0)) {
    request.objective = Objective::kAdmitted;
    request.all_or_nothing = true;
  }
  if (may_go_on(info)) request.work_limit = 500'000;
  if (instance.data.has_interference && request.objective != Objective::kAdmitted) add_side_effects(info, built, request);
  const bool talks = info.pursues.contains(Objective::kTraffic) && !instance.data.traffic.empty();
  if (talks && request.objective == Objective::kNodes && request.seed / 7 % 3 == 0) request.objective = Objective::kTraffic;
  const bool may_price = request.objective == Objective::kNodes;
  request.soft = static_cast<SoftPolicy>(request.seed % (may_price ? 3 : 2));
  if (request.soft == SoftPolicy::kPrice) request.soft_price = static_cast<double>(request.seed / 3 % 5) / 4;
  request.fill = request.seed / 15 % 2 == 0;
  if (!request.ignore_running && request.seed / 30 % 3 == 0) request.move_budget = 1 + request.seed / 90 % 4;
  return request;
}

/// What two plans differ in; empty: nothing.
inline std::string same_plan(const Plan& a, const Plan& b) {
  const auto placed = [](const Placed& x, const Placed& y) {
    return x.app == y.app && x.node == y.node && x.replicas == y.replicas;
  };
  const auto nodes = [](const PlannedNode& x, const PlannedNode& y) {
    return x.node_class == y.node_class && x.listed == y.listed && x.copies == y.copies;
  };
  const auto unplaced = [](const Unplaced& x, const Unplaced& y) { return x.app == y.app && x.replicas == y.replicas; };
  if (!std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), nodes)) return "nodes differ";
  if (!std::equal(a.placed.begin(), a.placed.end(), b.placed.begin(), b.placed.end(), placed)) return "seats differ";
  if (!std::equal(a.unplaced.begin(), a.unplaced.end(), b.unplaced.begin(), b.unplaced.end(), unplaced)) return "rests differ";
  if (a.status != b.status || a.work != b.work || a.gap != b.gap || a.cost != b.cost || a.moves != b.moves)
    return "figures differ: status " + std::to_string(static_cast<int>(a.status)) + " and " +
           std::to_string(static_cast<int>(b.status)) + ", work " + std::to_string(a.work) + " and " + std::to_string(b.work) +
           ", gap " + std::to_string(a.gap) + " and " + std::to_string(b.gap);
  if (!(a.bounds[Objective::kNodes] == b.bounds[Objective::kNodes] && a.bounds[Objective::kCost] == b.bounds[Objective::kCost]))
    return "bounds differ";
  if (a.ucac != b.ucac || a.node_ucac != b.node_ucac || !(a.bounds[Objective::kUcac] == b.bounds[Objective::kUcac]))
    return "used capacities differ";
  if (a.max_cost != b.max_cost || a.total_cost != b.total_cost || a.node_max_cost != b.node_max_cost)
    return "side effects differ";
  if (a.left_out != b.left_out || !(a.bounds[Objective::kAdmitted] == b.bounds[Objective::kAdmitted]))
    return "admissions differ";
  if (a.remote_traffic != b.remote_traffic || !(a.bounds[Objective::kTraffic] == b.bounds[Objective::kTraffic]))
    return "remote traffic differs";
  const auto goals = [](const ReachedGoal& x, const ReachedGoal& y) {
    return x.value == y.value && x.bound == y.bound && x.proven == y.proven;
  };
  if (!std::equal(a.goals.begin(), a.goals.end(), b.goals.begin(), b.goals.end(), goals)) return "goals differ";
  if (a.rule_costs.cost != b.rule_costs.cost || a.rule_costs.violations != b.rule_costs.violations) return "rule costs differ";
  return "";
}

/// The checker and the judge accept the plan, and the checker counts what the plan states.
inline void check_feasible(const Generated& generated, const Instance& instance, const Request& request, const Plan& plan) {
  const Verification checked = check_plan(instance, plan);
  EXPECT_TRUE(checked.ok);
  const Judge judge(generated);
  EXPECT_EQ(judge.plan_problem(plan, by_goals(request)), "");
  EXPECT_EQ(plan.inherited_violations, checked.inherited_count);
  EXPECT_EQ(plan.moves, checked.moves);
}

/// The scope kViolations finds the same violations as kAll, also in a plan that overloads nodes.
inline void check_scopes(const Generated&, const Instance& instance, const Request&, const Plan& plan) {
  Plan pushed = plan;
  for (Placed& placed : pushed.placed) placed.node /= 2;
  for (const Plan& one : {plan, pushed}) {
    const Verification all = check_plan(instance, one);
    const Verification alone = check_plan(instance, one, CheckScope::kViolations);
    EXPECT_EQ(alone.ok, all.ok);
    EXPECT_EQ(alone.inherited_count, all.inherited_count);
    EXPECT_EQ(alone.ucac, all.ucac);
    EXPECT_EQ(alone.max_cost, all.max_cost);
    EXPECT_EQ(alone.total_cost, all.total_cost);
    ASSERT_EQ(alone.violation_count, all.violation_count);
    for (std::size_t k = 0; k < all.violations.size(); ++k) {
      EXPECT_EQ(alone.violations[k].kind, all.violations[k].kind);
      EXPECT_EQ(alone.violations[k].node, all.violations[k].node);
      EXPECT_EQ(alone.violations[k].amount, all.violations[k].amount);
    }
  }
}

/// Status, bounds, gap and figures of the plan agree with each other and with the bounds of its instance.
inline void check_statements(const Generated&, const Instance& instance, const Request& request, const Plan& plan) {
  const bool complete = plan.unplaced.empty();
  const auto nodes = static_cast<double>(plan.nodes.size());
  switch (plan.status) {
    case PlanStatus::kOptimal:
    case PlanStatus::kComplete:
      EXPECT_TRUE(complete);
      break;
    case PlanStatus::kPartial:
    case PlanStatus::kInfeasibleProven:
      EXPECT_FALSE(complete);
      break;
    case PlanStatus::kDeadline:
      EXPECT_GT(request.work_limit, 0u) << "nobody asked for that";
      break;
    case PlanStatus::kCancelled:
      ADD_FAILURE() << "nobody asked for that";
      break;
  }
  const ComputedBounds bounds =
      compute_bounds(request.max_cost > 0 ? instance.with_max_cost(request.max_cost) : instance, request.node_limit);
  if (complete) {
    EXPECT_FALSE(bounds.infeasible);
    for (const ComputedBound& bound : bounds.of[Objective::kNodes]) EXPECT_LE(bound.value.value, nodes) << bound.info->name;
    for (const ComputedBound& bound : bounds.of[Objective::kCost]) {
      EXPECT_LE(bound.value.value, plan.cost * (1 + 1e-9)) << bound.info->name;
    }
  }
  // A planner may have proven a better bound by itself.
  const std::string& proven_by = plan.bounds[Objective::kNodes]->name;
  if (proven_by == column_bound_info(Objective::kNodes).name) {
    EXPECT_GT(plan.bounds[Objective::kNodes]->value, bounds.fewest_nodes());
  } else {
    EXPECT_EQ(plan.bounds[Objective::kNodes]->value, bounds.fewest_nodes());
  }
  EXPECT_EQ(plan.ucac >= 0, instance.uncertain());
  for (const ComputedBound& bound : bounds.of[Objective::kUcac])
    EXPECT_LE(bound.value.value, plan.bounds[Objective::kUcac]->value) << bound.info->name;
  if (complete && instance.uncertain()) {
    EXPECT_LE(plan.bounds[Objective::kUcac]->value, plan.ucac * (1 + 1e-9));
  }
  EXPECT_EQ(plan.max_cost >= 0, instance.has_interference());
  for (const Objective objective : {Objective::kWorst, Objective::kTotal}) {
    for (const ComputedBound& bound : bounds.of[objective]) {
      EXPECT_LE(bound.value.value, plan.bounds[objective]->value) << bound.info->name;
    }
    if (!complete || !plan.bounds[objective]) continue;
    EXPECT_LE(plan.bounds[objective]->value, (objective == Objective::kWorst ? plan.max_cost : plan.total_cost) * (1 + 1e-9));
  }
  EXPECT_EQ(plan.remote_traffic >= 0, !instance.data().traffic.empty());
  for (const ComputedBound& bound : bounds.of[Objective::kTraffic]) {
    EXPECT_LE(bound.value.value, plan.bounds[Objective::kTraffic]->value) << bound.info->name;
    EXPECT_LE(plan.bounds[Objective::kTraffic]->value, plan.remote_traffic * (1 + 1e-9)) << "whatever is left over";
  }
  const Objective judged = plan.objective == Objective::kNodes && instance.has_prices() ? Objective::kCost : plan.objective;
  const double reached = (judged == Objective::kUcac      ? plan.ucac
                          : judged == Objective::kCost    ? plan.cost
                          : judged == Objective::kWorst   ? plan.max_cost
                          : judged == Objective::kTotal   ? plan.total_cost
                          : judged == Objective::kTraffic ? plan.remote_traffic
                                                          : nodes) +
                         plan.soft_price * std::max(0.0, plan.rule_costs.cost);
  const double bound = plan.bounds[judged] ? plan.bounds[judged]->value : 0;
  if (judged == Objective::kAdmitted) {
    const double all = info_of(judged).whole(instance);
    ASSERT_TRUE(plan.bounds[judged]);
    EXPECT_LE(plan.bounds[judged]->value, plan.left_out * (1 + 1e-9));
    EXPECT_NEAR(plan.gap, all > plan.left_out ? std::max(0.0, (plan.left_out - bound) / (all - plan.left_out)) : -1, 1e-9);
    return;
  }
  if (judged == Objective::kTraffic) {
    const double stays = info_of(judged).whole(instance) - plan.remote_traffic;
    const double all = info_of(judged).whole(instance);
    const double gap = stays > 1e-9 * all ? std::max(0.0, (plan.remote_traffic - bound) / stays) : -1;
    EXPECT_NEAR(plan.gap, gap, gap < 0 ? 0 : 1e-9 * (1 + gap + all / stays));
    return;
  }
  EXPECT_NEAR(plan.gap, complete && bound > 0 ? std::max(0.0, (reached - bound) / bound) : -1, 1e-9);
}

/// The same request gives the same plan, with more threads and on an instance that is built again.
inline void check_repetition(const Generated& generated, const Instance& instance, const Request& request, const Plan& plan) {
  Request again = request;
  again.threads = 2;
  const auto second = run_planner(instance, again, nullptr);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(same_plan(plan, second.value()), "");
  // An instance that is built again from the same content gives the same plan.
  const Instance twin = generated.build();
  ASSERT_EQ(twin.fingerprint(), instance.fingerprint());
  const auto third = run_planner(twin, request, nullptr);
  ASSERT_TRUE(third.ok());
  EXPECT_EQ(same_plan(plan, third.value()), "");
}

/// The checker finds the same in a compact plan and in the plan with one entry per node, also in plans that overload nodes.
inline void check_compact(const Generated&, const Instance& instance, const Request& request, const Plan& plan) {
  Request brief = request;
  brief.compact = true;
  const auto made = run_planner(instance, brief, nullptr);
  ASSERT_TRUE(made.ok());
  Plan compacted = plan;
  compact(compacted);
  EXPECT_EQ(same_plan(made.value(), compacted), "");
  EXPECT_EQ(nodes_in_use(made.value()), plan.nodes.size());
  EXPECT_TRUE(check_plan(instance, made.value()).ok);
  Plan pushed = compacted;
  for (Placed& placed : pushed.placed) placed.node /= 2;
  for (const Plan& one : {compacted, pushed}) {
    Plan each = one;
    expand(each);
    const Verification brief_check = check_plan(instance, one);
    const Verification check = check_plan(instance, each);
    EXPECT_EQ(brief_check.ok, check.ok);
    EXPECT_EQ(brief_check.nodes, check.nodes);
    EXPECT_EQ(brief_check.placed, check.placed);
    EXPECT_EQ(brief_check.moves, check.moves);
    EXPECT_NEAR(brief_check.cost, check.cost, 1e-9 * std::max(1.0, check.cost));
    EXPECT_NEAR(brief_check.ucac, check.ucac, 1e-9 * std::max(1.0, check.ucac));
    EXPECT_EQ(brief_check.max_cost, check.max_cost);
    EXPECT_NEAR(brief_check.total_cost, check.total_cost, 1e-9 * std::max(1.0, check.total_cost));
    EXPECT_EQ(brief_check.metrics.fragmented_nodes, check.metrics.fragmented_nodes);
    EXPECT_EQ(brief_check.rule_costs.violations, check.rule_costs.violations);
    EXPECT_EQ(brief_check.rule_costs.replicas, check.rule_costs.replicas);
    EXPECT_NEAR(brief_check.rule_costs.cost, check.rule_costs.cost, 1e-9 * std::max(1.0, check.rule_costs.cost));
  }
}

/// The request whose work limit, and whose pace, repeat the plan of another one. A portfolio's plan is that of one of its runs.
inline Request that_repeats(Request request, const Plan& plan) {
  request.deadline_ms = 0;
  request.patience_ms = 0;
  request.work_limit = plan.work;
  request.seed = plan.seed;
  std::erase_if(request.options, [](const RequestOption& option) { return option.name == kPortfolioOption.name; });
  if (plan.pace > 0) {
    std::erase_if(request.options, [](const RequestOption& option) { return option.name == "pace"; });
    request.options.push_back({"pace", static_cast<double>(plan.pace), ""});
  }
  return request;
}

/// A run with a work limit ends between two steps, and its plan's work is the work limit that repeats it.
inline void check_cut_runs(const Generated& generated, const Instance& instance, const Request& request, const Plan& plan) {
  Request limited = request;
  limited.work_limit = std::max<std::uint64_t>(1, plan.work / 2);
  const auto cut = run_planner(instance, limited, nullptr);
  ASSERT_TRUE(cut.ok());
  EXPECT_TRUE(check_plan(instance, cut.value()).ok);
  EXPECT_EQ(Judge(generated).plan_problem(cut.value(), by_goals(limited)), "");
  limited = that_repeats(limited, cut.value());
  const auto replay = run_planner(instance, limited, nullptr);
  ASSERT_TRUE(replay.ok());
  EXPECT_EQ(same_plan(replay.value(), cut.value()), "");
  if (request.work_limit != 0 && plan.work >= request.work_limit) return;  // the run ended at its limit
  limited = that_repeats(request, plan);
  const auto whole = run_planner(instance, limited, nullptr);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(same_plan(whole.value(), plan), "");
}

/// An unplaced replica fits on no node. Scaled units that are not exact round demand up, so instances with such units are left
/// out.
inline void check_nothing_overlooked(const Generated& generated, const Instance& instance, const Request& request,
                                     const Plan& plan) {
  // This planner counts replicas with more than they need.
  if (plan.planner == "bf-nsigma") return;
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    if (!instance.scale(r).exact()) return;
  }
  EXPECT_EQ(Judge(generated).overlooked(plan, by_goals(request)), "");
}

/// A feasible plan stays feasible with more capacity, with higher or no limits, whatever side effects cost, and without closed
/// nodes.
inline void check_relaxations(const Generated& generated, const Instance&, const Request&, const Plan& plan) {
  const auto without_figures = [](const Verification& checked) {
    return std::none_of(checked.violations.begin(), checked.violations.end(),
                        [](const Violation& v) { return !v.inherited && v.kind != ViolationKind::kFigures; });
  };
  Generated roomy = generated;
  for (NodeClass& c : roomy.data.classes) {
    for (ResourceId r = 0; r < c.capacity.size(); ++r) {
      const double device = roomy.data.resources[r].device;
      c.capacity[r] = device > 0 ? c.capacity[r] + device : c.capacity[r] * 1.5 + 1;
    }
  }
  Generated tolerant = generated;
  for (std::uint32_t& limit : tolerant.at_most) ++limit;
  Generated unlimited = generated;
  unlimited.row_begin.clear();
  unlimited.limited.clear();
  unlimited.at_most.clear();
  Generated open = generated;
  open.data.closed.clear();
  Generated painless = generated;
  painless.data.interference.max_cost.clear();
  for (const Generated* relaxed : {&roomy, &tolerant, &unlimited, &open, &painless}) {
    const Instance instance = relaxed->build();
    Plan same = plan;
    same.instance = instance.fingerprint();
    EXPECT_TRUE(without_figures(check_plan(instance, same)));
  }
}

}  // namespace stowage::test
