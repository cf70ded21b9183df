#include "core/planners/auto/least_suffering.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/colocation/bounds/exact.h"
#include "core/colocation/bounds/total_bound.h"
#include "core/colocation/bounds/worst_bound.h"
#include "core/colocation/heuristics/dedicated.h"
#include "core/colocation/heuristics/schedules.h"
#include "core/colocation/problem.h"
#include "core/colocation/search/colocation_search.h"
#include "core/colocation/search/placement_gate.h"
#include "core/colocation/search/target_walk.h"
#include "core/plan/side_effects.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/colocate/seats.h"

namespace stowage {
namespace {

/// Units of the first turn of the bound: microseconds. Each turn has twice as many.
constexpr std::uint64_t kFirstTurn = 5'000;
/// Units of the one turn of the bound where the search heeds hard constraints.
constexpr std::uint64_t kTurnWithinConstraints = 50'000;
/// Units of the search, steps, per unit of the bound.
constexpr std::uint64_t kStepsPerBoundUnit = 64;
/// Rules are tried with so many replicas at most, and cost a unit for so many.
constexpr std::uint32_t kMostForRules = 200'000;
constexpr std::uint32_t kReplicasPerUnit = 8;
/// A pass over replicas that sets something up costs a unit for so many.
constexpr std::uint32_t kReplicasPerPassUnit = 32;
/// What the bound on the worst takes before its first step is as much as so many passes.
constexpr std::uint64_t kPassesOfBound = 2;
/// The exact method tries so many replicas.
constexpr std::uint32_t kMostTriedExactly = 40;

/// Steps of the first search for fewer nodes.
constexpr std::uint64_t kLeastSteps = 1u << 14;
constexpr std::uint64_t kStepsPerReplica = 64;

template <class Unit>
class LeastSuffering {
 public:
  explicit LeastSuffering(const PlannerInput& input)
      : input_(input),
        clock_(input.run.clock),
        goal_(input.request.objective == Objective::kWorst ? ColocationGoal::kWorst : ColocationGoal::kTotal),
        seats_(std::make_unique<Seats<Unit>>(input.instance, start_request(input.instance, input.request), input.run.clock)) {
    if (is_large(input.instance)) reserve_time();
    const std::vector<ComputedBound>& known = input.bounds.get().of[input.request.objective];
    if (!known.empty()) bound_ = known.front().value.value;
  }

