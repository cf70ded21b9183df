// Improvement with constant demand: exchanges that gather free space on few nodes until what waits fits in. Where demand
// changes over time, for nodes that hold what does not: free capacity is then what they have in the period that is scarcest.
//
// Nodes are fixed, and a pool of replicas waits for room. In total there is room; it is scattered. What is usable of the free
// capacity of a node, u, is what there is room for of the demand of all replicas together: of the resource of which there is
// least for it. The potential, sum over nodes of u^2, is large where usable space lies together. Were resources weighted and
// added, what is free of one where another is used up would draw exchanges to where nothing fits. A trial draws a node where
// something is left of the scarcest resource and one of its replicas (or none); of the apps that the others there do not
// exclude it draws some, and of each a node that holds it. The first exchange that fits, breaks no limit and does not lower the
// potential is made. Equal potentials are accepted: the walk along plateaus is what finds the next step up.
//
// Where limits are many, a node can take the more, the fewer apps it holds, and nearly all exchanges drawn blindly fail: so it
// is worth a little to keep replicas of an app together, and what a node excludes is looked up for all apps at once.
//
// O(tenants x apps / 64) words per trial where limits are many, and O(d + tenants x log degree) per exchange looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/measures/scarcity.h"
#include "core/measures/size.h"
#include "core/run/run.h"
#include "core/search/ejection_chains.h"
#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
class FreeSpaceSearch {
 public:
  /// @param nodes in play, and kept so by the caller: the nodes it works on
  FreeSpaceSearch(SearchState<Unit>& state, const std::vector<NodeId>& nodes, std::uint64_t seed)
      : state_(&state),
        nodes_(&nodes),
        random_(seed),
        ejection_(state, nodes, mine_, seed),
        resources_(state.instance().resources()),
        over_time_(state.instance().periods() > 1 && !state.instance().uncertain()),
        share_(state.instance().resources()),
        free_(std::size_t{state.placement().nodes()} * resources_),
        after_(2 * resources_) {
    state.learn_pairs();
    if (state.instance().uncertain()) {
      needs_.resize(state.instance().apps());
      for (AppId app = 0; app < state.instance().apps(); ++app) state.placement().residuals().prepare(app, needs_[app]);
    }
    scarcity_ = resource_scarcity(state.instance());
    scarcest_ = scarcest_resource(scarcity_);
    const std::vector<double> share = unit_shares(state.instance());
    const std::uint32_t periods = state.instance().periods();
    const auto total = state.instance().total_demand();
    for (ResourceId r = 0; r < resources_; ++r) {
      const auto first = total.begin() + static_cast<std::ptrdiff_t>(std::size_t{r} * periods);
      dim_.push_back(static_cast<std::uint32_t>(std::max_element(first, first + periods) - total.begin()));
      share_[r] = share[dim_[r]];
    }
    const auto wanted = [&](ResourceId r) { return static_cast<double>(total[dim_[r]]) * share_[r]; };
    for (ResourceId r = 0; r < resources_; ++r) goes_with_.push_back(wanted(r) > 0 ? wanted(scarcest_) / wanted(r) : 0);
    for (AppId app = 0; app < state.instance().apps(); ++app) {
      for (const std::uint32_t h : dim_) scarcest_need_.push_back(demand(app)[h]);
    }
    loose_at_.assign(state.placement().nodes(), kNone);
    mine_.assign(state.placement().nodes(), 0);
    for (const NodeId node : nodes) {
      mine_[node] = 1;
      refresh(node);
    }
  }

  /// Places what waits wherever it fits as it is.
  void fill(Run& run) {
    for (const NodeId node : *nodes_) {
      if (run.clock.step(kInsertWork)) return;
      insert(node);
    }
    filled_ = true;
  }

  /// Goes on until the pool is empty (true), the run ends, or `patience` trials in a row placed nothing.
  bool run(Run& run, double, std::uint64_t patience) {
    if (!filled_) fill(run);
    if (run.clock.stop() != Stop::kNo) return false;
    state_->follow(*nodes_);
    const bool placed = search(run, patience);
    state_->unfollow();
    return placed;
  }

  /// Free capacity of a node, in shares, weighted by how much each resource binds.
  [[nodiscard]] double free_share(NodeId node) const {
    double sum = 0;
    for (ResourceId r = 0; r < resources_; ++r) sum += scarcity_[r] * free_[std::size_t{node} * resources_ + r];
    return sum;
  }
  /// A node has left play; its slot among the nodes with free space goes.
  void forget(NodeId node) {
    set_loose(node, false);
    mine_[node] = 0;
  }
  /// A node has changed or come into play.
  void look_again(NodeId node) {
    if (node >= loose_at_.size()) {
      loose_at_.resize(node + 1, kNone);
      mine_.resize(node + 1, 0);
      free_.resize((std::size_t{node} + 1) * resources_);
    }
    mine_[node] = 1;
    refresh(node);
    insert(node);
  }
  /// Whether it works on the node.
  [[nodiscard]] bool mine(NodeId node) const { return node < mine_.size() && mine_[node] != 0; }

