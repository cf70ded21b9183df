#include "core/planners/single_run.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/base/numbers/amounts.h"
#include "core/bounds/bounds.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/plan/side_effects.h"
#include "core/planners/judging.h"
#include "core/planners/notes.h"
#include "core/planners/planner.h"
#include "core/run/portfolio.h"
#include "core/terms/asked/goals.h"

namespace stowage {
namespace {

/// Time that it takes to write and check a plan, per replica: a careful guess. Of more replicas, many are on nodes that are
/// listed once, and placements reserve the time for the others.
constexpr double kSecondsPerChecked = 250e-9;
constexpr double kMostCheckedReplicas = kReplicasByCopies;

Error check_features(const Instance& instance, const PlannerInfo& info) {
  const std::string what = not_honoured(instance, info);
  if (what.empty()) return {};
  std::vector<std::string> able;
  for (const PlannerInfo& other : planners()) {
    if ((instance.features() & ~other.honours) == 0) able.push_back(other.name);
  }
  const std::string who = able.empty() ? "no planner honours them all" : "planners that honour them: " + listed(able);
  return {Code::kUnsupported, info.name + " does not honour " + what + "; " + who, "planner"};
}

// Whether soft violations can count as the request says.
Error check_soft(const Request& request) {
  if (Error e = check_amount(request.soft_price, "soft_price"); failed(e)) return e;
  if (request.soft_price > 0 && request.soft != SoftPolicy::kPrice) {
    return {Code::kInvalid, "soft violations have a price, but the policy is another", "soft_price"};
  }
  if (request.soft == SoftPolicy::kPrice && request.objective != Objective::kNodes) {
    return {Code::kInvalid, "soft violations have a price in nodes or their cost only", "soft"};
  }
  return {};
}

// Whether what the request says of side effects means something.
Error check_side_effects(const Instance& instance, const Request& request, const PlannerInfo& info) {
  const bool pursued = request.objective == Objective::kWorst || request.objective == Objective::kTotal;
  if (Error e = check_amount(request.max_cost, "max_cost"); failed(e)) return e;
  if (!pursued && !(request.max_cost > 0)) return {};
  if (!instance.has_interference()) {
    return {Code::kInvalid, "the instance has no interference table: nothing costs anything",
            pursued ? "objective" : "max_cost"};
  }
  if (pursued && most_nodes(instance, request.node_limit) == kNone) {
    return {Code::kInvalid,
            "the least cost of side effects needs a number of nodes: a node limit, or a count for each class of nodes",
            "node_limit"};
  }
  if (!(request.max_cost > 0)) return {};
  if (!contains(info.honours, Feature::kInterference)) {
    return {Code::kUnsupported, info.name + " does not honour limits on the cost of side effects", "max_cost"};
  }
  const std::vector<double> alone = instance.costs_alone();
  if (*std::max_element(alone.begin(), alone.end()) > request.max_cost) {
    return {Code::kInvalid, "some replica costs more even where it is alone", "max_cost"};
  }
  return {};
}

Error check_request(const Instance& instance, const Request& request, const PlannerInfo& info) {
  for (std::size_t k = 0; k < request.options.size(); ++k) {
    const RequestOption& option = request.options[k];
    const auto declared =
        std::find_if(info.options.begin(), info.options.end(), [&](const OptionInfo& o) { return o.name == option.name; });
    const std::string path = indexed("options", k);
    if (declared == info.options.end()) {
      return {Code::kNotFound, info.name + " has no option \"" + option.name + "\"", path + ".name"};
    }
    if (!(option.number >= declared->min && option.number <= declared->max)) {
      return {Code::kInvalid, "the option \"" + option.name + "\" is out of its range", path + ".number"};
    }
    for (std::size_t before = 0; before < k; ++before) {
      if (request.options[before].name == option.name) {
        return {Code::kInvalid, "the option \"" + option.name + "\" stands twice", path + ".name"};
      }
    }
  }
  if (!info.pursues.contains(request.objective)) {
    std::string known;
    for (const ObjectiveInfo& one : objective_table()) {
      if (info.pursues.contains(one.objective)) known += (known.empty() ? "" : ", ") + std::string(one.name);
    }
    const std::string objective(info_of(request.objective).name);
    return {Code::kUnsupported, info.name + " does not pursue the objective " + objective + ", but " + known, "objective"};
  }
  if (!info.orders_goals && levels_by_objective(instance, request) < levels_of(request.goals).size()) {
    return {Code::kUnsupported, info.name + " seeks one goal; auto seeks several in order", "goals"};
  }
  if (request.objective == Objective::kUcac && !instance.uncertain()) {
    return {Code::kInvalid, "no demand of the instance is uncertain: there is no used capacity at confidence", "objective"};
  }
  if (request.objective == Objective::kTraffic && instance.data().traffic.empty()) {
    return {Code::kInvalid, "the instance has no traffic", "objective"};
  }
  if (request.all_or_nothing && !contains(info.honours, Feature::kPlacementRules) &&
      request.objective != Objective::kAdmitted) {
    return {Code::kUnsupported, info.name + " does not place applications all or nothing", "all_or_nothing"};
  }
  if (request.threads > instance.limits().max_threads) {
    return {Code::kLimitExceeded, "more threads than max_threads allows", "threads"};
  }
  return check_soft(request);
}

/// Says which run made the plan.
void sign(const PlannerInput& input, Plan& plan) {
  plan.planner = input.info.name;
  plan.seed = input.request.seed;
  plan.work = input.run.clock.work();
  plan.pace = input.run.clock.pace();
  if (input.request.trace) plan.trace = input.run.trace.parts();
}

/// Signs and judges a plan of a run. Returns whether the watch let it.
Result<bool> make_ready(const PlannerInput& input, Stop stop, WatchRef watch, Plan& plan) {
  sign(input, plan);
  return judge_or_start(input.instance, input.request, input.bounds, input.run.notes, stop, watch, plan);
}

/// Keeps the last plan that was made ready in time. A run whose caller has cancelled ends with it, and one whose end would take
/// longer than its deadline allows.
class ReadyPlan {
 public:
  explicit ReadyPlan(const PlannerInput& input) : input_(input) {}
  void take(Plan plan) {
    Watch watch = input_.run.clock.watch();
    Result<bool> ready = make_ready(input_, Stop::kCancelled, watch, plan);
    if (!ready.ok() || !*ready) return;
    state_best(input_, plan);
    plan_ = std::move(plan);
    is_good_ = true;
    input_.run.checkpoints.plan_is_ready();
  }
  [[nodiscard]] bool is_good() const { return is_good_; }
  /// The plan of a run that ends with it.
  Plan release() {
    const bool is_late = plan_.status == PlanStatus::kCancelled && input_.run.clock.stop() != Stop::kCancelled;
    if (is_late) plan_.status = PlanStatus::kDeadline;
    input_.run.clock.drop_since(plan_.work);
    state_best(input_, plan_);
    return std::move(plan_);
  }

