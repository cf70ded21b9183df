#include "core/constraints/capacity.h"

#include <cmath>
#include <new>
#include <numeric>

namespace stowage {
namespace {

/// Up to so many dimensions, every dimension is a column.
constexpr std::uint32_t kExactDims = 8;
/// With more, so many resources get columns: the scarcest ones.
constexpr std::uint32_t kColumnResources = 4;
/// And, of each, so many single periods besides the minimum over time.
constexpr std::uint32_t kColumnPeriods = 4;
/// No node, or a closed one: less than any need.
constexpr int kNothing = -1;

}  // namespace

template <class Unit>
Residuals<Unit>::Residuals(const Instance& instance)
    : instance_(&instance),
      kernels_(&best_kernels<Unit>()),
      dims_(instance.dims()),
      periods_(instance.periods()),
      exact_(instance.dims() <= kExactDims) {
  constexpr std::size_t kLine = 64 / sizeof(Unit);
  padded_dims_ = (dims_ + kLine - 1) / kLine * kLine;
  choose_columns();
}

template <class Unit>
void Residuals<Unit>::choose_columns() {
  if (exact_) {
    for (std::uint32_t h = 0; h < dims_; ++h) chosen_.push_back({false, h});
  } else {
    const auto total = instance_->total_demand();
    const auto scarcity = [&](ResourceId r) {
      const std::int64_t peak = *std::max_element(total.begin() + r * periods_, total.begin() + (r + 1) * periods_);
      return static_cast<double>(peak) / std::max(1, instance_->scale(r).largest_capacity());
    };
    std::vector<ResourceId> order(instance_->resources());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](ResourceId a, ResourceId b) { return scarcity(a) > scarcity(b); });
    order.resize(std::min<std::size_t>(order.size(), periods_ > 1 ? kColumnResources : kExactDims));
    for (const ResourceId r : order) chosen_.push_back({true, r});
    if (periods_ > 1) {
      for (const ResourceId r : order) {
        for (std::uint32_t k = 0; k < kColumnPeriods; ++k) {
          chosen_.push_back({false, r * periods_ + (2 * k + 1) * periods_ / (2 * kColumnPeriods)});
        }
      }
    }
  }
  column_count_ = static_cast<std::uint32_t>(chosen_.size());
}

template <class Unit>
void Residuals<Unit>::grow() {
  const std::size_t stride = std::max<std::size_t>(kBlock * 16, stride_ * 2);
  const std::size_t block_stride = (stride / kBlock + kBlock - 1) / kBlock * kBlock;
  std::vector<Unit> columns(stride * column_count_, Unit{kNothing});
  std::vector<Unit> block_max(block_stride * column_count_, Unit{kNothing});
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    std::copy_n(columns_.data() + c * stride_, nodes_, columns.data() + c * stride);
    std::copy_n(block_max_.data() + c * block_stride_, blocks(), block_max.data() + c * block_stride);
  }
  columns_ = std::move(columns);
  block_max_ = std::move(block_max);
  stride_ = stride;
  block_stride_ = block_stride;
}

template <class Unit>
NodeId Residuals<Unit>::add_node(ClassId node_class, std::span<const std::int32_t> load) {
  if (nodes_ == stride_) grow();
  const NodeId node = nodes_++;
  closed_.push_back(0);
  const auto capacity = instance_->scaled_capacity(node_class);
  const auto left = [&](std::uint32_t h) {
    return static_cast<Unit>(capacity[instance_->resource_of(h)] - (load.empty() ? 0 : load[h]));
  };
  if (exact_) {
    for (std::uint32_t h = 0; h < dims_; ++h) set_column(h, node, left(h));
  } else {
    const std::uint64_t cells = std::uint64_t{nodes_} * padded_dims_;
    if (cells > full_.max_size()) throw std::bad_alloc();  // on 32 bits, the product of sizes would wrap
    full_.resize(static_cast<std::size_t>(cells));
    Unit* residual = full_.data() + std::size_t{node} * padded_dims_;
    for (std::uint32_t h = 0; h < dims_; ++h) residual[h] = left(h);
    refresh_columns(node);
  }
  if (!totals_.empty()) {
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] += left(h);
  }
  return node;
}

