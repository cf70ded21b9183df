#include "core/planners/patterns/columns/pattern_pricing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/sort_by.h"

namespace stowage {
namespace {

/// Patterns that a search keeps, at most.
constexpr std::size_t kMostFound = 16;
/// Entries of all tables, at most; the number of cells is reduced accordingly.
constexpr std::size_t kMostEntries = std::size_t{1} << 24;
/// Rounding error of the tables' sums, relative to their entries.
constexpr double kSlack = 1e-11;

// to[c] = max(to[c], from[c] + worth) for c < count; the ranges do not overlap.
void relax(const double* __restrict from, double* __restrict to, std::size_t count, double worth) {
  for (std::size_t c = 0; c < count; ++c) {
    const double with = from[c] + worth;
    to[c] = with > to[c] ? with : to[c];
  }
}

}  // namespace

PatternPricing::PatternPricing(const Instance& instance, std::span<const NodeState> states, const Grid& grid, WorkClock* clock)
    : instance_(&instance),
      clock_(clock),
      main_(instance.uncertain() ? instance.uncertain_resource() : 0),
      cells_(std::clamp(kMostEntries / grid.intervals / (std::size_t{instance.apps()} + 1), std::size_t{64}, grid.cells)),
      left_(instance.resources()),
      held_(instance.resources()),
      pattern_(instance.apps(), 0) {
  read_apps();
  split_range(states, grid.intervals);
}

void PatternPricing::read_apps() {
  const Instance& instance = *instance_;
  const std::uint32_t width = instance.resources();
  if (!instance.uncertain()) {
    // The scarcest resource guides the search.
    double most = -1;
    for (ResourceId r = 0; r < width; ++r) {
      const double scarcity =
          static_cast<double>(instance.total_demand()[r]) / std::max(1, instance.scale(r).largest_capacity());
      if (scarcity > most) main_ = r;
      most = std::max(most, scarcity);
    }
  }
  for (AppId i = 0; i < instance.apps(); ++i) {
    instance.visit_unit([&](auto unit) {
      const auto demand = instance.scaled_demand<decltype(unit)>(i);
      for (ResourceId r = 0; r < width; ++r) demand_.push_back(demand[r]);
    });
    for (ResourceId r = 0; r < width; ++r) scaled_risk_.push_back(instance.uncertain() ? instance.scaled_risk(i)[r] : 0);
    mean_.push_back(static_cast<double>(demand_[std::size_t{i} * width + main_]));
    const double root = instance.uncertain() ? instance.root_of_risk(scaled_risk_[std::size_t{i} * width + main_], main_) : 0;
    risk_.push_back(root * root);
  }
}

void PatternPricing::split_range(std::span<const NodeState> states, std::size_t intervals) {
  double ratio = 0;  // most risk per mean of any app
  for (AppId i = 0; i < instance_->apps(); ++i) {
    if (risk_[i] > 0) ratio = std::max(ratio, mean_[i] > 0 ? risk_[i] / mean_[i] : std::numeric_limits<double>::infinity());
  }
  double largest = 1;
  double root = 0;
  for (const NodeState& state : states) {
    const auto left = static_cast<double>(state.left[main_]);
    largest = std::max(largest, left);
    if (!instance_->uncertain()) continue;
    const double held = instance_->root_of_risk(state.risk[main_], main_);
    // Risk grows by at most `ratio` per mean: the root of s^2 + ratio s = held + ratio left.
    const double reach = held * held / ratio + left;
    root = std::max(root, ratio == 0 ? held : std::min(left, 2 * reach / (1 + std::sqrt(1 + 4 * reach / ratio))));
  }
  units_per_cell_ = largest / static_cast<double>(cells_);
  const std::size_t count = root > 0 ? intervals : 1;
  root *= 1 + 1e-9;
  for (std::size_t t = 0; t < count; ++t) {
    Interval interval;
    interval.low = root * static_cast<double>(t) / static_cast<double>(count);
    interval.high = root * static_cast<double>(t + 1) / static_cast<double>(count);
    if (root > 0) {
      interval.per_risk = 1 / (interval.low + interval.high);
      interval.offset = interval.low * interval.high * interval.per_risk;
    }
    intervals_.push_back(std::move(interval));
  }
}

double PatternPricing::cost(const NodeState& state, std::span<const std::uint32_t> pattern) const {
  bool any = false;
  std::int64_t risk = state.risk[main_];
  for (AppId i = 0; i < pattern.size(); ++i) {
    any = any || pattern[i] > 0;
    risk += scaled_risk_[std::size_t{i} * instance_->resources() + main_] * pattern[i];
  }
  if (!any) return 0;
  if (!instance_->uncertain()) return 0;
  return instance_->root_of_risk(risk, main_) - instance_->root_of_risk(state.risk[main_], main_);
}

bool PatternPricing::fits(const NodeState& state, std::span<const std::uint32_t> pattern) const {
  for (AppId i = 0; i < pattern.size(); ++i) {
    if (pattern[i] > state.most_of(i)) return false;
  }
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    std::int64_t left = state.left[r];
    std::int64_t risk = state.risk[r];
    for (AppId i = 0; i < pattern.size(); ++i) {
      const std::size_t cell = std::size_t{i} * instance_->resources() + r;
      for (std::uint32_t n = 0; n < pattern[i]; ++n) {
        // Replica by replica, so that a sum is found too large before it overflows.
        left -= demand_[cell];
        risk += scaled_risk_[cell];
        if (left < 0 || (instance_->uncertain() && instance_->risk_room(left, r) < risk)) return false;
      }
    }
    if (left < 0) return false;
  }
  return true;
}

