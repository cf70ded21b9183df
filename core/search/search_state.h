// A placement under improvement: the nodes in play, the pool of replicas that wait for room, and what may be exchanged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/pair_table.h"
#include "core/base/numbers/random.h"
#include "core/base/watch.h"
#include "core/placement/placement.h"
#include "core/placement/ties.h"

namespace stowage {

/// Wraps a Placement. Searches exchange replicas between nodes in play and place replicas from the pool. The state keeps what
/// the model demands of moves: pinned replicas stay, running replicas leave their node only within the request's move budget,
/// closed nodes are out of play. An arrival is feasible where capacity has room (searches ask the residuals themselves) and
/// where may_join() holds.
template <class Unit>
class SearchState {
 public:
  /// Every listed node that is not closed comes into play. The placement has to outlive the state.
  SearchState(Placement<Unit>& placement, const Request& request);
  /// The same state over a copy of the placement. The copy leaves no app out of the pool, tracks no holders and has learned no
  /// pairs.
  [[nodiscard]] SearchState copy_on(Placement<Unit>& copy) const { return SearchState(*this, copy); }

  [[nodiscard]] const Instance& instance() const { return placement_->instance(); }
  [[nodiscard]] Placement<Unit>& placement() { return *placement_; }
  [[nodiscard]] const Placement<Unit>& placement() const { return *placement_; }

  // The nodes.

  /// Nodes in play, in no particular order.
  [[nodiscard]] const std::vector<NodeId>& nodes() const { return nodes_; }
  [[nodiscard]] bool in_play(NodeId node) const { return node < in_play_.size() && in_play_[node] != 0; }
  /// Nodes taken out of play that may come back.
  [[nodiscard]] const std::vector<NodeId>& spare() const { return spare_; }
  /// A node that has just been opened comes into play.
  void add(NodeId node);
  /// Takes an empty node out of play.
  void set_aside(NodeId node);
  /// The same of many nodes, in this order, in one pass over the nodes in play.
  void set_aside(const std::vector<NodeId>& nodes);
  /// Takes all empty nodes out of play. The first of them becomes the last spare node. The watch ends it: then it returns
  /// false, and the state is of no use.
  bool set_aside_empty(WatchRef watch = {});
  /// Takes a spare node back into play.
  void reopen(NodeId node);
  /// Whether everything on the node may leave it by pins and the move budget, so that close() is allowed.
  [[nodiscard]] bool can_close(NodeId node) const;
  /// Sends everything on the node to the pool and takes it out of play.
  void close(NodeId node);

  // The pool.

  /// Apps with replicas that wait for room, each once, in no particular order.
  [[nodiscard]] const std::vector<AppId>& pool() const { return pool_; }
  /// Whether an empty node of some class takes a replica of the app, if it is eligible there. What no node takes does not wait
  /// in the pool.
  [[nodiscard]] bool placeable(AppId app) const { return placeable_[app] != 0; }
  /// Recomputes the pool: for callers that have placed replicas directly.
  void collect_pool();
  /// Leaves some apps out of the pool from now on: for searches that do not place them.
  /// @param left_out per app, kept by the caller; empty: no app is left out
  void leave_out_of_pool(std::span<const std::uint8_t> left_out);
  /// Places waiting replicas.
  void place_waiting(AppId app, NodeId node, std::uint32_t replicas = 1);
  /// Sends replicas to the pool.
  void evict(AppId app, NodeId node, std::uint32_t replicas = 1);
  /// Places waiting replicas on the node wherever `fits(app)` and may_join() agree; true if any was placed. Of a large pool, a
  /// random section of 48 apps is tried.
  template <class Fits>
  bool insert(NodeId node, Random& random, Fits&& fits);

  // What may move.

