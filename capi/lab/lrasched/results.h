// Runs of P3's simulation summed up by cell, as tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/learning/baselines.h"
#include "capi/lab/lrasched/runs.h"

namespace stowage::cli::lrasched {

/// Means over the instances of one cell; only plans that the checker accepts count.
struct Mean {
  std::uint32_t runs = 0;
  double admitted = 0;
  double gap = 0;  ///< of what is admitted, to the run's own bound
  double utilization = 0;
  double added = 0;
  double seconds = 0;
};

struct CellResult {
  Cell of;
  double most = 0;          ///< mean of the best bounds of any run on what can be admitted
  double least_added = 0;   ///< the same of the nodes that have to be added
  std::vector<Mean> means;  ///< by contender
};
std::vector<CellResult> sum_up(const std::vector<Cell>& cells, const std::vector<std::string>& labels,
                               const std::vector<Run>& runs);

struct Setting {
  std::string command;
  std::uint64_t seeds = 1;
  std::uint64_t deadline_ms = 0;
  std::vector<std::string> labels;
  std::vector<std::string> missing;  ///< contenders that this build lacks
};

/// What there is to show.
struct Results {
  std::vector<CellResult> cells;
  std::optional<sizes::BaselineScore> learned;  ///< table 2 and figure 5
};

void print_results(const Results& results, const Setting& setting, const Console& console);
void add_figures(const Results& results, const Setting& setting, lab::Figures& figures);
/// @param charts the folder with the charts, if they are drawn
void write_markdown(const Results& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path);
inline constexpr const char* kMarkdownWord = "stowage-lab bench lrasched";

struct ChartName {
  std::string file;  ///< without its ending
  std::string title;
};
/// The charts of the figures for which there are results, in their order.
std::vector<ChartName> chart_names(const Results& results);
/// Writes them, and the scripts that draw them, into `folder`.
void draw_charts(const Results& results, const Setting& setting, const std::string& folder);

}  // namespace stowage::cli::lrasched
