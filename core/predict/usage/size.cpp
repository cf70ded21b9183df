#include "core/predict/usage/size.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/numbers/amounts.h"
#include "core/base/numbers/halving.h"
#include "core/base/watched.h"

namespace stowage {
namespace {

Error check_rule(const SizeRule& rule, std::size_t resource) {
  const std::string path = indexed("rules", resource);
  const auto amount = [&](double value) { return !failed(check_amount(value, path)); };
  if (!(rule.percentile > 0 && rule.percentile <= 1)) return invalid(path + ".percentile", "must be above 0 and at most 1");
  if (!(rule.half_life >= 0 && rule.half_life <= kLargestTime))
    return invalid(path + ".half_life", "must be from 0 to 1e12 seconds");
  if (!(rule.window >= 0 && rule.window <= kLargestTime) || (rule.window > 0 && rule.window < 1)) {
    return invalid(path + ".window", "must be 0 or from 1 to 1e12 seconds");
  }
  if (!(rule.margin >= 0 && rule.margin <= 100)) return invalid(path + ".margin", "must be from 0 to 100");
  if (!(rule.bump >= 1 && rule.bump <= 100)) return invalid(path + ".bump", "must be from 1 to 100");
  if (!amount(rule.floor)) return invalid(path + ".floor", "must be finite and not negative");
  if (!(rule.ceiling >= rule.floor)) return invalid(path + ".ceiling", "must be at least the floor");
  return {};
}

Error check_options(const UsageHistory& history, const SizeOptions& options) {
  if (options.rules.size() != history.resources.size()) return invalid("rules", "must be as long as there are resources");
  for (std::size_t r = 0; r < options.rules.size(); ++r) {
    if (Error error = check_rule(options.rules[r], r); failed(error)) return error;
  }
  if (options.periods == 0 || options.periods > kMostUsagePeriods) return invalid("periods", "must be from 1 to 10,000");
  if (!(options.cycle == 0 || (options.cycle >= 1 && options.cycle <= kLargestTime))) {
    return invalid("cycle", "must be 0 or from 1 to 1e12 seconds");
  }
  const std::uint64_t cells = std::uint64_t{history.apps.size()} * history.resources.size();
  if (cells > kMostUsageCells / options.periods) return too_large("periods", "more than 50,000,000 apps x resources x periods");
  // A name of a few bytes may not stand for thousands of periods.
  constexpr std::uint64_t kPerAmount = 64;
  if (cells * options.periods > kFreeUsageCells + kPerAmount * history.amount.size()) {
    return too_large("periods", "more apps x resources x periods than 5,000,000 and 64 times the amounts");
  }
  return {};
}

/// Steps of a watch that it takes to look at a sample.
constexpr std::uint64_t kStepsPerSample = 16;

/// One measurement of one resource.
struct Point {
  double amount;
  double weight;
  double killed;  ///< the amount if a replica was killed at it lately, else 0
  std::uint32_t period;
};

// Where the watch ends one of these functions, what it gives means nothing and nobody uses it.

/// The least amount that a share of the weight does not exceed, and no less than where a replica was killed lately; 0 without
/// points. Sorts them.
double weighted_percentile(std::vector<Point>& points, double share, WatchRef watch) {
  watched_sort(points, watch,
               [](const Point& a, const Point& b) { return a.amount != b.amount ? a.amount < b.amount : a.weight > b.weight; });
  double total = 0;
  double killed = 0;
  for (const Point& point : points) {
    if (watch.step()) return 0;
    total += point.weight;
    killed = std::max(killed, point.killed);
  }
  double below = 0;
  for (const Point& point : points) {
    if (watch.step()) return 0;
    below += point.weight;
    if (below >= share * total) return std::max(point.amount, killed);
  }
  return points.empty() ? 0 : points.back().amount;
}

/// The weighted mean, computed around the first amount, so that equal amounts have exactly their value as mean.
double weighted_mean(std::span<const Point> points, WatchRef watch) {
  double total = 0;
  double sum = 0;
  for (const Point& point : points) {
    if (watch.step()) return 0;
    total += point.weight;
    sum += point.weight * (point.amount - points.front().amount);
  }
  return total > 0 ? points.front().amount + sum / total : 0;
}

/// The weighted sum of squared distances from a mean.
double squared_distances(std::span<const Point> points, double mean, WatchRef watch) {
  double sum = 0;
  for (const Point& point : points) {
    if (watch.step()) return 0;
    sum += point.weight * (point.amount - mean) * (point.amount - mean);
  }
  return sum;
}

/// Sizes one app in one resource after the other.
class AppSizer {
 public:
  /// @param samples positions of the app's samples, by time
  AppSizer(const UsageHistory& history, const SizeOptions& options, std::span<const std::uint32_t> samples, double first,
           double last, WatchRef watch)
      : history_(history), options_(options), samples_(samples), first_(first), last_(last), watch_(watch) {}

