// P4's algorithms: a given number of nodes, and the least cost of the replica that suffers most from side effects.
//
// P4 has equal nodes of soft capacity. Here, an algorithm sees equal nodes, as many as the request and the classes allow, but
// no more than there are replicas. What it puts on one node goes to a node of the instance: the greatest load to the node with
// the greatest capacity, and so on; equal ones stand in order. Capacity is hard. A replica for which its node has no room goes,
// once all others are placed, to the node whose worst-off replica then costs least, of equal ones to the first; or nowhere.
// This costs O(N kinds) per replica without room.

#include "core/planners/families.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/sort_by.h"
#include "core/colocation/heuristics/dedicated.h"
#include "core/colocation/heuristics/fill_greedy.h"
#include "core/colocation/heuristics/ptas/ptas.h"
#include "core/colocation/heuristics/schedules.h"
#include "core/colocation/problem.h"
#include "core/measures/order.h"
#include "core/placement/placement.h"
#include "core/plan/side_effects.h"

namespace stowage {
namespace {

/// What an algorithm finds.
struct Found {
  Colocation colocation;
  double bound = 0;  ///< no colocation costs less; 0: nothing is proven
};

using Algorithm = Result<Found> (*)(const ColocationProblem& problem, const PlannerInput& input);

/// What each kind suffers on each node.
class NodeCosts {
 public:
  NodeCosts(const ColocationProblem& problem, std::uint32_t nodes)
      : problem_(problem), cost_(std::size_t{nodes} * problem.kinds, 0), there_(cost_.size(), 0) {}
  void add(NodeId node, std::uint32_t kind, double load) {
    const std::size_t first = std::size_t{node} * problem_.kinds;
    for (std::uint32_t t = 0; t < problem_.kinds; ++t) cost_[first + t] += problem_.suffers(t, kind) * load;
    there_[first + kind] = 1;
  }
  /// What the worst-off replica of the node would cost beside another one.
  [[nodiscard]] double worst_with(NodeId node, std::uint32_t kind, double load) const {
    const std::size_t first = std::size_t{node} * problem_.kinds;
    double worst = 0;
    for (std::uint32_t t = 0; t < problem_.kinds; ++t) {
      if (there_[first + t] == 0 && t != kind) continue;
      worst = std::max(worst, cost_[first + t] + problem_.suffers(t, kind) * load);
    }
    return worst;
  }

 private:
  const ColocationProblem& problem_;
  std::vector<double> cost_;
  std::vector<std::uint8_t> there_;
};

template <class Unit>
class Colocating {
 public:
  explicit Colocating(const PlannerInput& input)
      : input_(input), placement_(input.instance, input.request), candidate_(placement_) {}

  Error run(Algorithm algorithm, Plan& plan) {
    const std::uint64_t replicas = input_.instance.total_replicas();
    const std::uint32_t most = most_nodes(input_.instance, input_.request.node_limit);
    open(static_cast<std::uint32_t>(std::min<std::uint64_t>(most, replicas)));
    if (placement_.hit_ceiling()) {
      return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
    }
    // Without replicas there may be no node.
    if (!nodes_.empty() && !input_.run.clock.step(1)) {
      const ColocationProblem problem = colocation_problem(input_.instance, static_cast<std::uint32_t>(nodes_.size()));
      Result<Found> found = algorithm(problem, input_);
      if (!found.ok()) return found.error();
      place(problem, found->colocation);
      if (found->bound > 0) plan.bounds[Objective::kWorst] = Bound{"ptas", found->bound};
    }
    placement_.write(plan);
    return {};
  }

 private:
  // Opens nodes until there are so many, and lists those with most room for load first.
  void open(std::uint32_t nodes) {
    for (const ClassId c : class_order(input_.instance)) {
      while (placement_.nodes() < nodes && placement_.open(c) != kNone) {
      }
    }
    nodes_.resize(placement_.nodes());
    std::iota(nodes_.begin(), nodes_.end(), NodeId{0});
    const InstanceData& data = input_.instance.data();
    std::vector<double> capacity(placement_.nodes());
    for (const NodeId n : nodes_) capacity[n] = data.classes[placement_.class_of(n)].capacity[data.interference.resource];
    sort_by_largest(nodes_, capacity);
    nodes_.resize(std::min<std::size_t>(nodes_.size(), nodes));
  }

