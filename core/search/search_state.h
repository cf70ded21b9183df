// A placement under improvement: the nodes in play, a pool of replicas that wait for room, and what may be exchanged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/pair_table.h"
#include "core/base/random.h"
#include "core/measures/order.h"
#include "core/placement/placement.h"

namespace stowage {

/// Wraps a Placement. Searches exchange replicas between nodes in play and draw from the pool; the SearchState keeps what the
/// model demands of moves: pinned replicas stay, running replicas leave their node only within the request's move budget,
/// closed nodes are out of play. Feasibility of an arrival is capacity (which searches ask of the residuals in their own way)
/// and admits().
template <class Unit>
class SearchState {
 public:
  SearchState(Placement<Unit>& placement, const Request& request)
      : placement_(&placement),
        rows_(&placement.instance().limit_rows()),
        budget_(request.move_budget),
        moves_matter_(!request.ignore_running && !placement.instance().data().running.empty()) {
    const Instance& instance = placement.instance();
    const InstanceData& data = instance.data();
    tied_.resize(instance.listed_nodes());
    for (const Residence& p : data.pinned) tie(p, p.replicas, 0);
    if (moves_matter_) {
      for (const Residence& r : data.running) tie(r, 0, r.replicas);
    }
    for (NodeId n = 0; n < placement.nodes(); ++n) {
      if (n >= data.closed.size() || data.closed[n] == 0) add(n);
    }
    find_placeable();
    collect_pool();
  }

  /// The same for a copy of the placement. It hides and follows nothing, and has to learn company anew.
  SearchState(const SearchState& other, Placement<Unit>& copy)
      : placement_(&copy),
        rows_(other.rows_),
        budget_(other.budget_),
        moves_(other.moves_),
        moves_matter_(other.moves_matter_),
        tied_(other.tied_),
        nodes_(other.nodes_),
        playing_(other.playing_),
        spare_(other.spare_),
        pool_(other.pool_),
        placeable_(other.placeable_) {
    if (!other.hidden_.empty()) collect_pool();
  }

  /// Whether an empty node of some class takes a replica of the app. What no node takes does not wait: it is left out.
  [[nodiscard]] bool placeable(AppId app) const { return placeable_[app] != 0; }
  /// Reads anew which apps wait; for those who place directly.
  void collect_pool() {
    pool_.clear();
    for (AppId app = 0; app < instance().apps(); ++app) {
      if (placement_->unplaced(app) > 0 && placeable(app) && (hidden_.empty() || hidden_[app] == 0)) pool_.push_back(app);
    }
  }
  /// From now on the pool is without some apps: for searches that have no place for them.
  /// @param hidden per app, kept by the caller; empty: none
  void hide(std::span<const std::uint8_t> hidden) {
    hidden_ = hidden;
    collect_pool();
  }

  [[nodiscard]] const Instance& instance() const { return placement_->instance(); }
  [[nodiscard]] Placement<Unit>& placement() { return *placement_; }
  [[nodiscard]] const Placement<Unit>& placement() const { return *placement_; }
  /// Nodes in play, in no particular order.
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  [[nodiscard]] bool in_play(NodeId node) const { return node < playing_.size() && playing_[node] != 0; }
  /// Nodes taken out of play that may come back.
  [[nodiscard]] const std::vector<NodeId>& spare() const { return spare_; }
  /// Apps with replicas that wait for room, in no particular order.
  [[nodiscard]] const std::vector<AppId>& pool() const { return pool_; }

  /// Whether affinity and self limits let one more replica of `arriving` onto the node once a replica of `leaving` (kNone:
  /// nothing) has left it; where nothing leaves, placement rules as well. What they say of an exchange, may_leave() knows.
  [[nodiscard, gnu::noinline]] bool admits(AppId arriving, NodeId node, AppId leaving) const {
    const auto tenants = placement_->contents().at(node);
    if (tenants.empty() && !placement_->may_use(node)) return false;
    std::uint32_t own = 1;
    for (const Tenant& tenant : tenants) {
      if (tenant.app == arriving) own += tenant.replicas;
    }
    if (own > rows_->self_limit(arriving)) return false;
    for (const Tenant& tenant : tenants) {
      const std::uint32_t replicas = tenant.replicas - (tenant.app == leaving ? 1 : 0);
      if (replicas == 0 || tenant.app == arriving) continue;
      if (!stowage::admits(pairs_.of(arriving, tenant.app), *rows_, {arriving, own}, {tenant.app, replicas})) return false;
    }
    return leaving != kNone || placement_->allowed_by_rules(arriving, node, 1) > 0;
  }

  /// Learns which apps tolerate each other: that takes as long as reading all limits once, and makes admits() faster.
  void learn_pairs() {
    if (!pairs_.known()) pairs_.learn(*rows_);
  }
  [[nodiscard]] const PairTable& pairs() const { return pairs_; }

