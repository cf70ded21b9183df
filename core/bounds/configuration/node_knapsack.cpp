#include "core/bounds/configuration/node_knapsack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/bounds/configuration/grid_knapsack.h"

namespace stowage {
namespace {

// Allowed for in sums of weights: above their rounding, and below the share of any capacity that a scaled unit is.
constexpr double kFit = 1e-11;
/// Dimensions with a smaller multiplier cost nothing.
constexpr double kLeastMultiplier = 1e-9;

}  // namespace

bool SearchMemory::seen(std::uint32_t next, std::span<const double> room, double value) {
  if (room.size() > kDims) return false;
  if (states_.empty()) states_.resize(kSize);
  // Equal rooms may differ by rounding. Rooms that differ by a unit of demand differ by more than 2^-36.
  std::array<std::int64_t, kDims> rounded{};
  std::uint64_t hash = next;
  for (std::size_t h = 0; h < room.size(); ++h) {
    rounded[h] = std::llround(room[h] * 0x1p36);
    hash = (hash ^ static_cast<std::uint64_t>(rounded[h])) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  State& state = states_[hash % kSize];
  if (state.stamp == stamp_ && state.next == next && state.room == rounded && state.value >= value) return true;
  state = {stamp_, value, next, rounded};
  return false;
}

void NodeKnapsack::add(std::uint32_t item, std::span<const double> weight, double most) {
  item_.push_back(item);
  relaxation_.add(weight, most);
}

/// The depth-first search.
class NodeKnapsack::Search {
 public:
  Search(const NodeKnapsack& of, std::span<const double> worth, double floor, double upper, std::uint64_t steps,
         SearchMemory& memory)
      : d_(of.dims()), threshold_(floor), steps_(steps), memory_(memory) {
    memory_.clear();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < of.items(); ++k) {
      const double y = worth[of.item_[k]];
      const double weight = of.relaxation_.surrogate(k);
      // One replica loses at least this much against the relaxation.
      if (y <= 0 || y - weight < floor - upper) continue;
      order.emplace_back(weight > 0 ? y / weight : std::numeric_limits<double>::infinity(), k);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [density, k] : order) {
      item_.push_back(of.item_[k]);
      worth_.push_back(worth[of.item_[k]]);
      surrogate_.push_back(of.relaxation_.surrogate(k));
      most_.push_back(of.relaxation_.most(k));
      for (std::size_t h = 0; h < d_; ++h) weight_.push_back(of.relaxation_.weight(k)[h]);
    }
    std::vector<std::uint32_t> list(order.size());
    std::iota(list.begin(), list.end(), 0u);
    stack_.assign(64, {});
    stack_[0] = std::move(list);
    const std::vector<double> room(d_, 1.0);
    visit(0, 0, 0, room, std::accumulate(of.relaxation_.multipliers().begin(), of.relaxation_.multipliers().end(), 0.0));
  }

  [[nodiscard]] bool finished() const { return steps_ > 0; }
  [[nodiscard]] double threshold() const { return threshold_; }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] const Content& content() const { return best_; }
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  /// Looks at all contents that add items of stack_[depth], from `first` on, to the present one.
  void visit(std::size_t depth, std::size_t first, double value, const std::vector<double>& room, double surrogate_room) {
    if (steps_ == 0 || --steps_ == 0) return;
    if (value > threshold_) record(value, 0, 0);
    if (first < stack_[depth].size() && memory_.seen(stack_[depth][first], room, value)) return;
    if (stack_.size() < depth + 2) stack_.resize(2 * stack_.size());
    double fits = 0;
    if (!keep_what_fits(depth, first, room, fits, value)) return;
    const std::vector<std::uint32_t>& list = stack_[depth + 1];
    if (fits < 2) {
      std::uint32_t best = list.front();
      for (const std::uint32_t k : list) best = worth_[k] > worth_[best] ? k : best;
      if (value + worth_[best] > threshold_) record(value + worth_[best], best, 1);
      return;
    }
    std::vector<double> rest(d_);
    for (std::size_t p = 0; p < stack_[depth + 1].size() && steps_ > 0; ++p) {
      if (value + fractions(stack_[depth + 1], p, surrogate_room) <= threshold_) break;
      const std::uint32_t k = stack_[depth + 1][p];
      double copies = most_[k];
      for (std::size_t h = 0; h < d_; ++h) {
        const double weight = weight_[k * d_ + h];
        if (weight > 0) copies = std::min(copies, std::floor((room[h] + kFit) / weight));
      }
      for (; copies >= 1 && steps_ > 0; --copies) {
        for (std::size_t h = 0; h < d_; ++h) rest[h] = room[h] - copies * weight_[k * d_ + h];
        chosen_.emplace_back(item_[k], copies);
        visit(depth + 1, p + 1, value + copies * worth_[k], rest, surrogate_room - copies * surrogate_[k]);
        chosen_.pop_back();
      }
    }
  }
  /// Sets stack_[depth + 1] to the items that fit; false where no number of them exceeds the threshold.
  bool keep_what_fits(std::size_t depth, std::size_t first, const std::vector<double>& room, double& fits, double value) {
    const std::vector<std::uint32_t>& from = stack_[depth];
    std::vector<std::uint32_t>& kept = stack_[depth + 1];
    kept.clear();
    least_.assign(d_, 1.0);
    per_weight_.assign(d_, 0.0);
    double most_worth = 0;
    work_ += (from.size() - first) * d_;
    for (std::size_t p = first; p < from.size(); ++p) {
      const std::uint32_t k = from[p];
      const double* weight = weight_.data() + k * d_;
      bool fit = true;
      for (std::size_t h = 0; h < d_ && fit; ++h) fit = weight[h] <= room[h] + kFit;
      if (!fit) continue;
      kept.push_back(k);
      most_worth = std::max(most_worth, worth_[k]);
      for (std::size_t h = 0; h < d_; ++h) {
        least_[h] = std::min(least_[h], weight[h]);
        if (weight[h] * per_weight_[h] < worth_[k]) per_weight_[h] = weight[h] > 0 ? worth_[k] / weight[h] : kUnlimited;
      }
    }
    fits = kUnlimited;
    double most = kUnlimited;
    for (std::size_t h = 0; h < d_; ++h) {
      if (least_[h] > 0) fits = std::min(fits, std::floor((room[h] + kFit) / least_[h]));
      if (per_weight_[h] < kUnlimited) most = std::min(most, (room[h] + kFit) * per_weight_[h]);
    }
    return !kept.empty() && value + std::min(most, fits * most_worth) > threshold_;
  }
  /// The most that fractions of the items from p on are worth.
  double fractions(const std::vector<std::uint32_t>& list, std::size_t p, double room) {
    double sum = 0;
    room += kFit;
    for (; p < list.size(); ++p) {
      const std::uint32_t k = list[p];
      const double weight = surrogate_[k];
      ++work_;
      if (weight * most_[k] >= room) return sum + room / weight * worth_[k];
      room -= weight * most_[k];
      sum += most_[k] * worth_[k];
    }
    return sum;
  }
  void record(double value, std::uint32_t k, double copies) {
    value_ = threshold_ = value;
    best_ = chosen_;
    if (copies > 0) best_.emplace_back(item_[k], copies);
  }

