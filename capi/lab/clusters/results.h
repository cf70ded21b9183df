// Runs on clusters summed up by class, as tables and charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/clusters/runs.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/tables.h"

namespace stowage::cli::clusters {

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

/// The clusters with one number of apps: means by features and contender.
struct SizeResult {
  std::uint32_t apps = 0;
  std::vector<std::string> features;
  std::vector<lab::Contender> contenders;
  std::vector<Mean> means;  ///< features by features

  [[nodiscard]] const Mean& mean(std::size_t feature, std::size_t contender) const {
    return means[feature * contenders.size() + contender];
  }
};
SizeResult sum_up(std::uint32_t apps, const std::vector<std::string>& features, const std::vector<lab::Contender>& contenders,
                  const std::vector<Run>& runs);

struct Setting {
  std::string command;
  std::uint64_t seeds = 1;
};

void print_results(const std::vector<SizeResult>& results, const Setting& setting, const Console& console);
void add_figures(const std::vector<SizeResult>& results, lab::Figures& figures);
void write_markdown(const std::vector<SizeResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path);
inline constexpr const char* kMarkdownWord = "stowage-lab bench clusters";

/// Writes a chart per number of apps into `folder`, with the script that draws it.
void draw_charts(const std::vector<SizeResult>& results, const std::string& folder);

}  // namespace stowage::cli::clusters
