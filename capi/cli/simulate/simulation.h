// Simulation of a plan whose demand varies: draws usage and counts how often the capacity of a node is exceeded (P1,
// section 6.1). docs/understand/stochastic.md explains it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"

namespace stowage::cli::stochastic {

/// How the usage of a replica whose demand has a variance is drawn.
enum class UsageModel : std::uint8_t {
  kTruncated,  ///< Gaussian, drawn again until it is within the demand's range
  kClamped,    ///< Gaussian; outside of the range, the nearer end of the range
  kGaussian,   ///< Gaussian without a range
};
/// "truncated", "clamped", "gaussian"; fails on any other word.
UsageModel parse_usage_model(std::string_view word);
const char* usage_word(UsageModel model);

/// Measured usages of single replicas, by app and resource.
class MeasuredUsage {
 public:
  /// Reads a CSV with the header app,usage or app,resource,usage; a line is one measurement of one replica. Fails where the
  /// file is not such a CSV or names what the instance does not have. Without the column resource, the instance must have
  /// exactly one resource.
  static MeasuredUsage read(const std::string& path, const wire::Instance& instance);

  /// The measurements of (app, resource); empty where there are none.
  [[nodiscard]] const std::vector<double>& of(std::uint32_t app, std::uint32_t resource) const {
    return values_.empty() ? none_ : values_[std::size_t{app} * resources_ + resource];
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::size_t resources_ = 0;
  std::vector<std::vector<double>> values_;  ///< apps x resources
  std::vector<double> none_;
  std::uint64_t count_ = 0;
};

struct SimulationOptions {
  std::uint32_t samples = 10'000;  ///< draws of the whole cluster
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;  ///< 0: one per processor; the result does not depend on it
  UsageModel model = UsageModel::kTruncated;
};

/// The usage of one varying resource on one node in use. An observation is one sample in one period.
struct NodeUsage {
  std::uint32_t node = 0;
  std::uint32_t resource = 0;
  double mean = 0;       ///< expected usage in the period where it is largest
  double deviation = 0;  ///< its standard deviation
  double capacity = 0;
  double drawn_mean = 0;  ///< of all observations
  std::uint64_t observations = 0;
  std::uint64_t violations = 0;  ///< observations above the capacity

  [[nodiscard]] double rate() const {
    return observations == 0 ? 0 : static_cast<double>(violations) / static_cast<double>(observations);
  }
};

struct Simulation {
  std::vector<NodeUsage> nodes;  ///< by node, then by resource
  std::uint64_t observations = 0;
  std::uint64_t violations = 0;
  std::uint64_t samples = 0;
  std::uint64_t samples_violated = 0;  ///< with a violation on any node

  [[nodiscard]] double rate() const {
    return observations == 0 ? 0 : static_cast<double>(violations) / static_cast<double>(observations);
  }
};

/// Fails where the plan refers to what the instance does not have, or is for an instance with a fingerprint other than
/// `fingerprint`.
void check_plan(const wire::Instance& instance, const wire::Plan& plan, std::uint64_t fingerprint);

/// Simulates a plan that check_plan() accepts for an instance that the library accepts. Fails where the mean of a demand is
/// outside of its range, and where no demand varies.
Simulation simulate(const wire::Instance& instance, const wire::Plan& plan, const MeasuredUsage& measured,
                    const SimulationOptions& options);

}  // namespace stowage::cli::stochastic
