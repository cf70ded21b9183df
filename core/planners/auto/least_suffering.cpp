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
#include "core/colocation/bounds/worst_bound.h"
#include "core/colocation/problem.h"
#include "core/colocation/search/colocation_search.h"
#include "core/colocation/search/placement_gate.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/colocate/seats.h"

namespace stowage {
namespace {

/// Units of the first turn of the bound: microseconds. Each turn has twice as many.
constexpr std::uint64_t kFirstTurn = 5'000;
/// Units of the one turn of the bound where the search heeds hard constraints.
constexpr std::uint64_t kTurnWithinConstraints = 50'000;
/// Units of the search, steps, per unit of the bound.
constexpr std::uint64_t kStepsPerUnit = 64;
/// The exact method tries so many replicas.
constexpr std::uint32_t kMostTried = 40;

/// Passes of the search within the hard constraints, as in ColocationSearch.
constexpr std::uint64_t kLeastSteps = 1u << 14;
constexpr std::uint64_t kStepsPerReplica = 64;
constexpr std::uint32_t kMostDoublings = 8;
constexpr double kHot = 1;
constexpr double kWarm = 0.1;
constexpr double kFocus = 8;

template <class Unit>
class LeastSuffering {
 public:
  explicit LeastSuffering(const PlannerInput& input)
      : input_(input),
        clock_(input.run.clock),
        goal_(input.request.objective == Objective::kWorst ? ColocationGoal::kWorst : ColocationGoal::kTotal),
        seats_(std::make_unique<Seats<Unit>>(input.instance, start_request())) {
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
    seats_->placement().write(plan);
    if (!bound_name_.empty()) plan.bounds[input_.request.objective] = Bound{bound_name_, bound_};
    return {};
  }

 private:
  // Where all running replicas may move, they are planned as if they ran nowhere.
  [[nodiscard]] Request start_request() const {
    Request request = input_.request;
    std::uint64_t running = 0;
    for (const Residence& r : input_.instance.data().running) running += r.replicas;
    if (running <= request.move_budget) request.ignore_running = true;
    return request;
  }

  // Whether some replica is on a node that it may not leave.
  [[nodiscard]] bool any_stays() const {
    const InstanceData& data = input_.instance.data();
    return !data.pinned.empty() || (!data.running.empty() && !start_request().ignore_running);
  }

  /// Whether the clock or the bound ends the search.
  [[nodiscard]] bool over(double objective) const {
    return clock_.stop() != Stop::kNo || input_.run.checkpoints.is_moot() ||
           reaches(input_.request.objective, objective, bound_);
  }

  // Searches without the hard constraints, in turns with the bound. Returns whether the nodes take what it finds.
  bool search_freely() {
    ColocationSearch search(problem_, goal_, input_.request.seed);
    search.start(clock_);
    if (!seat(search)) return false;
    bool bound_grows = goal_ == ColocationGoal::kWorst;
    for (std::uint64_t units = kFirstTurn; !over(search.objective()); units *= 2) {
      if (bound_grows) bound_grows = raise_bound(units, &search);
      if (!over(search.objective())) try_exactly(search, units);
      if (over(search.objective())) break;
      clock_.begin_part(units * kStepsPerUnit);
      search.run(bound_, clock_);
      clock_.end_part();
      clock_.improved();
      if (!seat(search)) return false;
    }
    return seat(search);
  }

  // Raises the bound for at most so many units, and offers the search, if there is one, the groups of kinds that it found.
  // Returns whether there is more to find.
  bool raise_bound(std::uint64_t units, ColocationSearch* search) {
    clock_.begin_part(units);
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

  // The exact method, for few replicas.
  void try_exactly(ColocationSearch& search, std::uint64_t units) {
    if (goal_ != ColocationGoal::kWorst || problem_.replicas() > kMostTried) return;
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
    auto next = std::make_unique<Seats<Unit>>(input_.instance, start_request());
    const std::vector<std::uint32_t> others = next->seat(problem_, search.best());
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

  // Anneals what is seated, and asks the placement before each exchange.
  void search_within_constraints() {
    Colocation colocation;
    const ColocationProblem placed = placed_part(colocation);
    if (placed.replicas() < 2) return;
    if (goal_ == ColocationGoal::kWorst && clock_.stop() == Stop::kNo) raise_bound(kTurnWithinConstraints, nullptr);
    const TiedApps tied = TiedApps::by_rules(input_.instance);
    ColocationState state(placed, goal_);
    state.assign(colocation);
    BestColocation best(state);
    best.take();
    PlacementGate<Unit> gate(seats_->placement(), state, seats_->nodes(), tied.flags(), input_.request);
    ColocationAnnealing annealing(state, best, input_.request.seed);
    for (std::uint32_t pass = 0; !over(best.objective()); ++pass) {
      const std::uint64_t steps = std::max(kLeastSteps, kStepsPerReplica * placed.replicas())
                                  << std::min(pass / 2, kMostDoublings);
      annealing.run({pass % 2 == 0 ? kWarm : kHot, steps, kFocus}, bound_, static_cast<ColocationGate&>(gate), clock_);
      gate.go_to(best.colocation());
      state.assign(best.colocation());
      best.reassigned();
    }
  }

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
    part.nodes = problem_.nodes;
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

}  // namespace

Error suffer_least(const PlannerInput& input, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return LeastSuffering<decltype(unit)>(input).run(plan); });
}

}  // namespace stowage
