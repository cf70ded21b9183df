#include "core/planners/auto/rebuilding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/rebuild/rebuild.h"
#include "core/rebuild/worth.h"

namespace stowage {
namespace {

/// An unplaced replica costs this many times as much as the dearest node, and as one of the next lower priority.
constexpr double kUnplacedPrice = 4;
constexpr double kPriorityStep = 1000;
constexpr double kHighestPriority = 1e12;

/// A plan as the search works on it.
template <class Unit>
struct Rebuilding {
  Rebuilding(const PlannerInput& input, const Plan& plan, const EnergyPrices& prices, const std::vector<double>& worth)
      : placement(input.instance, input.request), state(placement, input.request), rebuilt(load(plan), prices, worth) {}

  SearchState<Unit>& load(const Plan& plan) {
    std::vector<NodeId> node_of;
    for (const PlannedNode& node : plan.nodes) {
      node_of.push_back(node.listed != kNone ? node.listed : placement.open(node.node_class));
      if (node.listed == kNone) state.add(node_of.back());
    }
    // What runs at the start is there already; what has moved leaves first.
    std::vector<std::vector<Tenant>> wanted(placement.nodes());
    for (const Placed& placed : plan.placed) wanted[node_of[placed.node]].push_back({placed.app, placed.replicas});
    const auto wanted_on = [&](NodeId node, AppId app) {
      for (const Tenant& tenant : wanted[node]) {
        if (tenant.app == app) return tenant.replicas;
      }
      return 0u;
    };
    if (!plan.placed.empty()) {
      for (NodeId node = 0; node < placement.instance().listed_nodes(); ++node) {
        const auto list = placement.contents().at(node);
        const std::vector<Tenant> tenants(list.begin(), list.end());
        for (const Tenant& tenant : tenants) {
          const std::uint32_t stay = wanted_on(node, tenant.app);
          if (tenant.replicas > stay) state.evict(tenant.app, node, tenant.replicas - stay);
        }
      }
    }
    for (NodeId node = 0; node < placement.nodes(); ++node) {
      for (const Tenant& tenant : wanted[node]) {
        const std::uint32_t there = placement.contents().count(tenant.app, node);
        if (tenant.replicas > there) state.place_waiting(tenant.app, node, tenant.replicas - there);
      }
    }
    state.collect_pool();
    placement.residuals().loosen_maxima();
    return state;
  }

  Placement<Unit> placement;
  SearchState<Unit> state;
  RebuildState<Unit> rebuilt;
};

template <class Unit>
class RebuildRun {
 public:
  explicit RebuildRun(const PlannerInput& input)
      : input_(input),
        objective_(judged_by(input.instance, Objective::kNodes)),
        bound_(input.bounds.get().of[objective_].front().value.value),
        worth_(worth_of_apps(input.instance)) {
    find_prices();
  }

  void run(std::vector<Plan> starts, Plan& plan) {
    std::unique_ptr<Rebuilding<Unit>> best;
    for (Plan& start : starts) {
      expand(start);
      consider(start, best);
    }
    if (starts.empty()) consider({}, best);
    RebuildState<Unit>& state = best->rebuilt;
    Rebuild<Unit> search(state, input_.request.seed);
    input_.run.progress.enter(Phase::kImprove);
    search.place_waiting(input_.run);
    state.keep();
    const auto reached = [&] {
      const Energy& kept = state.kept();
      return kept.unplaced <= 0 && kept.soft <= 0 && kept.hard <= hard_at_start_ && reaches(objective_, kept.nodes, bound_);
    };
    if (!reached()) search.run(input_.run, reached);
    state.return_to_kept();
    Plan rebuilt;
    best->placement.write(rebuilt);
    if (starts.empty() || !better(input_.instance, Objective::kNodes, plan, rebuilt)) plan.adopt(std::move(rebuilt));
  }

 private:
  void find_prices() {
    const Instance& instance = input_.instance;
    double dearest = 0;
    for (ClassId c = 0; c < instance.classes(); ++c) dearest = std::max(dearest, instance.node_cost(c));
    if (dearest <= 0) dearest = 1;
    std::map<std::int32_t, double> of_priority;
    for (AppId app = 0; app < instance.apps(); ++app) of_priority[instance.priority(app)] = 0;
    double price = kUnplacedPrice * dearest;
    for (auto& [priority, cost] : of_priority) {
      cost = price;
      price = std::min(price * kPriorityStep, kHighestPriority * dearest);
    }
    for (AppId app = 0; app < instance.apps(); ++app) prices_.unplaced.push_back(of_priority[instance.priority(app)]);
    prices_.hard = kUnplacedPrice * dearest;
    prices_.soft = kUnplacedPrice * dearest;
  }

  // Takes the start if it is the best so far.
  void consider(const Plan& start, std::unique_ptr<Rebuilding<Unit>>& best) const {
    auto next = std::make_unique<Rebuilding<Unit>>(input_, start, prices_, worth_);
    if (best == nullptr || next->rebuilt.energy() < best->rebuilt.energy()) best = std::move(next);
  }

  const PlannerInput& input_;
  const Objective objective_;
  const double bound_;
  std::vector<double> worth_;
  EnergyPrices prices_;
  double hard_at_start_ = 0;
};

}  // namespace

void rebuild(const PlannerInput& input, std::vector<Plan> starts, Plan& plan) {
  input.instance.visit_unit([&](auto unit) { RebuildRun<decltype(unit)>(input).run(std::move(starts), plan); });
}

}  // namespace stowage
