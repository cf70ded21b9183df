// Spreads the replicas of an app over nodes: each replica goes to the node with the largest key on which it fits (P0, section
// 4.4).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/placement/node_ranking.h"
#include "core/placement/placement.h"
#include "core/run/asked_nodes.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Keeps nodes in descending order of a key, and walks down that order once per app.
/// O(log N + skipped nodes / 64) per replica, for N nodes.
/// @tparam Key key(node) returns a number. Only place() may change it, and only for the node that takes a replica.
template <class Unit, class Key>
class SpreadPass {
 public:
  SpreadPass(Placement<Unit>& placement, Key key)
      : placement_(&placement),
        key_(std::move(key)),
        ranking_(placement.residuals().column_count()),
        pass_decides_(placement.residuals().decided_by(NodeRanking<Unit>::kMostColumns)),
        columns_(placement.residuals().column_count()) {}

  void add(NodeId node) {
    if (node >= latest_key_.size()) latest_key_.resize(std::size_t{node} + 1, 0);
    placement_->residuals().read_columns(node, columns_);
    latest_key_[node] = key_(node);
    ranking_.add(node, latest_key_[node], columns_.data());
  }

  /// Places as many unplaced replicas of the candidate's app as the nodes take, in portions, and counts the work: nodes
  /// visited, chunks looked at and keys changed. True where the run has to end, with replicas left.
  bool place(typename Placement<Unit>::Candidate& candidate, AppId app, WorkClock& clock) {
    while (true) {
      const std::uint32_t before = placement_->unplaced(app);
      const bool ended = clock.step(place_some(candidate, app, clock));
      if (ended || placement_->unplaced(app) == 0 || before - placement_->unplaced(app) < kPortion) return ended;
    }
  }

 private:
  /// Replicas of an app that are placed between two looks at the clock: some milliseconds.
  static constexpr std::uint32_t kPortion = 16'384;

  /// Places up to kPortion replicas, unless the run ends. Returns the work that is not yet counted.
  ///
  /// A pass walks down the ranking. A node that took a replica comes up again from a heap, by its new key. The ranking gets all
  /// new keys at the end.
  std::uint64_t place_some(typename Placement<Unit>::Candidate& candidate, AppId app, WorkClock& clock) {
    typename NodeRanking<Unit>::Pass pass(ranking_, candidate.need().column.data());
    heap_.clear();
    changes_.clear();
    AskedNodes asked(clock);
    bool ended = asked.count(1, 0);
    const std::uint32_t enough = placement_->unplaced(app) - std::min(placement_->unplaced(app), kPortion);
    while (placement_->unplaced(app) > enough && !ended) {
      const bool again = !heap_.empty() && (pass.at_end() || heap_.front() < pass.front());
      if (!again && pass.at_end()) break;
      const NodeId node = again ? heap_.pop() : pass.front().node;
      const typename NodeRanking<Unit>::Place place = pass.place();
      if (!again) pass.pop();
      ended = asked.count(1, placement_->steps_to_ask(app));
      const bool takes =
          pass_decides_ && !again ? placement_->allows_one(candidate, node) : placement_->headroom(candidate, node, 1) > 0;
      if (!takes) continue;
      placement_->place(app, node, 1);
      latest_key_[node] = key_(node);
      if (placement_->unplaced(app) > 0) heap_.push({latest_key_[node], node});
      if (!again) changes_.push_back({{0, node}, place, {}});
    }
    for (auto& change : changes_) {
      change.entry.key = latest_key_[change.entry.node];
      placement_->residuals().read_columns(change.entry.node, change.columns);
    }
    ranking_.change(changes_);
    return asked.left() + pass.work() + changes_.size();
  }

  Placement<Unit>* placement_;
  Key key_;
  NodeRanking<Unit> ranking_;
  bool pass_decides_;               // whether every node that a pass stops at has room
  std::vector<double> latest_key_;  // by node, ahead of the ranking while an app is placed
  std::vector<Unit> columns_;       // scratch of add()
  RankedHeap heap_;
  std::vector<typename NodeRanking<Unit>::Change> changes_;  // nodes on which place() put a replica
};

}  // namespace stowage
