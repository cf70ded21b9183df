// P4's algorithms: a given number of nodes, and the least cost of the replica that suffers most from side effects.
//
// seats.h says how they come onto the nodes of the instance.

#include "core/planners/families.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/colocation/bounds/exact.h"
#include "core/colocation/heuristics/dedicated.h"
#include "core/colocation/heuristics/fill_greedy.h"
#include "core/colocation/heuristics/ptas/ptas.h"
#include "core/colocation/heuristics/schedules.h"
#include "core/colocation/problem.h"
#include "core/planners/colocate/seats.h"

namespace stowage {
namespace {

/// What an algorithm finds.
struct Found {
  Colocation colocation;
  double bound = 0;        ///< no colocation costs less; 0: nothing is proven
  const char* proof = "";  ///< what proves it
};

using Algorithm = Result<Found> (*)(const ColocationProblem& problem, const PlannerInput& input);

template <class Unit>
Error seat(const PlannerInput& input, Algorithm algorithm, Plan& plan) {
  if (input.instance.total_replicas() > kMostColocatedReplicas) {
    return {Code::kUnsupported,
            input.info.name + " does not honour more than " + std::to_string(kMostColocatedReplicas) + " replicas", "planner"};
  }
  Seats<Unit> seats(input.instance, input.request, input.run.clock);
  if (seats.placement().hit_ceiling()) {
    return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
  }
  // Without replicas there may be no node.
  if (!seats.nodes().empty() && !input.run.clock.step(1)) {
    // A run that is late meanwhile ends as one whose work ends here: with nothing seated.
    const auto end_late = [&] {
      input.run.clock.cut();
      Placement<Unit>(input.instance, input.request).finish(plan);
      return Error{};
    };
    Watch watch = input.run.clock.watch();
    const ColocationProblem problem =
        colocation_problem(input.instance, static_cast<std::uint32_t>(seats.nodes().size()), watch);
    Result<Found> found = watch.ended() ? Found{} : algorithm(problem, input);
    if (watch.ended()) return end_late();
    if (!found.ok()) return found.error();
    // The algorithms that the clock can end are for few replicas, whose seats take no time to speak of.
    WorkClock endless(Request{}, nullptr);
    WorkClock& clock = input.run.clock.stop() == Stop::kNo ? input.run.clock : endless;
    const std::vector<std::uint32_t> others = seats.seat(problem, found->colocation, clock);
    if (&clock != &endless && clock.stop() != Stop::kNo) return end_late();
    seats.seat_elsewhere(problem, others, clock);
    if (found->bound > 0) plan.bounds[Objective::kWorst] = Bound{found->proof, found->bound};
  }
  seats.placement().finish(plan);
  return {};
}

/// exact_colocation() proves costs up to this share.
constexpr double kExactTolerance = 1e-12;
constexpr std::uint64_t kExactDeadline = 10'000;
constexpr OptionInfo kSubroutine = {"multifit", "1: multifit schedules the loads; 0: LPT does", 0, 0, 1};
constexpr OptionInfo kSubroutineOptions[] = {kSubroutine};
constexpr OptionInfo kPtasOptions[] = {
    {"precision", "k: the plan costs at most 1 + 1/k times the least possible", 2, 1, 100},
    {"configurations", "configurations of a node looked at before the instance is refused", 1'000'000, 1, 1e9}};

Subroutine subroutine(const PlannerInput& input) {
  return input.options.number(kSubroutine.name) >= 0.5 ? Subroutine::kMultifit : Subroutine::kLpt;
}

Result<Found> by_fill_greedy(const ColocationProblem& problem, const PlannerInput&) { return Found{fill_greedy(problem)}; }
Result<Found> by_kind_lpt(const ColocationProblem& problem, const PlannerInput&) { return Found{least_cost_lpt(problem)}; }
Result<Found> by_sched_mixed(const ColocationProblem& problem, const PlannerInput& input) {
  return Found{sched_mixed(problem, subroutine(input))};
}
Result<Found> by_sched_juxtapose(const ColocationProblem& problem, const PlannerInput& input) {
  return Found{sched_juxtapose(problem, subroutine(input))};
}
Result<Found> by_best_schedule(const ColocationProblem& problem, const PlannerInput& input) {
  return Found{best_schedule(problem, subroutine(input))};
}
template <DedicatedSchedule what>
Result<Found> by_dedicated(const ColocationProblem& problem, const PlannerInput& input) {
  return Found{greedy_dedicated(problem, what, subroutine(input))};
}

// The best of the other algorithms.
Colocation heuristic(const ColocationProblem& problem) {
  Colocation best = least_cost_lpt(problem);
  double least = cost_of(problem, best).worst;
  const auto consider = [&](Colocation other) {
    const double cost = cost_of(problem, other).worst;
    if (cost >= least) return;
    least = cost;
    best = std::move(other);
  };
  consider(best_schedule(problem, Subroutine::kLpt));
  consider(fill_greedy(problem));
  consider(greedy_dedicated(problem, DedicatedSchedule::kBest, Subroutine::kLpt));
  return best;
}

// For an algorithm that counts work, at the end of which it has a colocation.
ColocationProblem on_the_clock(ColocationProblem problem) {
  problem.watch = {};
  return problem;
}

Result<Found> by_ptas(const ColocationProblem& problem, const PlannerInput& input) {
  if (!suits_ptas(problem)) {
    return Error{Code::kUnsupported, "mse-ptas does not honour kinds that do not suffer from themselves", "planner"};
  }
  PtasOptions options;
  options.precision = static_cast<std::uint32_t>(input.options.number("precision"));
  options.most_configurations = static_cast<std::uint64_t>(input.options.number("configurations"));
  const Colocation start = heuristic(problem);
  if (problem.watch.ended()) return Found{};
  PtasResult result = mse_ptas(on_the_clock(problem), start, options, input.run.clock);
  if (result.answer == PtasAnswer::kTooMany) {
    return Error{
        Code::kUnsupported,
        "mse-ptas does not honour as many configurations of a node as the kinds and loads of the instance have at this "
        "precision",
        "planner"};
  }
  return Found{std::move(result.colocation), result.bound, "ptas"};
}

Result<Found> by_exact(const ColocationProblem& problem, const PlannerInput& input) {
  if (problem.replicas() > kMostExactReplicas) {
    return Error{Code::kUnsupported, "mse-exact does not honour more than " + std::to_string(kMostExactReplicas) + " replicas",
                 "planner"};
  }
  const Colocation start = heuristic(problem);
  if (problem.watch.ended()) return Found{};
  ExactColocation found = exact_colocation(on_the_clock(problem), input.run.clock, start);
  return Found{std::move(found.colocation), found.proven ? found.worst * (1 - kExactTolerance) : 0, "exact"};
}

PlannerInfo colocating(std::string name, std::string summary, std::string source, std::string complexity,
                       std::span<const OptionInfo> options, Algorithm algorithm, std::uint64_t default_deadline_ms = 0) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .source = std::move(source),
          .complexity = std::move(complexity),
          .honours = Feature::kPeriods | Feature::kNodeClasses | Feature::kFiniteNodes | Feature::kPrices,
          .options = options,
          .function =
              [algorithm](const PlannerInput& input, Plan& plan) {
                return input.instance.visit_unit([&](auto unit) { return seat<decltype(unit)>(input, algorithm, plan); });
              },
          .pursues = {Objective::kWorst},
          .default_deadline_ms = default_deadline_ms};
}

}  // namespace

