#include "core/predict/population.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/numbers/amounts.h"
#include "core/base/numbers/quantile.h"
#include "core/predict/linear/cholesky.h"
#include "core/predict/linear/elementary.h"

namespace stowage {
namespace {

// The kernel, in units of the linear system's ridge, and how much apps of other words count. The results depend little on them.
constexpr double kRidge = 0.2;
constexpr double kConstant = 10;
constexpr double kLinear = 3;
constexpr double kOtherWords = 0.2;
constexpr double kMisfitOfOtherWords = 6;
constexpr double kWeightOfOtherWords = 0.049787068367863944;  // exp(-6 / 2)

constexpr std::size_t kGroupWithScatter = 20;
constexpr double kCorrelationShrink = 0.03;
// Before anything is known, curves scatter like one app with this variance, mostly in common.
constexpr double kPriorVariance = 1;
constexpr double kPriorCorrelation = 0.8;
// Variance of measurements as a share of the squared value.
constexpr double kLeastNoise = 1e-6;
constexpr double kDefaultNoise = 1e-3;
// Of what the other configurations do not explain of one, at most this share is noise: the rest of the covariance stays one.
constexpr double kUnexplainedNoise = 0.5;
constexpr double kMostNoise = 1e-2;
constexpr double kLeastTelling = 0.1;
constexpr double kMostTelling = 0.93;
constexpr std::size_t kNeighbours = 8;
constexpr std::size_t kPairsForNoise = 10;
constexpr double kMedianOfSquare = 0.4549364231195724;  // of a standard normal number

/// Steps of a watch that it takes to find a word in a list.
constexpr std::uint64_t kStepsPerWord = 64;
/// The same for the slope of a measurement, and for a pair of them.
constexpr std::uint64_t kStepsPerSlope = 64;
constexpr std::uint64_t kStepsPerPair = 8;

/// Rounds of expectation and maximization, fewer where they are long.
std::size_t rounds(std::size_t apps, std::size_t configurations) {
  const double work = static_cast<double>(apps) * static_cast<double>(configurations) * static_cast<double>(configurations) *
                      static_cast<double>(configurations) / 4;
  return static_cast<std::size_t>(std::clamp(4e9 / (work + 1), 2.0, 10.0));
}

}  // namespace

bool KnownFeatures::knows(std::size_t feature) const { return !std::isnan(number[feature]) || word[feature] != kUnknownWord; }

Population::Population(const ProfileTable& table, const WordLists& words, std::vector<char> uses, WatchRef watch)
    : uses_(std::move(uses)), apps_(table.apps), configurations_(table.configurations.size()) {
  group_apps(table, words, watch);
  if (watch.ended()) return;
  standardize(table);
  std::vector<double> kernels(apps_ * apps_);
  for (std::size_t i = 0; i < apps_; ++i) {
    if (watch.step(16 * (i + 1))) return;
    for (std::size_t j = 0; j <= i; ++j) {
      kernels[i * apps_ + j] = kernels[j * apps_ + i] =
          kernel(seen_[i], seen_[j], natural_exp(-squared_distance(seen_[i], seen_[j]) / 2)) + (i == j ? kRidge : 0);
    }
  }
  const std::vector<double> inverse = Cholesky(kernels, apps_, watch).inverse(watch);
  if (watch.ended()) return;
  scatter_at_.assign(groups_.size(), 0);
  std::size_t scatters = 1;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (group_size_[g] >= kGroupWithScatter && group_size_[g] < apps_) scatter_at_[g] = scatters++;
  scatter_.resize(scatters);
  fill_in(table, inverse, watch);
  if (!watch.ended()) measure_noise(table, watch);
}

void Population::group_apps(const ProfileTable& table, const WordLists& words, WatchRef watch) {
  std::vector<std::vector<std::uint32_t>> of_app(apps_);
  for (std::size_t f = 0; f < uses_.size(); ++f) {
    if (uses_[f] != 0 && !table.features[f].words.empty()) {
      if (watch.step(kStepsPerWord * apps_)) return;
      for (std::size_t app = 0; app < apps_; ++app) {
        const auto at = std::lower_bound(words[f].begin(), words[f].end(), table.features[f].words[app]);
        of_app[app].push_back(static_cast<std::uint32_t>(at - words[f].begin()));
      }
    }
  }
  groups_ = of_app;
  std::sort(groups_.begin(), groups_.end());
  groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
  group_size_.assign(groups_.size(), 0);
  seen_.resize(apps_);
  for (std::size_t app = 0; app < apps_; ++app) {
    seen_[app].group = group_of(of_app[app]);
    ++group_size_[seen_[app].group];
  }
}

std::uint32_t Population::group_of(std::span<const std::uint32_t> words) const {
  const auto less = [](const std::vector<std::uint32_t>& group, std::span<const std::uint32_t> of) {
    return std::lexicographical_compare(group.begin(), group.end(), of.begin(), of.end());
  };
  const auto at = std::lower_bound(groups_.begin(), groups_.end(), words, less);
  const bool found = at != groups_.end() && std::equal(at->begin(), at->end(), words.begin(), words.end());
  return static_cast<std::uint32_t>(found ? at - groups_.begin() : std::ptrdiff_t(groups_.size()));
}

double Population::standardized(const Number& number, double value, std::uint32_t group) const {
  if (std::isnan(value)) return 0;
  // A new app's number may lie where profiled apps have none.
  if (number.logarithm) value = natural_log(std::max(value, 1e-100));
  return std::clamp((value - number.centre[group]) / number.scale, -10.0, 10.0);
}

void Population::standardize(const ProfileTable& table) {
  for (std::size_t f = 0; f < uses_.size(); ++f) {
    if (uses_[f] == 0 || table.features[f].numbers.empty()) continue;
    std::vector<double> values = table.features[f].numbers;
    double least = kLargestAmount;
    double most = -kLargestAmount;
    for (const double value : values) {
      if (!std::isnan(value)) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
    Number number{f, least >= 1e-100 && most / 10 >= least, {}, 1};
    if (number.logarithm) {
      for (double& value : values)
        if (!std::isnan(value)) value = natural_log(value);
    }
    std::vector<double> sum(groups_.size() + 1, 0.0);
    std::vector<double> count(groups_.size() + 1, 0.0);
    for (std::size_t app = 0; app < apps_; ++app) {
      if (!std::isnan(values[app])) {
        for (const std::size_t g : {std::size_t{seen_[app].group}, groups_.size()}) {
          sum[g] += values[app];
          ++count[g];
        }
      }
    }
    const double overall = count.back() > 0 ? sum.back() / count.back() : 0;
    for (std::size_t g = 0; g <= groups_.size(); ++g) number.centre.push_back(count[g] >= 5 ? sum[g] / count[g] : overall);
    double squares = 0;
    for (std::size_t app = 0; app < apps_; ++app) {
      if (!std::isnan(values[app])) {
        const double off = values[app] - number.centre[seen_[app].group];
        squares += off * off;
      }
    }
    const double deviation = std::sqrt(squares / std::max(1.0, count.back()));
    number.scale = deviation > 1e-100 ? deviation : 1;
    numbers_.push_back(std::move(number));
  }
  for (std::size_t app = 0; app < apps_; ++app) {
    for (const Number& number : numbers_)
      seen_[app].at.push_back(standardized(number, table.features[number.feature].numbers[app], seen_[app].group));
  }
}

double Population::squared_distance(const Seen& a, const Seen& b) const {
  double sum = 0;
  for (std::size_t k = 0; k < numbers_.size(); ++k) sum += (a.at[k] - b.at[k]) * (a.at[k] - b.at[k]);
  // As far apart as with two numbers, however many there are.
  return numbers_.size() > 2 ? sum * 2 / static_cast<double>(numbers_.size()) : sum;
}

double Population::kernel(const Seen& a, const Seen& b, double radial) const {
  double product = 0;
  for (std::size_t k = 0; k < numbers_.size(); ++k) product += a.at[k] * b.at[k];
  if (numbers_.size() > 2) product *= 2 / static_cast<double>(numbers_.size());
  return (a.group == b.group ? 1 : kOtherWords) * (kConstant + kLinear * product + radial);
}

std::size_t Population::scatter_of(std::uint32_t group) const { return group < groups_.size() ? scatter_at_[group] : 0; }

/// The regression of the whole table `place`, apps x configurations, and its leave-one-out residuals.
void Population::fit(std::span<const double> inverse, std::span<const double> place, WatchRef watch) {
  const std::size_t size = configurations_;
  centre_.assign(size, 0);
  for (std::size_t i = 0; i < apps_; ++i)
    for (std::size_t c = 0; c < size; ++c) centre_[c] += place[i * size + c] / static_cast<double>(apps_);
  alpha_.assign(apps_ * size, 0);
  deviation_.resize(apps_ * size);
  for (std::size_t i = 0; i < apps_ && !watch.step(apps_ * size / 2); ++i) {
    double* alpha = &alpha_[i * size];
    for (std::size_t j = 0; j < apps_; ++j) {
      const double weight = inverse[i * apps_ + j];
      for (std::size_t c = 0; c < size; ++c) alpha[c] += weight * (place[j * size + c] - centre_[c]);
    }
    for (std::size_t c = 0; c < size; ++c) deviation_[i * size + c] = alpha[c] / inverse[i * apps_ + i];
  }
}

/// `unseen`: per scatter, the summed covariance of what was filled in; empty where nothing was.
void Population::measure_scatter(std::span<const double> unseen, WatchRef watch) {
  const std::size_t size = configurations_;
  for (std::size_t s = 0; s < scatter_.size(); ++s) {
    std::vector<double>& covariance = scatter_[s].covariance;
    covariance.assign(size * size, 0);
    double members = 1;
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        covariance[a * size + b] =
            kPriorVariance * (a == b ? 1 : kPriorCorrelation) + (unseen.empty() ? 0 : unseen[(s * size + a) * size + b]);
      }
    }
    for (std::size_t i = 0; i < apps_; ++i) {
      const bool is_member = s == 0 || scatter_of(seen_[i].group) == s;
      if (watch.step(is_member ? size * size : 1)) return;
      if (!is_member) continue;
      ++members;
      const double* off = &deviation_[i * size];
      for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b < size; ++b) covariance[a * size + b] += off[a] * off[b];
    }
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b) covariance[a * size + b] *= (a == b ? 1 : 1 - kCorrelationShrink) / members;
  }
}

