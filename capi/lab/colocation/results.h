// Runs on instances of colocation summed up by class and size, as tables and charts.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/colocation/runs.h"
#include "capi/lab/experiment/tables.h"

namespace stowage::cli::colocation {

/// What is compared: a contender, or several of which the best plan of each instance counts.
struct Group {
  std::string name;
  std::vector<std::string> labels;
};

/// Costs of one group over a bound, for the instances of one class and size.
struct Ratios {
  std::vector<double> over_paper;  ///< sorted; P4's bound
  std::vector<double> over_best;   ///< sorted; the best that any run proved, at least the largest load
  std::uint32_t proven = 0;
  std::uint32_t least = 0;  ///< instances on which no other group's plan costs less
  double seconds = 0;       ///< mean

  [[nodiscard]] std::uint32_t within(double share) const;
};
/// The value below which `share` of the sorted numbers lie, interpolated; 0 for none.
double quantile(const std::vector<double>& sorted, double share);

struct ClassResult {
  std::string word;
  bool large = false;
  /// Whether these are only instances whose bound is above the largest load, so that more than one app decides.
  bool loaded_only = false;
  std::uint32_t instances = 0;
  std::vector<Ratios> groups;
};
/// Classes in the order of the generator, small before large, all instances before the loaded ones.
/// @param runs those of one command: each instance has one run of a contender at most
std::vector<ClassResult> sum_up(const std::vector<Group>& groups, const std::vector<Run>& runs);

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
inline constexpr const char* kMarkdownWord = "stowage-lab bench colocation";

/// Writes box plots into `folder`, with the scripts that draw them: by size, over P4's bound and, of the loaded instances, over
/// ours.
void draw_charts(const std::vector<ClassResult>& results, const Setting& setting, const std::string& folder);
std::vector<std::string> chart_names(const std::vector<ClassResult>& results);

}  // namespace stowage::cli::colocation
