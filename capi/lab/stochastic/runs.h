// What was measured on drawn clusters, one record per instance and planner, and the files that keep it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/experiment/run_table.h"
#include "capi/lab/stochastic/experiments.h"

namespace stowage::cli::stochastic {

struct Run : lab::MeasuredRun {
  ClusterClass of;
  std::uint32_t machines = 0;  ///< of the cluster
  std::string layout;          ///< planner of the initial layout
  std::string usage;           ///< how usage is drawn
  std::uint64_t seed = 0;
  std::uint32_t day = 0;        ///< of the week, from 0
  std::uint64_t requested = 0;  ///< containers to place
  double ucac = 0;
  std::optional<double> ucac_bound;
  std::optional<double> node_bound;
  std::uint32_t samples = 0;
  std::uint64_t observations = 0;  ///< machines x samples
  std::uint64_t exceeded = 0;      ///< observations above the capacity

  static void fields(Run& run, lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, machines, layout, usage, seed, day, label, deadline_ms, samples); }
};

/// Used capacity at confidence of the machines of one plan, the largest first.
struct MachineUse {
  ClusterClass of;
  std::uint64_t seed = 0;
  std::string label;
  std::vector<double> ucac;
};
void write_uses(const std::vector<MachineUse>& uses, const std::string& path);
std::vector<MachineUse> read_uses(const std::string& path);

}  // namespace stowage::cli::stochastic
