// Bounds that follow from side effects of colocation (P4): quick ones, which every plan has. The planners for the objectives
// worst and total know better ones (core/colocation/bounds/).

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/colocation/fluid_bound.h"
#include "core/colocation/problem.h"
#include "core/model/resident_rows.h"
#include "core/plan/side_effects.h"

namespace stowage {
namespace {

// The kinds of an instance as one replica each, which has the load of all: bounds for loads that can be divided see no
// difference.
ColocationProblem merged(const Instance& instance, std::uint32_t nodes) {
  ColocationProblem problem;
  problem.nodes = nodes;
  problem.kinds = instance.kinds();
  problem.coefficient = instance.data().interference.coefficient;
  std::vector<double> load(instance.kinds(), 0);
  for (AppId i = 0; i < instance.apps(); ++i) load[instance.kind(i)] += instance.replicas(i) * instance.interfering_load(i);
  for (std::uint32_t kind = 0; kind < problem.kinds; ++kind) {
    if (!(load[kind] > 0)) continue;
    // Sums of doubles exceed the true sum by less.
    problem.load.push_back(load[kind] * (1 - 1e-9));
    problem.kind.push_back(kind);
    problem.app.push_back(kind);
  }
  return problem;
}

// Whether replicas that run or are pinned break a limit on costs already: such nodes may hold more than others. True where the
// watch ends the call.
bool any_broken_start(const Instance& instance, WatchRef watch) {
  const InstanceData& data = instance.data();
  if (data.running.empty() && data.pinned.empty()) return false;
  const std::uint32_t kinds = instance.kinds();
  const ResidentRows held(instance.listed_nodes(), {&data.running, &data.pinned}, watch);
  std::vector<double> load(kinds);
  std::vector<std::uint8_t> present(kinds);
  for (NodeId node = 0; node < instance.listed_nodes(); ++node) {
    const std::span<const Tenant> there = held.at(node);
    if (watch.step(1 + there.size() * kinds)) return true;
    if (there.empty()) continue;
    std::fill(load.begin(), load.end(), 0.0);
    std::fill(present.begin(), present.end(), std::uint8_t{0});
    for (const auto& [app, replicas] : there) {
      load[instance.kind(app)] += replicas * instance.interfering_load(app);
      present[instance.kind(app)] = 1;
    }
    for (std::uint32_t t = 0; t < kinds; ++t) {
      if (present[t] == 0) continue;
      double cost = 0;
      for (std::uint32_t u = 0; u < kinds; ++u) cost += instance.coefficient(t, u) * load[u];
      if (cost > instance.max_cost(t)) return true;
    }
  }
  return false;
}

}  // namespace

BoundValue largest_replica_bound(const Instance& instance, std::uint32_t, WatchRef) {
  const std::vector<double> alone = instance.costs_alone();
  return {*std::max_element(alone.begin(), alone.end())};
}

BoundValue fluid_bound(const Instance& instance, std::uint32_t node_limit, WatchRef) {
  const std::uint32_t nodes = most_nodes(instance, node_limit);
  if (nodes == kNone || nodes == 0) return {};
  return {fluid_bound(merged(instance, nodes)).value};
}

BoundValue fluid_nodes_bound(const Instance& instance, std::uint32_t, WatchRef watch) {
  if (!instance.limits_costs() || any_broken_start(instance, watch)) return {};
  const ColocationProblem problem = merged(instance, 1);
  std::vector<double> limits(instance.kinds());
  for (std::uint32_t kind = 0; kind < instance.kinds(); ++kind) {
    limits[kind] = instance.max_cost(kind);
    // A kind of which no load may be anywhere; its replicas have none.
    if (limits[kind] == 0) limits[kind] = std::numeric_limits<double>::infinity();
  }
  // Within the tolerance of checks, nodes hold slightly more.
  const double nodes = fluid_prices(scaled_kinds(problem, exact_total_load(problem), limits)).nodes * (1 - 1e-8);
  return {std::ceil(nodes - 1e-9)};
}

}  // namespace stowage
