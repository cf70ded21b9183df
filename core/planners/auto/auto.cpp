// The planner that runs where a request names none (docs/understand/auto.md): a start, then the search that rebuilds
// (rebuilding.h).
//
// - the objective used capacity at confidence: csp-ucac, improved by exchanges, which also spend a move budget. Nothing is
//   rebuilt
// - the objective nodes: searches in turns (turns.h)
// - the objectives worst and total: a search of its own (least_suffering.h)
// - the objective admitted: a search for room for whole applications (most_admitted.h)
// - the objective traffic: a search that brings together what exchanges traffic (least_traffic.h)
// - large instances: first fit's plan comes before the search, which may not begin (attempt/search_size.h)
//
// Everything depends on instance, request, seed and the work done alone, so that a work limit repeats a run that a deadline cut
// off.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/losses/loss.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/plan/side_effects.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/attempt/search_size.h"
#include "core/planners/auto/exchanges.h"
#include "core/planners/auto/least_suffering.h"
#include "core/planners/auto/most_admitted.h"
#include "core/planners/auto/order/goals_in_order.h"
#include "core/planners/auto/traffic/least_traffic.h"
#include "core/planners/auto/turns.h"
#include "core/planners/notes.h"
#include "core/run/portfolio.h"

namespace stowage {
namespace {

constexpr std::uint64_t kDefaultDeadline = 1000;
constexpr std::array<OptionInfo, 2> kAutoOptions = {{{"pace",
                                                      "work that the search plans for where demand changes over time, or where "
                                                      "later goals follow; 0: what it expects to do until the deadline",
                                                      0, 0, kMostPace},
                                                     kPortfolioOption}};

// Least used capacity at confidence: by columns, then by exchanges. Columns leave what runs where it is; exchanges spend moves.
Error least_used_capacity(const PlannerInput& input, Plan& plan) {
  const Request& request = input.request;
  Request still = request;
  still.options.clear();
  if (request.move_budget > 0 && !request.ignore_running && !input.instance.data().running.empty()) {
    still.move_budget = 0;
    still.options = {{"search", 0, {}}};
  }
  if (Error e = run_within(input, "csp-ucac", still, plan); failed(e)) return e;
  // What may move may use less.
  if (still.move_budget < request.move_budget) plan.bounds = {};
  if (input.run.clock.stop() != Stop::kNo) return {};
  if (!may_search(input, nodes_in_use(plan))) return {};
  input.run.progress.enter(Phase::kImprove);
  exchange_for_used_capacity(input, plan);
  return {};
}

Error search(const PlannerInput& input, Plan& plan) {
  switch (input.request.objective) {
    case Objective::kUcac:
      return least_used_capacity(input, plan);
    case Objective::kWorst:
    case Objective::kTotal:
      return suffer_least(input, plan);
    case Objective::kAdmitted:
      return admit_most(input, plan);
    case Objective::kTraffic:
      return keep_traffic(input, plan);
    default:
      return take_turns(input, plan);
  }
}

/// On a large instance, first fit's plan is made ready before the search, which may not even begin. The better plan counts.
Error search_from_first_fit(const PlannerInput& input, Plan& plan) {
  Plan first;
  if (Error e = run_within(input, "ff", first); failed(e)) return e;
  state_better(input, first);
  const bool suffers = input.request.objective == Objective::kWorst || input.request.objective == Objective::kTotal;
  const bool may = suffers ? may_search_replicas(input, most_nodes(input.instance, input.request.node_limit))
                           : may_search(input, nodes_in_use(first));
  if (!may || input.run.clock.stop() != Stop::kNo) {
    plan.adopt(std::move(first));
    return {};
  }
  if (input.checkpoint) input.checkpoint(first);
  if (Error e = search(input, plan); failed(e)) return e;
  if (input.run.checkpoints.is_moot() || !better(input.instance, input.request.judgement(), first, plan)) return {};
  plan.adopt(std::move(first));
  return {};
}

/// A search that ends early may have taken away what runs and found no place for it yet.
void keep_what_runs(const PlannerInput& input, Plan& plan) {
  if (plan.unplaced.empty() || input.instance.data().running.empty() || input.request.ignore_running ||
      input.request.move_budget == 0) {
    return;
  }
  Plan start = plan_of_start(input.instance, input.request);
  const Judgement judgement = input.request.judgement();
  if (!(left_over_of(input.instance, start, judgement) < left_over_of(input.instance, plan, judgement))) return;
  plan.adopt(std::move(start));
  place_rest(input, plan);
}

Error plan_by_objective(const PlannerInput& input, Plan& plan) {
  // Exchanges begin with first fit; the heuristics for used capacity list equal nodes once.
  const Objective objective = input.request.objective;
  const bool begins_early = objective == Objective::kUcac || (objective == Objective::kNodes && begins_with_exchanges(input));
  const bool is_first = is_large(input.instance) && !begins_early;
  return is_first ? search_from_first_fit(input, plan) : search(input, plan);
}

Error auto_plan(const PlannerInput& input, Plan& plan) {
  if (Error e =
          has_later_goals(input) ? seek_goals(input, {plan_by_objective, make_turns}, plan) : plan_by_objective(input, plan);
      failed(e))
    return e;
  if (input.run.checkpoints.is_moot()) return {};
  place_rest(input, plan);
  keep_what_runs(input, plan);
  return {};
}

}  // namespace

std::span<const PlannerInfo> auto_planners() {
  static const PlannerInfo kPlanner = {
      .name = "auto",
      .summary = "improves a plan until the bound is reached or the time is up",
      .source = "docs/understand/auto.md",
      .complexity = "O(L N d) for the start, then until the limit",
      .honours = kHeadroomFeatures,
      .options = kAutoOptions,
      .function = auto_plan,
      .pursues = {Objective::kNodes, Objective::kUcac, Objective::kWorst, Objective::kTotal, Objective::kAdmitted,
                  Objective::kTraffic, Objective::kSoftRules},
      .default_deadline_ms = kDefaultDeadline,
      .orders_goals = true,
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
