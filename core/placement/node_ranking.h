// Nodes in descending order of a key. A pass down the order skips nodes on which an app does not fit; a few keys change at a
// time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/data/types.h"
#include "core/placement/residuals.h"
#include "core/simd/kernels.h"

namespace stowage {

struct RankedNode {
  double key;
  NodeId node;
  /// Larger keys first; among equal keys, the lower index.
  bool operator<(const RankedNode& other) const {
    if (key > other.key) return true;
    return !(key < other.key) && node < other.node;
  }
};

/// A heap of nodes; front() is the first in order.
class RankedHeap {
 public:
  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const RankedNode& front() const { return entries_.front(); }
  void push(const RankedNode& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end(), later);
  }
  NodeId pop() {
    std::pop_heap(entries_.begin(), entries_.end(), later);
    const NodeId node = entries_.back().node;
    entries_.pop_back();
    return node;
  }
  /// Adds an entry without restoring the heap: settle() has to follow the last one.
  void append(const RankedNode& entry) { entries_.push_back(entry); }
  void settle() { std::make_heap(entries_.begin(), entries_.end(), later); }

 private:
  // The standard heap has its largest element in front.
  static bool later(const RankedNode& a, const RankedNode& b) { return b < a; }

  std::vector<RankedNode> entries_;
};

/// A sorted list in chunks of at most 64 nodes. A chunk also holds its nodes' residual columns. The ranking holds, per chunk
/// and column, an upper bound on the chunk's values. So a pass tests 64 chunks at once, then 64 nodes at once, and never
/// touches the many nodes that rank high by one resource but have used up another.
template <class Unit>
class NodeRanking {
 public:
  /// Further columns would cost more to move than they save.
  static constexpr std::uint32_t kMostColumns = 4;

  /// @param columns residual columns per node; at most kMostColumns of them are used
  explicit NodeRanking(std::uint32_t columns)
      : kernels_(&best_kernels<Unit>()), columns_(std::min(columns, kMostColumns)), maxima_(columns_) {}

  /// @param columns the node's residual columns
  void add(NodeId node, double key, const Unit* columns) {
    Change change = {{key, node}, {0, 0}, {}};
    std::copy_n(columns, columns_, change.columns.begin());
    insert(std::span<const Change>(&change, 1));
  }
  /// Where a pass found a node.
  struct Place {
    std::uint32_t position;  // of the chunk in the order
    std::uint32_t lane;      // of the node in the chunk
  };
  /// A node's new key and residual columns.
  struct Change {
    RankedNode entry;
    Place place;
    std::array<Unit, kMostColumns> columns;
  };
  /// Applies changes to nodes that the last pass stopped at, in the order of that pass. Sorts `changes` by their new keys.
  void change(std::vector<Change>& changes) {
    // From the end, so that closing a chunk keeps the positions before it.
    for (std::size_t last = changes.size(); last > 0;) {
      std::size_t first = last - 1;
      while (first > 0 && changes[first - 1].place.position == changes[last - 1].place.position) --first;
      remove(std::span(changes).subspan(first, last - first));
      last = first;
    }
    const auto before = [](const Change& a, const Change& b) { return a.entry < b.entry; };
    if (!std::is_sorted(changes.begin(), changes.end(), before)) std::sort(changes.begin(), changes.end(), before);
    for (std::size_t k = 0; k < changes.size();) k += insert(std::span<const Change>(changes).subspan(k));
  }

  /// Walks the nodes whose columns cover a need, from the largest key down. The ranking may not change during the pass.
  class Pass {
   public:
    /// @param need per column, the least value
    Pass(NodeRanking& ranking, const Unit* need) : ranking_(&ranking), need_(need) {
      if (!ranking.order_.empty()) chunks_ = ranking.fitting_chunks(0, need);
      settle();
    }
    [[nodiscard]] bool at_end() const { return nodes_ == 0; }
    [[nodiscard]] const RankedNode& front() const { return front_; }
    [[nodiscard]] Place place() const { return {position_, static_cast<std::uint32_t>(std::countr_zero(nodes_))}; }
    void pop() {
      nodes_ &= nodes_ - 1;
      settle();
    }
    /// Number of chunks and groups of chunks looked at.
    [[nodiscard]] std::uint64_t work() const { return work_; }

   private:
    // Moves on to a node that covers the need.
    void settle() {
      while (nodes_ == 0) {
        while (chunks_ == 0) {
          ++work_;
          if ((group_ + 1) * std::size_t{kBlock} >= ranking_->order_.size()) return;
          chunks_ = ranking_->fitting_chunks(++group_, need_);
        }
        ++work_;
        position_ = static_cast<std::uint32_t>(group_ * kBlock) + static_cast<std::uint32_t>(std::countr_zero(chunks_));
        chunks_ &= chunks_ - 1;
        chunk_ = ranking_->order_[position_];
        nodes_ = ranking_->fitting_nodes(chunk_, need_);
        if (nodes_ == 0) ranking_->refresh_maxima(position_);
      }
      front_ = ranking_->entries_[std::size_t{chunk_} * kBlock + static_cast<std::size_t>(std::countr_zero(nodes_))];
    }

