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
constexpr double kKnapsackPivot = 1e-9;
constexpr std::uint64_t kMostKnapsackPivots = 400;
constexpr std::uint64_t kInvertEvery = 64;

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
  weight_.insert(weight_.end(), weight.begin(), weight.end());
  most_.push_back(most);
}

NodeKnapsack::Entering NodeKnapsack::choose(std::span<const double> worth) const {
  Entering best{items() + dims_, 0};
  double most = kKnapsackPivot;
  for (std::size_t k = 0; k < items(); ++k) {
    const double reduced = worth[item_[k]] - surrogate(k);
    const double gain = at_most_[k] == 0 ? reduced : at_most_[k] == 1 ? -reduced : 0;
    if (gain <= most) continue;
    most = gain;
    best = {k, at_most_[k] == 0 ? 1.0 : -1.0};
  }
  for (std::size_t h = 0; h < dims_; ++h) {
    const bool basic = std::find(basis_.begin(), basis_.end(), items() + h) != basis_.end();
    if (basic || -multipliers_[h] <= most) continue;
    most = -multipliers_[h];
    best = {items() + h, 1};
  }
  return best;
}

bool NodeKnapsack::enter(const Entering& entering) {
  std::vector<double> step(dims_);
  std::vector<double> value(dims_);
  for (std::size_t i = 0; i < dims_; ++i) {
    for (std::size_t h = 0; h < dims_; ++h) {
      step[i] += inverse_[i * dims_ + h] * entry(entering.variable, h);
      value[i] += inverse_[i * dims_ + h] * rest_[h];
    }
  }
  const bool is_item = entering.variable < items();
  double length = is_item ? most_[entering.variable] : 2.0 * static_cast<double>(items() + dims_) + 1e9;
  std::size_t leaving = dims_;
  bool leaves_at_most = false;
  for (std::size_t i = 0; i < dims_; ++i) {
    const double fall = entering.sign * step[i];
    double ratio = length;
    bool high = false;
    if (fall > kKnapsackPivot) {
      ratio = std::max(0.0, value[i]) / fall;
    } else if (fall < -kKnapsackPivot && basis_[i] < items()) {
      ratio = std::max(0.0, most_[basis_[i]] - value[i]) / -fall;
      high = true;
    } else {
      continue;
    }
    const bool firmer = leaving < dims_ && ratio == length && std::abs(step[i]) > std::abs(step[leaving]);
    if (ratio >= length && !firmer) continue;
    length = ratio;
    leaving = i;
    leaves_at_most = high;
  }
  const auto shift = [&](std::size_t variable, double times) {
    for (std::size_t h = 0; h < dims_; ++h) rest_[h] += times * entry(variable, h);
  };
  if (leaving == dims_) {
    if (!is_item) return false;
    std::uint8_t& state = at_most_[entering.variable];
    shift(entering.variable, state == 0 ? -most_[entering.variable] : most_[entering.variable]);
    state = state == 0 ? 1 : 0;
    return true;
  }
  if (is_item && at_most_[entering.variable] == 1) shift(entering.variable, most_[entering.variable]);
  if (is_item) at_most_[entering.variable] = 2;
  if (basis_[leaving] < items()) {
    at_most_[basis_[leaving]] = leaves_at_most ? 1 : 0;
    if (leaves_at_most) shift(basis_[leaving], -most_[basis_[leaving]]);
  }
  basis_[leaving] = entering.variable;
  if (++since_inverted_ >= kInvertEvery) {
    invert();
    return true;
  }
  const double scale = 1 / step[leaving];
  for (std::size_t h = 0; h < dims_; ++h) inverse_[leaving * dims_ + h] *= scale;
  for (std::size_t i = 0; i < dims_; ++i) {
    if (i == leaving) continue;
    for (std::size_t h = 0; h < dims_; ++h) inverse_[i * dims_ + h] -= step[i] * inverse_[leaving * dims_ + h];
  }
  return true;
}

void NodeKnapsack::invert() {
  since_inverted_ = 0;
  // Gauss and Jordan, with the largest pivot of each column.
  const std::size_t n = dims_;
  std::vector<double> work(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t h = 0; h < n; ++h) work[h * n + i] = entry(basis_[i], h);
  }
  inverse_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) inverse_[i * n + i] = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (std::abs(work[r * n + c]) > std::abs(work[pivot * n + c])) pivot = r;
    }
    if (work[pivot * n + c] == 0) continue;
    for (std::size_t k = 0; k < n && pivot != c; ++k) {
      std::swap(work[pivot * n + k], work[c * n + k]);
      std::swap(inverse_[pivot * n + k], inverse_[c * n + k]);
    }
    const double scale = 1 / work[c * n + c];
    for (std::size_t k = 0; k < n; ++k) {
      work[c * n + k] *= scale;
      inverse_[c * n + k] *= scale;
    }
    for (std::size_t r = 0; r < n; ++r) {
      const double times = work[r * n + c];
      if (r == c || times == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        work[r * n + k] -= times * work[c * n + k];
        inverse_[r * n + k] -= times * inverse_[c * n + k];
      }
    }
  }
}

