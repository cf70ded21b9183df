#include "core/placement/residuals.h"

#include <cmath>
#include <limits>
#include <new>
#include <numeric>

#include "core/base/sort_by.h"

namespace stowage {
namespace {

/// Up to this number of dimensions, every dimension is a column.
constexpr std::uint32_t kExactDims = 8;
/// With more dimensions and several periods, this number of resources get columns: the scarcest ones.
constexpr std::uint32_t kColumnResources = 4;
/// Columns of single periods per resource, besides the column of its minimum over time.
constexpr std::uint32_t kColumnPeriods = 4;

}  // namespace

template <class Unit>
Residuals<Unit>::Residuals(const Instance& instance)
    : instance_(&instance),
      kernels_(&best_kernels<Unit>()),
      dims_(instance.dims()),
      periods_(instance.periods()),
      exact_(instance.dims() <= kExactDims),
      uncertain_(instance.uncertain()) {
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
    std::vector<double> scarcity;
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      const std::int64_t peak = *std::max_element(total.begin() + r * periods_, total.begin() + (r + 1) * periods_);
      scarcity.push_back(static_cast<double>(peak) / std::max(1, instance_->scale(r).largest_capacity()));
    }
    std::vector<ResourceId> order(instance_->resources());
    std::iota(order.begin(), order.end(), 0);
    sort_by_largest(order, scarcity);
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
  if (column_count_ < 2) return;
  // One bit is spare: demand that fits on no node is stored as the largest capacity + 1.
  constexpr int kBits = std::numeric_limits<Unit>::digits - 1;
  for (const Column& column : chosen_) {
    const ResourceId r = resource_of(column);
    const std::int32_t largest = instance_->scale(r).largest_capacity();
    share_shift_.push_back(kBits - std::bit_width(static_cast<std::uint32_t>(largest)));
  }
}

template <class Unit>
void Residuals<Unit>::grow(std::size_t nodes) {
  const std::size_t stride = std::max<std::size_t>(kBlock * 16, (nodes + kBlock - 1) / kBlock * kBlock);
  const std::size_t block_stride = (stride / kBlock + kBlock - 1) / kBlock * kBlock;
  Columns columns(stride * rows());
  Columns block_max(block_stride * rows());
  for (std::uint32_t c = 0; c < rows(); ++c) {
    std::copy_n(columns_.data() + c * stride_, nodes_, columns.data() + c * stride);
    std::copy_n(block_max_.data() + c * block_stride_, block_stride_, block_max.data() + c * block_stride);
  }
  columns_ = std::move(columns);
  block_max_ = std::move(block_max);
  stride_ = stride;
  block_stride_ = block_stride;
}

template <class Unit>
void Residuals<Unit>::reserve(std::uint32_t nodes) {
  if (nodes > stride_) grow(nodes);
  closed_.reserve(nodes);
  if (!exact_) full_.reserve(std::size_t{nodes} * padded_dims_);
  if (!uncertain_) return;
  mean_left_.reserve(std::size_t{nodes} * dims_);
  risk_.reserve(std::size_t{nodes} * instance_->resources());
}

template <class Unit>
void Residuals<Unit>::expect(std::uint32_t nodes) {
  // Of more memory, it is not known whether it will be needed.
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 27;
  const std::uint64_t all = std::uint64_t{nodes_} + nodes;
  if (all > stride_ && all * rows() * sizeof(Unit) <= kMostBytes) grow(static_cast<std::size_t>(all));
  if (all * dims_ * sizeof(std::int64_t) > kMostBytes) return;
  if (!exact_) full_.reserve(static_cast<std::size_t>(all * padded_dims_));
  if (uncertain_) mean_left_.reserve(static_cast<std::size_t>(all * dims_));
}

template <class Unit>
void Residuals<Unit>::begin_block() {
  const std::size_t block = nodes_ / kBlock;
  for (std::uint32_t c = 0; c < rows(); ++c) {
    std::fill_n(columns_.data() + c * stride_ + nodes_, kBlock, kNothing);
    if (block % kBlock == 0) std::fill_n(block_max_.data() + c * block_stride_ + block, kBlock, kNothing);
  }
}

