// A start for a search: replicas spread over the nodes in play.
//
// Nodes are ranked by what they have left of the resources that do not bind, so that all nodes keep about the same of these and
// none is closed to further replicas by a resource of which there is plenty. The resource that binds is left to the search,
// which fills it exactly. Apps come by a mix of size and degree (P0, Eq. 3), those with a replica of more than half a node
// first.
// O(log N + skipped nodes / 64) per replica.
#pragma once

#include <cstdint>
#include <vector>

#include "core/placement/spread_pass.h"
#include "core/run/work_clock.h"
#include "core/search/search_state.h"

namespace stowage {

/// Share of demand in an order by demand and degree: apps that limits keep away from most nodes then come early enough.
inline constexpr double kDemandShare = 0.7;

/// The resources by which nodes are ranked.
enum class SpreadOver : std::uint8_t { kAllButScarcest, kAllResources };

struct SpreadRule {
  double demand_share = 1;  ///< of an app's size in the order; the rest is its degree (alpha of P0, Eq. 3)
  SpreadOver over = SpreadOver::kAllButScarcest;
  /// Apps of high priority come first. Where everything will find room, priorities decide nothing, and only disturb the order.
  bool by_priority = true;
};

/// The order in which a start places the apps.
std::vector<AppId> start_order(const Instance& instance, double demand_share, bool by_priority = true);

template <class Unit>
class SpreadStart {
 public:
  SpreadStart(SearchState<Unit>& state, const SpreadRule& rule);
  SpreadStart(const SpreadStart&) = delete;
  SpreadStart(SpreadStart&&) = delete;
  SpreadStart& operator=(const SpreadStart&) = delete;
  SpreadStart& operator=(SpreadStart&&) = delete;
  ~SpreadStart() = default;

  /// Leaves out the apps for which out(app) is true.
  template <class Out>
  void leave_out(Out&& out) {
    std::erase_if(order_, out);
  }
  /// Places what waits, and ends early when the clock stops it.
  void run(WorkClock& clock);

 private:
  /// Returns whether the run goes on.
  bool rank_nodes(WorkClock& clock);
  void place_apps(WorkClock& clock);

  struct KeyOf {
    const SpreadStart* start;
    double operator()(NodeId node) const {
      return start->state_->placement().residuals().weighted_sum(node, start->weight_.data());
    }
  };

  SearchState<Unit>* state_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<double> weight_;  // per dimension
  SpreadPass<Unit, KeyOf> pass_;
  std::vector<AppId> order_;
};

extern template class SpreadStart<std::int16_t>;
extern template class SpreadStart<std::int32_t>;

}  // namespace stowage
