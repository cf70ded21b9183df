// Replicas of an app spread over nodes: each goes to the node with the largest key on which it fits (P0, section 4.4).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/placement/node_ranking.h"
#include "core/placement/placement.h"

namespace stowage {

/// Keeps nodes in order of a key of their own, and goes down that order once per app.
/// O(log N + skipped nodes / 64) per replica.
/// @tparam Key key(node), a number; changes with what is placed on the node by place(), and by nothing else.
template <class Unit, class Key>
class SpreadPass {
 public:
  SpreadPass(Placement<Unit>& placement, Key key)
      : placement_(&placement),
        key_(std::move(key)),
        ranking_(placement.residuals().column_count()),
        pass_decides_(placement.residuals().decided_by(NodeRanking<Unit>::kMostColumns)),
        columns_(placement.residuals().column_count()) {}

  /// Takes a node in, from now on.
  void add(NodeId node) {
    if (node >= latest_key_.size()) latest_key_.resize(std::size_t{node} + 1, 0);
    placement_->residuals().read_columns(node, columns_);
    latest_key_[node] = key_(node);
    ranking_.add(node, latest_key_[node], columns_.data());
  }

  /// Places as many replicas of the candidate's app as its nodes take. Returns the work done.
  ///
  /// Down the ranking. A node that took a replica comes again by its new key, from the heap; the ranking is told at the end.
  std::uint64_t place(typename Placement<Unit>::Candidate& candidate, AppId app) {
    typename NodeRanking<Unit>::Pass pass(ranking_, candidate.need().column.data());
    heap_.clear();
    changes_.clear();
    std::uint64_t visited = 1;
    while (placement_->unplaced(app) > 0) {
      const bool again = !heap_.empty() && (pass.at_end() || heap_.front() < pass.front());
      if (!again && pass.at_end()) break;
      const NodeId node = again ? heap_.pop() : pass.front().node;
      const typename NodeRanking<Unit>::Place place = pass.place();
      if (!again) pass.pop();
      ++visited;
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
    return visited + pass.work() + changes_.size();
  }

 private:
  Placement<Unit>* placement_;
  Key key_;
  NodeRanking<Unit> ranking_;
  bool pass_decides_;               // what a pass stands at has room
  std::vector<double> latest_key_;  // by node, ahead of the ranking while an app is placed
  std::vector<Unit> columns_;       // of the node in hand
  RankedHeap heap_;
  std::vector<typename NodeRanking<Unit>::Change> changes_;  // nodes that the app in hand was put on
};

}  // namespace stowage