  Error run(Plan& plan) {
    if (seats_->placement().hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    if (!seats_->nodes().empty() && input_.instance.total_replicas() > 0) {
      problem_ = colocation_problem(input_.instance, static_cast<std::uint32_t>(seats_->nodes().size()));
      input_.run.progress.enter(Phase::kImprove);
      if (any_stays()) {
        std::vector<std::uint32_t> all(problem_.replicas());
        std::iota(all.begin(), all.end(), 0u);
        seats_->seat_elsewhere(problem_, all, clock_);
        search_within_constraints();
      } else if (!search_freely()) {
        search_within_constraints();
      }
    }
    seats_->placement().finish(plan);
    if (!bound_name_.empty()) plan.bounds[input_.request.objective] = Bound{bound_name_, bound_};
    return {};
  }

 private:
  /// Time that it takes, at the end of a run, to make an assignment with little care and to seat it, per replica.
  static constexpr double kSecondsPerSeated = 400e-9;

  // Deadlines include that, but never more than half of the time.
  void reserve_time() {
    const double needed = kSecondsPerSeated * static_cast<double>(input_.instance.total_replicas());
    clock_.reserve_for_plan(clock_.reserved_for_plan() + std::min(clock_.seconds_left().value_or(0) / 2, needed));
  }

  // Whether some replica is on a node that it may not leave.
  [[nodiscard]] bool any_stays() const {
    const InstanceData& data = input_.instance.data();
    return !data.pinned.empty() || (!data.running.empty() && !start_request(input_.instance, input_.request).ignore_running);
  }

  /// Whether the clock or the bound ends the search.
  [[nodiscard]] bool over(double objective) const {
    return clock_.stop() != Stop::kNo || input_.run.checkpoints.is_moot() ||
           reaches(input_.request.objective, objective, bound_);
  }

  // Searches without the hard constraints, in turns with the bound. Returns whether the nodes take what it finds, or the run
  // has ended before it found anything.
  bool search_freely() {
    stowage::Watch watch = clock_.watch();
    problem_.watch = watch;
    ColocationSearch search(problem_, goal_, input_.request.seed);
    problem_.watch = {};
    if (watch.ended()) {
      clock_.cut();
      return true;
    }
    if (!search.start(clock_)) return true;
    offer_rules(search);
    if (!seat(search)) return false;
    bool bound_grows = true;
    for (std::uint64_t units = kFirstTurn; !over(search.objective()); units *= 2) {
      if (bound_grows) bound_grows = raise_bound(units, &search);
      if (!over(search.objective())) try_exactly(search, units);
      if (over(search.objective())) break;
      clock_.begin_part(units * kStepsPerBoundUnit);
      search.run(bound_, clock_);
      clock_.end_part();
      input_.run.improved({seats_->nodes().size(), search.objective()}, input_.request.objective);
      if (!seat(search)) return false;
    }
    return seat(search);
  }

  // Offers what P4's rules and an LPT that knows the kinds find, where it is better.
  void offer_rules(ColocationSearch& search) {
    if (goal_ != ColocationGoal::kWorst || problem_.replicas() > kMostForRules) return;
    const auto offer = [&](Colocation (*rule)(const ColocationProblem&)) {
      if (over(search.objective()) || clock_.step(1 + problem_.replicas() / kReplicasPerUnit)) return;
      const Colocation found = rule(problem_);
      if (problem_.watch.ended()) return clock_.cut();
      if (cost_of(problem_, found).worst < search.objective()) search.offer(found);
    };
    stowage::Watch watch = clock_.watch();
    problem_.watch = watch;
    offer([](const ColocationProblem& p) { return least_cost_lpt(p); });
    offer([](const ColocationProblem& p) { return best_schedule(p, Subroutine::kLpt); });
    offer([](const ColocationProblem& p) { return greedy_dedicated(p, DedicatedSchedule::kBest, Subroutine::kLpt); });
    problem_.watch = {};
  }

  // Raises the bound for at most so many units, and offers the search, if there is one, the groups of kinds that it found.
  // Returns whether there is more to find.
  bool raise_bound(std::uint64_t units, ColocationSearch* search) {
    if (goal_ == ColocationGoal::kTotal) return raise_bound_on_total(units);
    clock_.begin_part(units + kPassesOfBound * pass_units(problem_));
    const WorstBound found =
        worst_cost_bound(problem_, clock_, search != nullptr ? search->objective() : std::numeric_limits<double>::infinity());
    const bool more = clock_.stop() == Stop::kPart;
    clock_.end_part();
    if (found.value > bound_) {
      bound_ = found.value;
      bound_name_ = found.name;
    }
    if (search == nullptr) return more;
    KindGroups groups;
    for (const NodeTarget& target : found.targets) {
      if (target.nodes == 0) continue;
      KindGroup& group = groups.emplace_back(KindGroup{target.nodes, target.load});
      for (double& load : group.load) load /= target.nodes;
    }
    search->offer(groups, clock_);
    return more;
  }

  // Before its first value come a pass over the replicas and some rounds.
  bool raise_bound_on_total(std::uint64_t units) {
    constexpr std::uint64_t kTimesOnTotal = 8;
    clock_.begin_part(kTimesOnTotal * units + 2 * std::uint64_t{problem_.replicas()});
    const double found = total_cost_bound(problem_, clock_);
    const bool more = clock_.stop() == Stop::kPart;
    clock_.end_part();
    if (found > bound_) {
      bound_ = found;
      bound_name_ = "total";
    }
    return more;
  }

  // The exact method, for few replicas.
  void try_exactly(ColocationSearch& search, std::uint64_t units) {
    if (goal_ != ColocationGoal::kWorst || problem_.replicas() > kMostTriedExactly) return;
    constexpr std::uint64_t kTimesBound = 4;
    clock_.begin_part(units * kTimesBound);
    const ExactColocation found = exact_colocation(problem_, clock_, search.best());
    clock_.end_part();
    search.offer(found.colocation);
    if (!found.proven) return;
    constexpr double kRounding = 1e-12;
    bound_ = std::max(bound_, found.worst * (1 - kRounding));
    bound_name_ = "exact";
  }

  // Seats the best assignment, and keeps that if the nodes take it as it is. Otherwise keeps the last one that they took, if
  // there was one, and returns false; the first one is seated as far as it goes.
  bool seat(const ColocationSearch& search) {
    if (search.objective() >= seated_) return true;
    auto next = std::make_unique<Seats<Unit>>(input_.instance, start_request(input_.instance, input_.request), clock_);
    const std::vector<std::uint32_t> others = next->seat(problem_, search.best(), clock_);
    if (others.empty()) {
      seats_ = std::move(next);
      seated_ = search.objective();
      return true;
    }
    if (seated_ == std::numeric_limits<double>::infinity()) {
      next->seat_elsewhere(problem_, others, clock_);
      seats_ = std::move(next);
    }
    return false;
  }

  // What the problem looks like where hard constraints do not count; nothing where the run ends before it is known.
  Colocation search_without_constraints(const ColocationProblem& problem) {
    ColocationSearch search(problem, goal_, input_.request.seed);
    if (!search.start(clock_)) return {};
    if (clock_.stop() != Stop::kNo) return search.best();
    raise_bound(kTurnWithinConstraints, &search);
    clock_.begin_part(kTurnWithinConstraints * kStepsPerBoundUnit);
    search.run(bound_, clock_);
    clock_.end_part();
    return search.best();
  }

  // Replicas of apps of which some are left over.
  [[nodiscard]] std::vector<std::uint32_t> left_over() {
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < problem_.replicas(); ++i) {
      if (seats_->placement().unplaced(problem_.app[i]) > 0) left.push_back(i);
    }
    return left;
  }

