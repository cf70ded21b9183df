#include "core/planners/auto/traffic/least_traffic.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/traffic/traffic_help.h"
#include "core/planners/notes.h"
#include "core/search/search_state.h"
#include "core/traffic/traffic_graph.h"
#include "core/traffic/traffic_search.h"
#include "core/traffic/traffic_state.h"

namespace stowage {
namespace {

/// The start is the best plan of these; the later ones are asked only where the ones before leave replicas over.
constexpr const char* kStartPlanners[] = {"bfd-max", "ffd-avg", "bfd-avg", "spread-wfd-avg-binsearch", "match-dotproduct"};
/// Of each class, so many empty nodes are opened at least, and as many as the start uses.
constexpr std::uint32_t kLeastOpened = 8;
/// Replicas are counted per app with traffic and node, in so many cells at most.
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 26;

// A plan to start from. What runs stays; everything else goes where it fits.
Error make_start(const PlannerInput& input, Plan& plan) {
  Request request = input.request;
  request.objective = Objective::kNodes;
  request.soft = SoftPolicy::kLast;
  request.options.clear();
  bool first = true;
  for (const char* name : kStartPlanners) {
    Plan other;
    if (Error e = run_within(input, name, request, other); failed(e)) return e;
    if (first || LeftOver(input.instance, other, request.fill) < LeftOver(input.instance, plan, request.fill)) {
      plan.adopt(std::move(other));
    }
    first = false;
    if (plan.unplaced.empty() || input.run.clock.stop() != Stop::kNo) break;
  }
  expand(plan);
  return {};
}

template <class Unit>
class LeastTraffic {
 public:
  explicit LeastTraffic(const PlannerInput& input)
      : input_(input),
        graph_(input.instance),
        tied_(TiedApps::by_rules(input.instance)),
        placement_(input.instance, input.request, &input.run.clock) {}

  Error run(Plan&& start, Plan& plan) {
    if (!begin(start)) {
      input_.run.clock.cut();
      plan.adopt(std::move(start));
      return {};
    }
    if (std::uint64_t{graph_.rows()} * placement_.nodes() > kMostCells) {
      note_off(input_, kNotImproved, "there are too many apps with traffic, times nodes");
      plan.adopt(std::move(start));
      return {};
    }
    const Request request = start_request(input_.instance, input_.request);
    TrafficState<Unit> state(placement_, graph_, request, tied_.flags());
    TrafficSearch<Unit> search(state, request.move_budget, request.seed);
    input_.run.progress.enter(Phase::kImprove);
    const double all = info_of(Objective::kTraffic).whole(input_.instance);
    const auto remote = [all](double local) { return std::max(0.0, all * (1 - local)); };
    search.place_waiting(input_.run.clock);
    const BestSoFar begin{placement_.nodes_in_use(), 0, left_over()};
    TrafficHelp help(input_, graph_, carries());
    // A rebuilt plan moves almost everything.
    const bool moves_are_free = !state.counts_moves() || request.move_budget >= running_replicas();
    search.run(
        input_.run.clock,
        [&](double local) { return input_.run.checkpoints.is_moot() || remote(local) <= help.bound() + all * kValueTolerance; },
        [&](double local) {
          input_.run.improved({begin.nodes, remote(local), begin.left_over}, Objective::kTraffic);
        },
        [&] {
          if (moves_are_free && help.dive(input_.run.clock)) search.rebuild(help.fills(), input_.run.clock);
          help.prove(input_.run.clock);
        });
    placement_.write(search.best(), plan);
    help.state_bound(plan);
    return {};
  }

 private:
  // Places what the start places, and opens empty nodes, which give replicas room to come together. False where the run ends
  // first.
  bool begin(const Plan& start) {
    Watch watch = input_.run.clock.watch();
    {
      SearchState<Unit> state(placement_, input_.request);
      if (!load_plan(start, placement_, state, watch)) return false;
    }
    const std::uint32_t most = std::max(kLeastOpened, placement_.nodes_in_use());
    for (ClassId c = 0; c < input_.instance.classes(); ++c) {
      for (std::uint32_t k = 0; k < most && placement_.open(c) != kNone; ++k) {
        if (watch.step(kStepsToOpen)) return false;
      }
    }
    return true;
  }

  // Per node, what it carries in the dimension that is short, at least: nothing is known of what cannot move.
  [[nodiscard]] std::vector<std::uint64_t> carries() const {
    std::vector<std::uint64_t> result(placement_.nodes(), 0);
    const TrafficDemand demand(input_.instance, Supply(input_.instance), graph_);
    for (NodeId node = 0; node < placement_.nodes() && demand.dim != kNone; ++node) {
      std::int64_t room = placement_.residuals().residual(node, demand.dim);
      for (const Tenant& tenant : placement_.contents().at(node)) {
        room += std::int64_t{tenant.replicas} * input_.instance.template scaled_demand<Unit>(tenant.app)[demand.dim];
      }
      result[node] = static_cast<std::uint64_t>(std::max<std::int64_t>(0, room));
    }
    return result;
  }

  [[nodiscard]] std::uint64_t running_replicas() const {
    std::uint64_t sum = 0;
    for (const Residence& residence : input_.instance.data().running) sum += residence.replicas;
    return sum;
  }

  [[nodiscard]] std::uint64_t left_over() const {
    std::uint64_t sum = 0;
    for (AppId app = 0; app < input_.instance.apps(); ++app) sum += placement_.left_over(app);
    return sum;
  }

  const PlannerInput& input_;
  TrafficGraph graph_;
  TiedApps tied_;
  Placement<Unit> placement_;
};

}  // namespace

Error keep_traffic(const PlannerInput& input, Plan& plan) {
  Plan start;
  if (Error e = make_start(input, start); failed(e)) return e;
  if (input.run.clock.stop() != Stop::kNo) {
    plan.adopt(std::move(start));
    return {};
  }
  if (input.instance.tag_model().has_hard_minimum()) {
    note_minimum(input);
    plan.adopt(std::move(start));
    return {};
  }
  return input.instance.visit_unit([&](auto unit) { return LeastTraffic<decltype(unit)>(input).run(std::move(start), plan); });
}

}  // namespace stowage
