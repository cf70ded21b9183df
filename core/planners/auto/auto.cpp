// Picks and runs what reaches the lower bound, until it is reached, the deadline comes or the run is cancelled: exchanges
// between nodes (exchanges.h), unless there is something better.
//
// Where apps are few, cutting stock (csp-mac) takes turns with exchanges; where demand is uncertain besides, it takes their
// place. Where the objective is used capacity at confidence, that is csp-ucac, or, where it does not honour the instance, the
// better of biheu and bf-ucac, improved by exchanges. Exchanges also spend a move budget.
//
// Where rules with a minimum are hard, or applications are placed all or nothing, the best of some planners that build up
// alone; where rules are soft, tag-search.
//
// Everything depends on instance, request and seed alone, and on the work done: a run that a deadline cut off is repeated by a
// work limit.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/bounds/bounds.h"
#include "core/plan/compact_plan.h"
#include "core/plan/used_capacity.h"
#include "core/planners/auto/exchanges.h"
#include "core/planners/lists/node_search.h"
#include "core/run/portfolio.h"

namespace stowage {
namespace {

constexpr std::uint64_t kDefaultDeadline = 1000;
constexpr std::array<OptionInfo, 2> kAutoOptions = {
    {{"pace", "work that the search is to plan for where demand changes over time; 0: what it expects to do until the deadline",
      0, 0, kMostPace},
     kPortfolioOption}};
/// Cutting stock is the choice for uncertain demand of up to so many apps, and takes turns with exchanges for up to so many.
constexpr std::uint32_t kMostPatternApps = 64;
constexpr std::uint32_t kMostAppsInTurns = 100;

bool honours_all(const char* name, const Instance& instance) {
  return (instance.features() & ~find_planner(name)->honours) == 0;
}

// The better of the heuristics for used capacity at confidence.
Error build_up_used_capacity(const PlannerInput& input, Plan& plan) {
  if (Error e = run_within(input, "biheu", plan); failed(e)) return e;
  if (input.run.clock.stop() != Stop::kNo) return {};
  Plan other;
  if (Error e = run_within(input, "bf-ucac", other); failed(e)) return e;
  measure_used_capacity(input.instance, plan);
  measure_used_capacity(input.instance, other);
  const bool better =
      leaves_less(input.instance, other, plan) || (!leaves_less(input.instance, plan, other) && other.ucac < plan.ucac);
  if (better) plan.adopt(std::move(other));
  return {};
}

// Least used capacity at confidence: by cutting stock where it honours the instance, else by the better heuristic. What cutting
// stock does not see - limits between apps, moves of what runs - exchanges do.
Error least_used_capacity(const PlannerInput& input, Plan& plan) {
  const Request& request = input.request;
  const bool moves = request.move_budget > 0 && !request.ignore_running && !input.instance.data().running.empty();
  const bool stock =
      !request.all_or_nothing && input.instance.apps() <= kMostPatternApps && honours_all("csp-ucac", input.instance);
  if (stock && !moves) return run_within(input, "csp-ucac", plan);
  if (stock) {
    Request rounding = request;
    rounding.options = {{"search", 0, {}}};
    if (Error e = run_within(input, "csp-ucac", rounding, plan); failed(e)) return e;
  } else if (Error e = build_up_used_capacity(input, plan); failed(e)) {
    return e;
  }
  // What rules with a minimum need near may not be exchanged away; and exchanges do not see what is soft.
  const TagModel& rules = input.instance.tag_model();
  if (request.all_or_nothing || rules.has_hard_minimum() || rules.has_soft() || input.run.clock.stop() != Stop::kNo) return {};
  input.run.progress.enter(Phase::kImprove);
  exchange_for_used_capacity(input, plan);
  return {};
}

// The plan that leaves least over, of equals the one that needs least, by planners that build up alone: what rules with a
// minimum need near may not be exchanged away.
Error best_built_up(const PlannerInput& input, Plan& plan) {
  const auto cost = [&](const Plan& of) {
    double sum = 0;
    for (const PlannedNode& node : of.nodes) sum += input.instance.node_cost(node.node_class);
    return sum;
  };
  bool first = true;
  for (const char* name : {"ff", "ffd-avg", "bfd-avg", "spread-wfd-avg-binsearch"}) {
    Plan other;
    if (Error e = run_within(input, name, other); failed(e)) return e;
    const bool better = first || leaves_less(input.instance, other, plan) ||
                        (!leaves_less(input.instance, plan, other) && cost(other) < cost(plan));
    if (better) plan.adopt(std::move(other));
    first = false;
    if (input.run.clock.stop() != Stop::kNo) return {};
  }
  return {};
}

/// Exchanges and patterns in turns, each with four times as much work as before, and the best plan of all: where nodes hold
/// many small replicas, exchanges soon reach the bound; where they hold few large ones of few apps, only patterns know how many
/// nodes it takes.
class Turns {
 public:
  explicit Turns(const PlannerInput& input) : input_(input), checkpoint_(input.checkpoint) {
    if (!checkpoint_) return;
    input_.checkpoint = [this](Plan plan) {
      if (is_better(plan)) checkpoint_(std::move(plan));
    };
  }

