// Improvement for used capacity at confidence (P1, section 4.1): exchanges between nodes that lower the sum over nodes of
// mean + D sqrt(spread).
//
// Means add up to the same wherever replicas are, but roots do not: the sum is concave in the spreads, so it falls where
// replicas that vary much come together, others fill other nodes, and nodes that held little are emptied. A step takes two
// nodes and makes the best exchange of a replica (or nothing) of one against a replica (or nothing) of the other that both can
// carry and no constraint forbids. First, every gain is taken until there is none; then, in turns that get longer, losses up to
// a threshold that falls to 0 (threshold accepting), which is what leads out of a local optimum. The best contents seen are
// kept.
//
// Moves of running replicas are few: at first, an exchange has to gain much for each of them, then half of it, and so on.
//
// Deterministic: only square roots and sums. O(tenants^2) roots per step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/run/run.h"
#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
class UsedCapacitySearch {
 public:
  UsedCapacitySearch(SearchState<Unit>& state, std::uint64_t seed)
      : state_(&state), random_(seed), resource_(state.instance().uncertain_resource()), use_(state.placement().nodes()) {
    needs_.resize(state.instance().apps());
    for (AppId app = 0; app < needs_.size(); ++app) state.placement().residuals().prepare(app, needs_[app]);
    for (const NodeId node : state.nodes()) {
      use_[node] = use_after(node, kNone, kNone);
      largest_ = std::max(largest_, use_[node]);
    }
    keep();
  }

  /// Goes on until several turns in a row have found nothing better, or the run ends; true where anything was gained.
  bool run(Run& run) {
    const std::uint64_t turn = kStepsPerNode * std::max<std::uint64_t>(state_->nodes().size(), kFewNodes);
    if (state_->nodes().size() < 2) return false;
    for (std::uint32_t halvings = 0; halvings < kPrices && state_->moves_left() > 0; ++halvings) {
      price_ = largest_ / static_cast<double>(1u << halvings);
      if (!steps(run, turn, 0)) break;
    }
    price_ = 0;
    for (bool any = true; any && run.clock.stop() == Stop::kNo;) {
      const std::uint64_t before = exchanges_;
      steps(run, turn, 0);
      any = exchanges_ > before;
    }
    keep();
    std::uint64_t length = turn;
    for (std::uint32_t idle = 0; idle < kIdleTurns && run.clock.stop() == Stop::kNo; length += length / 2) {
      steps(run, length, largest_ * kHottest);
      idle = keep() ? 0 : idle + 1;
    }
    return gained_;
  }

  /// The best that was seen.
  [[nodiscard]] const NodeContents& contents() const { return kept_; }

 private:
  /// So many steps for each node are a turn.
  static constexpr std::uint64_t kStepsPerNode = 64;
  static constexpr std::uint64_t kFewNodes = 32;
  static constexpr std::uint32_t kIdleTurns = 4;
  /// In the time of which a start visits so many nodes.
  static constexpr std::uint64_t kStepWork = 32;
  /// What a running replica has to gain at first is the largest use of a node; it is halved until there were so many prices.
  static constexpr std::uint32_t kPrices = 10;
  /// A turn may lose this share of the largest use of a node in a step at first.
  static constexpr double kHottest = 2e-3;
  /// Below this share, sums of the same numbers may differ in rounding alone.
  static constexpr double kRoundingShare = 1e-12;

  struct Exchange {
    AppId mover = kNone;  // kNone: nothing
    AppId other = kNone;
  };

  // What the node uses once a replica of `leaving` has given way to one of `arriving`, in scaled units.
  [[nodiscard]] double use_after(NodeId node, AppId arriving, AppId leaving) const {
    const auto& placement = state_->placement();
    const Instance& instance = state_->instance();
    const Unit* in = arriving == kNone ? nullptr : needs_[arriving].demand;
    const Unit* out = leaving == kNone ? nullptr : needs_[leaving].demand;
    std::int64_t left = INT64_MAX;
    for (std::uint32_t h = resource_ * instance.periods(); h < (resource_ + 1) * instance.periods(); ++h) {
      left = std::min(left,
                      placement.residuals().mean_left(node, h) - (in == nullptr ? 0 : in[h]) + (out == nullptr ? 0 : out[h]));
    }
    const std::int64_t risk = placement.residuals().risk(node, resource_) +
                              (in == nullptr ? 0 : needs_[arriving].risk[resource_]) -
                              (out == nullptr ? 0 : needs_[leaving].risk[resource_]);
    const std::int64_t capacity = instance.scaled_capacity(placement.class_of(node))[resource_];
    return static_cast<double>(capacity - left) + instance.root_of_risk(risk, resource_);
  }

