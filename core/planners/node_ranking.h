// Nodes in descending order of a key that changes for a few of them at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/model/types.h"

namespace stowage {

/// A long sorted list and a short one with what has changed since: a change costs an insertion into the short list, and now and
/// then both are merged. Entries whose key is out of date are skipped.
class NodeRanking {
 public:
  struct Ranked {
    double key;
    NodeId node;
    /// Larger keys first; of equals, the lower index.
    bool operator<(const Ranked& other) const { return key != other.key ? key > other.key : node < other.node; }
  };

  /// Starts over with these keys, one per node.
  void assign(std::vector<double> keys) {
    keys_ = std::move(keys);
    changed_.clear();
    sorted_.clear();
    for (NodeId n = 0; n < keys_.size(); ++n) sorted_.push_back({keys_[n], n});
    std::sort(sorted_.begin(), sorted_.end());
    changed_mark_.assign(keys_.size(), 0);
  }

  /// Goes through the nodes from the largest key down. The key of the node last returned may be lowered on the way: then it
  /// comes again at its new place. Nothing else may change meanwhile.
  class Pass {
   public:
    explicit Pass(NodeRanking& ranking) : ranking_(&ranking) { ranking.merge_if_long(); }
    /// kNone at the end.
    NodeId next() {
      const auto& sorted = ranking_->sorted_;
      const auto& changed = ranking_->changed_;
      while (at_ < sorted.size() && ranking_->changed_mark_[sorted[at_].node] != 0) ++at_;
      const bool from_sorted = at_ < sorted.size() && (changed_at_ == changed.size() || sorted[at_] < changed[changed_at_]);
      if (from_sorted) return sorted[at_++].node;
      return changed_at_ < changed.size() ? changed[changed_at_++].node : kNone;
    }
    /// Lowers the key of the node that next() returned last.
    void lower(NodeId node, double key) {
      if (ranking_->changed_mark_[node] != 0) --changed_at_;  // it came from the short list, just before the current place
      ranking_->change(node, key);
    }

   private:
    NodeRanking* ranking_;
    std::size_t at_ = 0;
    std::size_t changed_at_ = 0;
  };

  [[nodiscard]] double key(NodeId node) const { return keys_[node]; }
  /// One more node, with the next index.
  void add(double key) {
    const auto node = static_cast<NodeId>(keys_.size());
    keys_.push_back(key);
    changed_mark_.push_back(0);
    change(node, key);
  }
  void change(NodeId node, double key) {
    if (changed_mark_[node] != 0) changed_.erase(std::lower_bound(changed_.begin(), changed_.end(), Ranked{keys_[node], node}));
    changed_mark_[node] = 1;
    keys_[node] = key;
    const Ranked entry = {key, node};
    changed_.insert(std::lower_bound(changed_.begin(), changed_.end(), entry), entry);
  }

 private:
  /// Insertions into a list of this length are still cheaper than skipping and merging more often.
  static constexpr std::size_t kLong = 512;

  void merge_if_long() {
    if (changed_.size() < kLong) return;
    merged_.clear();
    auto c = changed_.begin();
    for (const Ranked& entry : sorted_) {
      if (changed_mark_[entry.node] != 0) continue;
      for (; c != changed_.end() && *c < entry; ++c) merged_.push_back(*c);
      merged_.push_back(entry);
    }
    merged_.insert(merged_.end(), c, changed_.end());
    sorted_.swap(merged_);
    for (const Ranked& entry : changed_) changed_mark_[entry.node] = 0;
    changed_.clear();
  }

  std::vector<double> keys_;
  std::vector<Ranked> sorted_;
  std::vector<Ranked> changed_;
  std::vector<Ranked> merged_;
  std::vector<std::uint8_t> changed_mark_;  // the node's entry in sorted_ is out of date
};

}  // namespace stowage
