// The capacity constraint: in every period and resource, the demand on a node stays within its capacity. Where demand is
// uncertain, mean + D sqrt(sum of spreads) stays within it (P1, Eq. 2).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/uninitialized.h"
#include "core/model/instance.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Residual capacity of all nodes, in scaled units. Unit is the type of Instance::narrow().
///
/// A few columns (see ResidualColumns) filter the nodes. With at most 8 dimensions, the columns are the residuals themselves
/// and the filter is exact. With more, the columns are necessary conditions: the minimum over time of a resource, and the
/// residual in some periods. Each node then also keeps its full vector, which is checked last.
///
/// One more row holds each node's least share: the smallest of its columns, each as a share of the largest capacity. This row
/// rejects most full blocks at once. If one node of a block has much CPU left and another has much memory left, the block's
/// maxima of the two columns reject neither node, but its maximum of the least shares rejects both.
///
/// Where demand is uncertain, a residual is the room left at the instance's confidence: capacity - mean - D sqrt(spread),
/// rounded down. A replica's mean has to fit into it, which is a necessary condition. The replica's own spread is decided last,
/// exactly, on the integers of Instance::risk_room(): (capacity - mean)^2 >= D^2 x spread.
///
/// A node that exceeds its capacity at the start takes what needs nothing of what it exceeds.
template <class Unit>
class Residuals {
 public:
  /// Column value of a node that is closed or does not exist: below every need, and below what a node that exceeds its capacity
  /// has.
  static constexpr Unit kNothing = std::numeric_limits<Unit>::min() / 4 * 3 - 2;

  explicit Residuals(const Instance& instance);

  /// Demand of one replica, prepared for many nodes.
  struct Need {
    const Unit* demand = nullptr;
    std::vector<Unit> column;            ///< least value of each column of a node that fits; last, of the least share
    const std::int64_t* risk = nullptr;  ///< per resource; null where nothing is uncertain
  };

  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  /// @param load      Instance::scaled_standing() of the node
  /// @param load_risk resources() entries, or empty for none
  NodeId add_node(ClassId node_class, std::span<const std::int32_t> load, std::span<const std::int64_t> load_risk = {});
  /// Takes memory for so many nodes.
  void reserve(std::uint32_t nodes);
  /// So many nodes will be added: what is known of the others is not copied then, which takes long where it is much.
  void expect(std::uint32_t nodes);
  /// Makes the node refuse every replica.
  void close(NodeId node);
  /// Makes a closed node take replicas again. The node has to be empty.
  /// @param load that of add_node()
  void reopen(NodeId node, ClassId node_class, std::span<const std::int32_t> load);
  /// For nodes on which replicas were placed that it may have no room for, before needs are prepared.
  void note_exceeded(NodeId node) { some_exceeded_ = some_exceeded_ || exceeded(node); }

  void prepare(AppId app, Need& need) const;
  /// Lets the maxima of blocks become upper bounds until settle(). Changes get faster and filters slower: for callers that
  /// mostly ask about single nodes.
  void loosen_maxima() { tight_maxima_ = false; }
  /// Until settle(), changes loosen the maxima and only sum up uncertain demand: for many changes in a row. Until then, no
  /// question about a changed node is answered.
  void defer() {
    loosen_maxima();
    deferred_ = uncertain_;
  }
  /// Ends loosen_maxima() and defer(): brings all nodes and maxima up to date.
  /// Once the watch has ended, some are as they were, and nobody may use the residuals.
  void settle(WatchRef watch = {});