std::span<const PlannerInfo> colocate_planners() {
  static const std::vector<PlannerInfo> kPlanners = {
      colocating("fill-greedy",
                 "nodes for each cluster of kinds that suit each other, filled up to the least threshold of load",
                 "P4, section 4.2", "O(R) per threshold", {}, by_fill_greedy),
      colocating("sched-mixed", "each replica, by falling load, to the node of least load", "P4, section 5", "O(R log N)",
                 kSubroutineOptions, by_sched_mixed),
      colocating("sched-juxtapose", "the same for each kind by itself; every other schedule in reverse order of nodes",
                 "P4, section 5", "O(R log N)", kSubroutineOptions, by_sched_juxtapose),
      colocating("best-schedule", "the better of sched-mixed and sched-juxtapose", "P4, section 5", "O(R log N)",
                 kSubroutineOptions, by_best_schedule),
      colocating("greedy-dedicated-mixed", "sched-mixed on nodes for each cluster of kinds, as many as lower the cost most",
                 "P4, section 5", "O(R log N) per division of the nodes", kSubroutineOptions,
                 by_dedicated<DedicatedSchedule::kMixed>),
      colocating("greedy-dedicated-juxtapose", "the same with sched-juxtapose", "P4, section 5",
                 "O(R log N) per division of the nodes", kSubroutineOptions, by_dedicated<DedicatedSchedule::kJuxtapose>),
      colocating("greedy-dedicated-best", "the same with best-schedule", "P4, section 5",
                 "O(R log N) per division of the nodes", kSubroutineOptions, by_dedicated<DedicatedSchedule::kBest>),
      colocating("kind-lpt", "each replica, by falling load, to the node whose worst-off replica then costs least", "own",
                 "O(R kinds (kinds + log N)) if loads fall slowly", {}, by_kind_lpt),
      colocating("mse-ptas", "configurations of rounded loads: at most 1 + 1/k times the least cost; for some 20 replicas",
                 "P4, section 4.1, algorithm 1, corrected", "exponential in kinds and k", kPtasOptions, by_ptas),
      colocating("mse-exact", "the least cost, proven where the time suffices; for up to 64 replicas, easily 20", "own",
                 "exponential in R", {}, by_exact, kExactDeadline),
  };
  return kPlanners;
}

}  // namespace stowage