  /// Incomplete where the watch ends it: nobody uses it.
  ResourceSize size(std::size_t resource) {
    rule_ = &options_.rules[resource];
    resource_ = resource;
    ResourceSize result;
    collect();
    result.samples = points_.size();
    if (points_.empty() || watch_.ended()) return result;
    std::vector<Point> counted = rule_->window > 0 ? peaks() : watched_copy(std::span<const Point>(points_), watch_);
    result.size = clamped(weighted_percentile(counted, rule_->percentile, watch_));
    if (watch_.ended()) return result;
    if (options_.periods > 1 || rule_->uncertain) {
      demand_by_period(counted, result);
    } else {
      result.demand.assign(1, result.size);
    }
    result.fit = fit({result.size});
    result.demand_fit = fit(result.demand);
    return result;
  }

 private:
  [[nodiscard]] double clamped(double usage) const {
    return std::min(std::max(usage * (1 + rule_->margin), rule_->floor), rule_->ceiling);
  }

  [[nodiscard]] double usage_of(std::uint32_t sample) const {
    return history_.amount[std::size_t{sample} * history_.resources.size() + resource_];
  }
  [[nodiscard]] double age(std::uint32_t sample) const { return history_.time[samples_.back()] - history_.time[sample]; }
  [[nodiscard]] double weight(std::uint32_t sample) const {
    return rule_->half_life > 0 ? half_to_the(age(sample) / rule_->half_life) : 1;
  }

  [[nodiscard]] std::uint32_t period_of(double time) const {
    double share = 0;
    if (options_.cycle > 0) {
      share = std::fmod(time, options_.cycle) / options_.cycle;
      if (share < 0) share += 1;
    } else if (last_ > first_) {
      share = (time - first_) / (last_ - first_);
    }
    return std::min(static_cast<std::uint32_t>(share * options_.periods), options_.periods - 1);
  }

  /// Takes the measurements of the resource, bumped where the replica was killed.
  void collect() {
    points_.clear();
    sample_of_.clear();
    points_.reserve(samples_.size());
    sample_of_.reserve(samples_.size());
    for (const std::uint32_t sample : samples_) {
      if (watch_.step(kStepsPerSample)) return;
      double amount = usage_of(sample);
      if (std::isnan(amount)) continue;
      double killed = 0;
      if (!history_.out_of_memory.empty() && history_.out_of_memory[sample] != 0 && rule_->bump > 1) {
        amount *= rule_->bump;
        if (rule_->half_life == 0 || age(sample) <= rule_->half_life) killed = amount;
      }
      points_.push_back({amount, weight(sample), killed, period_of(history_.time[sample])});
      sample_of_.push_back(sample);
    }
  }

  /// The largest amount of each replica in each window, with the weight of the window's last sample.
  [[nodiscard]] std::vector<Point> peaks() const {
    struct Windowed {
      std::uint32_t replica;
      std::uint32_t point;
      double window;
    };
    std::vector<Windowed> order;
    order.reserve(points_.size());
    for (std::size_t k = 0; k < points_.size() && !watch_.step(kStepsPerSample); ++k) {
      const std::uint32_t sample = sample_of_[k];
      const std::uint32_t replica = history_.replica.empty() ? 0 : history_.replica[sample];
      order.push_back({replica, static_cast<std::uint32_t>(k), std::floor(history_.time[sample] / rule_->window)});
    }
    watched_sort(order, watch_, [](const Windowed& a, const Windowed& b) {
      return std::tuple(a.replica, a.window, a.point) < std::tuple(b.replica, b.window, b.point);
    });
    std::vector<Point> result;
    for (std::size_t k = 0; k < order.size() && !watch_.step(kStepsPerSample); ++k) {
      const Point& point = points_[order[k].point];
      if (k == 0 || order[k].replica != order[k - 1].replica || order[k].window != order[k - 1].window) {
        result.push_back(point);
        continue;
      }
      Point& peak = result.back();
      peak.amount = std::max(peak.amount, point.amount);
      peak.weight = std::max(peak.weight, point.weight);
      peak.killed = std::max(peak.killed, point.killed);
    }
    return result;
  }