void NodeKnapsack::relax(std::span<const double> worth) {
  if (basis_.empty()) {
    for (std::size_t h = 0; h < dims_; ++h) basis_.push_back(items() + h);
    at_most_.assign(items(), 0);
    rest_.assign(dims_, 1.0);
    multipliers_.assign(dims_, 0.0);
    invert();
  }
  for (std::uint64_t pivots = 0; pivots < kMostKnapsackPivots; ++pivots) {
    std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
    for (std::size_t i = 0; i < dims_; ++i) {
      if (basis_[i] >= items()) continue;
      for (std::size_t h = 0; h < dims_; ++h) multipliers_[h] += worth[item_[basis_[i]]] * inverse_[i * dims_ + h];
    }
    work_ += 2 * dims_ * (items() + 2 * dims_);
    const Entering entering = choose(worth);
    if (entering.variable == items() + dims_ || !enter(entering)) break;
  }
  for (double& multiplier : multipliers_) multiplier = std::max(0.0, multiplier);
}

double NodeKnapsack::upper(std::span<const double> worth) const {
  double sum = std::accumulate(multipliers_.begin(), multipliers_.end(), 0.0);
  for (std::size_t k = 0; k < items(); ++k) sum += most_[k] * std::max(0.0, worth[item_[k]] - surrogate(k));
  return sum;
}

/// The depth-first search.
class NodeKnapsack::Search {
 public:
  Search(const NodeKnapsack& of, std::span<const double> worth, double floor, double upper, std::uint64_t steps,
         SearchMemory& memory)
      : d_(of.dims_), threshold_(floor), steps_(steps), memory_(memory) {
    memory_.clear();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < of.items(); ++k) {
      const double y = worth[of.item_[k]];
      const double weight = of.surrogate(k);
      // One replica loses at least this much against the relaxation.
      if (y <= 0 || y - weight < floor - upper) continue;
      order.emplace_back(weight > 0 ? y / weight : std::numeric_limits<double>::infinity(), k);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [density, k] : order) {
      item_.push_back(of.item_[k]);
      worth_.push_back(worth[of.item_[k]]);
      surrogate_.push_back(of.surrogate(k));
      most_.push_back(of.most_[k]);
      for (std::size_t h = 0; h < d_; ++h) weight_.push_back(of.weight_[k * d_ + h]);
    }
    std::vector<std::uint32_t> list(order.size());
    std::iota(list.begin(), list.end(), 0u);
    stack_.assign(64, {});
    stack_[0] = std::move(list);
    const std::vector<double> room(d_, 1.0);
    visit(0, 0, 0, room, std::accumulate(of.multipliers_.begin(), of.multipliers_.end(), 0.0));
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
  relax(worth);
  result.upper = upper(worth);
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
  for (std::size_t h = 0; h < dims_ && !grid_.empty(); ++h) {
    if (multipliers_[h] <= kKnapsackPivot) continue;
    dims.push_back(h);
    capacity.push_back(static_cast<std::int64_t>(grid_[h]));
  }
  if (dims.empty() || dims.size() > GridKnapsack::kMostDims) return false;
  std::vector<GridKnapsack::Item> items;
  std::vector<std::vector<std::size_t>> equal;  // per item of the grid: those of equal demand and worth
  for (std::size_t k = 0; k < this->items(); ++k) {
    const double y = worth[item_[k]];
    // Each replica loses this much against the relaxation.
    const double loss = surrogate(k) - y;
    double most = most_[k];
    if (loss > 0) most = std::min(most, std::floor((result.upper - floor) / loss * (1 + kFit)));
    if (y <= 0 || most < 1) continue;
    GridKnapsack::Item item{y, static_cast<std::int64_t>(most), {}};
    for (std::size_t d = 0; d < dims.size(); ++d) {
      item.amount[d] = static_cast<std::int64_t>(std::nearbyint(weight_[k * dims_ + dims[d]] * grid_[dims[d]]));
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
      const double copies = std::min(left, most_[k]);
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
  for (std::size_t k = 0; k < items() && !basis_.empty(); ++k) {
    if (at_most_[k] == 1) content.emplace_back(item_[k], most_[k]);
  }
  for (std::size_t i = 0; i < basis_.size(); ++i) {
    if (basis_[i] >= items()) continue;
    double value = 0;
    for (std::size_t h = 0; h < dims_; ++h) value += inverse_[i * dims_ + h] * rest_[h];
    if (value > 0) content.emplace_back(item_[basis_[i]], value);
  }
  return content;
}

NodeKnapsack::Content NodeKnapsack::fill(std::span<const double> worth, std::vector<double>& left) const {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 0; k < items(); ++k) {
    if (left[item_[k]] < 1 || worth[item_[k]] <= 0) continue;
    const double weight = surrogate(k);
    order.emplace_back(weight > 0 ? worth[item_[k]] / weight : std::numeric_limits<double>::infinity(), k);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Content content;
  std::vector<double> room(dims_, 1.0);
  for (const auto& [density, k] : order) {
    double copies = std::min(most_[k], left[item_[k]]);
    for (std::size_t h = 0; h < dims_; ++h) {
      const double weight = weight_[k * dims_ + h];
      if (weight > 0) copies = std::min(copies, std::floor((room[h] + kFit) / weight));
    }
    if (copies < 1) continue;
    copies = std::floor(copies);
    for (std::size_t h = 0; h < dims_; ++h) room[h] -= copies * weight_[k * dims_ + h];
    left[item_[k]] -= copies;
    content.emplace_back(item_[k], copies);
  }
  return content;
}

}  // namespace stowage
