#include "core/search/starts/spread_start.h"

#include <algorithm>
#include <utility>

#include "core/measures/measure.h"
#include "core/measures/order.h"
#include "core/measures/scarcity.h"
#include "core/measures/size.h"

namespace stowage {
namespace {

/// Per dimension: one scaled unit in shares of a node, averaged over the resources that count and their periods.
std::vector<double> spread_weights(const Instance& instance, SpreadOver over) {
  std::vector<double> weight = unit_shares(instance);
  const ResourceId scarcest = scarcest_resource(resource_scarcity(instance));
  const bool all = over == SpreadOver::kAllResources || instance.resources() == 1;
  double resources = 0;
  for (ResourceId r = 0; r < instance.resources(); ++r) resources += all || r != scarcest ? 1 : 0;
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    const bool counts = all || instance.resource_of(h) != scarcest;
    weight[h] = counts ? weight[h] / (resources * instance.periods()) : 0;
  }
  return weight;
}

}  // namespace

std::vector<AppId> start_order(const Instance& instance, double demand_share, bool by_priority) {
  std::vector<double> size = sizes(instance, Measure::kAverage, 0);
  if (demand_share < 1) size = hybrid_sizes(instance, std::move(size), demand_share);
  const double largest = size.empty() ? 0 : *std::max_element(size.begin(), size.end());
  const NormalizedDemand demand(instance);
  for (AppId app = 0; app < instance.apps(); ++app) {
    bool half = false;
    demand.for_each_share(app, [&](std::uint32_t, double share) { half = half || share > 0.5; });
    if (half) size[app] += largest;
  }
  return app_order(instance, size, by_priority);
}

template <class Unit>
SpreadStart<Unit>::SpreadStart(SearchState<Unit>& state, const SpreadRule& rule)
    : state_(&state),
      candidate_(state.placement()),
      weight_(spread_weights(state.instance(), rule.over)),
      pass_(state.placement(), KeyOf{this}),
      order_(start_order(state.instance(), rule.demand_share, rule.by_priority)) {}

template <class Unit>
void SpreadStart<Unit>::run(WorkClock& clock) {
  if (rank_nodes(clock)) place_apps(clock);
  state_->placement().residuals().settle();
  state_->collect_pool();
}

template <class Unit>
bool SpreadStart<Unit>::rank_nodes(WorkClock& clock) {
  if (clock.stop() != Stop::kNo) return false;
  stowage::Watch watch = clock.watch();
  for (const NodeId node : state_->nodes()) {
    pass_.add(node);
    if (!watch.step(kStepsToOpen)) continue;
    clock.cut();
    return false;
  }
  return true;
}

template <class Unit>
void SpreadStart<Unit>::place_apps(WorkClock& clock) {
  state_->placement().residuals().loosen_maxima();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const AppId app = order_[k];
    if (k + 1 < order_.size()) state_->instance().limit_rows().prefetch(order_[k + 1]);
    if (state_->placement().unplaced(app) == 0) continue;
    candidate_.start(state_->placement(), app, true);
    if (pass_.place(candidate_, app, clock)) break;
  }
}

template class SpreadStart<std::int16_t>;
template class SpreadStart<std::int32_t>;

}  // namespace stowage