  /// From now on, until unfollow(), it is known on which of these nodes the replicas of an app are.
  [[gnu::noinline]] void follow(const std::vector<NodeId>& nodes) {
    homes_.resize(instance().apps());
    for (const NodeId node : nodes) {
      for (const Tenant& tenant : placement_->contents().at(node)) homes_[tenant.app].push_back(node);
    }
    follows_ = true;
  }
  void unfollow() {
    for (std::vector<NodeId>& homes : homes_) homes.clear();
    follows_ = false;
  }
  /// Nodes that hold the app, in no particular order, while they are followed.
  [[nodiscard]] const std::vector<NodeId>& homes(AppId app) const { return homes_[app]; }

  /// Whether one replica of `app` may leave the node, and, unless kNone, one of `other` the node `other_node`, by pins and by
  /// what is left of the move budget; and, unless `other_node` is kNone, go there by placement rules.
  [[nodiscard]] bool may_leave(AppId app, NodeId node, AppId other = kNone, NodeId other_node = kNone) const {
    std::uint32_t moved = 0;
    const auto look = [&](AppId a, NodeId n) {
      if (a == kNone || n >= tied_.size()) return true;
      for (const Tie& tie : tied_[n]) {
        if (tie.app != a) continue;
        const std::uint32_t here = placement_->contents().count(a, n);
        if (here <= tie.pinned) return false;
        if (here <= tie.running) ++moved;
      }
      return true;
    };
    if (!look(app, node) || !look(other, other_node) || moves_ + moved > budget_) return false;
    return other_node == kNone || placement_->rules_let_exchange(app, node, other, other_node);
  }

  /// By how much the number of moves grows where a replica of the app leaves the node for the other one; -1 where it comes
  /// home.
  [[nodiscard]] int moves_for(AppId app, NodeId node, NodeId other) const {
    if (!moves_matter_) return 0;
    const auto runs = [&](NodeId at, bool beyond) {
      if (at >= tied_.size()) return 0;
      const std::uint32_t here = placement_->contents().count(app, at) + (beyond ? 1 : 0);
      return std::any_of(tied_[at].begin(), tied_[at].end(),
                         [&](const Tie& tie) { return tie.app == app && here <= tie.running; })
                 ? 1
                 : 0;
    };
    return runs(node, false) - runs(other, true);
  }
  /// Replicas of the app that are pinned to the node.
  [[nodiscard]] std::uint32_t pinned(AppId app, NodeId node) const {
    if (node >= tied_.size()) return 0;
    for (const Tie& tie : tied_[node]) {
      if (tie.app == app) return tie.pinned;
    }
    return 0;
  }
  /// Running replicas that may still leave their nodes.
  [[nodiscard]] std::uint64_t moves_left() const { return budget_ - moves_; }

  /// Whether nothing ties the replicas of the app to the node: neither pins nor the move budget.
  [[nodiscard]] bool free_to_leave(AppId app, NodeId node) const {
    if (node >= tied_.size()) return true;
    return std::none_of(tied_[node].begin(), tied_[node].end(), [&](const Tie& tie) { return tie.app == app; });
  }

  /// One replica each: `a` from its node to the other, `b` (unless kNone) the other way.
  void exchange(AppId a, NodeId node_of_a, AppId b, NodeId node_of_b) {
    take(a, node_of_a);
    if (b != kNone) {
      take(b, node_of_b);
      put(b, node_of_a);
    }
    put(a, node_of_b);
  }

  /// Places waiting replicas on the node wherever `fits(app)` and admits() agree, and calls `placed(app)` for each; true if any
  /// was placed. A large pool is sampled.
  template <class Fits, class Placed>
  bool insert(NodeId node, Random& random, Fits&& fits, Placed&& placed) {
    constexpr std::size_t kSample = 48;
    bool any = false;
    std::size_t left = std::min(pool_.size(), kSample);
    std::size_t k = pool_.size() > kSample ? random.below(static_cast<std::uint32_t>(pool_.size())) : 0;
    for (; left > 0 && !pool_.empty(); --left) {
      if (k >= pool_.size()) k = 0;
      const AppId app = pool_[k];
      bool gone = false;
      while (!gone && fits(app) && admits(app, node, kNone)) {
        put(app, node);
        placed(app);
        any = true;
        gone = placement_->unplaced(app) == 0;
      }
      if (gone) {
        pool_[k] = pool_.back();
        pool_.pop_back();
      } else {
        ++k;
      }
    }
    return any;
  }