/// Two configurations differ by noise at least. The pairs of near ones that differ least, over the median of the apps, show it.
void Population::measure_noise(const ProfileTable& table, WatchRef watch) {
  const std::size_t size = configurations_;
  std::vector<double> steep(apps_ * size, std::numeric_limits<double>::quiet_NaN());
  steepness_.assign(size, 0);
  std::vector<double> count(size, 0);
  for (std::size_t i = 0; i < apps_; ++i) {
    if (watch.step(kStepsPerSlope * size)) return;
    for (std::size_t c = 0; c < size; ++c) {
      const double place = table.place[i * size + c];
      if (std::isnan(place)) continue;
      const double value = from_scale(table.measure, place);
      const double root = steepness(table.measure, value);
      // Performance near its ends is cut off there, and tells nothing of noise.
      const bool telling = table.measure == SampledMeasure::kLatency || (value > kLeastTelling && value < kMostTelling);
      steep[i * size + c] = telling ? root * root : std::numeric_limits<double>::quiet_NaN();
      steepness_[c] += root * root;
      ++count[c];
    }
  }
  std::vector<double> shares;
  std::vector<double> steps;
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t other = c + 1; other < std::min(size, c + 1 + kNeighbours); ++other) {
      if (watch.step(kStepsPerPair * apps_)) return;
      steps.clear();
      for (std::size_t at = 0; at < apps_ * size; at += size) {
        const double step = table.place[at + c] - table.place[at + other];
        const double square = step * step / (steep[at + c] + steep[at + other]);
        if (!std::isnan(square)) steps.push_back(square);
      }
      if (steps.size() < kPairsForNoise) continue;
      const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
      std::nth_element(steps.begin(), middle, steps.end());
      shares.push_back(*middle / kMedianOfSquare);
    }
  }
  noise_ = kDefaultNoise;
  if (!shares.empty()) {
    const auto low = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 50);
    std::nth_element(shares.begin(), low, shares.end());
    noise_ = std::clamp(*low, kLeastNoise, kMostNoise);
  }
  for (Scatter& scatter : scatter_) {
    scatter.noise = Cholesky(scatter.covariance, size, watch).inverse_diagonal(watch);
    if (watch.ended()) return;
    for (std::size_t c = 0; c < size; ++c)
      scatter.noise[c] = std::min(noise_ * steepness_[c] / count[c], kUnexplainedNoise / scatter.noise[c]);
  }
}

