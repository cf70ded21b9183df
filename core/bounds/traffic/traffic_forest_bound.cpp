// Proof. Let a plan hold x_ni of the d_i replicas of app i on node n. It keeps the share of the pair (i, j)
//   sum_n share_ij min(x_ni / d_i, x_nj / d_j).
// For prices p_i >= 0, sum_i p_i (d_i - sum_n x_ni) >= 0 is added. Then the pairs of the forest keep at most
//   sum_i p_i d_i + sum_n max_x (sum of the forest's share_ij min(x_i / d_i, x_j / d_j) - sum_i p_i x_i),
// where x ranges over whole numbers that the node has room for. Sizes are demands times a factor, and capacities carried
// amounts times the same one, both rounded down: sums of rounded demands exceed a capacity by no means where the demands do
// not. Other dimensions, limits between apps, and rules are left out.
#include "core/bounds/traffic/traffic_forest_bound.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/plan/remote_traffic.h"

namespace stowage {
namespace {

constexpr TrafficPrices::Steps kBoundSteps = {0.08, 0.75, 25, 2e-4};
/// Sums of shares are rounded.
constexpr double kShareMargin = 1e-9;

}  // namespace

TrafficForestBound::TrafficForestBound(const Instance& instance, const Supply& supply, const TrafficGraph& graph)
    : forest_(graph), demand_(instance, supply, graph), all_(all_traffic(instance)) {
  const TrafficUnit unit(graph, forest_, demand_, TrafficUnit::Demand::kDown);
  if (graph.pairs().empty() || !unit.exists()) return;
  const std::vector<double> shares = traffic_pair_shares(instance, supply);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (forest_.joined()[k] == 0) others_ += graph.pairs()[k].share * shares[k];
  }
  std::map<std::uint32_t, double> nodes_of;
  for (const Supply::Group& group : supply.groups) {
    const auto carries = static_cast<std::uint64_t>(std::max<std::int64_t>(0, group.carries[demand_.dim]));
    // No more nodes than replicas hold any.
    nodes_of[unit.capacity(carries)] += static_cast<double>(std::min(group.count, graph.total_replicas()));
  }
  std::vector<TrafficPrices::Kind> kinds;
  kinds.reserve(nodes_of.size());
  for (const auto& [capacity, nodes] : nodes_of) kinds.push_back({capacity, nodes});
  forest_.set_sizes(unit.apps(), kinds.back().capacity);
  prices_.emplace(graph, forest_, std::move(kinds), kBoundSteps);
}

double TrafficForestBound::remote() const {
  return prices_ ? all_ * std::max(0.0, 1 - others_ - prices_->least() - kShareMargin) : 0;
}

const BoundInfo& traffic_forest_bound_info() {
  static constexpr BoundInfo kInfo = {"traffic-forest", Objective::kTraffic,
                                      "Lagrangian relaxation (Held, Wolfe and Crowder 1974)", nullptr};
  return kInfo;
}

void add_traffic_forest_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds) {
  if (bounds.of[Objective::kTraffic].empty()) return;
  const TrafficGraph graph(instance);
  Watch watch = clock.watch();
  const Supply supply(instance, watch);
  if (!supply.is_whole()) return;
  TrafficForestBound bound(instance, supply, graph);
  if (watch.ended()) return;
  bound.run(clock);
  add_bound(traffic_forest_bound_info(), bound.remote(), bounds);
}

}  // namespace stowage