 private:
  const PlannerInput& input_;
  Plan plan_;
  bool is_good_ = false;
};

// Plans once, and makes the plan ready, without listing its nodes.
Result<Plan> run_once(PlannerInput input) {
  const PlannerInfo& info = input.info;
  Run& run = input.run;
  ReadyPlan ready(input);
  if (is_large(input.instance) && (run.control != nullptr || run.clock.time_limit())) {
    input.checkpoint = [&](Plan plan) { ready.take(std::move(plan)); };
  }
  // Where none is wanted late, the run has nothing to wait for.
  if (input.request.drop_late) run.checkpoints.plan_is_ready();
  Plan plan;
  run.progress.enter(Phase::kPrepare);
  if (Error e = info.function(input, plan); failed(e)) {
    run.progress.enter(Phase::kDone);
    return e;
  }
  const auto end_with_last = [&]() -> Result<Plan> {
    if (!ready.is_good()) return cancelled();
    Plan last = ready.release();
    run.progress.enter(Phase::kDone);
    return last;
  };
  if (run.checkpoints.is_moot()) return end_with_last();
  const Stop stop = run.clock.stop();
  if (stop == Stop::kPatience) {
    run.notes.add(NoteCode::kEndedEarly, "Nothing better was found for " + std::to_string(input.request.patience_ms) + " ms.");
  }
  // A replay with this work limit stops at the same point and does the same after its last step.
  run.clock.conclude();
  // A caller who cancels does not wait until it is measured.
  if (stop != Stop::kCancelled) state_best(input, plan);
  run.progress.enter(Phase::kBound);
  input.bounds.get();
  run.progress.enter(Phase::kVerify);
  // Where a plan is ready, or none is wanted late, this one is not worth a late end.
  const bool may_give_up = ready.is_good() || input.request.drop_late;
  Watch watch = run.clock.watch();
  Error failure;
  if (may_give_up) {
    const Result<bool> checked = make_ready(input, stop, watch, plan);
    if (checked.ok() && !checked.value()) return end_with_last();
    if (!checked.ok()) failure = checked.error();
  } else {
    sign(input, plan);
    failure = judge_at_last(input.instance, input.request, input.bounds, run.notes, stop, watch, plan);
  }
  run.progress.enter(Phase::kDone);
  if (failed(failure)) return failure;
  return plan;
}

}  // namespace

void state_best(const PlannerInput& input, const Plan& plan) {
  if (!input.run.progress.shows_best()) return;
  const Objective objective = input.request.objective;
  BestSoFar best{nodes_in_use(plan), value(input.instance, plan, judged_by(input.instance, objective))};
  for (const Unplaced& one : plan.unplaced) best.left_over += one.replicas;
  input.run.progress.best(best, objective);
}

void state_better(const PlannerInput& input, const Plan& plan) {
  input.run.clock.improved();
  state_best(input, plan);
}

Error run_within(const PlannerInput& input, std::string_view name, const Request& request, Plan& plan) {
  const PlannerInfo* info = find_planner(name);
  const Progress::Within within(input.run.progress);
  const Traced traced(input.run, name);
  return info->function({input.instance, request, *info, Options(info->options, request), input.run, input.bounds}, plan);
}

Error run_within(const PlannerInput& input, std::string_view name, Plan& plan) {
  Request request = input.request;
  request.options.clear();
  return run_within(input, name, request, plan);
}

Error run_better_within(const PlannerInput& input, std::string_view first, std::string_view second, Plan& plan) {
  if (Error e = run_within(input, first, plan); failed(e)) return e;
  if (input.run.clock.stop() != Stop::kNo) return {};
  Plan other;
  if (Error e = run_within(input, second, other); failed(e)) return e;
  if (better(input.instance, input.request.judgement(), other, plan)) plan.adopt(std::move(other));
  return {};
}

bool reaches_bound(const PlannerInput& input, const Plan& plan) {
  if (!plan.unplaced.empty()) return false;
  // Where prepare_to_compare() has not measured them, soft rules may be violated.
  if (input.instance.tag_model().has_soft() && plan.rule_costs.cost != 0) return false;
  const Objective objective = judged_by(input.instance, Objective::kNodes);
  double bound = input.bounds.get().of[objective].front().value.value;
  if (plan.bounds[objective]) bound = std::max(bound, plan.bounds[objective]->value);
  return reaches(objective, value(input.instance, plan, objective), bound);
}

Request start_request(const Instance& instance, const Request& request) {
  Request start = request;
  std::uint64_t running = 0;
  for (const Residence& r : instance.data().running) running += r.replicas;
  if (running <= request.move_budget) start.ignore_running = true;
  return start;
}

Result<Plan> run_as_limited(const Instance& instance, const Request& request, LazyBounds& known_bounds, Control* control) {
  const PlannerInfo* info = find_planner(request.planner);
  if (info == nullptr) return Error{Code::kNotFound, "there is no planner \"" + request.planner + "\"", "planner"};
  if (Error e = check_request(instance, request, *info); failed(e)) return e;
  if (Error e = check_features(instance, *info); failed(e)) return e;
  if (Error e = check_side_effects(instance, request, *info); failed(e)) return e;
  if (info->needs_solver && (control == nullptr || control->solver == nullptr)) {
    return Error{Code::kUnsupported, info->name + " needs a solver of linear programs, and none is set", "planner"};
  }

  Request limited = request;
  limited.deadline_ms = deadline_of(request, *info);
  // The caller's deadline includes what comes after the planner.
  const auto reserve = [&](WorkClock& clock) {
    const double replicas = std::min(static_cast<double>(instance.total_replicas()), kMostCheckedReplicas);
    clock.reserve_for_plan(std::min(clock.seconds_left().value_or(0) / 2, kSecondsPerChecked * replicas));
    known_bounds.end_by(clock.watch());
  };
  const Options options(info->options, request);
  const double runs = options.number(kPortfolioOption.name);
  if (!(runs > 1)) {
    Run run(limited, control);
    reserve(run.clock);
    Result<Plan> plan = run_once({instance, request, *info, options, run, known_bounds});
    if (plan.ok()) list_nodes(request, *plan);
    return plan;
  }
  Race race(control);
  // The runs share them.
  WorkClock clock(limited, WorkClock::Watch{control});
  reserve(clock);
  known_bounds.get();
  known_bounds.left_over();
  Result<Plan> best = run_portfolio(
      instance, request, static_cast<std::uint32_t>(runs), race,
      [&](std::uint64_t seed, std::uint32_t k) {
        Run run(limited, k == 0 ? control : nullptr, race);
        run.clock.reserve_for_plan(clock.reserved_for_plan());
        Request own = request;
        own.seed = seed;
        return run_once({instance, own, *info, options, run, known_bounds});
      },
      [&] { return clock.is_overdue(); });
  if (best.ok()) list_nodes(request, *best);
  if (control != nullptr) control->phase.store(static_cast<std::uint32_t>(Phase::kDone), std::memory_order_relaxed);
  return best;
}

}  // namespace stowage