void Population::fill_in(const ProfileTable& table, std::span<const double> inverse, WatchRef watch) {
  const std::size_t size = configurations_;
  std::vector<double> place = table.place;
  std::vector<std::size_t> partly;
  for (std::size_t i = 0; i < apps_; ++i) {
    if (std::any_of(&place[i * size], &place[i * size] + size, [](double value) { return std::isnan(value); }))
      partly.push_back(i);
  }
  // At first: what the configuration has on average, and the app's own distance from such averages.
  std::vector<double> average(size, 0);
  for (std::size_t c = 0; c < size; ++c) {
    double count = 0;
    for (std::size_t i = 0; i < apps_; ++i) {
      if (!std::isnan(place[i * size + c])) {
        average[c] += place[i * size + c];
        ++count;
      }
    }
    average[c] /= count;
  }
  for (const std::size_t i : partly) {
    double off = 0;
    double count = 1;
    for (std::size_t c = 0; c < size; ++c) {
      if (!std::isnan(place[i * size + c])) {
        off += place[i * size + c] - average[c];
        ++count;
      }
    }
    for (std::size_t c = 0; c < size; ++c)
      if (std::isnan(place[i * size + c])) place[i * size + c] = average[c] + off / count;
  }
  fit(inverse, place, watch);
  measure_scatter({}, watch);
  if (partly.empty() || watch.ended()) return;
  for (std::size_t round = rounds(apps_, size); round > 0 && !watch.ended(); --round) {
    std::vector<double> unseen(scatter_.size() * size * size, 0.0);
    for (const std::size_t i : partly) {
      if (watch.step(size * size * size / 4)) return;
      const std::size_t own = scatter_of(seen_[i].group);
      const std::vector<double>& covariance = scatter_[own].covariance;
      std::vector<std::size_t> known;
      std::vector<std::size_t> gaps;
      for (std::size_t c = 0; c < size; ++c) (std::isnan(table.place[i * size + c]) ? gaps : known).push_back(c);
      std::vector<double> square(known.size() * known.size());
      for (std::size_t a = 0; a < known.size(); ++a)
        for (std::size_t b = 0; b < known.size(); ++b) square[a * known.size() + b] = covariance[known[a] * size + known[b]];
      const Cholesky lower(square, known.size());
      std::vector<double> off;
      off.reserve(known.size());
      for (const std::size_t c : known) off.push_back(deviation_[i * size + c]);
      lower.solve_lower(off);
      std::vector<double> reach(gaps.size() * known.size());
      for (std::size_t m = 0; m < gaps.size(); ++m) {
        const std::span<double> row(reach.data() + m * known.size(), known.size());
        for (std::size_t a = 0; a < known.size(); ++a) row[a] = covariance[gaps[m] * size + known[a]];
        lower.solve_lower(row);
        double expected = 0;
        for (std::size_t a = 0; a < known.size(); ++a) expected += row[a] * off[a];
        place[i * size + gaps[m]] += expected - deviation_[i * size + gaps[m]];
      }
      for (std::size_t m = 0; m < gaps.size(); ++m) {
        for (std::size_t k = 0; k < gaps.size(); ++k) {
          double rest = covariance[gaps[m] * size + gaps[k]];
          for (std::size_t a = 0; a < known.size(); ++a) rest -= reach[m * known.size() + a] * reach[k * known.size() + a];
          unseen[gaps[m] * size + gaps[k]] += rest;
          if (own > 0) unseen[(own * size + gaps[m]) * size + gaps[k]] += rest;
        }
      }
    }
    fit(inverse, place, watch);
    measure_scatter(unseen, watch);
  }
}

