#include "core/planners/colocate/seats.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/sort_by.h"
#include "core/measures/order.h"
#include "core/plan/side_effects.h"

namespace stowage {

void NodeCosts::add(NodeId node, std::uint32_t kind, double load) {
  const std::size_t first = std::size_t{node} * problem_->kinds;
  for (std::uint32_t t = 0; t < problem_->kinds; ++t) cost_[first + t] += problem_->suffers(t, kind) * load;
  there_[first + kind] = 1;
}

double NodeCosts::worst_with(NodeId node, std::uint32_t kind, double load) const {
  const std::size_t first = std::size_t{node} * problem_->kinds;
  double worst = 0;
  for (std::uint32_t t = 0; t < problem_->kinds; ++t) {
    if (there_[first + t] == 0 && t != kind) continue;
    worst = std::max(worst, cost_[first + t] + problem_->suffers(t, kind) * load);
  }
  return worst;
}

template <class Unit>
Seats<Unit>::Seats(const Instance& instance, const Request& request, WorkClock& clock)
    : instance_(&instance), placement_(instance, request), candidate_(placement_) {
  const std::uint32_t most = most_nodes(instance, request.node_limit);
  open(static_cast<std::uint32_t>(std::min<std::uint64_t>(most, instance.total_replicas())), clock);
}

// Opens nodes until there are so many, and lists those with most room for load first.
template <class Unit>
void Seats<Unit>::open(std::uint32_t nodes, WorkClock& clock) {
  stowage::Watch watch = clock.watch();
  for (const ClassId c : class_order(*instance_)) {
    while (placement_.nodes() < nodes && !watch.step(kStepsToOpen) && placement_.open(c) != kNone) {
    }
  }
  if (watch.ended()) clock.cut();
  nodes_.resize(placement_.nodes());
  std::iota(nodes_.begin(), nodes_.end(), NodeId{0});
  const InstanceData& data = instance_->data();
  std::vector<double> capacity(placement_.nodes());
  for (const NodeId n : nodes_) capacity[n] = data.classes[placement_.class_of(n)].capacity[data.interference.resource];
  sort_by_largest(nodes_, capacity);
  // Nodes that hold something count first.
  std::stable_partition(nodes_.begin(), nodes_.end(), [&](NodeId n) { return placement_.used(n); });
  const auto in_use =
      static_cast<std::size_t>(std::count_if(nodes_.begin(), nodes_.end(), [&](NodeId n) { return placement_.used(n); }));
  nodes_.resize(std::min<std::size_t>(nodes_.size(), std::max<std::size_t>(nodes, in_use)));
}

template <class Unit>
NodeCosts Seats<Unit>::costs_of(const ColocationProblem& problem) const {
  NodeCosts costs(problem, placement_.nodes());
  for (NodeId n = 0; n < placement_.nodes(); ++n) {
    for (const Tenant& tenant : placement_.contents().at(n)) {
      costs.add(n, instance_->kind(tenant.app), tenant.replicas * instance_->interfering_load(tenant.app));
    }
  }
  return costs;
}

template <class Unit>
std::vector<std::uint32_t> Seats<Unit>::seat(const ColocationProblem& problem, const Colocation& colocation, WorkClock& clock) {
  // The clock has ended the opening of nodes.
  if (nodes_.size() < problem.nodes) return {0};
  std::vector<double> load(nodes_.size(), 0);
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) load[colocation[i]] += problem.load[i];
  std::vector<std::uint32_t> by_load(nodes_.size());
  std::iota(by_load.begin(), by_load.end(), 0u);
  sort_by_largest(by_load, load);
  std::vector<NodeId> node(nodes_.size());
  for (std::size_t k = 0; k < by_load.size(); ++k) node[by_load[k]] = nodes_[k];

  constexpr std::uint64_t kStepsToSeat = 32;
  // A run that is over seats what it has, which it counts no more: few replicas are seated whenever it ends.
  constexpr std::uint64_t kStepsSpared = std::uint64_t{1} << 19;
  stowage::Watch watch = clock.watch();
  watch.spare(kStepsSpared);
  std::vector<std::uint32_t> others;
  AppId app = kNone;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    if (placement_.unplaced(problem.app[i]) == 0) continue;
    if (watch.step(kStepsToSeat + placement_.steps_to_ask(problem.app[i]))) {
      others.push_back(i);
      clock.cut();
      return others;
    }
    if (problem.app[i] != app) candidate_.start(placement_, app = problem.app[i]);
    if (placement_.headroom(candidate_, node[colocation[i]], 1) == 0) {
      others.push_back(i);
    } else {
      placement_.place(app, node[colocation[i]], 1);
    }
  }
  return others;
}

template <class Unit>
void Seats<Unit>::seat_elsewhere(const ColocationProblem& problem, const std::vector<std::uint32_t>& replicas,
                                 WorkClock& clock) {
  if (replicas.empty() || clock.stop() != Stop::kNo) return;
  NodeCosts costs = costs_of(problem);
  AppId app = kNone;
  AppId fits_nowhere = kNone;
  for (const std::uint32_t i : replicas) {
    if (problem.app[i] == fits_nowhere || placement_.unplaced(problem.app[i]) == 0) continue;
    if (clock.step(1 + placement_.nodes() / 64)) return;
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
    if (best == kNone) best = open_for(costs);
    if (best == kNone) {
      fits_nowhere = app;
      continue;
    }
    placement_.place(app, best, 1);
    costs.add(best, problem.kind[i], problem.load[i]);
  }
}

// The nodes that are open may be of classes that the candidate does not fit.
template <class Unit>
NodeId Seats<Unit>::open_for(NodeCosts& costs) {
  if (placement_.may_still_use() == 0) return kNone;
  const NodeId node = placement_.open_for(candidate_, class_order(*instance_));
  if (node == kNone) return kNone;
  nodes_.push_back(node);
  costs.open(placement_.nodes());
  return node;
}

template class Seats<std::int16_t>;
template class Seats<std::int32_t>;

}  // namespace stowage
