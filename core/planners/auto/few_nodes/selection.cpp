#include "core/planners/auto/few_nodes/selection.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/sort_by.h"

namespace stowage {

template <class Unit>
Selection<Unit>::Selection(Attempt<Unit>& attempt, const LeftOverBound& bound, TakeFirst first)
    : attempt_(&attempt),
      mix_(first == TakeFirst::kCheapest ? &bound.mix : nullptr),
      cost_(attempt.placement.instance().apps(), 0),
      at_first_(free()),
      passed_over_(attempt.placement.instance().apps(), 0) {
  const Instance& instance = attempt.placement.instance();
  for (AppId app = 0; app < instance.apps(); ++app) {
    const auto demand = instance.template scaled_demand<Unit>(app);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) cost_[app] += bound.price[h] * demand[h];
  }
  if (first == TakeFirst::kCheapest) {
    order_ = ids_by(cost_);
  } else {
    order_.resize(instance.apps());
    std::iota(order_.begin(), order_.end(), 0);
    sort_by_largest(order_, cost_);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](AppId a, AppId b) { return instance.priority(a) > instance.priority(b); });
  hold_back();
  if (mix_ == nullptr) return;
  // Where room in single dimensions decides, the order alone may do better.
  const std::uint64_t with_mix = take(0, at_first_);
  hold_back();
  const std::vector<std::uint32_t>* const mix = std::exchange(mix_, nullptr);
  const std::uint64_t without = take(0, at_first_);
  hold_back();
  if (with_mix > without) mix_ = mix;
}

template <class Unit>
std::vector<std::int64_t> Selection<Unit>::free() const {
  const Placement<Unit>& placement = attempt_->placement;
  std::vector<std::int64_t> sum(placement.instance().dims(), 0);
  for (const NodeId node : attempt_->state.nodes()) {
    for (std::uint32_t h = 0; h < sum.size(); ++h) {
      sum[h] += std::max<std::int64_t>(0, placement.residuals().residual(node, h));
    }
  }
  return sum;
}

template <class Unit>
std::uint64_t Selection<Unit>::take(double loss, std::vector<std::int64_t> room) {
  const Placement<Unit>& placement = attempt_->placement;
  for (std::size_t h = 0; h < room.size(); ++h) {
    room[h] -= static_cast<std::int64_t>(loss * static_cast<double>(at_first_[h]));
  }
  for (const AppId app : attempt_->state.pool()) {
    const auto demand = placement.instance().template scaled_demand<Unit>(app);
    for (std::size_t h = 0; h < room.size(); ++h) room[h] -= std::int64_t{demand[h]} * placement.unplaced(app);
  }
  std::uint64_t taken = mix_ != nullptr ? take_some(mix_, room) : 0;
  taken += take_some(nullptr, room);
  attempt_->state.collect_pool();
  return taken;
}

// At most as many of each app as `most` says, those included that are not held back; null: any number.
template <class Unit>
std::uint64_t Selection<Unit>::take_some(const std::vector<std::uint32_t>* most, std::vector<std::int64_t>& room) {
  Placement<Unit>& placement = attempt_->placement;
  const Instance& instance = placement.instance();
  std::uint64_t taken = 0;
  bool some_wait = false;
  std::int32_t priority = 0;
  for (const AppId app : order_) {
    if (some_wait && instance.priority(app) != priority) break;
    priority = instance.priority(app);
    const std::uint32_t held = placement.held_back(app);
    if (held == 0 || passed_over_[app] != 0 || !attempt_->state.placeable(app)) continue;
    const std::uint32_t others = instance.replicas(app) - held;
    std::int64_t times = most == nullptr ? held : (*most)[app] - std::min(others, (*most)[app]);
    const auto demand = instance.template scaled_demand<Unit>(app);
    for (std::size_t h = 0; h < room.size() && times > 0; ++h) {
      if (demand[h] > 0) times = std::min(times, std::max<std::int64_t>(0, room[h]) / demand[h]);
    }
    for (std::size_t h = 0; h < room.size(); ++h) room[h] -= demand[h] * times;
    placement.hold_back(app, held - static_cast<std::uint32_t>(times));
    taken += static_cast<std::uint64_t>(times);
    some_wait = some_wait || times < held;
  }
  return taken;
}

template <class Unit>
void Selection<Unit>::hold_back() {
  Placement<Unit>& placement = attempt_->placement;
  for (const AppId app : order_) placement.hold_back(app, placement.left_over(app));
  attempt_->state.collect_pool();
}

template <class Unit>
void Selection<Unit>::pass_over() {
  for (const AppId app : attempt_->state.pool()) passed_over_[app] = 1;
  hold_back();
}

template <class Unit>
std::vector<AppId> Selection<Unit>::let_go(Attempt<Unit>& attempt) const {
  std::vector<AppId> apps;
  for (const AppId app : order_) {
    if (attempt.placement.left_over(app) == 0 || !attempt.state.placeable(app)) continue;
    attempt.placement.hold_back(app, 0);
    apps.push_back(app);
  }
  attempt.state.collect_pool();
  return apps;
}

template class Selection<std::int16_t>;
template class Selection<std::int32_t>;

}  // namespace stowage
