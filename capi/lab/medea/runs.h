// P2's simulations: what is measured at a point of an axis.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "capi/lab/experiment/run_table.h"
#include "capi/lab/medea/experiments.h"

namespace stowage::cli::medea {

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

  static void fields(Run& run, lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, cluster, seed, label, deadline_ms); }
};

}  // namespace stowage::cli::medea
