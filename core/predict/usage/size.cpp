#include "core/predict/usage/size.h"

#include <algorithm>
#include <cmath>
#include <map>
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

/// One measurement of one resource.
struct Point {
  double amount;
  double weight;
  double killed;  ///< the amount if a replica was killed at it lately, else 0
  std::uint32_t period;
};

/// The least amount that a share of the weight does not exceed, and no less than where a replica was killed lately; 0 without
/// points. Sorts them.
double weighted_percentile(std::span<Point> points, double share) {
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.amount != b.amount ? a.amount < b.amount : a.weight > b.weight; });
  double total = 0;
  double killed = 0;
  for (const Point& point : points) {
    total += point.weight;
    killed = std::max(killed, point.killed);
  }
  double below = 0;
  for (const Point& point : points) {
    below += point.weight;
    if (below >= share * total) return std::max(point.amount, killed);
  }
  return points.empty() ? 0 : points.back().amount;
}

/// The weighted mean, computed around the first amount, so that equal amounts have exactly their value as mean.
double weighted_mean(std::span<const Point> points) {
  double total = 0;
  double sum = 0;
  for (const Point& point : points) {
    total += point.weight;
    sum += point.weight * (point.amount - points.front().amount);
  }
  return total > 0 ? points.front().amount + sum / total : 0;
}

/// The weighted sum of squared distances from a mean.
double squared_distances(std::span<const Point> points, double mean) {
  double sum = 0;
  for (const Point& point : points) sum += point.weight * (point.amount - mean) * (point.amount - mean);
  return sum;
}

/// Sizes one app in one resource after the other.
class AppSizer {
 public:
  /// @param samples positions of the app's samples, by time
  AppSizer(const UsageHistory& history, const SizeOptions& options, std::span<const std::uint32_t> samples, double first,
           double last)
      : history_(history), options_(options), samples_(samples), first_(first), last_(last) {}

  ResourceSize size(std::size_t resource) {
    rule_ = &options_.rules[resource];
    resource_ = resource;
    ResourceSize result;
    collect();
    result.samples = points_.size();
    if (points_.empty()) return result;
    std::vector<Point> counted = rule_->window > 0 ? peaks() : points_;
    result.size = clamped(weighted_percentile(counted, rule_->percentile));
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
    for (const std::uint32_t sample : samples_) {
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
    std::map<std::pair<std::uint32_t, double>, Point> peak_of;
    for (std::size_t k = 0; k < points_.size(); ++k) {
      const std::uint32_t sample = sample_of_[k];
      const std::uint32_t replica = history_.replica.empty() ? 0 : history_.replica[sample];
      const auto [found, added] =
          peak_of.emplace(std::pair(replica, std::floor(history_.time[sample] / rule_->window)), points_[k]);
      if (added) continue;
      found->second.amount = std::max(found->second.amount, points_[k].amount);
      found->second.weight = std::max(found->second.weight, points_[k].weight);
      found->second.killed = std::max(found->second.killed, points_[k].killed);
    }
    std::vector<Point> result;
    result.reserve(peak_of.size());
    for (const auto& [key, point] : peak_of) result.push_back(point);
    return result;
  }

  /// @param counted what counts for demand that does not change; points_ count otherwise
  void demand_by_period(std::vector<Point>& counted, ResourceSize& result) {
    std::vector<Point>& points = options_.periods > 1 ? points_ : counted;
    if (options_.periods == 1) {
      for (Point& point : points) point.period = 0;
    }
    const double mean_of_all = weighted_mean(points);
    const double otherwise = rule_->uncertain ? clamped(mean_of_all) : result.size;
    result.demand.assign(options_.periods, otherwise);
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.period < b.period; });
    double squares = 0;
    double total = 0;
    for (std::size_t begin = 0; begin < points.size();) {
      std::size_t end = begin;
      for (; end < points.size() && points[end].period == points[begin].period; ++end) total += points[end].weight;
      const std::span<Point> within = std::span(points).subspan(begin, end - begin);
      const std::uint32_t period = points[begin].period;
      if (rule_->uncertain) {
        const double mean = weighted_mean(within);
        squares += squared_distances(within, mean);
        result.demand[period] = clamped(mean);
      } else {
        result.demand[period] = clamped(weighted_percentile(within, rule_->percentile));
      }
      begin = end;
    }
    if (rule_->uncertain && total > 0) result.variance = squares / total * (1 + rule_->margin) * (1 + rule_->margin);
  }

  /// How well amounts per period, or one for all, held.
  [[nodiscard]] SizeFit fit(const std::vector<double>& amounts) const {
    double slack = 0;
    std::size_t exceeded = 0;
    for (const std::uint32_t sample : sample_of_) {
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
  const SizeRule* rule_ = nullptr;
  std::size_t resource_ = 0;
  std::vector<Point> points_;
  std::vector<std::uint32_t> sample_of_;  ///< the samples that were measured
};

}  // namespace

Result<std::vector<AppSize>> sizes_from_usage(const UsageHistory& history, const SizeOptions& options, WatchRef watch) {
  if (Error error = check_usage(history); failed(error)) return error;
  if (Error error = check_options(history, options); failed(error)) return error;
  // Samples in the order of apps and times.
  std::vector<std::uint32_t> order(history.samples());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
  watched_sort(order, watch, [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(history.app[a], history.time[a], a) < std::tuple(history.app[b], history.time[b], b);
  });
  if (watch.ended()) return cancelled();
  const auto [first, last] = std::minmax_element(history.time.begin(), history.time.end());
  std::vector<AppSize> sizes(history.apps.size());
  for (AppSize& app : sizes) app.resource.resize(history.resources.size());
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint32_t app = history.app[order[begin]];
    AppSize& result = sizes[app];
    std::size_t end = begin;
    for (; end < order.size() && history.app[order[end]] == app; ++end) {
      if (!history.out_of_memory.empty()) result.killed += history.out_of_memory[order[end]];
    }
    result.samples = end - begin;
    result.first = history.time[order[begin]];
    result.last = history.time[order[end - 1]];
    AppSizer sizer(history, options, std::span(order).subspan(begin, end - begin), *first, *last);
    for (std::size_t r = 0; r < history.resources.size(); ++r) result.resource[r] = sizer.size(r);
    if (watch.step(64 * (end - begin) * history.resources.size() + options.periods)) return cancelled();
    begin = end;
  }
  return sizes;
}

}  // namespace stowage