    NodeRanking* ranking_;
    const Unit* need_;
    std::size_t group_ = 0;
    std::uint64_t chunks_ = 0;  // bits: chunks of the group still to be visited
    std::uint32_t position_ = 0;
    std::uint32_t chunk_ = 0;
    std::uint64_t nodes_ = 0;  // bits: nodes of the chunk still to be visited
    std::uint64_t work_ = 0;
    RankedNode front_ = {0, kNone};
  };

 private:
  /// A chunk with at most kFew nodes joins the next one if both have at most kFewTogether.
  static constexpr std::uint32_t kFew = 16;
  static constexpr std::uint32_t kFewTogether = 40;
  /// Column value of a lane without a node: below every need.
  static constexpr Unit kNothing = Residuals<Unit>::kNothing;

  [[nodiscard]] std::uint64_t fitting_chunks(std::size_t group, const Unit* need) const {
    std::uint64_t mask = ~std::uint64_t{0};
    for (std::uint32_t c = 0; c < columns_ && mask != 0; ++c) {
      mask &= kernels_->at_least(maxima_[c].data() + group * kBlock, need[c]);
    }
    return mask;
  }
  [[nodiscard]] std::uint64_t fitting_nodes(std::uint32_t chunk, const Unit* need) const {
    const Unit* values = values_of(chunk);
    std::uint64_t mask = ~std::uint64_t{0};
    for (std::uint32_t c = 0; c < columns_ && mask != 0; ++c) mask &= kernels_->at_least(values + c * kBlock, need[c]);
    return mask;
  }

  // Inserting raises the maxima; removing leaves them. A pass that finds no node in a chunk tightens them.
  void refresh_maxima(std::size_t position) {
    const Unit* values = values_of(order_[position]);
    for (std::uint32_t c = 0; c < columns_; ++c) maxima_[c][position] = kernels_->block_max(values + c * kBlock);
  }

  [[nodiscard]] const Unit* values_of(std::uint32_t chunk) const {
    return values_.data() + std::size_t{chunk} * columns_ * kBlock;
  }
  [[nodiscard]] Unit* values_of(std::uint32_t chunk) { return values_.data() + std::size_t{chunk} * columns_ * kBlock; }
  [[nodiscard]] RankedNode* entries_of(std::uint32_t chunk) { return entries_.data() + std::size_t{chunk} * kBlock; }

  // Position in order_ of the chunk that the entry belongs to. The hint is tried first: successive entries are often
  // neighbours.
  [[nodiscard]] std::size_t position_of(const RankedNode& entry, std::size_t& hint) const {
    const auto is_right = [&](std::size_t position) {
      return position < first_.size() && !(entry < first_[position]) &&
             (position + 1 == first_.size() || entry < first_[position + 1]);
    };
    if (!is_right(hint)) {
      const auto after = std::upper_bound(first_.begin(), first_.end(), entry);
      hint = after == first_.begin() ? 0 : static_cast<std::size_t>(after - first_.begin()) - 1;
    }
    return hint;
  }

  // Calls move(values) for every array of a chunk.
  template <class Move>
  void for_each_array(std::uint32_t chunk, Move&& move) {
    move(entries_of(chunk));
    for (std::uint32_t c = 0; c < columns_; ++c) move(values_of(chunk) + c * kBlock);
  }

  // Inserts the first of the sorted changes: as many as belong to one chunk and fit there. Returns their number.
  std::size_t insert(std::span<const Change> changes) {
    if (order_.empty()) open_chunk(0, new_chunk());
    const RankedNode& lead = changes[0].entry;
    std::size_t position = position_of(lead, insert_hint_);
    if (size_[order_[position]] == kBlock) {
      split(position);
      if (!(lead < first_[position + 1])) ++position;
    }
    const std::uint32_t chunk = order_[position];
    const std::uint32_t size = size_[chunk];
    std::uint32_t count = 1;
    const bool last = position + 1 == order_.size();
    while (count < changes.size() && size + count < kBlock && (last || changes[count].entry < first_[position + 1])) ++count;
    // From the last to the first: entries behind a new one move up by the number of new ones up to it.
    const RankedNode* entries = entries_of(chunk);
    std::uint32_t end = size;
    for (std::uint32_t k = count; k > 0; --k) {
      const Change& change = changes[k - 1];
      const auto at = static_cast<std::uint32_t>(std::lower_bound(entries, entries + end, change.entry) - entries);
      if (at < end) {
        for_each_array(chunk, [&](auto* values) { std::copy_backward(values + at, values + end, values + end + k); });
      }
      entries_of(chunk)[at + k - 1] = change.entry;
      for (std::uint32_t c = 0; c < columns_; ++c) {
        values_of(chunk)[c * kBlock + at + k - 1] = change.columns[c];
        maxima_[c][position] = std::max(maxima_[c][position], change.columns[c]);
      }
      end = at;
    }
    size_[chunk] += count;
    first_[position] = entries[0];
    return count;
  }

