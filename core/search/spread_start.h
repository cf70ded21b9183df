// A start for improvement: replicas spread over the nodes in play, so that the resource that binds is left to be filled
// exactly.
//
// Spreading by the resources that do not bind leaves every node about the same of them, and none is closed to further replicas
// by what does not matter. Large items come first, the others by a mix of size and degree (P0, Eq. 3).
// O(log N + skipped nodes / 64) per replica.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/measures/measure.h"
#include "core/measures/order.h"
#include "core/measures/scarcity.h"
#include "core/measures/size.h"
#include "core/placement/spread_pass.h"
#include "core/run/run.h"
#include "core/search/search_state.h"

namespace stowage {

/// Of demand in an order that counts degree as well: what limits tie to few nodes finds none when it comes late.
inline constexpr double kShareBesideDegree = 0.7;

struct SpreadRule {
  double alpha = 1;            ///< share of demand in the order, the rest is degree
  bool all_resources = false;  ///< spread by all resources, not only by those that do not bind
};

/// Order in which a start takes the apps.
inline std::vector<AppId> start_order(const Instance& instance, double alpha) {
  std::vector<double> size = sizes(instance, Measure::kAverage, 0);
  if (alpha < 1) size = hybrid_sizes(instance, std::move(size), alpha);
  const double largest = size.empty() ? 0 : *std::max_element(size.begin(), size.end());
  const NormalizedDemand demand(instance);
  for (AppId app = 0; app < instance.apps(); ++app) {
    bool half = false;
    demand.for_each_share(app, [&](std::uint32_t, double share) { half = half || share > 0.5; });
    if (half) size[app] += largest;
  }
  return app_order(instance, size);
}

template <class Unit>
class SpreadStart {
 public:
  SpreadStart(SearchState<Unit>& state, const SpreadRule& rule)
      : state_(&state),
        candidate_(state.placement()),
        weight_(weights(rule)),
        pass_(state.placement(), KeyOf{this}),
        order_(start_order(state.instance(), rule.alpha)) {
    for (const NodeId node : state.nodes()) pass_.add(node);
  }

  SpreadStart(const SpreadStart&) = delete;
  SpreadStart(SpreadStart&&) = delete;
  SpreadStart& operator=(const SpreadStart&) = delete;
  SpreadStart& operator=(SpreadStart&&) = delete;
  ~SpreadStart() = default;

  /// Leaves out apps, where `out(app)` says so.
  template <class Out>
  void leave_out(Out&& out) {
    std::erase_if(order_, out);
  }
  /// Places what waits. Ends early when the run ends.
  void run(Run& run) {
    state_->placement().residuals().loosen_maxima();
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const AppId app = order_[k];
      if (k + 1 < order_.size()) state_->instance().limit_rows().prefetch(order_[k + 1]);
      if (state_->placement().unplaced(app) == 0) continue;
      candidate_.start(state_->placement(), app, true);
      if (run.clock.step(pass_.place(candidate_, app))) break;
    }
    state_->placement().residuals().settle();
    state_->collect_pool();
  }

 private:
  struct KeyOf {
    const SpreadStart* start;
    double operator()(NodeId node) const {
      return start->state_->placement().residuals().weighted_sum(node, start->weight_.data());
    }
  };

  [[nodiscard]] std::vector<double> weights(const SpreadRule& rule) const {
    const Instance& instance = state_->instance();
    std::vector<double> weight = unit_shares(instance);
    const ResourceId scarcest = scarcest_resource(resource_scarcity(instance));
    const bool alone = instance.resources() == 1;
    double resources = 0;
    for (ResourceId r = 0; r < instance.resources(); ++r) resources += alone || rule.all_resources || r != scarcest ? 1 : 0;
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      const ResourceId r = instance.resource_of(h);
      const bool counts = alone || rule.all_resources || r != scarcest;
      weight[h] = counts ? weight[h] / (resources * instance.periods()) : 0;
    }
    return weight;
  }

  SearchState<Unit>* state_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<double> weight_;  // per dimension
  SpreadPass<Unit, KeyOf> pass_;
  std::vector<AppId> order_;
};

}  // namespace stowage
