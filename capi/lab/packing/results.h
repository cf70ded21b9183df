// Runs on packing instances summed up by class, as tables and charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/packing/runs.h"

namespace stowage::cli::packing {

/// What is compared: a contender, or several of which the best plan of each instance counts.
struct Group {
  std::string name;
  std::vector<std::string> labels;
};

/// Means over the instances of one class; only complete plans that the checker accepts count.
struct Mean {
  std::uint32_t runs = 0;
  std::uint32_t proven = 0;
  std::uint32_t fewest = 0;  ///< instances on which no other group has fewer nodes
  double nodes = 0;
  double seconds = 0;
};

struct ClassResult {
  Class of;
  std::uint32_t instances = 0;  ///< with at least one run
  double bound = 0;             ///< mean of the best bounds of any run
  std::vector<Mean> means;      ///< by group
};
/// @param runs those of one command: each instance has one run of a contender at most
std::vector<ClassResult> sum_up(const std::vector<Class>& classes, const std::vector<Group>& groups,
                                const std::vector<Run>& runs);

struct Setting {
  std::string command;
  std::uint64_t seeds = 1;
  std::uint64_t deadline_ms = 0;
  std::vector<Group> groups;
  std::vector<std::string> missing;  ///< contenders that this build lacks
};

void print_results(const std::vector<ClassResult>& results, const Setting& setting, const Console& console);
void add_figures(const std::vector<ClassResult>& results, const Setting& setting, lab::Figures& figures);
void write_markdown(const std::vector<ClassResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path);
inline constexpr const char* kMarkdownWord = "stowage-lab bench packing";

/// Writes the chart of proven shares into `folder`, with the script that draws it.
void draw_charts(const std::vector<ClassResult>& results, const Setting& setting, const std::string& folder);

}  // namespace stowage::cli::packing