template <class Unit>
NodeId Residuals<Unit>::add_node(ClassId node_class, std::span<const std::int32_t> load,
                                 std::span<const std::int64_t> load_risk) {
  if (nodes_ == stride_) grow(stride_ * 2);
  if (nodes_ % kBlock == 0) begin_block();
  const NodeId node = nodes_++;
  closed_.push_back(0);
  const auto capacity = instance_->scaled_capacity(node_class);
  // Calls take(dimension, capacity less load).
  const auto for_each_left = [&](auto&& take) {
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      for (std::uint32_t h = r * periods_; h < (r + 1) * periods_; ++h)
        take(h, std::int64_t{capacity[r]} - (load.empty() ? 0 : load[h]));
    }
  };
  if (uncertain_) {
    for_each_left([&](std::uint32_t, std::int64_t left) { mean_left_.push_back(left); });
    for (ResourceId r = 0; r < instance_->resources(); ++r) risk_.push_back(load_risk.empty() ? 0 : load_risk[r]);
  }
  if (exact_) {
    for_each_left([&](std::uint32_t h, std::int64_t left) { set_column(h, node, static_cast<Unit>(left)); });
    refresh_share(node);
  } else {
    const std::uint64_t cells = std::uint64_t{nodes_} * padded_dims_;
    if (cells > full_.max_size()) throw std::bad_alloc();  // on 32 bits, the product of sizes would wrap
    full_.resize(static_cast<std::size_t>(cells));
    Unit* residual = full_.data() + std::size_t{node} * padded_dims_;
    for_each_left([&](std::uint32_t h, std::int64_t left) { residual[h] = static_cast<Unit>(left); });
    refresh_columns(node);
  }
  if (uncertain_ && !load_risk.empty()) refresh_residuals(node);
  if (!load.empty()) note_exceeded(node);
  if (!totals_.empty()) {
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] += residual(node, h);
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
  for (std::uint32_t c = 0; c < rows(); ++c) set_column(c, node, kNothing);
}

template <class Unit>
void Residuals<Unit>::reopen(NodeId node, ClassId node_class, std::span<const std::int32_t> load) {
  if (closed_[node] == 0) return;
  closed_[node] = 0;
  if (exact_) {
    const auto capacity = instance_->scaled_capacity(node_class);
    for (std::uint32_t h = 0; h < dims_; ++h) {
      set_column(h, node, static_cast<Unit>(capacity[instance_->resource_of(h)] - (load.empty() ? 0 : load[h])));
    }
    refresh_share(node);
  } else {
    refresh_columns(node);
  }
  if (!totals_.empty()) {
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] += residual(node, h);
  }
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
  } else if (tight_maxima_ && before == largest && value != before) {
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
  refresh_share(node);
}

template <class Unit>
void Residuals<Unit>::change(AppId app, NodeId node, Unit times) {
  const Unit* demand = instance_->scaled_demand<Unit>(app).data();
  if (!totals_.empty() && closed_[node] == 0) {
    for (std::uint32_t h = 0; h < dims_; ++h) totals_[h] -= std::int64_t{times} * demand[h];
  }
  if (exact_) {
    if (closed_[node] != 0) return;  // the columns of a closed node hold kNothing
    for (std::uint32_t h = 0; h < dims_; ++h) {
      if (demand[h] == 0) continue;
      set_column(h, node, static_cast<Unit>(columns_[h * stride_ + node] - times * demand[h]));
    }
    refresh_share(node);
  } else {
    kernels_->subtract(full_.data() + std::size_t{node} * padded_dims_, demand, times, dims_);
    if (closed_[node] == 0) refresh_columns(node);
  }
}