  static constexpr double kUnlimited = 1e300;
  std::size_t d_;
  double threshold_;
  std::uint64_t steps_;
  SearchMemory& memory_;
  std::uint64_t work_ = 0;
  double value_ = 0;
  Content best_;
  Content chosen_;
  std::vector<std::uint32_t> item_;
  std::vector<double> worth_, surrogate_, most_, weight_;  // by density
  std::vector<std::vector<std::uint32_t>> stack_;          // per depth: items that fit
  std::vector<double> least_, per_weight_;                 // scratch
};

NodeKnapsack::Priced NodeKnapsack::price(std::span<const double> worth, double floor, std::uint64_t steps, SearchMemory& memory,
                                         WatchRef watch) {
  Priced result;
  if (items() == 0) return result;
  std::vector<double> own;
  for (const std::uint32_t item : item_) own.push_back(worth[item]);
  relaxation_.solve(own);
  result.upper = relaxation_.upper(own);
  if (result.upper <= floor) return result;
  const Search search(*this, worth, floor, result.upper, steps, memory);
  work_ += search.work();
  result.value = search.value();
  result.content = search.content();
  if (search.finished()) {
    result.upper = std::min(result.upper, search.threshold());
  } else if (steps > 0 && result.content.empty()) {
    price_on_grid(worth, floor, result, watch);
  }
  return result;
}

