#include "core/predict/posterior.h"

#include <algorithm>
#include <cmath>

#include "core/predict/linear/cholesky.h"
#include "core/predict/linear/elementary.h"

namespace stowage {
namespace {

// Parts below this share of the sum have no weight.
constexpr double kLeastWeight = 1e-4;
constexpr double kLeastVariance = 1e-6;
/// Steps of a watch for what a part, or a sample, takes beside the sums over samples.
constexpr std::uint64_t kStepsPerTerm = 4;

}  // namespace

Posterior::Posterior(const Population& population, const Prior& prior, std::span<const PlacedSample> samples, WatchRef watch)
    : population_(population), prior_(prior), watch_(watch), samples_(samples.begin(), samples.end()) {
  const std::size_t q = samples_.size();
  std::vector<double> square(q * q);
  for (std::size_t a = 0; a < q; ++a) {
    for (std::size_t b = 0; b < q; ++b) {
      const std::size_t at = samples_[a].configuration;
      square[a * q + b] = shared(at, samples_[b].configuration) +
                          (a == b ? population_.noise() * samples_[a].steepness * samples_[a].steepness : 0);
    }
  }
  inverse_ = Cholesky(square, q, watch).inverse(watch);
  weigh();
}

double Posterior::shared(std::size_t a, std::size_t b) const {
  const double with_noise = prior_.scatter->covariance[a * population_.configurations() + b];
  return prior_.share * (a == b ? with_noise - prior_.scatter->noise[a] : with_noise);
}

void Posterior::weigh() {
  const std::size_t q = samples_.size();
  const std::size_t apps = population_.apps();
  std::vector<double> pull(apps * q);
  std::vector<double> misfit = prior_.misfit;
  double best = 0;
  for (std::size_t i = 0; i < apps; ++i) {
    if (watch_.step(q * (q + kStepsPerTerm))) return;
    const std::span<const double> deviation = population_.deviation(i);
    double* own = pull.data() + i * q;
    for (std::size_t b = 0; b < q; ++b) {
      const PlacedSample& sample = samples_[b];
      const double off = sample.place - prior_.mean[sample.configuration] - deviation[sample.configuration];
      for (std::size_t a = 0; a < q; ++a) own[a] += inverse_[a * q + b] * off;
    }
    for (std::size_t a = 0; a < q; ++a) {
      const std::size_t at = samples_[a].configuration;
      misfit[i] += own[a] * (samples_[a].place - prior_.mean[at] - deviation[at]);
    }
    best = i == 0 ? misfit[i] : std::min(best, misfit[i]);
  }
  std::vector<double> weight(apps);
  double sum = 0;
  for (std::size_t i = 0; i < apps; ++i) {
    weight[i] = natural_exp((best - misfit[i]) / 2);
    sum += weight[i];
  }
  double kept = 0;
  for (std::size_t i = 0; i < apps; ++i) {
    if (weight[i] >= kLeastWeight * sum) {
      part_.push_back(static_cast<std::uint32_t>(i));
      weight_.push_back(weight[i]);
      kept += weight[i];
      pull_.insert(pull_.end(), pull.begin() + static_cast<std::ptrdiff_t>(i * q),
                   pull.begin() + static_cast<std::ptrdiff_t>((i + 1) * q));
    }
  }
  for (double& one : weight_) one /= kept;
}

double Posterior::reach(std::size_t configuration, std::span<double> covariances) const {
  const std::size_t q = samples_.size();
  for (std::size_t a = 0; a < q; ++a) covariances[a] = shared(configuration, samples_[a].configuration);
  double variance = shared(configuration, configuration);
  for (std::size_t a = 0; a < q; ++a)
    for (std::size_t b = 0; b < q; ++b) variance -= covariances[a] * covariances[b] * inverse_[a * q + b];
  return std::sqrt(std::max(variance, kLeastVariance));
}

Posterior::Parts Posterior::parts(std::size_t configuration) const {
  const std::size_t q = samples_.size();
  std::vector<double> covariances(q);
  Parts parts{weight_, {}, reach(configuration, covariances)};
  parts.mean.reserve(part_.size());
  for (std::size_t k = 0; k < part_.size(); ++k) {
    double mean = prior_.mean[configuration] + population_.deviation(part_[k])[configuration];
    for (std::size_t a = 0; a < q; ++a) mean += covariances[a] * pull_[k * q + a];
    parts.mean.push_back(mean);
  }
  return parts;
}

void Posterior::probabilities(std::span<const std::uint32_t> configurations, double goal, std::span<double> out) const {
  const std::size_t q = samples_.size();
  const NormalTail& tail = normal_tail();
  std::vector<double> covariances(q);
  for (std::size_t t = 0; t < configurations.size(); ++t) {
    const std::size_t c = configurations[t];
    if (watch_.step((part_.size() + q) * (q + kStepsPerTerm))) return;
    const double deviation = reach(c, covariances);
    const double missing = (goal - prior_.mean[c]) / deviation;
    for (double& covariance : covariances) covariance /= deviation;
    const double unit = 1 / deviation;
    double sum = 0;
    for (std::size_t k = 0; k < part_.size(); ++k) {
      double short_of = missing - unit * population_.deviation(part_[k])[c];
      for (std::size_t a = 0; a < q; ++a) short_of -= covariances[a] * pull_[k * q + a];
      sum += weight_[k] * tail(short_of);
    }
    out[t] = std::clamp(sum, 0.0, 1.0);
  }
}

double Posterior::similar() const {
  double squares = 0;
  for (const double weight : weight_) squares += weight * weight;
  return 1 / squares;
}

}  // namespace stowage
