// Sizes and degrees of collocation that are learned: from a population of profiled apps and a few samples of a new one to the
// probability that each configuration meets a goal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/predict/tables/samples.h"

namespace stowage {

/// What a recommendation is to reach.
struct Goal {
  double value = 0;         ///< performance at least this, in (0, 1], or latency at most this, in ms
  double confidence = 0.8;  ///< probability with which the goal is to be met, in (0, 1)
  /// Cost of one unit of each resource of the model, at least 0 and not all 0. Empty: each resource costs 1 for the largest
  /// amount that a configuration has.
  std::vector<double> cost;
  /// The size stays as the app asks for it; only the degree of collocation is chosen. Samples::asked must then be a size of the
  /// model for each app.
  bool keep_asked = false;
};

/// Why a recommendation is as it is.
enum class RecommendationReason : std::uint32_t {
  kMeetsGoal = 0,          ///< the cheapest configuration that meets the goal at the confidence asked for
  kNotEnoughEvidence = 1,  ///< none does yet, and one may: take the next sample
  kGoalOutOfReach = 2,     ///< the most probable configuration was sampled and is below 1 - confidence
};

/// What the model recommends for one app. Configurations are indices in SizeModel::configurations().
struct Recommendation {
  std::uint32_t app = 0;  ///< index in the samples
  RecommendationReason reason = RecommendationReason::kNotEnoughEvidence;
  /// Size and degree of collocation; none unless `reason` is kMeetsGoal.
  std::optional<std::uint32_t> choice;
  /// That the choice meets the goal; without a choice, that the most probable configuration does.
  double probability = 0;
  /// Of the cheaper sizes, which miss the confidence, the one that meets the goal most probably. None where no size is cheaper.
  /// Without a choice: the most probable configuration.
  std::optional<std::uint32_t> runner_up;
  double runner_up_probability = 0;
  double cost = 0;  ///< of one container of the chosen size; 0 without a choice
  /// Share of the cost that the choice saves against what the app asks for, negative where it costs more; NaN without a choice
  /// or where nothing was asked.
  double saving_asked = 0;
  double saving_largest = 0;  ///< the same against the costliest configuration
  /// The sample to take next: the one with the largest expected saving. None where no sample is expected to save anything.
  std::optional<std::uint32_t> next_sample;
  double next_saving = 0;     ///< what it is expected to save, as a share of the cost of the costliest configuration
  std::uint32_t samples = 0;  ///< on how many samples of this app it rests
  std::uint32_t similar = 0;  ///< on how many profiled apps it rests, in effect: 1 / (sum of squared weights), rounded
};

/// What is known of a configuration for one app.
struct CurvePoint {
  double mean = 0;         ///< performance, or latency in ms
  double low = 0;          ///< one in twenty is below
  double high = 0;         ///< one in twenty is above
  double probability = 0;  ///< of meeting the goal; never smaller with more of each resource and no more collocation
};

/// A model that has learned from profiles. Immutable: many threads may share one.
class SizeModel {
 public:
  /// Learns from profiled apps. Apps may be profiled partly, or with any set of configurations. An empty table is refused, and
  /// so is every row that check_samples() refuses.
  static Result<SizeModel> learn(const Samples& profiles, const SampleLimits& limits = {}, WatchRef watch = {});

  /// A recommendation for each app of the samples, in their order. The samples have the model's measure and resources; their
  /// features are features of the model, in any order, and may lack some. A row whose configuration no profile has is refused.
  [[nodiscard]] Result<std::vector<Recommendation>> recommend(const Samples& samples, const Goal& goal,
                                                              WatchRef watch = {}) const;

  /// What is known of each configuration: apps x configurations, row-major. Errors as recommend().
  [[nodiscard]] Result<std::vector<CurvePoint>> curves(const Samples& samples, const Goal& goal, WatchRef watch = {}) const;

  [[nodiscard]] SampledMeasure measure() const;
  [[nodiscard]] std::span<const std::string> resources() const;
  [[nodiscard]] std::span<const SampledConfiguration> configurations()
      const;                                                    ///< in ascending order of amounts, then collocation
  [[nodiscard]] std::size_t apps() const;                       ///< number of profiled apps
  [[nodiscard]] std::span<const std::string> features() const;  ///< names
  [[nodiscard]] bool is_word(std::size_t feature) const;        ///< whether a feature is of words
  /// Cost of one container of the configuration, by Goal::cost.
  [[nodiscard]] double cost(std::size_t configuration, const Goal& goal) const;

  /// The model as bytes, the same on every platform, with a checksum.
  [[nodiscard]] std::vector<std::uint8_t> bytes() const;
  /// Code::kMalformed where the bytes are truncated, edited, or no model; Code::kInvalid where their content is;
  /// Code::kCancelled.
  static Result<SizeModel> from_bytes(std::span<const std::uint8_t> bytes, const SampleLimits& limits = {},
                                      WatchRef watch = {});

  class Content;  ///< what is learned, opaque
  explicit SizeModel(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

 private:
  std::shared_ptr<const Content> content_;
};

}  // namespace stowage
