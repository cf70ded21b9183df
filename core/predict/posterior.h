// What is known of an app after some samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/predict/population.h"

namespace stowage {

/// A measurement of an app with a configuration, on the scale of the learner.
struct PlacedSample {
  std::size_t configuration;
  double place;
  double steepness;  ///< steepness() of its value
};

/// A mixture over profiled apps, each a normal process about its own curve, conditioned on the samples exactly. A sample shows
/// the app's value with noise, and what is asked for is the value without.
class Posterior {
 public:
  /// The samples are of different configurations. The population and the prior must outlive this, and so must the
  /// watch. Where it has ended, no result means anything.
  Posterior(const Population& population, const Prior& prior, std::span<const PlacedSample> samples, WatchRef watch = {});

  /// P(place >= goal) for each of the configurations, not yet monotone.
  void probabilities(std::span<const std::uint32_t> configurations, double goal, std::span<double> out) const;
  /// Means and standard deviations of the parts with one configuration: per part its weight and mean; the deviation is common.
  struct Parts {
    std::vector<double> weight;
    std::vector<double> mean;
    double deviation;
  };
  [[nodiscard]] Parts parts(std::size_t configuration) const;
  /// The number of profiled apps of equal weight that would be as telling: 1 / (sum of squared weights).
  [[nodiscard]] double similar() const;

 private:
  /// Covariance of a part's values with two configurations, without noise.
  [[nodiscard]] double shared(std::size_t a, std::size_t b) const;
  /// Which profiled apps fit the samples how well.
  void weigh();
  /// What one configuration's covariances with the samples are, and its deviation after them.
  double reach(std::size_t configuration, std::span<double> covariances) const;

  const Population& population_;
  const Prior& prior_;
  WatchRef watch_;
  std::vector<PlacedSample> samples_;
  std::vector<double> inverse_;      ///< samples x samples: of the covariance of the samples
  std::vector<std::uint32_t> part_;  ///< profiled apps with weight
  std::vector<double> weight_;       ///< per part, in sum 1
  std::vector<double> pull_;         ///< parts x samples: K^-1 (sample - the part's mean)
};

}  // namespace stowage
