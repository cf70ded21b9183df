// The capacity constraint: in every period and resource, the demand on a node stays within its capacity; where demand is
// uncertain, mean + D sqrt(sum of spreads) does (P1, Eq. 2).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/simd/kernels.h"

namespace stowage {

/// Residual capacity of all nodes, in scaled units. Unit is the type of Instance::narrow().
///
/// Nodes are filtered by a few columns (see ResidualColumns). With few dimensions, the columns are the residuals themselves
/// and the filter is exact. With many (periods), they are necessary conditions - the minimum over time of a resource, and
/// the residual in some periods - and each node keeps its full vector, checked last.
///
/// Beside them, one row holds the least of the columns, each as a share of the largest capacity. It settles most blocks of
/// nodes at once: where one node is left with much of one resource and its neighbour with much of another, the largest of each
/// say nothing about either node, but the largest least share does.
///
/// Where demand is uncertain, a residual is what is left at the instance's confidence: capacity - mean - D sqrt(spread),
/// rounded down. A replica's mean must fit into it, which again is a necessary condition; what the replica's own spread takes
/// on top is decided last, on the integers of Instance::risk_room(): (capacity - mean)^2 >= D^2 x spread.
template <class Unit>
class Residuals {
 public:
  explicit Residuals(const Instance& instance);

  /// Demand of one replica, prepared for many nodes.
  struct Need {
    const Unit* demand = nullptr;
    std::vector<Unit> column;            ///< what each column must at least hold, and the least share
    const std::int64_t* risk = nullptr;  ///< per resource; null where nothing is uncertain
  };

  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
  /// @param load      dims() entries, or empty for none
  /// @param load_risk resources() entries, or empty for none
  NodeId add_node(ClassId node_class, std::span<const std::int32_t> load, std::span<const std::int64_t> load_risk = {});
  /// Makes a node refuse everything from now on.
  void close(NodeId node);
  /// A closed node takes replicas again; nothing is on it.
  void reopen(NodeId node, ClassId node_class);

  void prepare(AppId app, Need& need) const;
  /// From now on the maxima of blocks may be larger than what is in them: for those who ask about one node after the other, and
  /// hardly ever for all that fit.
  void loosen_maxima() { tight_maxima_ = false; }
  /// From now on until settle(), while much is placed: maxima are loose, and uncertain demand is only counted; nothing may be
  /// asked about the nodes that it is taken from.
  void defer() {
    loosen_maxima();
    deferred_ = uncertain_;
  }
  /// Brings all nodes, and the maxima, up to date.
  void settle();

  [[nodiscard]] std::uint32_t column_count() const { return column_count_; }
  /// Whether a need that is covered by so many columns fits: they are all there is to know.
  [[nodiscard]] bool decided_by(std::uint32_t columns) const { return exact_ && !uncertain_ && columns >= column_count_; }
  /// A node's columns side by side, as many as there are and values.size() takes: below a Need's in one of them, nothing fits.
  void read_columns(NodeId node, std::span<Unit> values) const {
    const std::size_t columns = std::min<std::size_t>(values.size(), column_count_);
    for (std::size_t c = 0; c < columns; ++c) values[c] = columns_[c * stride_ + node];
  }
  /// Whether one more replica may fit, by the columns.
  [[nodiscard]] bool may_fit(const Need& need, NodeId node) const {
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      if (columns_[c * stride_ + node] < need.column[c]) return false;
    }
    return true;
  }
  /// Whether one more replica fits.
  [[nodiscard]] bool fits(const Need& need, NodeId node) const {
    if (!may_fit(need, node)) return false;
    if (!exact_ && !kernels_->covers(full_.data() + std::size_t{node} * padded_dims_, need.demand, dims_)) return false;
    return need.risk == nullptr || takes_instead(need, nullptr, node);
  }
  /// Whether a replica of `arriving` fits once one of `leaving` (null: nothing) has left; only where demand is uncertain.
  [[nodiscard]] bool takes_instead(const Need& arriving, const Need* leaving, NodeId node) const;
  /// Whether one replica of demand `arriving` fits in every dimension once one of demand `leaving` (null: nothing) has left;
  /// only where no demand is uncertain.
  [[nodiscard]] bool takes_exchange(const Unit* arriving, const Unit* leaving, NodeId node) const;
  /// How many more replicas, at most `wanted`, fit.
  [[nodiscard]] std::uint32_t copies(const Need& need, NodeId node, std::uint32_t wanted) const;
  /// The same for an empty node of a class.
  [[nodiscard]] std::uint32_t copies_on_empty(const Need& need, ClassId node_class, std::uint32_t wanted) const;

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
  /// Whether the node holds more than it has, in any dimension.
  [[nodiscard]] bool exceeded(NodeId node) const {
    for (std::uint32_t h = 0; h < dims_; ++h) {
      if (residual(node, h) < 0) return true;
    }
    return false;
  }
  /// What would be left in a dimension if some replicas had left. for_each_leaving(visit) calls visit(app, replicas).
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
  /// What the means leave in a dimension, and the risk that the node holds of a resource; only where demand is uncertain.
  [[nodiscard]] std::int64_t mean_left(NodeId node, std::uint32_t dim) const {
    return mean_left_[std::size_t{node} * dims_ + dim];
  }
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