  // An exchange may have made room for what was left over.
  void search_within_constraints() {
    while (anneal_placed()) {
    }
  }

  bool seat_more() {
    const std::vector<std::uint32_t> left = left_over();
    const auto unplaced = [&] {
      std::uint64_t replicas = 0;
      for (AppId app = 0; app < input_.instance.apps(); ++app) replicas += seats_->placement().unplaced(app);
      return replicas;
    };
    const std::uint64_t before = unplaced();
    seats_->seat_elsewhere(problem_, left, clock_);
    return unplaced() < before;
  }

  // Anneals what is placed, and asks the placement before each exchange. True: more is placed now.
  bool anneal_placed() {
    Colocation colocation;
    const ColocationProblem placed = placed_part(colocation);
    if (placed.replicas() < 2 || ends_with_pass(placed)) return false;
    const Colocation target = search_without_constraints(placed);
    if (target.empty()) return false;
    const TiedApps tied = TiedApps::by_rules(input_.instance);
    ColocationState state(placed, goal_);
    if (ends_with_pass(placed)) return false;
    state.assign(colocation);
    if (ends_with_pass(placed)) return false;
    BestColocation best(state);
    best.take();
    if (ends_with_pass(placed)) return false;
    PlacementGate<Unit> gate(seats_->placement(), state, seats_->nodes(), tied.flags(), input_.request);
    ColocationAnnealing annealing(state, best, input_.request.seed);
    if (!over(best.objective())) {
      stowage::Watch watch = clock_.watch();
      Colocation renamed = renamed_after(state, target, watch);
      if (watch.ended()) clock_.cut();
      TargetWalk(state, std::move(renamed), gate).run(clock_);
      best.reassigned();
      best.offer();
    }
    for (std::uint32_t pass = 0; !over(best.objective()); ++pass) {
      annealing.begin(Cooling::of_pass(pass, state));
      annealing.run(bound_, static_cast<ColocationGate&>(gate), clock_);
      if (input_.run.checkpoints.is_moot()) return false;
      gate.go_to(best.colocation());
      if (clock_.stop() != Stop::kNo) return false;
      if (seat_more()) return true;
      state.assign(best.colocation());
      best.reassigned();
    }
    return false;
  }

  // Counts a pass over the replicas. Returns whether the run ends with it.
  bool ends_with_pass(const ColocationProblem& problem) { return clock_.step(1 + pass_units(problem)); }
  static std::uint64_t pass_units(const ColocationProblem& problem) { return problem.replicas() / kReplicasPerPassUnit; }

  // The problem of the replicas that are placed, and where they are.
  [[nodiscard]] ColocationProblem placed_part(Colocation& colocation) const {
    const Placement<Unit>& placement = seats_->placement();
    const std::span<const NodeId> nodes = seats_->nodes();
    std::vector<std::vector<std::uint32_t>> nodes_of(input_.instance.apps());
    for (std::uint32_t k = 0; k < nodes.size(); ++k) {
      for (const Tenant& tenant : placement.contents().at(nodes[k])) {
        nodes_of[tenant.app].insert(nodes_of[tenant.app].end(), tenant.replicas, k);
      }
    }
    ColocationProblem part;
    part.nodes = static_cast<std::uint32_t>(nodes.size());
    part.kinds = problem_.kinds;
    part.coefficient = problem_.coefficient;
    for (std::uint32_t i = 0; i < problem_.replicas(); ++i) {
      std::vector<std::uint32_t>& left = nodes_of[problem_.app[i]];
      if (left.empty()) continue;
      part.load.push_back(problem_.load[i]);
      part.kind.push_back(problem_.kind[i]);
      part.app.push_back(problem_.app[i]);
      colocation.push_back(left.back());
      left.pop_back();
    }
    return part;
  }