template <class Unit>
void Residuals<Unit>::track_totals() {
  totals_.assign(dims_, 0);
  for (NodeId node = 0; node < nodes_; ++node) {
    if (closed_[node] != 0) continue;
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] += residual(node, h);
  }
}

template <class Unit>
void Residuals<Unit>::close(NodeId node) {
  if (closed_[node] != 0) return;
  if (!totals_.empty()) {
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] -= residual(node, h);
  }
  closed_[node] = 1;
  for (std::uint32_t c = 0; c < column_count_; ++c) set_column(c, node, Unit{kNothing});
}

template <class Unit>
void Residuals<Unit>::set_column(std::uint32_t column, NodeId node, Unit value) {
  Unit& cell = columns_[column * stride_ + node];
  const Unit before = cell;
  cell = value;
  const std::uint32_t block = node / kBlock;
  Unit& largest = block_max_[column * block_stride_ + block];
  if (value > largest) {
    largest = value;
  } else if (before == largest && value != before) {
    largest = kernels_->block_max(columns_.data() + column * stride_ + std::size_t{block} * kBlock);
  }
}

template <class Unit>
void Residuals<Unit>::refresh_columns(NodeId node) {
  const Unit* residual = full_.data() + std::size_t{node} * padded_dims_;
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    const Column& column = chosen_[c];
    set_column(
        c, node,
        column.minimum ? kernels_->minimum(residual + std::size_t{column.index} * periods_, periods_) : residual[column.index]);
  }
}

template <class Unit>
void Residuals<Unit>::change(AppId app, NodeId node, Unit times) {
  const Unit* demand = instance_->scaled_demand<Unit>(app).data();
  if (!totals_.empty() && closed_[node] == 0) {
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] -= std::int64_t{times} * demand[h];
  }
  if (exact_) {
    if (closed_[node] != 0) return;  // its residuals are gone: nothing is ever asked about it again
    for (std::uint32_t h = 0; h < dims_; ++h) {
      if (demand[h] == 0) continue;
      set_column(h, node, static_cast<Unit>(columns_[h * stride_ + node] - times * demand[h]));
    }
  } else {
    kernels_->subtract(full_.data() + std::size_t{node} * padded_dims_, demand, times, dims_);
    if (closed_[node] == 0) refresh_columns(node);
  }
}

template <class Unit>
void Residuals<Unit>::prepare(AppId app, Need& need) const {
  need.demand = instance_->scaled_demand<Unit>(app).data();
  need.column.resize(column_count_);
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    const Column& column = chosen_[c];
    need.column[c] = column.minimum ? kernels_->minimum(need.demand + std::size_t{column.index} * periods_, periods_)
                                    : need.demand[column.index];
  }
}

template <class Unit>
std::uint32_t Residuals<Unit>::copies(const Need& need, NodeId node, std::uint32_t wanted) const {
  if (closed_[node] != 0) return 0;
  // The columns alone bound the number from above, which most often settles it.
  std::uint32_t most = wanted;
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    const Unit left = columns_[c * stride_ + node];
    const Unit demand = need.column[c];
    if (left < demand) return 0;
    if (demand > 0) most = std::min(most, static_cast<std::uint32_t>(left / demand));
  }
  if (exact_) return most;
  const Unit* residual = full_.data() + std::size_t{node} * padded_dims_;
  if (!kernels_->covers(residual, need.demand, dims_)) return 0;
  for (std::uint32_t h = 0; h < dims_ && most > 1; ++h) {
    // A product instead of a division per dimension: most dimensions do not bind.
    if (std::int64_t{need.demand[h]} * most > residual[h]) most = static_cast<std::uint32_t>(residual[h] / need.demand[h]);
  }
  return most;
}

template <class Unit>
std::uint32_t Residuals<Unit>::copies_on_empty(const Need& need, ClassId node_class, std::uint32_t wanted) const {
  const auto capacity = instance_->scaled_capacity(node_class);
  std::uint32_t most = wanted;
  for (std::uint32_t h = 0; h < dims_ && most > 0; ++h) {
    const std::int32_t left = capacity[instance_->resource_of(h)];
    if (std::int64_t{need.demand[h]} * most > left) most = static_cast<std::uint32_t>(left / need.demand[h]);
  }
  return most;
}

template class Residuals<std::int16_t>;
template class Residuals<std::int32_t>;

}  // namespace stowage