  /// Whether everything on the node may leave it, so that it could be closed.
  [[nodiscard]] bool can_close(NodeId node) const {
    if (placement_->loaded(node)) return false;
    if (node >= tied_.size()) return true;
    std::uint64_t moved = 0;
    for (const Tie& tie : tied_[node]) {
      if (tie.pinned > 0) return false;
      moved += std::min(tie.running, placement_->contents().count(tie.app, node));
    }
    return moves_ + moved <= budget_;
  }
  /// Sends everything on the node to the pool and takes it out of play.
  void close(NodeId node) {
    evict(node);
    set_aside(node);
  }
  /// Takes a spare node back into play.
  void reopen(NodeId node) {
    spare_.erase(std::find(spare_.rbegin(), spare_.rend(), node).base() - 1);
    placement_->residuals().reopen(node, placement_->class_of(node));
    add(node);
  }
  /// Takes a node out of play that holds nothing of its own.
  void set_aside(NodeId node) {
    nodes_.erase(std::find(nodes_.begin(), nodes_.end(), node));
    leave_play(node);
  }
  /// Takes all nodes out of play on which nothing is; the first of them are the last of the spare ones.
  void set_aside_empty() {
    std::vector<NodeId> kept;
    for (const NodeId node : nodes_) {
      if (placement_->used(node)) kept.push_back(node);
    }
    for (std::size_t k = nodes_.size(); k-- > 0;) {
      if (!placement_->used(nodes_[k])) leave_play(nodes_[k]);
    }
    nodes_ = std::move(kept);
  }
  /// A node opened just now comes into play.
  void add(NodeId node) {
    nodes_.push_back(node);
    if (playing_.size() <= node) playing_.resize(std::size_t{node} + 1, 0);
    playing_[node] = 1;
  }
  /// Places one waiting replica.
  void admit(AppId app, NodeId node) {
    put(app, node);
    if (placement_->unplaced(app) > 0) return;
    *std::find(pool_.begin(), pool_.end(), app) = pool_.back();
    pool_.pop_back();
  }
  /// Sends one replica to the pool.
  void evict(AppId app, NodeId node) {
    if (placement_->unplaced(app) == 0 && (hidden_.empty() || hidden_[app] == 0)) pool_.push_back(app);
    take(app, node);
  }

 private:
  struct Tie {
    AppId app;
    std::uint32_t pinned;
    std::uint32_t running;
  };

  void leave_play(NodeId node) {
    playing_[node] = 0;
    spare_.push_back(node);
    placement_->residuals().close(node);
  }
  void find_placeable() {
    placeable_.assign(instance().apps(), 0);
    typename Residuals<Unit>::Need need;
    for (AppId app = 0; app < instance().apps(); ++app) {
      placement_->residuals().prepare(app, need);
      for (ClassId c = 0; c < instance().classes() && placeable_[app] == 0; ++c) {
        placeable_[app] = placement_->residuals().copies_on_empty(need, c, 1) > 0 ? 1 : 0;
      }
    }
  }
  void tie(const Residence& residence, std::uint32_t pinned, std::uint32_t running) {
    for (Tie& known : tied_[residence.node]) {
      if (known.app != residence.app) continue;
      known.pinned += pinned;
      known.running += running;
      return;
    }
    tied_[residence.node].push_back({residence.app, pinned, running});
  }
  void evict(NodeId node) {
    while (!placement_->contents().at(node).empty()) {
      const Tenant tenant = placement_->contents().at(node).back();
      for (std::uint32_t k = 0; k < tenant.replicas; ++k) evict(tenant.app, node);
    }
  }
  // Replicas of the app that ran on the node and are away, before and after a change, make the difference in moves.
  [[gnu::noinline]] void put(AppId app, NodeId node) {
    count_move(app, node, -1);
    if (follows_ && placement_->contents().count(app, node) == 0) homes_[app].push_back(node);
    placement_->place(app, node, 1);
  }
  [[gnu::noinline]] void take(AppId app, NodeId node) {
    placement_->remove(app, node, 1);
    if (follows_ && placement_->contents().count(app, node) == 0) {
      std::vector<NodeId>& homes = homes_[app];
      *std::find(homes.begin(), homes.end(), node) = homes.back();
      homes.pop_back();
    }
    count_move(app, node, 1);
  }
  void count_move(AppId app, NodeId node, int change) {
    if (!moves_matter_ || node >= tied_.size()) return;
    for (const Tie& tie : tied_[node]) {
      if (tie.app != app || placement_->contents().count(app, node) >= tie.running) continue;
      moves_ = change > 0 ? moves_ + 1 : moves_ - 1;
    }
  }

  Placement<Unit>* placement_;
  const LimitRows* rows_;
  PairTable pairs_;
  std::uint64_t budget_;
  std::uint64_t moves_ = 0;
  bool moves_matter_;
  std::vector<std::vector<Tie>> tied_;  // per listed node: what is pinned or runs there
  std::vector<NodeId> nodes_;
  std::vector<std::uint8_t> playing_;  // per node
  std::vector<NodeId> spare_;
  std::vector<AppId> pool_;
  bool follows_ = false;
  std::vector<std::vector<NodeId>> homes_;  // per app, while it follows
  std::span<const std::uint8_t> hidden_;    // per app, or empty
  std::vector<std::uint8_t> placeable_;     // per app
};

}  // namespace stowage