  Error run(Plan& plan) {
    bool patterns_end = false;
    for (std::uint64_t units = kFirst; !over(); units *= 4) {
      // Once patterns have nothing more to say, exchanges have all the time.
      const std::uint64_t exchanges = patterns_end ? WorkClock::kEndless : units * kExchanges;
      Error e = take_turn([&](Plan& own) { return exchange(input_, best_.node_bound.value, exchanges, own); });
      if (failed(e)) return e;
      if (patterns_end || over()) break;
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
  /// Some ten milliseconds of patterns, and as long of exchanges.
  static constexpr std::uint64_t kFirst = 20'000;
  static constexpr std::uint64_t kExchanges = 10;

  template <class Do>
  Error take_turn(Do&& what) {
    Plan own;
    Error e = what(own);
    input_.run.clock.end_part();
    if (failed(e)) return e;
    Bound bound = own.node_bound.value > best_.node_bound.value ? own.node_bound : best_.node_bound;
    const bool better = is_better(own);
    if (better) best_ = std::move(own);
    best_.node_bound = std::move(bound);
    has_best_ = true;
    if (best_.unplaced.empty()) input_.run.progress.best(nodes_in_use(best_));
    if (better && checkpoint_) checkpoint_(best_);
    return {};
  }
  // Without prices and rules, what plans leave over and their nodes are all that better_plan() compares.
  [[nodiscard]] bool is_better(const Plan& plan) const { return !has_best_ || better_plan(input_.instance, plan, best_); }
  [[nodiscard]] bool over() const { return reached() || input_.run.clock.stop() != Stop::kNo; }
  [[nodiscard]] bool reached() const {
    const double bound = std::max(best_.node_bound.value, input_.bounds.get().nodes.front().value.value);
    return has_best_ && best_.unplaced.empty() && static_cast<double>(nodes_in_use(best_)) <= bound;
  }

  PlannerInput input_;
  std::function<void(Plan)> checkpoint_;
  Plan best_;
  bool has_best_ = false;
};

Error auto_plan(const PlannerInput& input, Plan& plan) {
  if (input.request.objective == PlanObjective::kUcac) return least_used_capacity(input, plan);
  const TagModel& rules = input.instance.tag_model();
  if (rules.has_soft()) return run_within(input, "tag-search", plan);
  if (rules.has_hard_minimum() || input.request.all_or_nothing) return best_built_up(input, plan);
  // Of few apps, patterns may be better than exchanges; where demand is uncertain, they are. They leave running replicas alone.
  const bool few = input.instance.apps() <= kMostAppsInTurns && input.request.move_budget == 0;
  if (few && honours_all("csp-mac", input.instance)) {
    const bool alone = input.instance.uncertain() && input.instance.apps() <= kMostPatternApps;
    return alone ? run_within(input, "csp-mac", plan) : Turns(input).run(plan);
  }
  return exchange(input, 0, WorkClock::kEndless, plan);
}

}  // namespace

std::span<const PlannerInfo> auto_planners() {
  static const PlannerInfo kPlanner = {"auto",
                                       "improves a plan until the bound is reached or the time is up",
                                       "docs/auto.md",
                                       "O(L N d) for the start, then until the limit",
                                       kHeadroomFeatures,
                                       kAutoOptions,
                                       auto_plan,
                                       0,
                                       true,
                                       kDefaultDeadline,
                                       false,
                                       true};
  return {&kPlanner, 1};
}

}  // namespace stowage