  /// One bit per node, in blocks of 64: 0 where nothing of the need fits by the columns (exactly, or as a necessary condition).
  /// Returns the number of bits set.
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

  /// Calls visit(node) for every node, from `first` on and in ascending order, on which one replica fits, until visit returns
  /// false. visit may take from the node it is called with.
  template <class Visit>
  void for_each_fitting(const Need& need, NodeId first, Visit&& visit) const {
    std::uint64_t mask = 0;
    std::uint32_t block = first / kBlock;
    bool fresh = true;
    while (true) {
      const ResidualColumns<Unit> columns = columns_view();
      block = kernels_->find_block(columns, need.column.data(), block, &mask);
      if (block >= columns.blocks) return;
      if (fresh && block == first / kBlock) mask &= ~std::uint64_t{0} << (first % kBlock);
      fresh = false;
      for (; mask != 0; mask &= mask - 1) {
        const NodeId node = block * kBlock + static_cast<NodeId>(std::countr_zero(mask));
        if (!exact_ && !kernels_->covers(full_.data() + std::size_t{node} * padded_dims_, need.demand, dims_)) continue;
        if (need.risk != nullptr && !takes_instead(need, nullptr, node)) continue;
        if (!visit(node)) return;
      }
      ++block;
    }
  }

 private:
  /// No node, or a closed one: less than any need.
  static constexpr int kNothing = -1;

  /// One column: the residual in one dimension, or the minimum over the periods of a resource.
  struct Column {
    bool minimum = false;
    std::uint32_t index = 0;  // dimension, or resource
  };

  [[nodiscard]] ResidualColumns<Unit> columns_view() const {
    return {columns_.data(), stride_, block_max_.data(), block_stride_, rows(), static_cast<std::uint32_t>(blocks())};
  }
  [[nodiscard]] std::size_t blocks() const { return (nodes_ + kBlock - 1) / kBlock; }
  [[nodiscard]] std::uint32_t rows() const { return column_count_ + (share_shift_.empty() ? 0 : 1); }
  void choose_columns();
  void grow();
  void change(AppId app, NodeId node, Unit times);
  void change_uncertain(AppId app, NodeId node, std::int64_t times);
  /// Reads the residuals at the confidence anew from means and risks.
  void refresh_residuals(NodeId node);
  /// The largest number up to `most` whose means and risks fit.
  template <class LeftOf, class RiskOf>
  [[nodiscard]] std::uint32_t risky_copies(const Need& need, std::uint32_t most, LeftOf&& left_of, RiskOf&& risk_of) const;
  void refresh_columns(NodeId node);
  void set_column(std::uint32_t column, NodeId node, Unit value);
  /// The least share of so much in each column. Where one node has at least as much as another in every column, its least share
  /// is no smaller.
  template <class ValueOf>
  [[nodiscard]] Unit least_share(ValueOf&& value_of) const {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      const auto value = std::max<std::int32_t>(value_of(c), kNothing);
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
  std::vector<Column> chosen_;
  std::uint32_t column_count_ = 0;
  std::vector<std::int32_t> share_shift_;  // per column: brings all capacities to so many bits; empty if there is only one
  std::uint32_t nodes_ = 0;
  std::size_t stride_ = 0;
  std::size_t block_stride_ = 0;
  std::vector<Unit> columns_;
  std::vector<Unit> block_max_;
  std::vector<Unit> full_;
  std::vector<std::uint8_t> closed_;
  std::vector<std::int64_t> totals_;
  std::vector<std::int64_t> mean_left_;  // per node and dimension, where demand is uncertain
  std::vector<std::int64_t> risk_;       // per node and resource, where demand is uncertain
};

extern template class Residuals<std::int16_t>;
extern template class Residuals<std::int32_t>;

}  // namespace stowage
