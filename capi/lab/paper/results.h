// Runs summed up by figure, and as tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capi/cli/base/console.h"
#include "capi/lab/experiment/contenders.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/paper/figures.h"
#include "capi/lab/paper/published.h"
#include "capi/lab/paper/runs.h"

namespace stowage::cli::paper {

/// Means over the runs of one contender on one class; only plans that count.
struct Mean {
  std::uint32_t runs = 0;
  std::uint32_t counted = 0;
  std::uint32_t proven = 0;  ///< proven optimal
  std::uint32_t cut = 0;     ///< ended by the deadline
  double nodes = 0;
  double bound = 0;
  double gap = 0;
  double seconds = 0;
};

struct Cell {
  Mean ours;
  std::optional<PublishedMean> published;
};

struct FigureResult {
  const Figure* figure = nullptr;
  std::vector<InstanceClass> classes;
  std::vector<lab::Contender> contenders;
  std::vector<Cell> cells;     ///< class by class
  std::vector<Cell> averages;  ///< per contender, over the classes that were run; counts are sums
  bool has_published = false;

  [[nodiscard]] const Cell& cell(std::size_t of, std::size_t contender) const {
    return cells[of * contenders.size() + contender];
  }
};

/// `published` may be nullptr. Contenders without runs or published figures are left out.
FigureResult sum_up(const Figure& figure, const Scale& scale, const std::vector<lab::Contender>& all_contenders,
                    const std::vector<Run>& runs, const Published* published);

/// Facts for the text around the tables.
struct Setting {
  std::string command;
  std::string sizes;  ///< as in Run
  std::uint64_t seeds = 1;
  std::vector<std::string> missing;  ///< contenders that this build lacks
};

void print_results(const std::vector<FigureResult>& results, const Setting& setting, const Console& console);
void add_figures(const std::vector<FigureResult>& results, lab::Figures& figures);

/// Writes the tables as Markdown into their place in `path` (see write_between()). Charts are linked where `charts`, the folder
/// that holds them, is given.
void write_markdown(const std::vector<FigureResult>& results, const std::vector<Run>& runs, const Setting& setting,
                    const std::optional<std::string>& charts, const std::string& path);
inline constexpr const char* kMarkdownWord = "stowage-lab bench paper";

}  // namespace stowage::cli::paper