void PatternPricing::set_worths(std::span<const double> worth, std::span<const std::uint32_t> at_most) {
  worth_.assign(worth.begin(), worth.end());
  at_most_.assign(at_most.begin(), at_most.end());
  wanted_.clear();
  for (AppId i = 0; i < instance_->apps(); ++i) {
    if (worth_[i] > 0 && at_most_[i] > 0) wanted_.push_back(i);
  }
  for (Interval& interval : intervals_) {
    interval.ready = false;
    prepare(interval);
  }
}

void PatternPricing::prepare(Interval& interval) {
  interval.order = wanted_;
  const double per_risk = interval.per_risk;
  const auto weight = [&](AppId i) { return (mean_[i] + risk_[i] * per_risk) / units_per_cell_; };
  const auto value = [&](AppId i) { return worth_[i] - risk_[i] * per_risk; };
  std::vector<double> ratio(instance_->apps());
  interval.best_ratio = 0;
  for (const AppId i : wanted_) {
    const double w = weight(i);
    ratio[i] = w > 0 ? value(i) / w : std::numeric_limits<double>::infinity();
    interval.best_ratio = std::max(interval.best_ratio, ratio[i]);
  }
  sort_by_largest(interval.order, ratio);
  interval.weight.clear();
  interval.worth.clear();
  for (const AppId i : interval.order) {
    interval.weight.push_back(weight(i));
    interval.worth.push_back(value(i));
  }
  work_ += wanted_.size();
}

void PatternPricing::fill(Interval& interval) {
  const std::size_t width = cells_ + 1;
  const std::size_t items = interval.order.size();
  interval.table.resize((items + 1) * width);
  std::fill_n(interval.table.begin() + static_cast<std::ptrdiff_t>(items * width), width, 0.0);
  for (std::size_t k = items; k-- > 0;) {
    double* row = interval.table.data() + k * width;
    std::copy_n(row + width, width, row);
    const double worth = interval.worth[k];
    if (worth <= 0) continue;
    const auto weight = static_cast<std::size_t>(interval.weight[k]);  // rounded down
    if (weight == 0) {
      // A cell holds any number of them: all count, at any capacity.
      const double all = worth * at_most_[interval.order[k]];
      for (std::size_t c = 0; c < width; ++c) row[c] += all;
      continue;
    }
    for (std::size_t first = weight; first < width; first += weight) {
      relax(row + first - weight, row + first, std::min(weight, width - first), worth);
    }
  }
  interval.ready = true;
  work_ += items * width / 64;
}