template <class Unit>
void Residuals<Unit>::refresh_residuals(NodeId node) {
  // An overloaded node may be short of more than the integer holds. A negative residual refuses every replica whatever its
  // value.
  constexpr std::int64_t kLeast = std::numeric_limits<Unit>::min() / 4 * 3;
  const std::int64_t* mean_left = mean_left_.data() + std::size_t{node} * dims_;
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    const std::int64_t margin = instance_->units_for_risk(risk(node, r), r);
    for (std::uint32_t h = r * periods_; h < (r + 1) * periods_; ++h) {
      const auto left = static_cast<Unit>(std::max(kLeast, mean_left[h] - margin));
      if (exact_) {
        set_column(h, node, left);
      } else {
        full_[std::size_t{node} * padded_dims_ + h] = left;
      }
    }
  }
  if (exact_) {
    refresh_share(node);
  } else {
    refresh_columns(node);
  }
}

template <class Unit>
void Residuals<Unit>::change_uncertain(AppId app, NodeId node, std::int64_t times) {
  const auto demand = instance_->scaled_demand<Unit>(app);
  const auto risk = instance_->scaled_risk(app);
  const bool counts = !totals_.empty() && closed_[node] == 0;
  for (std::uint32_t h = 0; h < dims_; ++h) {
    if (counts) totals_[h] -= residual(node, h);
    mean_left_[std::size_t{node} * dims_ + h] -= times * demand[h];
  }
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    risk_[std::size_t{node} * instance_->resources() + r] += times * risk[r];
  }
  if (closed_[node] != 0 || deferred_) return;  // the columns of a closed node hold kNothing
  refresh_residuals(node);
  for (std::uint32_t h = 0; h < dims_ && counts; ++h) totals_[h] += residual(node, h);
}

template <class Unit>
bool Residuals<Unit>::takes_exchange(const Unit* arriving, const Unit* leaving, NodeId node) const {
  if (exact_) return has_needed(arriving, leaving, node);
  if (leaving == nullptr) return covers(node, arriving);
  const Unit* row = full_.data() + std::size_t{node} * padded_dims_;
  return kernels_->exchange_minimum(row, leaving, arriving, 0, dims_) >= 0 ||
         (some_exceeded_ && has_needed(arriving, leaving, node));
}

template <class Unit>
bool Residuals<Unit>::has_needed(const Unit* arriving, const Unit* leaving, NodeId node) const {
  for (std::uint32_t h = 0; h < dims_; ++h) {
    if (arriving[h] == 0) continue;
    const std::int64_t left = std::int64_t{residual(node, h)} + (leaving == nullptr ? 0 : leaving[h]) - arriving[h];
    if (left < 0) return false;
  }
  return true;
}

template <class Unit>
void Residuals<Unit>::settle(WatchRef watch) {
  for (NodeId node = 0; node < nodes_ && deferred_; ++node) {
    if (watch.step(16 + dims_ / 8)) return;
    if (closed_[node] == 0) refresh_residuals(node);
  }
  deferred_ = false;
  tight_maxima_ = true;
  for (std::uint32_t c = 0; c < rows(); ++c) {
    for (std::size_t block = 0; block < blocks(); ++block) {
      block_max_[c * block_stride_ + block] = kernels_->block_max(columns_.data() + c * stride_ + block * kBlock);
    }
  }
}

template <class Unit>
bool Residuals<Unit>::takes_instead(const Need& arriving, const Need* leaving, NodeId node) const {
  const std::int64_t* mean_left = mean_left_.data() + std::size_t{node} * dims_;
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    const std::int64_t held = risk(node, r) + arriving.risk[r] - (leaving == nullptr ? 0 : leaving->risk[r]);
    for (std::uint32_t h = r * periods_; h < (r + 1) * periods_; ++h) {
      if (arriving.demand[h] == 0 && arriving.risk[r] == 0) continue;
      const std::int64_t left = mean_left[h] - arriving.demand[h] + (leaving == nullptr ? 0 : leaving->demand[h]);
      if (instance_->risk_room(left, r) < held) return false;
    }
  }
  return true;
}

