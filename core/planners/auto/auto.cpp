// The planner that runs where a request names none (docs/auto.md): a start, then the search that rebuilds (rebuilding.h).
//
// - the objective used capacity at confidence: csp-ucac or, if it does not honour the instance, the better of biheu and
//   bf-ucac, improved by exchanges; exchanges also spend a move budget. Nothing is rebuilt
// - classes of nodes cost alike and few apps are tied: exchanges make the start (exchanges.h). With few apps or few large
//   replicas per node, cutting stock (csp-mac) takes turns with them, or stands alone where demand is uncertain
// - the objectives worst and total: a search of its own (least_suffering.h)
// - the objective admitted: a search for room for whole applications (most_admitted.h)
// - the objective traffic: a search that brings together what exchanges traffic (least_traffic.h)
// - everything else: the search builds its start up by itself
// - large instances: first fit's plan comes before the search, which may not begin (attempt/search_size.h)
//
// Everything depends on instance, request, seed and the work done alone, so that a work limit repeats a run that a deadline cut
// off.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/losses/loss.h"
#include "core/packing/alike_nodes.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/plan/side_effects.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/attempt/search_size.h"
#include "core/planners/auto/exchanges.h"
#include "core/planners/auto/least_suffering.h"
#include "core/planners/auto/most_admitted.h"
#include "core/planners/auto/rebuilding.h"
#include "core/planners/auto/traffic/least_traffic.h"
#include "core/planners/notes.h"
#include "core/run/portfolio.h"
#include "core/search/starts/node_choice.h"

namespace stowage {
namespace {

constexpr std::uint64_t kDefaultDeadline = 1000;
constexpr std::array<OptionInfo, 2> kAutoOptions = {
    {{"pace", "work that the search plans for where demand changes over time; 0: what it expects to do until the deadline", 0,
      0, kMostPace},
     kPortfolioOption}};
/// Cutting stock plans uncertain demand of up to kMostPatternApps apps, and takes turns with exchanges for up to
/// kMostAppsInTurns apps, or for more where few large replicas fill a node.
constexpr std::uint32_t kMostPatternApps = 64;
constexpr std::uint32_t kMostAppsInTurns = 100;

bool honours_all(const char* name, const Instance& instance) { return not_honoured(instance, *find_planner(name)).empty(); }

// The better of the heuristics for used capacity at confidence.
Error build_up_used_capacity(const PlannerInput& input, Plan& plan) {
  if (Error e = run_within(input, "biheu", plan); failed(e)) return e;
  if (input.run.clock.stop() != Stop::kNo) return {};
  Plan other;
  if (Error e = run_within(input, "bf-ucac", other); failed(e)) return e;
  if (better(input.instance, input.request.judgement(), other, plan)) plan.adopt(std::move(other));
  return {};
}

// Least used capacity at confidence: by cutting stock where it honours the instance, else by the better heuristic. Exchanges
// see what cutting stock does not: limits between apps, and moves of running replicas.
Error least_used_capacity(const PlannerInput& input, Plan& plan) {
  const Request& request = input.request;
  const bool moves = request.move_budget > 0 && !request.ignore_running && !input.instance.data().running.empty();
  const bool stock =
      input.instance.apps() <= kMostPatternApps && !request.all_or_nothing && honours_all("csp-ucac", input.instance);
  if (stock && !moves) return run_within(input, "csp-ucac", plan);
  if (stock) {
    Request rounding = request;
    rounding.options = {{"search", 0, {}}};
    if (Error e = run_within(input, "csp-ucac", rounding, plan); failed(e)) return e;
  } else if (Error e = build_up_used_capacity(input, plan); failed(e)) {
    return e;
  }
  if (input.run.clock.stop() != Stop::kNo) return {};
  if (!may_search(input, nodes_in_use(plan))) return {};
  input.run.progress.enter(Phase::kImprove);
  exchange_for_used_capacity(input, plan);
  return {};
}

/// Exchanges and patterns in turns, each turn with four times as much work as the one before; the best plan counts. Where nodes
/// hold many small replicas, exchanges soon reach the bound. Where nodes hold few large replicas of few apps, only the
/// patterns' bound tells how many nodes are needed.
class Turns {
 public:
  explicit Turns(const PlannerInput& input)
      : input_(input), shares_(has_few_large_per_node(input.instance) ? kFewLarge : kUsual), checkpoint_(input.checkpoint) {
    if (!checkpoint_) return;
    input_.checkpoint = [this](Plan plan) {
      if (is_better(plan)) checkpoint_(std::move(plan));
    };
  }

  Error run(Plan& plan) {
    bool patterns_end = false;
    for (std::uint64_t units = shares_.first; !over(); units *= 4) {
      // Once cutting stock has ended by itself, exchanges have all the time.
      const std::uint64_t exchanges = patterns_end ? WorkClock::kEndless : units * shares_.exchanges;
      Error e = take_turn([&](Plan& own) { return exchange(input_, bound_of(best_), exchanges, own); });
      if (failed(e)) return e;
      if (patterns_end || over() || !patterns_have_time()) break;
      e = take_turn([&](Plan& own) {
        input_.run.clock.begin_part(units);
        Error failure = run_within(input_, "csp-mac", own);
        patterns_end = input_.run.clock.stop() == Stop::kNo;
        return failure;
      });
      if (failed(e)) return e;
    }
    plan = std::move(best_);
    return {};
  }

