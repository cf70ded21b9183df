// Plans of generated clusters, feature by feature: what is measured of one, and means by class.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/experiment.h"

namespace stowage::cli::clusters {

/// Clusters that differ by their seed only.
struct Class {
  std::string features;  ///< as `stowage generate cluster --features` takes them
  std::uint32_t apps = 0;

  bool operator==(const Class&) const = default;
  bool operator<(const Class& other) const { return std::tie(features, apps) < std::tie(other.features, other.apps); }
};
/// "300 apps, limits".
std::string class_text(const Class& of);

/// The features that are measured by default, and the numbers of apps.
const std::vector<std::string>& default_features();
const std::vector<std::uint32_t>& default_sizes();
/// Deadlines as labels of contenders have them.
const std::vector<std::string>& default_deadlines();

struct Run : lab::MeasuredRun {
  Class of;
  std::uint64_t seed = 0;
  bool priced = false;                ///< value and bound are costs; else numbers of nodes
  double value = 0;                   ///< of the plan
  std::optional<double> bound;        ///< the plan's own
  std::uint64_t rule_violations = 0;  ///< of soft rules

  /// How far the plan of all replicas is above its bound, as a share of the bound.
  [[nodiscard]] std::optional<double> gap() const;

  static void fields(Run& run, lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, seed, label, deadline_ms); }
};

/// Means over the clusters of one class. Only plans that the checker accepts count; gaps only where everything is placed.
struct Mean {
  std::uint32_t runs = 0;
  bool priced = false;
  double value = 0;           ///< cost or nodes
  std::uint32_t bounded = 0;  ///< runs with a gap
  double bound = 0;
  double gap = 0;
  double worst_gap = 0;
  double rule_violations = 0;
  double unplaced = 0;
  double seconds = 0;
};
lab::Means<Class, Mean> means_of(const std::vector<Run>& runs);

}  // namespace stowage::cli::clusters
