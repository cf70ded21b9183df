// P2's simulations: what is measured at a point of an axis.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"

namespace stowage::cli::medea {

enum class Sweep : std::uint8_t {
  kResilience,
  kUtilization,
  kTasks,
  kPeriodicity,
  kComplexity,
  kNodes,
  kTwoSchedulers,
  kOneScheduler
};

/// One point of an axis.
struct Point {
  Sweep sweep = Sweep::kUtilization;
  double x = 0;

  auto operator<=>(const Point&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
};
/// "utilization 30 %".
std::string class_text(const Point& point);

/// Share of each service unit's machines that is unavailable, hour by hour (P2, figure 3): mostly below 3 %, at times a quarter
/// or all of a unit, each unit at its own times.
std::vector<std::vector<double>> draw_unavailability(std::uint32_t service_units, std::uint32_t hours, std::uint64_t seed);

/// `seconds` and `call_seconds` are sums over all intervals; `unplaced` counts containers of applications that were given up.
struct Run : lab::MeasuredRun {
  Point of;
  std::uint32_t cluster = 0;  ///< nodes of the cluster
  std::uint64_t seed = 0;
  std::uint32_t applications = 0;  ///< measured
  std::uint32_t given_up = 0;
  std::uint64_t containers = 0;  ///< that run in the end
  std::uint64_t violating = 0;   ///< of them
  double cost = 0;               ///< sum of the violations' extents
  std::uint64_t fragmented = 0;  ///< nodes
  double imbalance = 0;          ///< coefficient of variation of the nodes' memory
  std::optional<double> mean_gap;
  std::optional<double> worst_gap;
  std::optional<double> median_unavailable;  ///< of the worst application, over the hours
  std::optional<double> most_unavailable;

  /// Where the checker accepts the plan; as shares of all containers, nodes and applications.
  void add_to(lab::Tally& tally) const;
  void fields(lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, cluster, seed, label, deadline_ms); }
};

}  // namespace stowage::cli::medea
