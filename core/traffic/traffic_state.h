// A placement whose replicas move between nodes to keep traffic on nodes.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/model/node_contents.h"
#include "core/placement/placement.h"
#include "core/placement/ties.h"
#include "core/run/request.h"
#include "core/traffic/traffic_graph.h"

namespace stowage {

/// Wraps a Placement. Replicas come to a node where headroom() allows it, under every hard constraint. They leave it where they
/// are neither pinned nor fixed. The state counts moves of running replicas; searches keep them within the budget.
///
/// The traffic that stays on nodes is known as a change since the last begin(): a sum of exact changes of single nodes.
template <class Unit>
class TrafficState {
 public:
  /// @param fixed per app, kept by the caller: 1 = its replicas stay where they are; empty: none
  TrafficState(Placement<Unit>& placement, const TrafficGraph& graph, const Request& request,
               std::span<const std::uint8_t> fixed);

  [[nodiscard]] const TrafficGraph& graph() const { return *graph_; }
  [[nodiscard]] Placement<Unit>& placement() { return *placement_; }
  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  /// Replicas of a row on a node.
  [[nodiscard]] std::uint32_t count(std::uint32_t row, NodeId node) const { return counts_[std::size_t{row} * nodes_ + node]; }
  /// Nodes that hold replicas of the row, in no particular order.
  [[nodiscard]] const std::vector<NodeId>& holders(std::uint32_t row) const { return holders_[row]; }
  /// Replicas of the app on the node.
  [[nodiscard]] std::uint32_t replicas(AppId app, NodeId node) const {
    const std::uint32_t row = graph_->row_of(app);
    return row == kNone ? placement_->contents().count(app, node) : count(row, node);
  }

  /// Share of all traffic that stays on nodes in addition where the node gets `change` replicas of the app, or loses them.
  [[nodiscard]] double gain(AppId app, NodeId node, std::int64_t change);
  /// By how many the moves grow where the node gets or loses `change` replicas of the app.
  [[nodiscard]] std::int64_t moves_for(AppId app, NodeId node, std::int64_t change) const;
  /// How many replicas of the app the node takes, at most `wanted`.
  [[nodiscard]] std::uint32_t headroom(AppId app, NodeId node, std::uint32_t wanted);
  /// How many replicas of the app may leave the node, by pins and what is fixed.
  [[nodiscard]] std::uint32_t removable(AppId app, NodeId node) const;

  /// Whether moves are counted: something runs, and the request does not ignore it.
  [[nodiscard]] bool counts_moves() const { return !homes_.empty(); }
  /// Replicas of an app on a node that exceed those that run there, and so may have moved.
  struct Guest {
    AppId app;
    NodeId node;
  };
  /// All of them, in no particular order. For states that count moves.
  [[nodiscard]] const std::vector<Guest>& guests() const { return guests_; }
  /// A node on which the app runs at the start, and the replicas that it lacks there now. For states that count moves.
  [[nodiscard]] NodeId some_home(AppId app, Random& random) const {
    const std::vector<NodeId>& homes = homes_[app];
    return homes.empty() ? kNone : homes[random.below(static_cast<std::uint32_t>(homes.size()))];
  }
  [[nodiscard]] std::uint32_t missing(AppId app, NodeId home) const { return ties_.away(app, home, replicas(app, home)); }

  /// Begins a step: what follows can be undone.
  void begin() {
    journal_.clear();
    gained_ = 0;
  }
  /// Places replicas, for which there is headroom, or takes removable ones away where `change` is negative.
  void change(AppId app, NodeId node, std::int64_t change);
  void undo();
  /// What the step changed in the share of traffic that stays on nodes, and in moves.
  [[nodiscard]] double gained() const { return gained_; }
  [[nodiscard]] std::int64_t moves() const { return moves_; }
  /// Work done since the last call, in cells looked at.
  [[nodiscard]] std::uint64_t take_cells() {
    const std::uint64_t cells = cells_;
    cells_ = 0;
    return cells;
  }
  /// The share of all traffic that stays on nodes, summed anew.
  [[nodiscard]] double local() const;
  /// Brings the placement to contents that it had before.
  void restore(const NodeContents& contents);

 private:
  struct Change {
    AppId app;
    NodeId node;
    std::int64_t change;
  };
  void apply(AppId app, NodeId node, std::int64_t change);
  void count_change(std::uint32_t row, NodeId node, std::int64_t change);
  /// Where the node is. Soon found where one holder after the other leaves.
  [[nodiscard]] std::size_t place_among(const std::vector<NodeId>& holders, NodeId node) const;
  /// Updates guests() once the replicas of the app on the node have changed.
  void note_guest(AppId app, NodeId node);

  Placement<Unit>* placement_;
  const TrafficGraph* graph_;
  std::span<const std::uint8_t> fixed_;
  std::uint32_t nodes_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<std::uint32_t> counts_;         // rows x nodes
  std::vector<std::vector<NodeId>> holders_;  // per row
  std::size_t last_place_ = 0;                // where the last holder that left was
  Ties ties_;
  std::vector<std::vector<NodeId>> homes_;  // per app: nodes on which it runs; empty: moves are not counted
  std::vector<Guest> guests_;
  std::unordered_map<std::uint64_t, std::size_t> guest_at_;  // per app and node: its position among the guests
  std::vector<Change> journal_;
  double gained_ = 0;
  std::int64_t moves_ = 0;
  std::uint64_t cells_ = 0;
};

extern template class TrafficState<std::int16_t>;
extern template class TrafficState<std::int32_t>;

}  // namespace stowage