template <class Unit>
template <class LeftOf, class RiskOf>
std::uint32_t Residuals<Unit>::risky_copies(const Need& need, std::uint32_t most, LeftOf&& left_of, RiskOf&& risk_of) const {
  for (std::uint32_t h = 0; h < dims_ && most > 0; ++h) {
    const ResourceId r = instance_->resource_of(h);
    if (need.demand[h] == 0 && need.risk[r] == 0) continue;
    most = instance_->most_beside(left_of(h), risk_of(r), need.demand[h], need.risk[r], r, most);
  }
  return most;
}

template <class Unit>
void Residuals<Unit>::prepare(AppId app, Need& need) const {
  need.demand = instance_->scaled_demand<Unit>(app).data();
  need.risk = uncertain_ ? instance_->scaled_risk(app).data() : nullptr;
  need.column.resize(rows());
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    const Column& column = chosen_[c];
    need.column[c] = column.minimum ? kernels_->minimum(need.demand + std::size_t{column.index} * periods_, periods_)
                                    : need.demand[column.index];
  }
  if (!share_shift_.empty()) need.column.back() = least_share([&](std::uint32_t c) { return need.column[c]; });
  if (!some_exceeded_) return;
  for (std::uint32_t c = 0; c < need.column.size(); ++c) {
    const bool has_risk = need.risk != nullptr && c < column_count_ && need.risk[resource_of(chosen_[c])] > 0;
    if (need.column[c] == 0 && !has_risk) need.column[c] = kAnything;
  }
}

template <class Unit>
std::uint32_t Residuals<Unit>::copies(const Need& need, NodeId node, std::uint32_t wanted) const {
  if (closed_[node] != 0) return 0;
  // The columns bound the number from above; most often the bound is 0 or `wanted`.
  std::uint32_t most = wanted;
  for (std::uint32_t c = 0; c < column_count_; ++c) {
    const Unit left = columns_[c * stride_ + node];
    const Unit demand = need.column[c];
    if (left < demand) return 0;
    if (demand > 0 && most > 1) most = std::min(most, static_cast<std::uint32_t>(left / demand));
  }
  if (uncertain_) {
    return risky_copies(
        need, most, [&](std::uint32_t h) { return mean_left(node, h); }, [&](ResourceId r) { return risk(node, r); });
  }
  if (exact_) return most;
  const Unit* residual = full_.data() + std::size_t{node} * padded_dims_;
  if (!covers(node, need.demand)) return 0;
  for (std::uint32_t h = 0; h < dims_ && most > 1; ++h) {
    // A product instead of a division per dimension: most dimensions do not bind.
    if (need.demand[h] > 0 && std::int64_t{need.demand[h]} * most > residual[h])
      most = static_cast<std::uint32_t>(residual[h] / need.demand[h]);
  }
  return most;
}

template <class Unit>
std::uint32_t Residuals<Unit>::copies_beside(const Need& need, ClassId node_class, std::span<const std::int32_t> load,
                                             std::uint32_t wanted) const {
  const auto capacity = instance_->scaled_capacity(node_class);
  std::uint32_t most = wanted;
  const auto left_of = [&](std::uint32_t h) -> std::int64_t {
    return capacity[instance_->resource_of(h)] - (load.empty() ? 0 : load[h]);
  };
  if (uncertain_) {
    return risky_copies(need, most, left_of, [](ResourceId) { return std::int64_t{0}; });
  }
  for (std::uint32_t h = 0; h < dims_ && most > 0 && !load.empty(); ++h) {
    if (left_of(h) < need.demand[h]) return 0;
    if (std::int64_t{need.demand[h]} * most > left_of(h)) most = static_cast<std::uint32_t>(left_of(h) / need.demand[h]);
  }
  for (ResourceId r = 0; r < instance_->resources() && most > 0; ++r) {
    const std::int32_t left = capacity[r];
    for (const Unit* demand = need.demand + std::size_t{r} * periods_; demand != need.demand + std::size_t{r + 1} * periods_;
         ++demand) {
      if (std::int64_t{*demand} * most > left) most = static_cast<std::uint32_t>(left / *demand);
    }
  }
  return most;
}

template class Residuals<std::int16_t>;
template class Residuals<std::int32_t>;

}  // namespace stowage
