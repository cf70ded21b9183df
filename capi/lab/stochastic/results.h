// Runs on drawn clusters summed up by table, and as tables and charts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/cli/simulate/simulation.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/stochastic/experiments.h"
#include "capi/lab/stochastic/runs.h"

namespace stowage::cli::stochastic {

/// The contender to whose run on the same instance tables 1 and 2 relate all figures.
inline constexpr const char* kBaseline = "bf-nsigma";

/// Means over the runs of one contender on one class; only plans that count.
struct Mean {
  std::uint32_t runs = 0;
  std::uint32_t counted = 0;
  std::uint32_t related = 0;  ///< with a run of the baseline on the same instance
  std::uint32_t bounded = 0;  ///< with a bound on UCaC
  double requested = 0;
  double ucac = 0;
  double nodes = 0;
  double node_bound = 0;  ///< the best one, too
  double relative_ucac = 0;
  double relative_nodes = 0;
  double gap = 0;        ///< UCaC above the best bound that any run on the same instance proved
  double worst_gap = 0;  ///< of all runs
  double seconds = 0;
  double worst_seconds = 0;
  std::uint64_t observations = 0;  ///< sum
  std::uint64_t exceeded = 0;      ///< sum
  double exceeded_in_all = 0;      ///< machines above capacity, at a time, summed over the days

  [[nodiscard]] double rate() const {
    return observations == 0 ? 0 : static_cast<double>(exceeded) / static_cast<double>(observations);
  }
};

struct TableResult {
  const Table* table = nullptr;
  std::vector<ClusterClass> classes;
  std::vector<lab::Contender> contenders;
  std::vector<Mean> means;  ///< class by class

  [[nodiscard]] const Mean& mean(std::size_t of, std::size_t contender) const {
    return means[of * contenders.size() + contender];
  }
};

/// Contenders without runs or published figures are left out.
TableResult sum_up(const Table& table, const Scale& scale, const std::vector<lab::Contender>& contenders,
                   const std::vector<Run>& runs);

/// Facts for the text around the tables.
struct Setting {
  std::string command;
  std::uint64_t seeds = 1;
  std::uint32_t samples = 0;
  UsageModel usage = UsageModel::kTruncated;
  std::uint32_t machines = 0;
  std::vector<std::string> missing;  ///< contenders that this build lacks
};

void print_results(const std::vector<TableResult>& results, const Setting& setting, const Console& console);
void add_figures(const std::vector<TableResult>& results, lab::Figures& figures);

/// Writes the tables as Markdown into their place in `path`; charts of `charts` are linked where it is given.
void write_markdown(const std::vector<TableResult>& results, const std::vector<Run>& runs, const std::vector<MachineUse>& uses,
                    const Setting& setting, const std::optional<std::string>& charts, const std::string& path);
inline constexpr const char* kMarkdownWord = "stowage-lab bench stochastic";

/// The class that P1's figure 3 shows for a table: most services, highest confidence.
ClusterClass charted_class(const Table& table, const Scale& scale);

/// Draws what `uses` holds into `folder`: a chart per case (P1, figure 3).
void draw_uses(const std::vector<MachineUse>& uses, double capacity, const std::string& folder);

}  // namespace stowage::cli::stochastic
