// Runs summed up by axis, as tables and charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/medea/runs.h"

namespace stowage::cli::medea {

/// Means over the runs of one contender at one point; only plans that the checker accepts.
struct Mean {
  std::uint32_t runs = 0;
  double violating = 0;   ///< share of the containers
  double fragmented = 0;  ///< share of the nodes
  double imbalance = 0;
  double given_up = 0;         ///< share of the applications
  double per_application = 0;  ///< seconds of planning
  std::uint32_t with_gap = 0;
  double mean_gap = 0;
  double worst_gap = 0;
  double median_unavailable = 0;
  double most_unavailable = 0;
};

struct SweepResult {
  Sweep sweep = Sweep::kUtilization;
  std::vector<Point> points;
  std::vector<lab::Contender> contenders;
  std::vector<Mean> means;  ///< point by point

  [[nodiscard]] const Mean& mean(std::size_t point, std::size_t contender) const {
    return means[point * contenders.size() + contender];
  }
};
SweepResult sum_up(Sweep sweep, const Scale& scale, const std::vector<lab::Contender>& contenders,
                   const std::vector<Run>& runs);

struct Setting {
  std::string command;
  std::uint64_t seeds = 1;
  std::uint64_t deadline_ms = 0;
  std::vector<std::string> missing;  ///< contenders that this build lacks
};

void print_results(const std::vector<SweepResult>& results, const Setting& setting, const Console& console);
void add_figures(const std::vector<SweepResult>& results, lab::Figures& figures);
void write_markdown(const std::vector<SweepResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path);
inline constexpr const char* kMarkdownWord = "stowage-lab bench medea";

/// Writes a chart per figure into `folder`, each with the script that draws it.
void draw_charts(const std::vector<SweepResult>& results, const std::string& folder);

}  // namespace stowage::cli::medea
