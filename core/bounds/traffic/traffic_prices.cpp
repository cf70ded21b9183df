#include "core/bounds/traffic/traffic_prices.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage {
namespace {

/// The first prices, as a share of those at which no node keeps more than its replicas cost.
constexpr double kFirstPrices = 0.9;
/// Better by less than this is not better.
constexpr double kImproved = 1e-5;

}  // namespace

TrafficPrices::TrafficPrices(const TrafficGraph& graph, TrafficForest& forest, std::vector<Kind> kinds, const Steps& steps)
    : graph_(&graph), forest_(&forest), kinds_(std::move(kinds)), steps_(steps), scale_(graph.rows(), 0), slope_(graph.rows()) {
  for (std::size_t k = 0; k < graph.pairs().size(); ++k) {
    const TrafficGraph::Pair& pair = graph.pairs()[k];
    if (forest.joined()[k] == 0) continue;
    for (const std::uint32_t row : {pair.row, pair.peer}) scale_[row] += pair.share / 2 / graph.replicas(row);
  }
  for (const double price : scale_) best_.push_back(kFirstPrices * price);
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    scale_[row] /= graph.replicas(row);
    left_.push_back(graph.replicas(row));
  }
  restart(steps);
}

void TrafficPrices::restart(const Steps& steps) {
  steps_ = steps;
  level_ = steps.level;
  vain_ = 0;
  is_over_ = false;
  least_ = std::numeric_limits<double>::infinity();
  prices_ = best_;
}

void TrafficPrices::start_with(std::vector<double> prices, const Steps& steps) {
  best_ = std::move(prices);
  restart(steps);
}

bool TrafficPrices::step(WorkClock& clock) {
  double value = 0;
  if (!evaluate(value, clock)) return false;
  if (value < least_ - kImproved) {
    least_ = value;
    best_ = prices_;
    vain_ = 0;
  } else if (++vain_ > steps_.vain) {
    vain_ = 0;
    level_ *= steps_.factor;
    is_over_ = level_ < steps_.last_level;
    prices_ = best_;
    return true;
  }
  move(value);
  return true;
}

bool TrafficPrices::evaluate(double& value, WorkClock& clock) {
  if (!forest_->solve(prices_, clock)) return false;
  value = 0;
  slope_ = left_;
  for (std::uint32_t row = 0; row < graph_->rows(); ++row) value += prices_[row] * left_[row];
  for (const Kind& kind : kinds_) {
    const double most = forest_->most(kind.capacity);
    if (!(most > 0) || !(kind.nodes > 0)) continue;
    value += kind.nodes * most;
    forest_->content(kind.capacity, content_);
    if (clock.step(forest_->work_of_content())) return false;
    for (std::uint32_t row = 0; row < graph_->rows(); ++row) slope_[row] -= kind.nodes * content_[row];
  }
  return true;
}

void TrafficPrices::move(double value) {
  double norm = 0;
  for (std::uint32_t row = 0; row < graph_->rows(); ++row) norm += slope_[row] * slope_[row] * scale_[row];
  if (!(norm > 0)) {
    is_over_ = true;
    return;
  }
  const double step = (value - (least_ - level_)) / norm;
  for (std::uint32_t row = 0; row < graph_->rows(); ++row) {
    prices_[row] = std::max(0.0, prices_[row] - step * slope_[row] * scale_[row]);
  }
}

}  // namespace stowage
