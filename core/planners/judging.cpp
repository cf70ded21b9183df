#include "core/planners/judging.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/domains/domains.h"
#include "core/losses/loss.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/plan/side_effects.h"
#include "core/plan/used_capacity.h"
#include "core/planners/notes.h"
#include "core/terms/asked/goals.h"
#include "core/verify/checker.h"
#include "core/verify/rules.h"

namespace stowage {
namespace {

// The objective admitted, whose bound holds for plans that leave applications out.
void add_admission(const Instance& instance, LazyBounds& bounds, Plan& plan) {
  plan.left_out = value(instance, plan, Objective::kAdmitted);
  std::optional<Bound>& bound = plan.bounds[Objective::kAdmitted];
  const double known = bounds.admission().left_out;
  if (!bound || bound->value <= known) bound = Bound{"resource-prices", known};
}

void add_bounds(const Instance& instance, const ComputedBounds& computed, Plan& plan) {
  for (const ObjectiveInfo& info : objective_table()) {
    if (!info.applies(instance) || computed.of[info.objective].empty()) continue;
    const ComputedBound& best = computed.of[info.objective].front();
    std::optional<Bound>& bound = plan.bounds[info.objective];
    // Of two equal bounds, the one that every planner has.
    if (bound && bound->value > best.value.value) continue;
    bound = Bound{std::string(best.info->name), best.value.value, best.value.resource, best.value.period};
  }
  if (instance.has_prices()) plan.cost = value(instance, plan, Objective::kCost);
  if (instance.uncertain()) measure_used_capacity(instance, plan);
  if (instance.has_interference()) measure_side_effects(instance, plan);
  if (!instance.data().traffic.empty()) plan.remote_traffic = value(instance, plan, Objective::kTraffic);
}

PlanStatus status_of(const Instance& instance, const ComputedBounds& bounds, Stop stop, const Plan& plan) {
  const std::optional<Bound>& left_out = plan.bounds[Objective::kAdmitted];
  const bool not_all =
      bounds.infeasible || (plan.left_over_bound && !plan.left_over_bound->empty()) || (left_out && left_out->value > 0);
  if (!plan.unplaced.empty() && not_all) return PlanStatus::kInfeasibleProven;
  if (proven(instance, plan) && plan.reaches_domain_bound()) return PlanStatus::kOptimal;
  if (stop == Stop::kCancelled) return PlanStatus::kCancelled;
  if (stop == Stop::kDeadline) return PlanStatus::kDeadline;
  return plan.is_complete() ? PlanStatus::kComplete : PlanStatus::kPartial;
}

}  // namespace

void prepare_to_compare(const Instance& instance, const Request& request, Plan& plan, WatchRef watch) {
  plan.objective = request.objective;
  plan.soft = request.soft;
  plan.soft_price = request.soft_price;
  plan.fill = request.fill;
  // A plan that was measured before may have changed since.
  const bool is_goal = std::any_of(request.goals.begin(), request.goals.end(),
                                   [](const PlanGoal& goal) { return goal.what == GoalKind::kSoftRules; });
  plan.rule_costs =
      is_goal || violations_count(instance, plan) ? check_rules(instance, plan.nodes, plan.placed, watch).costs : RuleCosts{};
}

Result<bool> judge(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                   WatchRef watch, Plan& plan) {
  plan.instance = instance.fingerprint();
  // The status depends on violations. The checker compares its own count with this one.
  prepare_to_compare(instance, request, plan, watch);
  if (watch.look()) return false;
  plan.max_cost_limit = request.max_cost;
  plan.leave_free = request.leave_free;
  const ComputedBounds& bounds = known.get();
  add_bounds(instance, bounds, plan);
  if (request.objective == Objective::kAdmitted) add_admission(instance, known, plan);
  measure_goals(instance, request, plan);
  plan.gap = gap_of(instance, plan);
  plan.left_over_bound.reset();
  if (!plan.unplaced.empty() && counts_replicas(instance, request.judgement())) {
    plan.left_over_bound = known.left_over().fewest;
  }
  plan.places_most = places_most(instance, plan);
  plan.status = status_of(instance, bounds, stop, plan);
  if (watch.look()) return false;
  plan.notes = notes_for(plan, of_run);
  note_left_out(instance, plan, plan.notes);
  note_idle_rules(instance, plan.notes);

  Verification verification = check_plan(instance, plan, CheckScope::kViolations, watch);
  if (verification.given_up) return false;
  // The checker counts what only it knows; everything else it must agree with.
  plan.moves = static_cast<std::uint32_t>(verification.moves);
  plan.inherited_violations = static_cast<std::uint32_t>(verification.inherited_count);
  plan.rule_costs = verification.rule_costs;
  for (const Violation& violation : verification.violations) {
    const bool counted =
        violation.kind == ViolationKind::kFigures && (violation.what == "moves" || violation.what == "inherited_violations");
    if (violation.inherited || counted) continue;
    return Error{Code::kInternal,
                 "the planner " + plan.planner + " made a plan that the checker refuses (violation kind " +
                     std::to_string(static_cast<int>(violation.kind)) + (violation.what.empty() ? "" : ", " + violation.what) +
                     ")",
                 ""};
  }
  if (!request.ignore_running && verification.moves > request.move_budget) {
    return Error{Code::kInternal, "the planner " + plan.planner + " moved more running replicas than allowed", ""};
  }
  return true;
}

Result<bool> judge_alike(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                         WatchRef watch, Plan& plan) {
  Plan listed;
  const std::vector<NodeId> entry_of = compact(plan, &listed);
  Result<bool> judged = judge(instance, request, known, of_run, stop, watch, plan);
  if (request.compact) return judged;
  plan.nodes = std::move(listed.nodes);
  plan.placed = std::move(listed.placed);
  plan.reserved = std::move(listed.reserved);
  for (std::vector<double>* figures : {&plan.node_ucac, &plan.node_max_cost}) {
    if (figures->empty()) continue;
    const std::vector<double> of_entries = std::exchange(*figures, {});
    figures->reserve(entry_of.size());
    for (const NodeId entry : entry_of) figures->push_back(of_entries[entry]);
  }
  return judged;
}

Result<bool> judge_or_start(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                            WatchRef watch, Plan& plan) {
  const bool in_time = stop == Stop::kNo || !is_long_to_judge(plan);
  Result<bool> judged = in_time ? judge(instance, request, known, of_run, stop, watch, plan)
                                : judge_alike(instance, request, known, of_run, stop, watch, plan);
  if (judged.ok()) return judged;
  Plan start = plan_of_start(instance, request);
  start.planner = plan.planner;
  start.seed = plan.seed;
  start.work = plan.work;
  start.pace = plan.pace;
  start.survive = request.survive;
  if (!request.survive.empty()) start.not_survived = Plan::kUnknown;
  for (const Kept& kept : request.keep) start.unreserved.push_back({kept.app, kept.replicas});
  if (!request.leave_free.empty()) {
    start.domains_in_use = domains_in_use(instance, Domains(instance, request.leave_free), start);
  }
  Notes notes = of_run;
  notes.add(NoteCode::kStartPlan, "Nothing was planned, and what runs stays: " + judged.error().message + ".");
  plan = std::move(start);
  return judge(instance, request, known, notes, stop, watch, plan);
}

Error judge_at_last(const Instance& instance, const Request& request, LazyBounds& known, const Notes& of_run, Stop stop,
                    WatchRef watch, Plan& plan) {
  const bool may_begin_anew = stop == Stop::kNo && is_long_to_judge(plan);
  Result<bool> judged = judge_or_start(instance, request, known, of_run, stop, may_begin_anew ? watch : WatchRef(), plan);
  if (judged && !*judged) {
    judged = judge_alike(instance, request, known, of_run, stop, {}, plan);
    if (!judged) judged = judge_or_start(instance, request, known, of_run, stop, {}, plan);
  }
  return judged ? Error{} : judged.error();
}

Result<Plan> judge_again(const Instance& instance, const Request& request, LazyBounds& known, const Notes& further,
                         WatchRef watch, Plan plan) {
  const Stop stop = plan.status == PlanStatus::kCancelled  ? Stop::kCancelled
                    : plan.status == PlanStatus::kDeadline ? Stop::kDeadline
                                                           : Stop::kNo;
  Notes notes;
  for (const Note& note : plan.notes) notes.add(note.code, note.text);
  for (const Note& note : further.all()) notes.add(note.code, note.text);
  if (Error e = judge_at_last(instance, request, known, notes, stop, watch, plan); failed(e)) return e;
  list_nodes(request, plan);
  return plan;
}

void list_nodes(const Request& request, Plan& plan) {
  if (request.compact) {
    compact(plan);
  } else {
    expand(plan);
  }
}

}  // namespace stowage