void PatternPricing::fill_classes(const Interval& interval, std::vector<double>& table) {
  const std::size_t width = cells_ + 1;
  const std::size_t items = interval.order.size();
  const std::uint32_t classes = classes_->count();
  table.assign((items + 1) * classes * width, -std::numeric_limits<double>::infinity());
  std::fill_n(table.begin() + static_cast<std::ptrdiff_t>(items * classes * width), width, 0.0);
  for (std::size_t k = items; k-- > 0;) {
    double* const row = table.data() + k * classes * width;
    const double* const after = row + classes * width;
    std::copy_n(after, classes * width, row);
    const AppId app = interval.order[k];
    const double worth = interval.worth[k];
    const auto weight = static_cast<std::size_t>(interval.weight[k]);  // rounded down
    if (weight == 0) {
      // Any number, at any capacity.
      const double all = std::max(0.0, worth * at_most_[app]);
      for (std::uint32_t c = 0; c < classes; ++c) {
        std::uint32_t from = c;
        do {
          relax(after + from * width, row + c * width, width, all);
          from = classes_->difference(from, classes_->of_app(app));
        } while (from != c);
      }
      continue;
    }
    for (std::size_t first = weight; first < width; first += weight) {
      for (std::uint32_t c = 0; c < classes; ++c) {
        const std::size_t from = classes_->difference(c, classes_->of_app(app));
        relax(row + from * width + first - weight, row + c * width + first, std::min(weight, width - first), worth);
      }
    }
  }
  work_ += items * classes * width / 64;
}

bool PatternPricing::reach(const Interval& interval, const NodeState& state, double& cells, double& constant) const {
  const double root = instance_->uncertain() ? instance_->root_of_risk(state.risk[main_], main_) : 0;
  if (interval.high * (1 + 1e-9) < root) return false;
  const double chord = interval.offset + root * root * interval.per_risk;
  cells = (static_cast<double>(state.left[main_]) - chord) / units_per_cell_ * (1 + kSlack) + 1e-9;
  if (cells < 0) return false;
  constant = root - chord;
  return true;
}

double PatternPricing::bound(const NodeState& state) {
  double best = 0;
  for (Interval& interval : intervals_) {
    double cells = 0;
    double constant = 0;
    ++work_;
    if (wanted_.empty() || !reach(interval, state, cells, constant)) continue;
    if (constant + interval.best_ratio * cells <= best) continue;
    if (!interval.ready) fill(interval);
    best = std::max(best, constant + interval.table[std::min(cells_, static_cast<std::size_t>(cells))]);
  }
  return best + std::abs(best) * kSlack;
}

PatternPricing::Found PatternPricing::search(const NodeState& state, double floor, std::uint64_t budget, bool diverse) {
  best_ = {};
  best_.value = floor;
  best_.bound = best_.value;
  if (wanted_.empty()) return best_;
  start_at(state);
  struct Chance {
    double bound;
    std::size_t interval;
  };
  std::vector<Chance> chances;
  for (std::size_t t = 0; t < intervals_.size(); ++t) {
    double cells = 0;
    double constant = 0;
    ++work_;
    if (!reach(intervals_[t], state, cells, constant)) continue;
    if (constant + intervals_[t].best_ratio * cells <= best_.value) continue;
    if (!intervals_[t].ready) fill(intervals_[t]);
    const double bound = constant + intervals_[t].table[std::min(cells_, static_cast<std::size_t>(cells))];
    if (bound > best_.value) chances.push_back({bound, t});
  }
  std::stable_sort(chances.begin(), chances.end(), [](const Chance& a, const Chance& b) { return a.bound > b.bound; });
  double open = floor;  // best bound of the intervals that were not searched to the end
  steps_left_ = budget;
  const double least = best_.value;
  double value = least;
  for (const Chance& chance : chances) {
    if (chance.bound <= best_.value) break;
    if (diverse) steps_left_ = budget;
    const Interval& interval = intervals_[chance.interval];
    double cells = 0;
    double constant = 0;
    if (!reach(interval, state, cells, constant)) continue;
    if (search_in(interval, cells, constant, interval.table)) open = std::max(open, chance.bound);
    value = std::max(value, best_.value);
    if (diverse) best_.value = least;
  }
  best_.value = value;
  Found result = std::move(best_);
  best_ = {};
  result.bound = std::max(result.value, open);
  return result;
}

bool PatternPricing::list(const NodeState& state, double floor, std::size_t most, std::uint64_t budget,
                          std::vector<Pattern>& patterns) {
  patterns.clear();
  start_at(state);
  steps_left_ = budget;
  lists_ = true;
  bool all = true;
  std::int64_t covered = -1;
  for (Interval& interval : intervals_) {
    double cells = 0;
    double constant = 0;
    ++work_;
    least_risk_ = std::exchange(covered, most_risk(interval));
    if (wanted_.empty() || !reach(interval, state, cells, constant)) continue;
    if (!interval.ready) fill(interval);
    best_ = {};
    best_.value = floor;
    most_listed_ = most - patterns.size();
    all = !search_in(interval, cells, constant, interval.table) && all;
    patterns.insert(patterns.end(), best_.patterns.begin(), best_.patterns.end());
    if (!all) break;
  }
  lists_ = false;
  best_ = {};
  return all;
}

