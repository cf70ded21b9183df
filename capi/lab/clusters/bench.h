// Plans of generated clusters, feature by feature: what is measured of one, and means by class.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"

namespace stowage::cli::clusters {

/// Clusters that differ by their seed only.
struct Class {
  std::string features;  ///< as `stowage generate cluster --features` takes them
  std::uint32_t apps = 0;

  auto operator<=>(const Class&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
};
/// "300 apps, limits".
std::string class_text(const Class& of);

struct Run : lab::MeasuredRun {
  Class of;
  std::uint64_t seed = 0;
  bool priced = false;                ///< value and bound are costs; else numbers of nodes
  double value = 0;                   ///< of the plan
  std::optional<double> bound;        ///< the plan's own
  std::uint64_t rule_violations = 0;  ///< of soft rules

  /// How far the plan of all replicas is above its bound, as a share of the bound.
  [[nodiscard]] std::optional<double> gap() const;

  /// Where the checker accepts the plan: `value` is cost or, where it is not `priced`, nodes; `bound` and `gap` only where
  /// everything is placed.
  void add_to(lab::Tally& tally) const;
  void fields(lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, seed, label, deadline_ms); }
};

}  // namespace stowage::cli::clusters
