// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learning_generated.h"

namespace stowage::cli {

/// What is known of apps before anything is measured, such as a family, a load or a data size. Exactly one of the two columns is
/// present.
struct FeatureData {
  std::string name{};
  /// NaN = not known. Length: apps.
  std::vector<double> numbers{};
  /// Empty = not known. Length: apps.
  std::vector<std::string> words{};
};

/// Measurements of apps: how each performed with some configurations. A configuration is an amount of each resource for a
/// container, and a degree of collocation.
struct SamplesData {
  wire::Measure measure = wire::Measure::Performance;
  std::vector<std::string> resources{};
  /// Unique names.
  std::vector<std::string> apps{};
  std::vector<FeatureData> features{};
  /// What each app asks for today; NaN in all resources of an app = not known. Length: apps x resources; absent = not known.
  std::vector<double> asked{};
  /// App of each row, an index into `apps`.
  std::vector<std::uint32_t> row_app{};
  /// Amounts of each row, above 0. Length: rows x resources.
  std::vector<double> row_amounts{};
  /// Containers of the app that share a node. Length: rows; absent = all 1.
  std::vector<std::uint32_t> row_collocation{};
  /// What was measured in each row. Length: rows.
  std::vector<double> row_value{};
};

/// What recommended configurations are to reach.
struct GoalData {
  /// A performance to reach at least, in (0, 1], or a latency in milliseconds to reach at most.
  double value = 0;
  /// Probability with which the goal is to be met, in (0, 1).
  double confidence = 0.8;
  /// Cost of one unit of each resource, not all 0. Length: resources of the samples; absent = the largest amount that any
  /// configuration has of a resource costs 1.
  std::vector<double> cost{};
  /// Sizes stay as the apps ask for them; only the degree of collocation is chosen.
  bool keep_asked = false;
};

/// What a model is asked: a recommendation for each app of the samples.
struct QuestionData {
  SamplesData samples{};
  GoalData goal{};
  /// True: the answer has what is known of every configuration for every app.
  bool curves = false;
};

}  // namespace stowage::cli