 private:
  /// When so many trials in a row placed nothing, replicas are ejected, every so many trials.
  static constexpr std::uint64_t kQuiet = 1024;
  static constexpr std::uint64_t kEject = 64;
  static constexpr std::uint32_t kBatch = 4;  // trials
  /// A trial looks at so many exchanges, for which it draws so many apps at most; where no more than so many apps come into
  /// question, it lists them and draws among these.
  static constexpr std::uint32_t kLooks = 64;
  static constexpr std::uint32_t kDraws = 1024;
  static constexpr std::size_t kFew = 512;
  /// What it is worth to have one app less on a node, in squares of shares; an exchange makes so many more at most.
  static constexpr double kTogether = 1e-4;
  static constexpr int kMostParted = 2;
  /// In the time of which a start visits so many nodes.
  static constexpr std::uint64_t kInsertWork = 8;
  static constexpr std::uint64_t kTrialWork = 32;
  static constexpr std::uint64_t kLookWork = 4;

  [[nodiscard]] const Unit* demand(AppId app) const { return state_->instance().template scaled_demand<Unit>(app).data(); }
  // In the period in which each resource is scarcest.
  [[nodiscard]] const Unit* need(AppId app) const { return scarcest_need_.data() + std::size_t{app} * resources_; }
  // What there is room for of all demand, in shares of the scarcest resource.
  [[nodiscard]] double usable(const double* free) const {
    double least = free[scarcest_];
    for (ResourceId r = 0; r < resources_; ++r) {
      if (goes_with_[r] > 0) least = std::min(least, free[r] * goes_with_[r]);
    }
    // What a node exceeds its capacity by, is not to be gathered.
    return std::max(least, 0.0);
  }
  [[nodiscard]] double potential(const double* free) const {
    const double u = usable(free);
    return u * u;
  }

  void refresh(NodeId node) {
    double* free = free_.data() + std::size_t{node} * resources_;
    bool overloaded = false;
    for (ResourceId r = 0; r < resources_; ++r) {
      const Unit residual = state_->placement().residuals().residual(node, dim_[r]);
      overloaded = overloaded || residual < 0;
      free[r] = residual * share_[r];
    }
    set_loose(node, free[scarcest_] > 0 && !overloaded);
  }
  void set_loose(NodeId node, bool loose) {
    std::uint32_t& at = loose_at_[node];
    if (loose == (at != kNone)) return;
    if (loose) {
      at = static_cast<std::uint32_t>(loose_.size());
      loose_.push_back(node);
    } else {
      loose_[at] = loose_.back();
      loose_at_[loose_[at]] = at;
      loose_.pop_back();
      at = kNone;
    }
  }

  bool insert(NodeId node) {
    const auto& residuals = state_->placement().residuals();
    const bool any = state_->insert(
        node, random_,
        [&](AppId app) {
          const Unit* needed = need(app);
          for (ResourceId r = 0; r < resources_; ++r) {
            if (needed[r] > 0 && residuals.residual(node, dim_[r]) < needed[r]) return false;
          }
          if (over_time_ && !residuals.takes_exchange(demand(app), nullptr, node)) return false;
          return needs_.empty() || residuals.takes_instead(needs_[app], nullptr, node);
        },
        [](AppId) {});
    if (any) refresh(node);
    return any;
  }

  bool search(Run& run, std::uint64_t patience) {
    std::uint64_t idle = 0;
    while (!state_->pool().empty()) {
      if (idle >= patience || loose_.empty() || nodes_->size() < 2 || run.clock.step(spent_)) return false;
      run.checkpoints.rest();
      spent_ = 0;
      idle += kBatch;
      for (std::uint32_t k = 0; k < kBatch && !state_->pool().empty() && !loose_.empty(); ++k) {
        if (trial()) idle = 0;
      }
      if (idle > kQuiet && idle % kEject == 0) {
        ejection_.step();
        for (const NodeId node : ejection_.changed()) look_again(node);
      }
    }
    return true;
  }

  // True if a waiting replica found its place.
  bool trial() {
    const NodeId to = loose_[random_.below(static_cast<std::uint32_t>(loose_.size()))];
    const auto others = state_->placement().contents().at(to);
    const std::uint32_t k = random_.below(static_cast<std::uint32_t>(others.size()) + 1);
    const AppId other = k < others.size() ? others[k].app : kNone;
    state_->pairs().around(others, other, excluded_);
    const bool few = state_->pairs().list_not_excluded(excluded_, kFew, few_);
    spent_ += kTrialWork;
    if (few && few_.empty()) return false;
    const auto choices = few ? static_cast<std::uint32_t>(few_.size()) : state_->instance().apps();
    std::uint32_t left = std::min(kLooks, choices);
    for (std::uint32_t n = 0; n < kDraws && left > 0; ++n) {
      AppId mover = random_.below(choices);
      if (few) mover = few_[mover];
      if (mover == other || (!few && PairTable::excludes(excluded_, mover)) || !fits(mover, other, to)) continue;
      const std::vector<NodeId>& homes = state_->homes(mover);
      if (homes.empty()) continue;
      const NodeId from = homes[random_.below(static_cast<std::uint32_t>(homes.size()))];
      if (from == to) continue;
      --left;
      spent_ += kLookWork;
      if (!gains(mover, from, other, to)) continue;
      if (other != kNone && !state_->admits(other, from, mover)) continue;
      if (!state_->admits(mover, to, other) || !state_->may_leave(mover, from, other, to)) continue;
      state_->exchange(mover, from, other, to);
      refresh(to);
      refresh(from);
      const bool placed = insert(to);
      return insert(from) || placed;
    }
    return false;
  }

