// Profiles as learners see them: apps x configurations, on a scale on which differences are alike everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/predict/tables/samples.h"

namespace stowage {

/// A value on the scale of the learner, where higher is better: log((y + e) / (1 - y + e)) with e = 0.03 for performance y, and
/// -log for latency.
double to_scale(SampledMeasure measure, double value);
/// The value of a place on the scale; performance is cut to [0, 1].
double from_scale(SampledMeasure measure, double place);
/// By how much the place moves where the value changes by a small share of itself, per share: the mean slope over 3 % up and
/// down, within what a value may be.
double steepness(SampledMeasure measure, double value);

inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

struct ProfileTable {
  SampledMeasure measure = SampledMeasure::kPerformance;
  std::vector<std::string> resources;
  std::vector<SampledConfiguration> configurations;  ///< ascending by amounts, then collocation
  std::vector<SampleFeature> features;               ///< of the apps below
  std::size_t apps = 0;
  std::vector<double> place;  ///< apps x configurations, on the scale; NaN where not profiled

  /// The index of a configuration, or kNowhere.
  [[nodiscard]] std::size_t find(std::span<const double> amounts, std::uint32_t collocation) const;
};

/// At most so many apps are learned from. Of more, as many are taken at equal distances: time grows with their cube.
inline constexpr std::size_t kMostProfiledApps = 1'000;

// Where the watch ends one of these functions, what it gives is incomplete and nobody uses it.

/// The checked profiles without apps that have no row and apps beyond kMostProfiledApps. Resources keep their order.
Samples thinned(const Samples& profiles, WatchRef watch = {});
/// The configurations of checked profiles, ascending as in a table.
std::vector<SampledConfiguration> configurations_of(const Samples& profiles, WatchRef watch = {});
/// The table of checked profiles, in which every app has a row, with configurations_of() them.
ProfileTable tabulated(const Samples& profiles, std::vector<SampledConfiguration> configurations, WatchRef watch = {});

}  // namespace stowage