std::vector<std::vector<double>> PatternPricing::best_of_classes(std::span<const NodeState> states,
                                                                 const PatternClasses& classes, std::uint64_t budget) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  // Floors are finite: the search compares sums with them.
  constexpr double kLeast = -1e300;
  const std::vector<double> none(classes.count(), kLeast);
  std::vector<std::vector<double>> best(states.size(), none);
  std::vector<std::vector<double>> open = best;  // bounds of intervals that were not searched to the end
  for (std::vector<double>& of_state : best) of_state[0] = 0;
  classes_ = &classes;
  std::vector<double> table;
  for (const Interval& interval : intervals_) {
    if (wanted_.empty()) break;
    if (clock_ != nullptr && clock_->step(take_work())) {
      classes_ = nullptr;
      return {};
    }
    fill_classes(interval, table);
    for (std::size_t s = 0; s < states.size(); ++s) {
      double cells = 0;
      double constant = 0;
      ++work_;
      if (!reach(interval, states[s], cells, constant)) continue;
      start_at(states[s]);
      for (std::uint32_t c = 0; c < classes.count(); ++c) {
        const double bound = constant + table[c * (cells_ + 1) + std::min(cells_, static_cast<std::size_t>(cells))];
        if (bound <= best[s][c]) continue;
        best_ = {};
        best_.value = best[s][c];
        steps_left_ = budget;
        if (search_in(interval, cells, constant, table, c)) open[s][c] = std::max(open[s][c], bound);
        best[s][c] = best_.value;
      }
    }
  }
  classes_ = nullptr;
  best_ = {};
  for (std::size_t s = 0; s < states.size(); ++s) {
    for (std::uint32_t c = 0; c < classes.count(); ++c) {
      best[s][c] = std::max(best[s][c], open[s][c]);
      if (best[s][c] == kLeast) best[s][c] = -kInfinite;
    }
  }
  return best;
}

void PatternPricing::start_at(const NodeState& state) {
  state_ = &state;
  start_root_ = instance_->uncertain() ? instance_->root_of_risk(state.risk[main_], main_) : 0;
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    left_[r] = state.left[r];
    held_[r] = state.risk[r];
  }
}

std::int64_t PatternPricing::most_risk(const Interval& interval) const {
  const double most = interval.high * interval.high * (1 + 1e-9);
  const double unit = instance_->uncertain() ? instance_->root_of_risk(std::int64_t{1} << 40, main_) : 1;
  const double scaled = most / (unit * unit) * 0x1p40;
  return scaled < 0x1p62 ? static_cast<std::int64_t>(scaled) + 1 : std::numeric_limits<std::int64_t>::max();
}

bool PatternPricing::search_in(const Interval& interval, double cells, double constant, const std::vector<double>& table,
                               std::uint32_t missing) {
  constant_ = constant;
  most_risk_ = most_risk(interval);
  exhausted_ = false;
  table_ = table.data();
  width_ = (classes_ == nullptr ? 1 : classes_->count()) * (cells_ + 1);
  if (steps_left_ > 0) descend(interval, 0, std::min(cells, static_cast<double>(cells_)), 0, missing);
  return exhausted_ || steps_left_ == 0;
}

double PatternPricing::true_value() const {
  return sum_ - (instance_->uncertain() ? instance_->root_of_risk(held_[main_], main_) - start_root_ : 0);
}

// Adds as many replicas as fit, up to `most`, and returns their number.
std::uint32_t PatternPricing::add(AppId app, std::uint32_t most) {
  const std::size_t row = std::size_t{app} * instance_->resources();
  const bool uncertain = instance_->uncertain();
  // The room that means leave, and the room for risk without further means, bound the number, which keeps all products small.
  const auto limit = [&most](std::int64_t room, std::int64_t each) {
    if (room < each) {
      most = 0;
    } else if (each > 0 && most > 1) {
      most = static_cast<std::uint32_t>(std::min<std::int64_t>(most, room / each));
    }
  };
  limit(most_risk_ - held_[main_], scaled_risk_[row + main_]);
  for (ResourceId r = 0; r < instance_->resources() && most > 0; ++r) {
    limit(left_[r], demand_[row + r]);
    if (!uncertain) continue;
    most = instance_->most_beside(left_[r], held_[r], demand_[row + r], scaled_risk_[row + r], r, most);
  }
  if (most == 0) return 0;
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    left_[r] -= demand_[row + r] * most;
    held_[r] += scaled_risk_[row + r] * most;
  }
  pattern_[app] += most;
  sum_ += worth_[app] * most;
  return most;
}

