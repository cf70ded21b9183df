// Measurements of applications: what profiles to learn from and samples of new apps have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"

namespace stowage {

/// How a container may run: an amount of each resource of the model, and how many containers of the app share a node.
struct SampledConfiguration {
  std::vector<double> amounts;
  std::uint32_t collocation = 1;
  friend bool operator==(const SampledConfiguration&, const SampledConfiguration&) = default;
};

/// What was measured.
enum class SampledMeasure : std::uint32_t {
  kPerformance = 0,  ///< in [0, 1], higher is better
  kLatency = 1,      ///< in milliseconds, above 0, lower is better
};

/// What is known of apps before anything is measured, such as a family, a load or a data size. Exactly one of the two columns
/// has an entry per app; the other one is empty.
struct SampleFeature {
  std::string name;
  std::vector<double> numbers;     ///< finite; NaN where unknown
  std::vector<std::string> words;  ///< empty where unknown
};

/// A table of measurements: columns of apps, and columns of rows. A row says how an app performed with a configuration, which
/// is an amount of each resource for a container and a degree of collocation.
struct Samples {
  SampledMeasure measure = SampledMeasure::kPerformance;
  std::vector<std::string> resources;  ///< at least one, without duplicates
  // One entry per app.
  std::vector<std::string> apps;  ///< without duplicates; an app may have no row
  std::vector<SampleFeature> features;
  /// What each app asks for today, apps x resources, row-major; NaN in all resources of an app where unknown. May be empty.
  std::vector<double> asked;
  // One entry per row.
  std::vector<std::uint32_t> row_app;          ///< index in `apps`
  std::vector<double> row_amounts;             ///< rows x resources, row-major; above 0
  std::vector<std::uint32_t> row_collocation;  ///< containers of the app beside each other on a node, at least 1
  std::vector<double> row_value;               ///< as `measure` says

  [[nodiscard]] std::size_t rows() const { return row_app.size(); }
};

/// The largest table that is read.
struct SampleLimits {
  std::size_t apps = 100'000;
  std::size_t rows = 10'000'000;
  std::size_t configurations = 256;
  std::size_t resources = 16;
  std::size_t features = 32;
  std::size_t name_bytes = 1'024;  ///< of an app, a resource, a feature or a word
};

/// Code::kOk, or what is wrong with the table. The path names the column and the entry: "rows[17].value",
/// "rows[17].amounts[1]", "apps[4]", "features[0].numbers[4]", "asked[9]" (of apps x resources), "resources[1]". Two rows of
/// one app and configuration must have one value.
Error check_samples(const Samples& samples, const SampleLimits& limits = {}, WatchRef watch = {});

}  // namespace stowage