  const PlannerInput& input_;
  WorkClock& clock_;
  ColocationGoal goal_;
  std::unique_ptr<Seats<Unit>> seats_;
  ColocationProblem problem_;
  double bound_ = 0;
  std::string bound_name_;  // empty: the bound is one that every plan has
  double seated_ = std::numeric_limits<double>::infinity();
};

/// Looks for the fewest nodes on which all costs keep within their limits.
template <class Unit>
class FewNodesWithinCosts {
 public:
  explicit FewNodesWithinCosts(const PlannerInput& input)
      : input_(input), clock_(input.run.clock), most_(most_nodes(input.instance, input.request.node_limit)) {}

  std::optional<Plan> run() {
    const double least = input_.bounds.get().fewest_nodes();
    std::uint64_t steps = std::max(kLeastSteps, kStepsPerReplica * input_.instance.total_replicas());
    // First up in steps that grow, then down to the least number that this work reaches; then the next smaller one, with more.
    auto fails = static_cast<std::uint32_t>(std::max(0.0, least - 1));
    for (std::uint32_t up = 1; reached_ == kNone; up *= 2) {
      const std::uint64_t nodes = std::uint64_t{fails} + up;
      if (nodes > std::min<std::uint64_t>(most_, input_.instance.total_replicas())) return std::nullopt;
      if (!attempt(static_cast<std::uint32_t>(nodes), steps)) fails = static_cast<std::uint32_t>(nodes);
      if (given_up_ || clock_.stop() != Stop::kNo) return std::move(best_);
    }
    for (std::uint32_t round = 0; reached_ > least && round < kRounds; ++round) {
      while (reached_ - fails > 1 && clock_.stop() == Stop::kNo) {
        const std::uint32_t middle = fails + (reached_ - fails) / 2;
        if (!attempt(middle, steps)) fails = middle;
      }
      if (clock_.stop() != Stop::kNo) break;
      fails = static_cast<std::uint32_t>(std::max(least - 1, reached_ - 2.0));
      steps *= 4;
    }
    return std::move(best_);
  }

 private:
  static constexpr std::uint32_t kRounds = 3;

  // An end here counts no work, so that small instances, which are soon past it, do not look.
  bool is_over(std::uint32_t nodes, const stowage::Watch& watch) {
    constexpr double kSecondsToBegin = 100e-9;  // per node and replica
    if (watch.ended()) {
      clock_.cut();
      return true;
    }
    if (!is_large(input_.instance)) return false;
    clock_.affords(kSecondsToBegin * static_cast<double>(nodes + input_.instance.total_replicas()));
    return clock_.stop() != Stop::kNo;
  }

  // Whether so many nodes suffice, as far as that work tells.
  bool attempt(std::uint32_t nodes, std::uint64_t steps) {
    // Each of these takes long where there are many nodes.
    stowage::Watch watch = clock_.watch();
    if (is_over(nodes, watch)) return false;
    ColocationProblem problem = colocation_problem(input_.instance, nodes, watch);
    for (std::uint32_t t = 0; t < problem.kinds; ++t) {
      for (std::uint32_t u = 0; u < problem.kinds; ++u) {
        problem.coefficient[std::size_t{t} * problem.kinds + u] /= input_.instance.max_cost(t);
      }
    }
    constexpr double kWithin = 1 - 1e-12;
    if (is_over(nodes, watch)) return false;
    ColocationSearch search(problem, ColocationGoal::kWorst, input_.request.seed);
    if (is_over(nodes, watch)) return false;
    problem.watch = {};
    clock_.begin_part(steps);
    const bool is_started = search.start_unless_over(clock_);
    if (is_started) search.run(kWithin, clock_);
    clock_.end_part();
    if (!is_started || search.objective() > kWithin) return false;
    Request request = input_.request;
    request.node_limit = nodes;
    Seats<Unit> seats(input_.instance, request, clock_);
    if (!seats.seat(problem, search.best(), clock_).empty()) {
      given_up_ = true;
      return false;
    }
    Plan plan;
    seats.placement().finish(plan);
    reached_ = nodes;
    best_ = std::move(plan);
    return true;
  }

  const PlannerInput& input_;
  WorkClock& clock_;
  std::uint32_t most_;
  std::uint32_t reached_ = kNone;
  bool given_up_ = false;
  std::optional<Plan> best_;
};

}  // namespace

std::optional<Plan> few_nodes_within_costs(const PlannerInput& input) {
  const InstanceData& data = input.instance.data();
  if (!data.pinned.empty() || !data.running.empty() || input.instance.total_replicas() == 0) return std::nullopt;
  for (std::uint32_t kind = 0; kind < input.instance.kinds(); ++kind) {
    if (input.instance.max_cost(kind) == 0) return std::nullopt;
  }
  return input.instance.visit_unit([&](auto unit) { return FewNodesWithinCosts<decltype(unit)>(input).run(); });
}

Error suffer_least(const PlannerInput& input, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return LeastSuffering<decltype(unit)>(input).run(plan); });
}

}  // namespace stowage