  [[nodiscard]] std::uint32_t column_count() const { return column_count_; }
  /// Whether a replica is certain to fit where the first `columns` columns cover its need.
  [[nodiscard]] bool decided_by(std::uint32_t columns) const { return exact_ && !uncertain_ && columns >= column_count_; }
  /// Writes the node's first columns, at most values.size(). A replica whose Need exceeds one of them certainly does not fit.
  void read_columns(NodeId node, std::span<Unit> values) const {
    const std::size_t columns = std::min<std::size_t>(values.size(), column_count_);
    for (std::size_t c = 0; c < columns; ++c) values[c] = columns_[c * stride_ + node];
  }
  /// False: one more replica certainly does not fit. True: the columns allow it.
  [[nodiscard]] bool may_fit(const Need& need, NodeId node) const {
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      if (columns_[c * stride_ + node] < need.column[c]) return false;
    }
    return true;
  }
  /// Whether one more replica fits.
  [[nodiscard]] bool fits(const Need& need, NodeId node) const {
    if (!may_fit(need, node)) return false;
    if (!exact_ && !covers(node, need.demand)) return false;
    return need.risk == nullptr || takes_instead(need, nullptr, node);
  }
  /// Whether a replica of `arriving` fits after one of `leaving` (null: none) has left. Only where demand is uncertain.
  [[nodiscard]] bool takes_instead(const Need& arriving, const Need* leaving, NodeId node) const;
  /// Whether a replica of demand `arriving` fits in every dimension after one of demand `leaving` (null: none) has left. Only
  /// where no demand is uncertain.
  [[nodiscard]] bool takes_exchange(const Unit* arriving, const Unit* leaving, NodeId node) const;
  /// How many more replicas, at most `wanted`, fit.
  [[nodiscard]] std::uint32_t copies(const Need& need, NodeId node, std::uint32_t wanted) const;
  /// The same for an empty anonymous node of a class.
  [[nodiscard]] std::uint32_t copies_on_empty(const Need& need, ClassId node_class, std::uint32_t wanted) const {
    return copies_beside(need, node_class, instance_->scaled_standing(kNone, node_class), wanted);
  }
  /// The same for a node that holds nothing but this load.
  [[nodiscard]] std::uint32_t copies_beside(const Need& need, ClassId node_class, std::span<const std::int32_t> load,
                                            std::uint32_t wanted) const;

  void take(AppId app, NodeId node, std::uint32_t replicas) {
    if (uncertain_) return change_uncertain(app, node, replicas);
    change(app, node, static_cast<Unit>(replicas));
  }
  void give_back(AppId app, NodeId node, std::uint32_t replicas) {
    if (uncertain_) return change_uncertain(app, node, -std::int64_t{replicas});
    change(app, node, static_cast<Unit>(-static_cast<std::int32_t>(replicas)));
  }

  /// Residual in one dimension.
  [[nodiscard]] Unit residual(NodeId node, std::uint32_t dim) const {
    return exact_ ? columns_[dim * stride_ + node] : full_[std::size_t{node} * padded_dims_ + dim];
  }
  /// Whether the node exceeds its capacity in any dimension.
  [[nodiscard]] bool exceeded(NodeId node) const {
    for (std::uint32_t h = 0; h < dims_; ++h) {
      if (residual(node, h) < 0) return true;
    }
    return false;
  }
  /// Residual in one dimension after some replicas have left. for_each_leaving(visit) calls visit(app, replicas) for these.
  template <class ForEachLeaving>
  [[nodiscard]] std::int64_t residual_without(NodeId node, std::uint32_t dim, ForEachLeaving&& for_each_leaving) const {
    std::int64_t left = uncertain_ ? mean_left(node, dim) : residual(node, dim);
    const ResourceId r = instance_->resource_of(dim);
    std::int64_t held = uncertain_ ? risk(node, r) : 0;
    for_each_leaving([&](AppId app, std::int64_t replicas) {
      left += replicas * instance_->scaled_demand<Unit>(app)[dim];
      if (uncertain_) held -= replicas * instance_->scaled_risk(app)[r];
    });
    return uncertain_ ? left - instance_->units_for_risk(held, r) : left;
  }
  /// Capacity less the means, in one dimension. Only where demand is uncertain.
  [[nodiscard]] std::int64_t mean_left(NodeId node, std::uint32_t dim) const {
    return mean_left_[std::size_t{node} * dims_ + dim];
  }
  /// Sum of the risks (Instance::scaled_risk()) on the node, of one resource. Only where demand is uncertain.
  [[nodiscard]] std::int64_t risk(NodeId node, ResourceId resource) const {
    return risk_[std::size_t{node} * instance_->resources() + resource];
  }
  /// Sum of weight[h] x residual in h. The order of the sum is fixed, so that every platform agrees.
  [[nodiscard]] double weighted_sum(NodeId node, const double* weight) const {
    if (!exact_) return kernels_->weighted_sum(full_.data() + std::size_t{node} * padded_dims_, weight, dims_);
    double sum = 0;
    for (std::uint32_t h = 0; h < dims_; ++h) sum += weight[h] * columns_[h * stride_ + node];
    return sum;
  }
  /// Largest weight[h] x residual in h, at least 0.
  [[nodiscard]] double weighted_max(NodeId node, const double* weight) const {
    double largest = 0;
    for (std::uint32_t h = 0; h < dims_; ++h) largest = std::max(largest, weight[h] * residual(node, h));
    return largest;
  }

  /// Sum of residuals over all open nodes, dims() entries; kept only after track_totals().
  void track_totals();
  [[nodiscard]] std::span<const std::int64_t> totals() const { return totals_; }

  /// Writes one bit per node, in blocks of 64. 0: no replica fits. 1: the columns allow one, see may_fit(). Returns the number
  /// of bits set.
  std::uint32_t filter(const Need& need, std::vector<std::uint64_t>& mask) const {
    mask.assign(blocks(), 0);
    const ResidualColumns<Unit> columns = columns_view();
    std::uint32_t count = 0;
    std::uint64_t nodes = 0;
    for (std::uint32_t block = 0;; ++block) {
      block = kernels_->find_block(columns, need.column.data(), block, &nodes);
      if (block >= columns.blocks) return count;
      mask[block] = nodes;
      count += static_cast<std::uint32_t>(std::popcount(nodes));
    }
  }

  /// Calls visit(node) for the nodes from `first` on which one replica fits, in ascending order, until visit returns false.
  /// visit may place replicas on the node that it is called with, and on no other.
  template <class Visit>
  void for_each_fitting(const Need& need, NodeId first, Visit&& visit) const {
    std::uint64_t mask = 0;
    std::uint32_t block = first / kBlock;
    bool in_first_block = true;
    while (true) {
      const ResidualColumns<Unit> columns = columns_view();
      block = kernels_->find_block(columns, need.column.data(), block, &mask);
      if (block >= columns.blocks) return;
      if (in_first_block && block == first / kBlock) mask &= ~std::uint64_t{0} << (first % kBlock);
      in_first_block = false;
      for (; mask != 0; mask &= mask - 1) {
        const NodeId node = block * kBlock + static_cast<NodeId>(std::countr_zero(mask));
        if (!exact_ && !covers(node, need.demand)) continue;
        if (need.risk != nullptr && !takes_instead(need, nullptr, node)) continue;
        if (!visit(node)) return;
      }
      ++block;
    }
  }

 private:
  /// The need of a replica that needs nothing of a column, where nodes may exceed their capacity.
  static constexpr Unit kAnything = kNothing + 1;

  /// Written block by block, as nodes are added: see begin_block().
  using Columns = std::vector<Unit, UninitializedAllocator<Unit>>;

  /// One column: the residual in one dimension, or the minimum over the periods of a resource.
  struct Column {
    bool minimum = false;
    std::uint32_t index = 0;  // dimension, or resource
  };

  [[nodiscard]] ResourceId resource_of(const Column& column) const {
    return column.minimum ? column.index : instance_->resource_of(column.index);
  }
  [[nodiscard]] ResidualColumns<Unit> columns_view() const {
    return {columns_.data(), stride_, block_max_.data(), block_stride_, rows(), static_cast<std::uint32_t>(blocks())};
  }
  [[nodiscard]] std::size_t blocks() const { return (nodes_ + kBlock - 1) / kBlock; }
  [[nodiscard]] std::uint32_t rows() const { return column_count_ + (share_shift_.empty() ? 0 : 1); }
  /// Whether the node has what a replica of this demand, whose arrival another one of demand `leaving` (null: none) makes room
  /// for, needs in every dimension.
  [[nodiscard]] bool has_needed(const Unit* arriving, const Unit* leaving, NodeId node) const;
  /// Whether a row of full_ does.
  [[nodiscard]] bool covers(NodeId node, const Unit* demand) const {
    return kernels_->covers(full_.data() + std::size_t{node} * padded_dims_, demand, dims_) ||
           (some_exceeded_ && has_needed(demand, nullptr, node));
  }
  void choose_columns();
  void grow(std::size_t nodes);
  /// Before the first node of a block: the block holds no nodes.
  void begin_block();
  void change(AppId app, NodeId node, Unit times);
  void change_uncertain(AppId app, NodeId node, std::int64_t times);
  /// Computes the residuals at the instance's confidence from means and risks.
  void refresh_residuals(NodeId node);
  /// The largest number of replicas, at most `most`, whose means and risks fit.
  template <class LeftOf, class RiskOf>
  [[nodiscard]] std::uint32_t risky_copies(const Need& need, std::uint32_t most, LeftOf&& left_of, RiskOf&& risk_of) const;
  void refresh_columns(NodeId node);
  void set_column(std::uint32_t column, NodeId node, Unit value);
  /// The least share of a node whose column c holds value_of(c). It is monotone: if a node has at least as much as another in
  /// every column, its least share is at least as large.
  template <class ValueOf>
  [[nodiscard]] Unit least_share(ValueOf&& value_of) const {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      const auto value = std::max<std::int32_t>(value_of(c), -1);
      const std::int32_t shift = share_shift_[c];
      least = std::min(least, shift < 0 ? value >> -shift : value << shift);
    }
    return static_cast<Unit>(least);
  }
  void refresh_share(NodeId node) {
    if (share_shift_.empty()) return;
    set_column(column_count_, node, least_share([&](std::uint32_t c) { return columns_[c * stride_ + node]; }));
  }

  const Instance* instance_;
  const Kernels<Unit>* kernels_;
  std::uint32_t dims_;
  std::uint32_t periods_;
  std::size_t padded_dims_ = 0;
  bool exact_;
  bool uncertain_;
  bool tight_maxima_ = true;
  bool deferred_ = false;
  bool some_exceeded_ = false;  // whether some node exceeds its capacity at the start
  std::vector<Column> chosen_;
  std::uint32_t column_count_ = 0;
  std::vector<std::int32_t> share_shift_;  // per column: bits by which a value is shifted to a share; empty: one column
  std::uint32_t nodes_ = 0;
  std::size_t stride_ = 0;
  std::size_t block_stride_ = 0;
  Columns columns_;
  Columns block_max_;
  std::vector<Unit> full_;
  std::vector<std::uint8_t> closed_;
  std::vector<std::int64_t> totals_;
  std::vector<std::int64_t> mean_left_;  // per node and dimension, where demand is uncertain
  std::vector<std::int64_t> risk_;       // per node and resource, where demand is uncertain
};

extern template class Residuals<std::int16_t>;
extern template class Residuals<std::int32_t>;

}  // namespace stowage