void PatternPricing::remove(AppId app, std::uint32_t replicas) {
  const std::size_t row = std::size_t{app} * instance_->resources();
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    left_[r] += demand_[row + r] * replicas;
    held_[r] -= scaled_risk_[row + r] * replicas;
  }
  pattern_[app] -= replicas;
}

void PatternPricing::count() {
  if (++slice_ < kSlice) return;
  slice_ = 0;
  if (clock_ == nullptr || !clock_->step(kSlice / kStepsPerUnit)) return;
  exhausted_ = true;
  steps_left_ = 0;
}

// Takes the current pattern, which is worth more than the floor.
[[gnu::noinline]] void PatternPricing::take(double worth) {
  if (lists_) {
    if (held_[main_] <= least_risk_) return;
    if (best_.patterns.size() == most_listed_) {
      exhausted_ = true;
      steps_left_ = 0;
      return;
    }
    best_.patterns.push_back(pattern_);
    return;
  }
  best_.value = worth;
  if (std::find(best_.patterns.begin(), best_.patterns.end(), pattern_) != best_.patterns.end()) return;
  if (best_.patterns.size() == kMostFound) best_.patterns.erase(best_.patterns.begin());
  best_.patterns.push_back(pattern_);
}

// `value`: worth of the pattern by the chord, without the constant. `missing`: class of the replicas that are to be added.
void PatternPricing::descend(const Interval& interval, std::size_t k, double cells, double value, std::uint32_t missing) {
  if (steps_left_ == 0) {
    exhausted_ = true;
    return;
  }
  --steps_left_;
  count();
  if (exhausted_) return;
  const auto rest = [&](std::size_t from, double capacity, std::uint32_t of) {
    return table_[from * width_ + of * (cells_ + 1) + static_cast<std::size_t>(std::max(0.0, capacity))];
  };
  const auto hopeless = [&](double bound) { return constant_ + bound <= best_.value + kSlack * (1 + std::abs(best_.value)); };
  // Apps of which not one fits by its mean are passed over.
  while (k < interval.order.size()) {
    if (hopeless(value + rest(k, cells, missing))) return;
    const AppId app = interval.order[k];
    if (left_[main_] >= demand_[std::size_t{app} * instance_->resources() + main_]) break;
    ++k;
  }
  if (k == interval.order.size()) return;
  const AppId app = interval.order[k];
  const std::uint32_t most = std::min(at_most_[app], state_->most_of(app));
  const double sum = sum_;
  const double by_cells = interval.weight[k] > 0 ? std::max(0.0, cells + 1e-9) / interval.weight[k] : most;
  std::uint32_t replicas = add(app, by_cells < most ? static_cast<std::uint32_t>(by_cells) : most);
  double now_cells = cells - interval.weight[k] * replicas;
  double now_value = value + interval.worth[k] * replicas;
  const std::uint32_t change = classes_ == nullptr ? 0 : classes_->of_app(app);
  if (change != 0) missing = classes_->difference(missing, classes_->times(change, replicas));
  while (true) {
    if (replicas > 0 && missing == 0) {
      const double worth = true_value();
      if (worth > best_.value) take(worth);
    }
    if (!hopeless(now_value + rest(k + 1, now_cells, missing))) descend(interval, k + 1, now_cells, now_value, missing);
    if (replicas == 0) break;
    // A step may add millions of tiny replicas: each one that is removed counts.
    count();
    remove(app, 1);
    --replicas;
    if (change != 0) missing = classes_->sum(missing, change);
    sum_ = sum + worth_[app] * replicas;
    now_cells = cells - interval.weight[k] * replicas;
    now_value = value + interval.worth[k] * replicas;
    if (exhausted_) {
      remove(app, replicas);
      sum_ = sum;
      return;
    }
  }
}

std::uint64_t PatternPricing::take_work() {
  // After the run has ended, no work is added: a repetition with this work limit has to end at the same point.
  const bool ended = clock_ != nullptr && clock_->stop() != Stop::kNo;
  const std::uint64_t steps = std::exchange(work_, 0) + std::exchange(slice_, 0);
  return ended ? 0 : steps / kStepsPerUnit;
}

}  // namespace stowage