  // Removes nodes of one chunk; `changes` are in ascending order of their lanes.
  void remove(std::span<const Change> changes) {
    const std::size_t position = changes[0].place.position;
    const std::uint32_t chunk = order_[position];
    const std::uint32_t before = size_[chunk];
    const auto count = static_cast<std::uint32_t>(changes.size());
    const std::uint32_t size = before - count;
    size_[chunk] = size;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t from = changes[k].place.lane + 1;
      const std::uint32_t to = k + 1 < count ? changes[k + 1].place.lane : before;
      if (from == to) continue;
      for_each_array(chunk, [&](auto* values) { std::copy(values + from, values + to, values + from - k - 1); });
    }
    for (std::uint32_t c = 0; c < columns_; ++c) std::fill_n(values_of(chunk) + c * kBlock + size, count, kNothing);
    if (size == 0) {
      close_chunk(position);
      return;
    }
    first_[position] = entries_of(chunk)[0];
    if (size <= kFew && position + 1 < order_.size() && size + size_[order_[position + 1]] <= kFewTogether) join(position);
  }

  // Moves the nodes of the next chunk to the end of this one.
  void join(std::size_t position) {
    const std::uint32_t chunk = order_[position];
    const std::uint32_t next = order_[position + 1];
    std::copy_n(entries_of(next), size_[next], entries_of(chunk) + size_[chunk]);
    for (std::uint32_t c = 0; c < columns_; ++c) {
      std::copy_n(values_of(next) + c * kBlock, size_[next], values_of(chunk) + c * kBlock + size_[chunk]);
      maxima_[c][position] = std::max(maxima_[c][position], maxima_[c][position + 1]);
    }
    size_[chunk] += size_[next];
    close_chunk(position + 1);
  }

  // Moves the second half of a full chunk to a new one behind it.
  void split(std::size_t position) {
    const std::uint32_t fresh = new_chunk();
    const std::uint32_t chunk = order_[position];
    constexpr std::uint32_t kHalf = kBlock / 2;
    std::copy_n(entries_of(chunk) + kHalf, kHalf, entries_of(fresh));
    size_[chunk] = kHalf;
    size_[fresh] = kHalf;
    open_chunk(position + 1, fresh);
    first_[position + 1] = entries_of(fresh)[0];
    for (std::uint32_t c = 0; c < columns_; ++c) {
      Unit* values = values_of(chunk) + c * kBlock;
      Unit* moved = values_of(fresh) + c * kBlock;
      std::copy_n(values + kHalf, kHalf, moved);
      std::fill_n(values + kHalf, kHalf, kNothing);
    }
    refresh_maxima(position);
    refresh_maxima(position + 1);
  }

  // Takes an empty chunk from the pool.
  std::uint32_t new_chunk() {
    std::uint32_t chunk = 0;
    if (unused_.empty()) {
      chunk = static_cast<std::uint32_t>(size_.size());
      size_.push_back(0);
      entries_.resize(entries_.size() + kBlock);
      values_.resize(values_.size() + std::size_t{columns_} * kBlock);
    } else {
      chunk = unused_.back();
      unused_.pop_back();
      size_[chunk] = 0;
    }
    std::fill_n(values_of(chunk), columns_ * kBlock, kNothing);
    return chunk;
  }
  // The maxima are padded with kNothing to whole groups of chunks.
  void open_chunk(std::size_t position, std::uint32_t chunk) {
    const auto at = static_cast<std::ptrdiff_t>(position);
    for (std::vector<Unit>& maxima : maxima_) {
      if (order_.size() == maxima.size()) maxima.resize(maxima.size() + kBlock, kNothing);
      const auto end = maxima.begin() + static_cast<std::ptrdiff_t>(order_.size());
      std::copy_backward(maxima.begin() + at, end, end + 1);
      maxima[position] = kNothing;
    }
    order_.insert(order_.begin() + at, chunk);
    first_.insert(first_.begin() + at, RankedNode{0, kNone});
  }
  void close_chunk(std::size_t position) {
    const auto at = static_cast<std::ptrdiff_t>(position);
    for (std::vector<Unit>& maxima : maxima_) {
      const auto end = maxima.begin() + static_cast<std::ptrdiff_t>(order_.size());
      std::copy(maxima.begin() + at + 1, end, maxima.begin() + at);
      *(end - 1) = kNothing;
    }
    unused_.push_back(order_[position]);
    order_.erase(order_.begin() + at);
    first_.erase(first_.begin() + at);
  }

  const Kernels<Unit>* kernels_;
  std::uint32_t columns_;
  std::vector<std::uint32_t> size_;    // by chunk: number of nodes
  std::vector<RankedNode> entries_;    // by chunk and lane, sorted
  std::vector<Unit> values_;           // by chunk, column and lane
  std::vector<std::uint32_t> unused_;  // the pool of empty chunks
  std::vector<std::uint32_t> order_;   // chunks by descending keys
  std::vector<RankedNode> first_;      // by position in order_: the chunk's first entry
  std::size_t insert_hint_ = 0;
  std::vector<std::vector<Unit>> maxima_;  // by column and position in order_
};

}  // namespace stowage
