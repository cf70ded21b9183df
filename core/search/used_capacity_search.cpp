#include "core/search/used_capacity_search.h"

#include <algorithm>

namespace stowage {
namespace {

/// A turn is this many steps per node, for at least kFewNodes nodes.
constexpr std::uint64_t kStepsPerNode = 64;
constexpr std::uint64_t kFewNodes = 32;
/// Turns in a row without a better plan after which the search ends.
constexpr std::uint32_t kIdleTurns = 4;
constexpr std::uint64_t kStepsPerBatch = 32;
/// Units of work, each the time in which a start visits a node.
constexpr std::uint64_t kStepWork = 32;
/// A move of a running replica has to gain the largest use of a node at first, and half as much each of this many times.
constexpr std::uint32_t kMovePrices = 10;
/// Threshold at the beginning of a turn, as a share of the largest use of a node.
constexpr double kHottest = 2e-3;
/// Below this share, sums of the same numbers may differ in rounding alone.
constexpr double kRoundingShare = 1e-12;

}  // namespace

template <class Unit>
UsedCapacitySearch<Unit>::UsedCapacitySearch(SearchState<Unit>& state, std::uint64_t seed)
    : state_(&state), random_(seed), resource_(state.instance().uncertain_resource()), use_(state.placement().nodes()) {
  needs_.resize(state.instance().apps());
  for (AppId app = 0; app < needs_.size(); ++app) state.placement().residuals().prepare(app, needs_[app]);
  for (const NodeId node : state.nodes()) {
    use_[node] = use_after(node, kNone, kNone);
    largest_ = std::max(largest_, use_[node]);
  }
  keep_if_best();
}

template <class Unit>
bool UsedCapacitySearch<Unit>::run(WorkClock& clock) {
  const std::uint64_t turn = kStepsPerNode * std::max<std::uint64_t>(state_->nodes().size(), kFewNodes);
  if (state_->nodes().size() < 2) return false;
  for (std::uint32_t halvings = 0; halvings < kMovePrices && state_->moves_left() > 0; ++halvings) {
    move_price_ = largest_ / static_cast<double>(1u << halvings);
    if (!steps(clock, turn, 0)) break;
  }
  move_price_ = 0;
  for (bool any = true; any && clock.stop() == Stop::kNo;) {
    const std::uint64_t before = exchanges_;
    steps(clock, turn, 0);
    any = exchanges_ > before;
  }
  keep_if_best();
  std::uint64_t length = turn;
  for (std::uint32_t idle = 0; idle < kIdleTurns && clock.stop() == Stop::kNo; length += length / 2) {
    steps(clock, length, largest_ * kHottest);
    idle = keep_if_best() ? 0 : idle + 1;
  }
  return gained_;
}

template <class Unit>
double UsedCapacitySearch<Unit>::use_after(NodeId node, AppId arriving, AppId leaving) const {
  const auto& placement = state_->placement();
  const Instance& instance = state_->instance();
  const Unit* in = arriving == kNone ? nullptr : needs_[arriving].demand;
  const Unit* out = leaving == kNone ? nullptr : needs_[leaving].demand;
  std::int64_t left = INT64_MAX;
  for (std::uint32_t h = resource_ * instance.periods(); h < (resource_ + 1) * instance.periods(); ++h) {
    left =
        std::min(left, placement.residuals().mean_left(node, h) - (in == nullptr ? 0 : in[h]) + (out == nullptr ? 0 : out[h]));
  }
  const std::int64_t risk = placement.residuals().risk(node, resource_) +
                            (in == nullptr ? 0 : needs_[arriving].risk[resource_]) -
                            (out == nullptr ? 0 : needs_[leaving].risk[resource_]);
  const std::int64_t capacity = instance.scaled_capacity(placement.class_of(node))[resource_];
  return static_cast<double>(capacity - left) + instance.root_of_risk(risk, resource_);
}

template <class Unit>
bool UsedCapacitySearch<Unit>::steps(WorkClock& clock, std::uint64_t count, double hottest) {
  for (std::uint64_t done = 0; done < count; done += kStepsPerBatch) {
    threshold_ = hottest * static_cast<double>(count - done) / static_cast<double>(count);
    for (std::uint64_t k = 0; k < kStepsPerBatch; ++k) step();
    if (clock.step(kStepsPerBatch * kStepWork)) return false;
  }
  return true;
}

template <class Unit>
void UsedCapacitySearch<Unit>::step() {
  const auto draw = [&] { return state_->nodes()[random_.below(static_cast<std::uint32_t>(state_->nodes().size()))]; };
  const NodeId from = draw();
  const NodeId to = draw();
  if (from == to) return;
  // Copies, because rules_let_exchange() may change the order of the tenants.
  list_apps(from, movers_);
  list_apps(to, others_);
  others_.push_back(kNone);
  // Only a gain beyond rounding is one: an exchange of equal replicas gains nothing.
  double best = largest_ * kRoundingShare - threshold_ * random_.share();
  AppId best_mover = kNone;
  AppId best_other = kNone;
  for (const AppId mover : movers_) {
    for (const AppId other : others_) {
      if (other == mover) continue;
      const double gain = use_[from] + use_[to] - use_after(from, other, mover) - use_after(to, mover, other);
      if (gain <= best || !possible(mover, from, other, to)) continue;
      const int moves = state_->moves_for(mover, from, to) + (other == kNone ? 0 : state_->moves_for(other, to, from));
      const double net = gain - (move_price_ + threshold_) * moves;
      if (net <= best) continue;
      best = net;
      best_mover = mover;
      best_other = other;
    }
  }
  if (best_mover == kNone) return;
  state_->exchange(best_mover, from, best_other, to);
  use_[from] = use_after(from, kNone, kNone);
  use_[to] = use_after(to, kNone, kNone);
  ++exchanges_;
}

template <class Unit>
void UsedCapacitySearch<Unit>::list_apps(NodeId node, std::vector<AppId>& apps) const {
  apps.clear();
  for (const Tenant& tenant : state_->placement().contents().at(node)) apps.push_back(tenant.app);
}

template <class Unit>
bool UsedCapacitySearch<Unit>::possible(AppId mover, NodeId from, AppId other, NodeId to) {
  const auto& residuals = state_->placement().residuals();
  const auto* out = other == kNone ? nullptr : &needs_[other];
  return residuals.takes_instead(needs_[mover], out, to) &&
         (out == nullptr || residuals.takes_instead(*out, &needs_[mover], from)) && state_->may_join(mover, to, other) &&
         (other == kNone || state_->may_join(other, from, mover)) && state_->may_leave(mover, from, other, to) &&
         state_->rules_let_exchange(mover, from, other, to);
}

// Keeps the contents if they are the best so far.
template <class Unit>
bool UsedCapacitySearch<Unit>::keep_if_best() {
  double sum = 0;
  for (const NodeId node : state_->nodes()) sum += use_[node];
  if (best_contents_.nodes() > 0 && sum >= best_ * (1 - kRoundingShare)) return false;
  gained_ = best_contents_.nodes() > 0;
  best_ = sum;
  best_contents_ = state_->placement().contents();
  return gained_;
}

template class UsedCapacitySearch<std::int16_t>;
template class UsedCapacitySearch<std::int32_t>;

}  // namespace stowage