  /// Whether eligibility, affinity and self limits let one more replica of `arriving` onto the node once a replica of `leaving`
  /// (kNone: nothing) has left it. Where nothing leaves, placement rules decide as well; for exchanges, rules_let_exchange()
  /// does.
  [[nodiscard]] bool may_join(AppId arriving, NodeId node, AppId leaving) const;
  /// Whether pins and the rest of the move budget let one replica of `app` leave the node, and one of `other` (unless kNone)
  /// leave `other_node`.
  [[nodiscard]] bool may_leave(AppId app, NodeId node, AppId other = kNone, NodeId other_node = kNone) const;
  /// Whether placement rules let one replica of `app` go from `node` to `other_node`, and one of `other` (unless kNone) the
  /// other way. Makes the exchange and takes it back, which may change the order of the tenants on both nodes.
  [[nodiscard]] bool rules_let_exchange(AppId app, NodeId node, AppId other, NodeId other_node) {
    return !placement_->has_rules() || placement_->rules_let_exchange(app, node, other, other_node);
  }
  /// From now on, replicas of some apps stay where they are: for searches that do not see the rules that speak of them.
  /// @param frozen per app, kept by the caller; empty: no app is frozen
  void freeze(std::span<const std::uint8_t> frozen) { frozen_ = frozen; }
  /// Whether nothing ties the replicas of the app to the node: neither freeze(), nor pins, nor the move budget.
  [[nodiscard]] bool free_to_leave(AppId app, NodeId node) const { return !is_frozen(app) && ties_.find(app, node) == nullptr; }
  /// Replicas of the app that may leave the node: all but the pinned ones and, without a move budget, those that run there.
  /// None of a frozen app. How much of the budget is left, the caller looks at.
  [[nodiscard]] std::uint32_t removable(AppId app, NodeId node) const {
    if (is_frozen(app)) return 0;
    const std::uint32_t there = placement_->contents().count(app, node);
    const std::uint32_t may_leave = ties_.removable(app, node, there);
    return budget_ > 0 ? may_leave : std::min(may_leave, there - std::min(there, ties_.running(app, node)));
  }
  /// By how much the number of moves grows where a replica of the app leaves `node` for `other`; -1 where it returns to where
  /// it runs.
  [[nodiscard]] int moves_for(AppId app, NodeId node, NodeId other) const;
  /// Running replicas that would leave the node if it closed.
  [[nodiscard]] std::uint64_t moves_to_close(NodeId node) const;
  /// Whether moves are counted: something runs, and the request does not ignore it.
  [[nodiscard]] bool moves_matter() const { return ties_.moves_matter(); }
  /// The running replicas of the app that are away from the node.
  [[nodiscard]] std::uint32_t away(AppId app, NodeId node) const {
    const Ties::Tie* tie = ties_.find(app, node);
    if (tie == nullptr || tie->running == 0) return 0;
    return tie->running - std::min(tie->running, placement_->contents().count(app, node));
  }
  /// Replicas of the app that run on the node at the start; 0 where moves do not matter.
  [[nodiscard]] std::uint32_t running(AppId app, NodeId node) const { return ties_.running(app, node); }
  /// The running replicas of all apps that are away from the listed node.
  template <class Visit>
  void for_each_away(NodeId listed, Visit&& visit) const {
    for (const Ties::Tie& tie : ties_.at(listed)) {
      const std::uint32_t missing = away(tie.app, listed);
      if (missing > 0) visit(tie.app, missing);
    }
  }
  /// Running replicas that are away from their nodes.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  [[nodiscard]] std::uint64_t move_budget() const { return budget_; }
  /// Running replicas that may still leave their nodes.
  [[nodiscard]] std::uint64_t moves_left() const { return budget_ - moves_; }

  /// Exchanges one replica of `a` for one of `b` (kNone: nothing) between their nodes.
  void exchange(AppId a, NodeId node_of_a, AppId b, NodeId node_of_b);

  // What makes searches faster.

  /// Reads all limits between pairs of apps once, so that may_join() searches them less often.
  void learn_pairs(WorkClock& clock) {
    if (!pairs_.known()) pairs_.learn(*limits_, clock);
  }
  [[nodiscard]] const PairTable& pairs() const { return pairs_; }
  /// Keeps holders() up to date for these nodes, until stop_tracking().
  void track_holders(const std::vector<NodeId>& nodes);
  void stop_tracking();
  /// The tracked nodes that hold the app, in no particular order.
  [[nodiscard]] const std::vector<NodeId>& holders(AppId app) const { return holders_[app]; }

 private:
  SearchState(const SearchState& original, Placement<Unit>& copy);

  [[nodiscard]] bool is_frozen(AppId app) const { return !frozen_.empty() && frozen_[app] != 0; }
  [[nodiscard]] bool is_left_out(AppId app) const { return !left_out_.empty() && left_out_[app] != 0; }
  void leave_play(NodeId node);
  void find_placeable();
  // Adds replicas to the placement, or removes some, and keeps moves_ and holders_ up to date.
  void put(AppId app, NodeId node, std::uint32_t replicas = 1);
  void take(AppId app, NodeId node, std::uint32_t replicas = 1);
  /// Of a crowd that waits, as many replicas as the node takes, if that is any; otherwise 1.
  [[nodiscard]] std::uint32_t many_at_once(AppId app, NodeId node) const;

  // An app joins or leaves the pool.
  void enter_pool(AppId app);
  void leave_pool(AppId app);

  Placement<Unit>* placement_;
  const LimitRows* limits_;
  PairTable pairs_;
  std::uint64_t budget_;
  std::uint64_t moves_ = 0;  // running replicas that are away from their nodes
  Ties ties_;
  std::vector<NodeId> nodes_;
  std::vector<std::uint8_t> in_play_;  // per node
  std::vector<NodeId> spare_;
  std::vector<AppId> pool_;
  std::vector<std::uint32_t> pool_at_;  // per app in the pool: its position
  bool tracks_holders_ = false;
  std::vector<std::vector<NodeId>> holders_;  // per app
  std::span<const std::uint8_t> left_out_;    // per app, or empty
  std::span<const std::uint8_t> frozen_;      // per app, or empty
  std::vector<std::uint8_t> placeable_;       // per app
};

template <class Unit>
template <class Fits>
bool SearchState<Unit>::insert(NodeId node, Random& random, Fits&& fits) {
  constexpr std::size_t kSample = 48;
  bool any = false;
  std::size_t left = std::min(pool_.size(), kSample);
  std::size_t k = pool_.size() > kSample ? random.below(static_cast<std::uint32_t>(pool_.size())) : 0;
  for (; left > 0 && !pool_.empty(); --left) {
    if (k >= pool_.size()) k = 0;
    const AppId app = pool_[k];
    bool none_waits = false;
    while (!none_waits && fits(app) && may_join(app, node, kNone)) {
      put(app, node, many_at_once(app, node));
      any = true;
      none_waits = placement_->unplaced(app) == 0;
    }
    if (none_waits) {
      leave_pool(app);
    } else {
      ++k;
    }
  }
  return any;
}

extern template class SearchState<std::int16_t>;
extern template class SearchState<std::int32_t>;

}  // namespace stowage
