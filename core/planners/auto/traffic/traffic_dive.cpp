#include "core/planners/auto/traffic/traffic_dive.h"

#include <algorithm>
#include <map>

namespace stowage {
namespace {

constexpr TrafficPrices::Steps kDiveSteps = {0.01, 0.6, 4, 1e-4};
/// A smaller node that keeps less by no more than this is filled in place of a larger one.
constexpr double kAsGood = 1e-5;
/// Nodes that keep less than this stay as they are.
constexpr double kLeastKept = 1e-9;

}  // namespace

TrafficDive::TrafficDive(const TrafficGraph& graph, const TrafficDemand& demand, std::span<const std::uint64_t> carries)
    : graph_(&graph), forest_(graph) {
  const TrafficUnit unit(graph, forest_, demand, TrafficUnit::Demand::kUp);
  if (!unit.exists() || carries.empty()) return;
  std::map<std::uint32_t, std::vector<NodeId>> rooms;
  for (std::size_t node = carries.size(); node-- > 0;) {
    rooms[unit.capacity(carries[node])].push_back(static_cast<NodeId>(node));
  }
  for (auto& [capacity, nodes] : rooms) all_rooms_.push_back({capacity, std::move(nodes)});
  double units = 0;
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    units += static_cast<double>(graph.replicas(row)) * unit.apps()[row].size;
  }
  apps_ = unit.apps();
  const double most = std::max(1u, all_rooms_.back().capacity);
  nodes_ = 1 + static_cast<std::uint64_t>(std::min(units / most, static_cast<double>(carries.size())));
}

bool TrafficDive::run(std::vector<double> prices, const Way& way, WorkClock& clock) {
  filled_.clear();
  if (all_rooms_.empty()) return true;
  rooms_ = all_rooms_;
  forest_.set_sizes(apps_, rooms_.back().capacity);
  std::vector<TrafficPrices::Kind> kinds;
  for (const Room& room : rooms_) kinds.push_back({room.capacity, static_cast<double>(room.nodes.size())});
  TrafficPrices dual(*graph_, forest_, std::move(kinds), kDiveSteps);
  dual.start_with(std::move(prices), kDiveSteps);
  bool is_done = false;
  while (!is_done) {
    for (std::uint32_t k = 0; k < way.steps && !filled_.empty() && !dual.is_over(); ++k) {
      if (!dual.step(clock)) return false;
    }
    if (!fill_next(dual, way.discount, clock, is_done)) return false;
    dual.restart(kDiveSteps);
  }
  return true;
}

bool TrafficDive::fill_next(TrafficPrices& prices, double discount, WorkClock& clock, bool& is_done) {
  std::vector<double> discounted = prices.best();
  for (double& price : discounted) price *= discount;
  if (!forest_.solve(discounted, clock)) return false;
  std::size_t chosen = rooms_.size();
  double most = kLeastKept;
  for (std::size_t k = rooms_.size(); k-- > 0;) {
    if (rooms_[k].nodes.empty()) continue;
    const double kept = forest_.most(rooms_[k].capacity);
    if (chosen == rooms_.size() ? kept <= most : kept < most - kAsGood) continue;
    chosen = k;
    most = std::max(most, kept);
  }
  std::vector<std::uint32_t> content;
  is_done = chosen == rooms_.size();
  if (is_done) return true;
  forest_.content(rooms_[chosen].capacity, content);
  if (clock.step(forest_.work_of_content())) return false;
  TrafficFill filled{rooms_[chosen].nodes.back(), {}};
  for (std::uint32_t row = 0; row < graph_->rows(); ++row) {
    if (content[row] == 0) continue;
    filled.held.emplace_back(row, content[row]);
    prices.left()[row] -= content[row];
    forest_.lower_most(row, static_cast<std::uint32_t>(prices.left()[row]));
  }
  is_done = filled.held.empty();
  if (is_done) return true;
  rooms_[chosen].nodes.pop_back();
  prices.kinds()[chosen].nodes -= 1;
  filled_.push_back(std::move(filled));
  return true;
}

}  // namespace stowage