  // False where the run has ended. Losses are taken up to a threshold that falls from `hottest` to 0.
  bool steps(Run& run, std::uint64_t count, double hottest) {
    constexpr std::uint64_t kBatch = 32;
    for (std::uint64_t done = 0; done < count; done += kBatch) {
      threshold_ = hottest * static_cast<double>(count - done) / static_cast<double>(count);
      for (std::uint64_t k = 0; k < kBatch; ++k) step();
      if (run.clock.step(kBatch * kStepWork)) return false;
    }
    return true;
  }

  void step() {
    const auto draw = [&] { return state_->nodes()[random_.below(static_cast<std::uint32_t>(state_->nodes().size()))]; };
    const NodeId from = draw();
    const NodeId to = draw();
    if (from == to) return;
    // Copies: to ask rules about an exchange is to make it and to take it back, which may change the order on the nodes.
    list_apps(from, movers_);
    list_apps(to, others_);
    others_.push_back(kNone);
    // An exchange of equal replicas gains nothing, so that ties are no reason for one.
    double best = largest_ * kRoundingShare - threshold_ * random_.share();
    Exchange chosen;
    for (const AppId mover : movers_) {
      for (const AppId other : others_) {
        if (other == mover) continue;
        const double gain = use_[from] + use_[to] - use_after(from, other, mover) - use_after(to, mover, other);
        if (gain <= best || !possible(mover, from, other, to)) continue;
        const int moves = state_->moves_for(mover, from, to) + (other == kNone ? 0 : state_->moves_for(other, to, from));
        const double net = gain - (price_ + threshold_) * moves;
        if (net <= best) continue;
        best = net;
        chosen = {mover, other};
      }
    }
    if (chosen.mover == kNone) return;
    state_->exchange(chosen.mover, from, chosen.other, to);
    use_[from] = use_after(from, kNone, kNone);
    use_[to] = use_after(to, kNone, kNone);
    ++exchanges_;
  }
  void list_apps(NodeId node, std::vector<AppId>& apps) const {
    apps.clear();
    for (const Tenant& tenant : state_->placement().contents().at(node)) apps.push_back(tenant.app);
  }
  [[nodiscard]] bool possible(AppId mover, NodeId from, AppId other, NodeId to) const {
    const auto& residuals = state_->placement().residuals();
    const auto* out = other == kNone ? nullptr : &needs_[other];
    return residuals.takes_instead(needs_[mover], out, to) &&
           (out == nullptr || residuals.takes_instead(*out, &needs_[mover], from)) && state_->admits(mover, to, other) &&
           (other == kNone || state_->admits(other, from, mover)) && state_->may_leave(mover, from, other, to);
  }

  // Remembers the contents where they are the best so far.
  bool keep() {
    double sum = 0;
    for (const NodeId node : state_->nodes()) sum += use_[node];
    if (kept_.nodes() > 0 && sum >= best_ * (1 - kRoundingShare)) return false;
    gained_ = kept_.nodes() > 0;
    best_ = sum;
    kept_ = state_->placement().contents();
    return gained_;
  }

  SearchState<Unit>* state_;
  Random random_;
  ResourceId resource_;
  std::vector<typename Residuals<Unit>::Need> needs_;  // by app
  std::vector<double> use_;                            // per node, scaled units
  double largest_ = 0;                                 // of use_ at first
  double price_ = 0;                                   // what a move of a running replica has to gain
  double threshold_ = 0;                               // what a step may lose
  std::uint64_t exchanges_ = 0;
  std::vector<AppId> movers_;
  std::vector<AppId> others_;
  NodeContents kept_;
  double best_ = 0;
  bool gained_ = false;
};

}  // namespace stowage