  /// @param counted what counts for demand that does not change; points_ count otherwise
  void demand_by_period(const std::vector<Point>& counted, ResourceSize& result) const {
    const bool is_one = options_.periods == 1;
    const std::vector<Point>& points = is_one ? counted : points_;
    const double otherwise = rule_->uncertain ? clamped(weighted_mean(points, watch_)) : result.size;
    result.demand.assign(options_.periods, otherwise);
    // The points by period; those of one period stay in their order.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    order.reserve(points.size());
    for (std::size_t k = 0; k < points.size() && !watch_.step(); ++k)
      order.emplace_back(is_one ? 0 : points[k].period, static_cast<std::uint32_t>(k));
    watched_sort(order, watch_);
    double squares = 0;
    double total = 0;
    std::vector<Point> within;
    for (std::size_t k = 0; k < order.size() && !watch_.ended();) {
      const std::uint32_t period = order[k].first;
      within.clear();
      for (; k < order.size() && order[k].first == period && !watch_.step(kStepsPerSample); ++k) {
        within.push_back(points[order[k].second]);
        total += within.back().weight;
      }
      if (rule_->uncertain) {
        const double mean = weighted_mean(within, watch_);
        squares += squared_distances(within, mean, watch_);
        result.demand[period] = clamped(mean);
      } else {
        result.demand[period] = clamped(weighted_percentile(within, rule_->percentile, watch_));
      }
    }
    if (rule_->uncertain && total > 0) result.variance = squares / total * (1 + rule_->margin) * (1 + rule_->margin);
  }

  /// How well amounts per period, or one for all, held.
  [[nodiscard]] SizeFit fit(const std::vector<double>& amounts) const {
    double slack = 0;
    std::size_t exceeded = 0;
    for (const std::uint32_t sample : sample_of_) {
      if (watch_.step(kStepsPerSample)) return {};
      const double usage = usage_of(sample);
      const double amount = amounts[amounts.size() == 1 ? 0 : period_of(history_.time[sample])];
      if (usage > amount) {
        ++exceeded;
      } else if (amount > 0) {
        slack += (amount - usage) / amount;
      }
    }
    const auto count = static_cast<double>(sample_of_.size());
    return {slack / count, static_cast<double>(exceeded) / count};
  }

  const UsageHistory& history_;
  const SizeOptions& options_;
  std::span<const std::uint32_t> samples_;
  double first_;  ///< time of the first sample of all apps
  double last_;
  WatchRef watch_;
  const SizeRule* rule_ = nullptr;
  std::size_t resource_ = 0;
  std::vector<Point> points_;
  std::vector<std::uint32_t> sample_of_;  ///< the samples that were measured
};

}  // namespace

Result<std::vector<AppSize>> sizes_from_usage(const UsageHistory& history, const SizeOptions& options, WatchRef watch) {
  if (Error error = check_usage(history, watch); failed(error)) return error;
  if (Error error = check_options(history, options); failed(error)) return error;
  // Samples in the order of apps and times.
  std::vector<std::uint32_t> order;
  order.reserve(history.samples());
  double first = history.time.front();
  double last = first;
  for (std::size_t k = 0; k < history.samples(); ++k) {
    if (watch.step()) return cancelled();
    order.push_back(static_cast<std::uint32_t>(k));
    first = std::min(first, history.time[k]);
    last = std::max(last, history.time[k]);
  }
  watched_sort(order, watch, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(history.app[a], history.time[a], a) < std::tuple(history.app[b], history.time[b], b);
  });
  if (watch.ended()) return cancelled();
  std::vector<AppSize> sizes(history.apps.size());
  for (AppSize& app : sizes) {
    app.resource.resize(history.resources.size());
    if (watch.step(kStepsPerSample * history.resources.size())) return cancelled();
  }
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint32_t app = history.app[order[begin]];
    AppSize& result = sizes[app];
    std::size_t end = begin;
    for (; end < order.size() && history.app[order[end]] == app; ++end) {
      if (watch.step(kStepsPerSample)) return cancelled();
      if (!history.out_of_memory.empty()) result.killed += history.out_of_memory[order[end]];
    }
    result.samples = end - begin;
    result.first = history.time[order[begin]];
    result.last = history.time[order[end - 1]];
    AppSizer sizer(history, options, std::span(order).subspan(begin, end - begin), first, last, watch);
    for (std::size_t r = 0; r < history.resources.size() && !watch.ended(); ++r) result.resource[r] = sizer.size(r);
    if (watch.step((64 * (end - begin) + options.periods) * history.resources.size())) return cancelled();
    begin = end;
  }
  return sizes;
}

}  // namespace stowage