 private:
  /// Work on patterns in the first turn, and work on exchanges per work on patterns.
  struct Shares {
    std::uint64_t first;
    std::uint64_t exchanges;
  };
  /// Some ten milliseconds of patterns, and as long of exchanges.
  static constexpr Shares kUsual = {20'000, 10};
  /// Patterns do most of the work, and begin anew in each turn.
  static constexpr Shares kFewLarge = {50'000, 2};

  template <class Do>
  Error take_turn(Do&& what) {
    Plan own;
    Error e = what(own);
    input_.run.clock.end_part();
    if (failed(e)) return e;
    std::optional<Bound> bound =
        bound_of(own) > bound_of(best_) ? own.bounds[Objective::kNodes] : best_.bounds[Objective::kNodes];
    const bool improved = is_better(own);
    if (improved) best_ = std::move(own);
    best_.bounds[Objective::kNodes] = std::move(bound);
    has_best_ = true;
    if (improved) state_best(input_, best_);
    if (improved && checkpoint_) checkpoint_(best_);
    return {};
  }
  [[nodiscard]] bool is_better(const Plan& plan) const {
    return !has_best_ || better(input_.instance, input_.request.judgement(), plan, best_);
  }
  // The largest bound that a turn has proven; 0: none.
  [[nodiscard]] static double bound_of(const Plan& plan) {
    const std::optional<Bound>& bound = plan.bounds[Objective::kNodes];
    return bound ? bound->value : 0;
  }
  // Patterns look at listed nodes one by one.
  [[nodiscard]] bool patterns_have_time() const {
    const std::uint32_t listed = input_.instance.listed_nodes();
    return listed == 0 || may_search(input_, listed);
  }
  [[nodiscard]] bool over() const { return reached() || input_.run.clock.stop() != Stop::kNo; }
  [[nodiscard]] bool reached() const {
    const double bound = std::max(bound_of(best_), input_.bounds.get().fewest_nodes());
    return has_best_ && best_.unplaced.empty() &&
           reaches(Objective::kNodes, value(input_.instance, best_, Objective::kNodes), bound);
  }

  PlannerInput input_;
  Shares shares_;
  std::function<void(Plan)> checkpoint_;
  Plan best_;
  bool has_best_ = false;
};

/// Whether nodes of all classes cost the same per unit of what demand needs most: then it does not matter which are used, and
/// exchanges, which keep the classes of nodes, lose nothing. Where there may be few nodes, or they cost nothing, it matters.
bool classes_cost_alike(const PlannerInput& input) {
  if (!input.instance.has_prices()) return true;
  constexpr double kAlike = 1.0005;
  const std::vector<double> costs = costs_of_carrying(input.instance);
  const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
  if (costs.size() > 1 && (*most <= 0 || input.request.node_limit > 0)) return false;
  return costs.empty() || *most <= *least * kAlike;
}

/// Exchanges pay where the classes of nodes do not matter and few replicas are tied.
constexpr double kMostTied = 0.25;
bool exchanges_pay(const PlannerInput& input) {
  const bool alike = classes_cost_alike(input);
  if (alike && TiedApps(input.instance).share() <= kMostTied) return true;
  // With one period, nothing is missed.
  if (input.instance.periods() > 1) {
    note_off(input, kLessClosely,
             alike ? "rules or limits on costs tie more than a quarter of the replicas" : "classes of nodes differ in cost");
  }
  return false;
}

// Exchanges, patterns or both, as starts of the search that rebuilds.
Error accelerate(const PlannerInput& input, Plan& plan) {
  // With few apps, patterns may be better than exchanges, and with uncertain demand they are. They never move running replicas.
  const bool few = input.instance.apps() <= kMostAppsInTurns || has_few_large_per_node(input.instance);
  if (few && input.request.move_budget == 0 && honours_all("csp-mac", input.instance)) {
    const bool alone = input.instance.uncertain() && input.instance.apps() <= kMostPatternApps;
    return alone ? run_within(input, "csp-mac", plan) : Turns(input).run(plan);
  }
  return exchange(input, 0, WorkClock::kEndless, plan);
}

/// The search for fewer nodes, or less cost.
Error search_for_nodes(const PlannerInput& input, Plan& plan) {
  std::vector<Plan> starts;
  if (exchanges_pay(input)) {
    if (Error e = accelerate(input, plan); failed(e)) return e;
    if (input.run.clock.stop() != Stop::kNo || input.run.checkpoints.is_moot() || reaches_bound(input, plan)) return {};
    starts.push_back(plan);
  }
  if (input.instance.limits_costs() && input.instance.classes() == 1 && may_search_replicas(input, 0)) {
    if (std::optional<Plan> start = few_nodes_within_costs(input)) {
      plan.adopt(Plan(*start));
      if (input.run.clock.stop() != Stop::kNo || reaches_bound(input, plan)) return {};
      starts.push_back(*std::move(start));
    }
  }
  if (!starts.empty() && !may_search(input, nodes_in_use(plan))) return {};
  return rebuild(input, std::move(starts), plan);
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
      return search_for_nodes(input, plan);
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

Error auto_plan(const PlannerInput& input, Plan& plan) {
  // Exchanges begin with first fit themselves; the heuristics for used capacity list equal nodes once.
  const Objective objective = input.request.objective;
  const bool begins_early = objective == Objective::kUcac || (objective == Objective::kNodes && exchanges_pay(input));
  const bool is_first = is_large(input.instance) && !begins_early;
  if (Error e = is_first ? search_from_first_fit(input, plan) : search(input, plan); failed(e)) return e;
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
      .source = "docs/auto.md",
      .complexity = "O(L N d) for the start, then until the limit",
      .honours = kHeadroomFeatures,
      .options = kAutoOptions,
      .function = auto_plan,
      .pursues = {Objective::kNodes, Objective::kUcac, Objective::kWorst, Objective::kTotal, Objective::kAdmitted,
                  Objective::kTraffic, Objective::kSoftRules},
      .default_deadline_ms = kDefaultDeadline,
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