  void place(const ColocationProblem& problem, const Colocation& colocation) {
    std::vector<double> load(nodes_.size(), 0);
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) load[colocation[i]] += problem.load[i];
    std::vector<std::uint32_t> by_load(nodes_.size());
    std::iota(by_load.begin(), by_load.end(), 0u);
    sort_by_largest(by_load, load);
    std::vector<NodeId> node(nodes_.size());
    for (std::size_t k = 0; k < by_load.size(); ++k) node[by_load[k]] = nodes_[k];

    NodeCosts costs(problem, placement_.nodes());
    std::vector<std::uint32_t> without_room;
    AppId app = kNone;
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
      if (input_.run.clock.step(1)) return;
      if (problem.app[i] != app) candidate_.start(placement_, app = problem.app[i]);
      if (placement_.headroom(candidate_, node[colocation[i]], 1) == 0) {
        without_room.push_back(i);
      } else {
        placement_.place(app, node[colocation[i]], 1);
        costs.add(node[colocation[i]], problem.kind[i], problem.load[i]);
      }
    }
    place_elsewhere(problem, without_room, costs);
  }

  void place_elsewhere(const ColocationProblem& problem, const std::vector<std::uint32_t>& replicas, NodeCosts& costs) {
    AppId app = kNone;
    AppId fits_nowhere = kNone;
    for (const std::uint32_t i : replicas) {
      if (problem.app[i] == fits_nowhere) continue;
      if (input_.run.clock.step(1 + placement_.nodes() / 64)) return;
      if (problem.app[i] != app) candidate_.start(placement_, app = problem.app[i]);
      NodeId best = kNone;
      double least = std::numeric_limits<double>::infinity();
      placement_.residuals().for_each_fitting(candidate_.need(), 0, [&](NodeId n) {
        const double cost = costs.worst_with(n, problem.kind[i], problem.load[i]);
        if (cost >= least || !placement_.allows_one(candidate_, n)) return true;
        least = cost;
        best = n;
        return true;
      });
      if (best == kNone) {
        fits_nowhere = app;
        continue;
      }
      placement_.place(app, best, 1);
      costs.add(best, problem.kind[i], problem.load[i]);
    }
  }

  const PlannerInput& input_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<NodeId> nodes_;  // that the algorithm sees, in its order
};

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

Result<Found> by_ptas(const ColocationProblem& problem, const PlannerInput& input) {
  if (!suits_ptas(problem)) {
    return Error{Code::kUnsupported, "mse-ptas does not honour kinds that do not suffer from themselves", "planner"};
  }
  PtasOptions options;
  options.precision = static_cast<std::uint32_t>(input.options.number("precision"));
  options.most_configurations = static_cast<std::uint64_t>(input.options.number("configurations"));
  PtasResult result = mse_ptas(problem, heuristic(problem), options, input.run.clock);
  if (result.answer == PtasAnswer::kTooMany) {
    return Error{
        Code::kUnsupported,
        "mse-ptas does not honour as many configurations of a node as the kinds and loads of the instance have at this "
        "precision",
        "planner"};
  }
  return Found{std::move(result.colocation), result.bound};
}

PlannerInfo colocating(std::string name, std::string summary, std::string source, std::string complexity,
                       std::span<const OptionInfo> options, Algorithm algorithm) {
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .source = std::move(source),
      .complexity = std::move(complexity),
      .honours = Feature::kPeriods | Feature::kNodeClasses | Feature::kFiniteNodes | Feature::kPrices,
      .options = options,
      .function =
          [algorithm](const PlannerInput& input, Plan& plan) {
            return input.instance.visit_unit([&](auto unit) { return Colocating<decltype(unit)>(input).run(algorithm, plan); });
          },
      .pursues = {Objective::kWorst}};
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
  };
  return kPlanners;
}

}  // namespace stowage