  // Whether the node has room for one instead of the other, as far as its scarcest periods tell.
  [[nodiscard]] bool fits(AppId mover, AppId other, NodeId to) const {
    if (!needs_.empty()) return true;
    const Unit* arriving = need(mover);
    const Unit* leaving = other == kNone ? nullptr : need(other);
    for (ResourceId r = 0; r < resources_; ++r) {
      const std::int64_t change = std::int64_t{arriving[r]} - (leaving == nullptr ? 0 : leaving[r]);
      if (state_->placement().residuals().residual(to, dim_[r]) < change) return false;
    }
    return true;
  }

  // Whether both nodes can carry the exchange, which fits(), and the potential does not fall.
  bool gains(AppId mover, NodeId from, AppId other, NodeId to) {
    const auto& residuals = state_->placement().residuals();
    const Unit* arriving = need(mover);
    const Unit* leaving = other == kNone ? nullptr : need(other);
    const double* free_to = free_.data() + std::size_t{to} * resources_;
    const double* free_from = free_.data() + std::size_t{from} * resources_;
    double* after_to = after_.data();
    double* after_from = after_.data() + resources_;
    for (ResourceId r = 0; r < resources_; ++r) {
      const std::int64_t change = std::int64_t{arriving[r]} - (leaving == nullptr ? 0 : leaving[r]);
      if (needs_.empty() && residuals.residual(from, dim_[r]) + change < 0) return false;
      after_to[r] = free_to[r] - static_cast<double>(change) * share_[r];
      after_from[r] = free_from[r] + static_cast<double>(change) * share_[r];
    }
    if (!needs_.empty()) {
      const auto* out = other == kNone ? nullptr : &needs_[other];
      if (!residuals.takes_instead(needs_[mover], out, to)) return false;
      if (out != nullptr && !residuals.takes_instead(*out, &needs_[mover], from)) return false;
    }
    double gain = potential(after_to) + potential(after_from) - potential(free_to) - potential(free_from);
    if (state_->pairs().known() && gain < kTogether * kMostParted) gain -= kTogether * parted(mover, from, other, to);
    // Below this, two sums of the same numbers may differ in rounding alone.
    constexpr double kRounding = 1e-12;
    if (gain < -kRounding) return false;
    if (!over_time_) return true;
    const Unit* in = demand(mover);
    const Unit* out = other == kNone ? nullptr : demand(other);
    return residuals.takes_exchange(in, out, to) && (out == nullptr || residuals.takes_exchange(out, in, from));
  }

  // How many more apps the two nodes hold in all after the exchange.
  [[nodiscard]] int parted(AppId mover, NodeId from, AppId other, NodeId to) const {
    const auto& contents = state_->placement().contents();
    const auto more = [&](AppId app, NodeId leaves, NodeId enters) {
      return (contents.count(app, enters) == 0 ? 1 : 0) - (contents.count(app, leaves) == 1 ? 1 : 0);
    };
    return more(mover, from, to) + (other == kNone ? 0 : more(other, to, from));
  }

  SearchState<Unit>* state_;
  const std::vector<NodeId>* nodes_;
  Random random_;
  EjectionChains<Unit> ejection_;
  std::uint32_t resources_;
  bool over_time_;
  std::vector<std::uint32_t> dim_;                     // per resource: that of the period in which it is scarcest
  std::vector<Unit> scarcest_need_;                    // per app and resource: demand there, side by side
  std::vector<typename Residuals<Unit>::Need> needs_;  // by app, where demand is uncertain
  std::vector<double> scarcity_;                       // per resource: how much it binds
  ResourceId scarcest_ = 0;                            // binds most
  std::vector<double> goes_with_;  // per resource: demand for the scarcest one by demand for it; 0: there is none
  std::vector<double> share_;      // per resource: one scaled unit in shares of a node
  std::vector<double> free_;       // per node and resource
  std::vector<double> after_;
  bool filled_ = false;
  std::uint64_t spent_ = 0;  // work that the run does not know of yet
  PairTable::Set excluded_;
  std::vector<AppId> few_;
  std::vector<std::uint8_t> mine_;       // per node
  std::vector<NodeId> loose_;            // nodes with free space
  std::vector<std::uint32_t> loose_at_;  // where a node stands there, or kNone
};

}  // namespace stowage
