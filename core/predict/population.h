// What a population of profiled apps tells of a new one before it is measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/predict/tables/profile_table.h"

namespace stowage {

/// Features of one app, in the order of the model's.
struct KnownFeatures {
  std::vector<double> number;       ///< NaN where unknown, and for features of words
  std::vector<std::uint32_t> word;  ///< index in WordLists, kUnknownWord where unknown, and for features of numbers

  static constexpr std::uint32_t kUnknownWord = 0xFFFFFFFF;
  [[nodiscard]] bool knows(std::size_t feature) const;
};

/// The words of each feature, ascending.
using WordLists = std::vector<std::vector<std::string>>;

/// How the curves of apps scatter about what their features say.
struct Scatter {
  std::vector<double> covariance;  ///< configurations x configurations, row-major; with noise
  std::vector<double> noise;       ///< variance of one measurement of each configuration
};

/// What is expected of an app: its curve is `mean` plus the deviation of one of the profiled apps, plus a normal deviation with
/// `share` of the scatter.
struct Prior {
  std::vector<double> mean;    ///< per configuration
  std::vector<double> misfit;  ///< per profiled app: that it is this one has the weight exp(-misfit / 2)
  const Scatter* scatter = nullptr;
  double share = 1;
};

/// The profiled apps seen through some of their features.
///
/// The expected curve is a kernel ridge regression on the features (LraSched's profiles with side features), a Gaussian process
/// whose kernel is constant + linear + radial in the standardized numbers, times a factor where words differ; numbers that are
/// positive and span a factor of ten enter as logarithms. The deviations of profiled apps are its leave-one-out residuals, in
/// closed form: alpha_i / (K^-1)_ii. What was not profiled is filled in by expectation and maximization of a normal model.
class Population {
 public:
  /// `uses` says for each feature of the table whether it counts. The table must outlive the population. A population whose
  /// watch has ended is of no use.
  Population(const ProfileTable& table, const WordLists& words, std::vector<char> uses, WatchRef watch = {});

  /// The app must know all features that count.
  [[nodiscard]] Prior prior(const KnownFeatures& app) const;
  [[nodiscard]] const std::vector<char>& uses() const { return uses_; }
  [[nodiscard]] std::size_t apps() const { return apps_; }
  [[nodiscard]] std::size_t configurations() const { return configurations_; }
  /// Variance of a measurement as a share of the square of the value.
  [[nodiscard]] double noise() const { return noise_; }
  /// How a profiled app deviates from what its features say, per configuration.
  [[nodiscard]] std::span<const double> deviation(std::size_t app) const {
    return {&deviation_[app * configurations_], configurations_};
  }

 private:
  struct Number {
    std::size_t feature;
    bool logarithm;
    std::vector<double> centre;  ///< per group, and overall
    double scale;
  };
  struct Seen {
    std::vector<double> at;  ///< standardized numbers
    std::uint32_t group;
  };

  void group_apps(const ProfileTable& table, const WordLists& words, WatchRef watch);
  void standardize(const ProfileTable& table);
  [[nodiscard]] double standardized(const Number& number, double value, std::uint32_t group) const;
  /// `radial`: exp(-squared_distance / 2).
  [[nodiscard]] double kernel(const Seen& a, const Seen& b, double radial) const;
  [[nodiscard]] double squared_distance(const Seen& a, const Seen& b) const;
  [[nodiscard]] std::uint32_t group_of(std::span<const std::uint32_t> words) const;
  void fit(std::span<const double> inverse, std::span<const double> place, WatchRef watch);
  void measure_scatter(std::span<const double> unseen, WatchRef watch);
  void measure_noise(const ProfileTable& table, WatchRef watch);
  void fill_in(const ProfileTable& table, std::span<const double> inverse, WatchRef watch);
  [[nodiscard]] std::size_t scatter_of(std::uint32_t group) const;

  std::vector<char> uses_;
  std::size_t apps_;
  std::size_t configurations_;
  std::vector<std::vector<std::uint32_t>> groups_;  ///< the words of each group of apps; the last group is of unknown words
  std::vector<std::size_t> group_size_;
  std::vector<Number> numbers_;
  std::vector<Seen> seen_;         ///< per app
  std::vector<double> centre_;     ///< mean curve
  std::vector<double> steepness_;  ///< per configuration: sum of squares over apps
  double noise_ = 0;
  std::vector<double> alpha_;            ///< apps x configurations
  std::vector<double> deviation_;        ///< apps x configurations
  std::vector<std::size_t> scatter_at_;  ///< per group
  std::vector<Scatter> scatter_;         ///< of all apps, then of groups with enough apps
};

}  // namespace stowage