bool NodeKnapsack::price_on_grid(std::span<const double> worth, double floor, Priced& result, WatchRef watch) {
  // Dimensions that cost nothing are left out: without them, nodes only hold more.
  std::vector<std::size_t> dims;
  std::vector<std::int64_t> capacity;
  for (std::size_t h = 0; h < this->dims() && !grid_.empty(); ++h) {
    if (relaxation_.multipliers()[h] <= kLeastMultiplier) continue;
    dims.push_back(h);
    capacity.push_back(static_cast<std::int64_t>(grid_[h]));
  }
  if (dims.empty() || dims.size() > GridKnapsack::kMostDims) return false;
  std::vector<GridKnapsack::Item> items;
  std::vector<std::vector<std::size_t>> equal;  // per item of the grid: those of equal demand and worth
  for (std::size_t k = 0; k < this->items(); ++k) {
    const double y = worth[item_[k]];
    // Each replica loses this much against the relaxation.
    const double loss = relaxation_.surrogate(k) - y;
    double most = relaxation_.most(k);
    if (loss > 0) most = std::min(most, std::floor((result.upper - floor) / loss * (1 + kFit)));
    if (y <= 0 || most < 1) continue;
    GridKnapsack::Item item{y, static_cast<std::int64_t>(most), {}};
    for (std::size_t d = 0; d < dims.size(); ++d) {
      item.amount[d] = static_cast<std::int64_t>(std::nearbyint(relaxation_.weight(k)[dims[d]] * grid_[dims[d]]));
    }
    if (!items.empty() && items.back().worth == item.worth && items.back().amount == item.amount) {
      items.back().most += item.most;
      equal.back().push_back(k);
      continue;
    }
    items.push_back(item);
    equal.push_back({k});
  }
  const GridKnapsack grid(std::move(items), capacity, result.upper);
  if (grid.cells() > GridKnapsack::kMostCells) return false;
  const GridKnapsack::Best best = grid.solve(floor, watch);
  work_ += grid.cells();
  if (watch.ended()) return false;
  // What was left out is worth no more than the floor.
  result.upper = std::min(result.upper, std::max(floor, best.upper));
  if (best.upper <= floor) return true;
  double value = 0;
  Content content;
  for (std::size_t i = 0; i < equal.size(); ++i) {
    auto left = static_cast<double>(best.copies[i]);
    for (const std::size_t k : equal[i]) {
      const double copies = std::min(left, relaxation_.most(k));
      if (copies < 1) continue;
      left -= copies;
      content.emplace_back(item_[k], copies);
      value += copies * worth[item_[k]];
    }
  }
  if (value <= floor) return true;
  result.value = value;
  result.content = std::move(content);
  return true;
}

NodeKnapsack::Content NodeKnapsack::relaxed() const {
  Content content;
  relaxation_.visit_chosen([&](std::size_t k, double copies) { content.emplace_back(item_[k], copies); });
  return content;
}

NodeKnapsack::Content NodeKnapsack::fill(std::span<const double> worth, std::vector<double>& left) const {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < items(); ++k) {
    if (left[item_[k]] < 1 || worth[item_[k]] <= 0) continue;
    const double weight = relaxation_.surrogate(k);
    order.emplace_back(weight > 0 ? worth[item_[k]] / weight : std::numeric_limits<double>::infinity(), k);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Content content;
  std::vector<double> room(dims(), 1.0);
  for (const auto& [density, k] : order) {
    double copies = std::min(relaxation_.most(k), left[item_[k]]);
    for (std::size_t h = 0; h < dims(); ++h) {
      const double weight = relaxation_.weight(k)[h];
      if (weight > 0) copies = std::min(copies, std::floor((room[h] + kFit) / weight));
    }
    if (copies < 1) continue;
    copies = std::floor(copies);
    for (std::size_t h = 0; h < dims(); ++h) room[h] -= copies * relaxation_.weight(k)[h];
    left[item_[k]] -= copies;
    content.emplace_back(item_[k], copies);
  }
  return content;
}

}  // namespace stowage