Prior Population::prior(const KnownFeatures& app) const {
  Seen seen;
  std::vector<std::uint32_t> words;
  for (std::size_t f = 0; f < uses_.size(); ++f)
    if (uses_[f] != 0 && app.word[f] != KnownFeatures::kUnknownWord) words.push_back(app.word[f]);
  seen.group = group_of(words);
  seen.at.reserve(numbers_.size());
  for (const Number& number : numbers_) seen.at.push_back(standardized(number, app.number[number.feature], seen.group));
  Prior prior;
  prior.mean = centre_;
  prior.misfit.resize(apps_);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < apps_; ++i) {
    const double distance = squared_distance(seen, seen_[i]);
    const double radial = natural_exp(-distance / 2);
    const double reach = kernel(seen, seen_[i], radial);
    const double* alpha = &alpha_[i * configurations_];
    for (std::size_t c = 0; c < configurations_; ++c) prior.mean[c] += reach * alpha[c];
    const bool same = seen_[i].group == seen.group;
    prior.misfit[i] = distance + (same ? 0 : kMisfitOfOtherWords);
    const double weight = same ? radial : radial * kWeightOfOtherWords;
    sum += weight;
    squares += weight * weight;
  }
  // Far from all apps, as if it were near one.
  const double near = squares > 1e-200 ? sum * sum / squares : 1;
  prior.scatter = &scatter_[scatter_of(seen.group)];
  // The width of kernels in several dimensions falls with a power of their number (Silverman, 1986).
  prior.share = std::min(1.0, 2.5 * natural_exp(-0.55 * natural_log(near)));
  return prior;
}

}  // namespace stowage
