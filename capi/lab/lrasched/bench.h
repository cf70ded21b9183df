// P3's simulation: what is measured of an instance, and means by cell.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/cli/generate/lras/lras.h"
#include "capi/lab/experiment/run_table.h"
#include "capi/lab/experiment/tables.h"
#include "capi/lab/learning/learning.h"

namespace stowage::cli::lrasched {

/// Instances that differ by their seed only.
struct Cell {
  /// literal: as printed; scaled: nearly everything fits; added: the same, and nodes may be added; latency: literal, for
  /// figures 11 and 12; testbed: of figure 6, where `apps` have arrived so far.
  std::string load;
  std::uint32_t apps = 0;
  std::uint32_t nodes = 0;
  std::uint32_t dims = 0;
  std::uint32_t containers = 1;

  auto operator<=>(const Cell&) const = default;  // NOLINT(modernize-use-nullptr): of the code that the compiler makes
  /// The size of the instances.
  [[nodiscard]] std::string size_text() const { return std::to_string(apps) + "/" + std::to_string(nodes); }
};
/// "literal, 500 apps, 100 nodes, 3 dimensions".
std::string class_text(const Cell& of);

/// The cells of figure 11 (3 resources) or 12 (6): clusters of so many nodes, with four apps per node, as printed.
std::vector<Cell> latency_cells(const std::vector<std::uint32_t>& nodes, std::uint32_t dims);
/// The cells of figure 6, one per arrival.
std::vector<Cell> testbed_cells();

struct Run : lab::MeasuredRun {
  Cell of;
  std::uint64_t seed = 0;
  std::uint64_t admitted = 0;
  std::optional<double> most;  ///< the plan's own bound on what can be admitted
  double utilization = 0;      ///< P3, section 4.2.1: used share of the nodes that exist, mean over resources
  std::uint64_t added = 0;     ///< nodes
  std::optional<double> least_added;

  /// What is not admitted is left out.
  [[nodiscard]] bool counts() const { return accepted(); }
  void fields(lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, seed, label, deadline_ms); }
};

struct CellResult {
  Cell of;
  double most = 0;         ///< mean of the best bounds of any run on what can be admitted
  double least_added = 0;  ///< the same of the nodes that have to be added
  /// By contender, of plans that the checker accepts: `runs`, `admitted`, `gap` (of that, to the run's own bound),
  /// `utilization`, `added`, `seconds`.
  std::vector<lab::Tally> groups;
};
std::vector<CellResult> sum_up(const std::vector<Cell>& cells, const std::vector<std::string>& labels,
                               const std::vector<Run>& runs);

/// What there is to show.
struct Results {
  std::vector<CellResult> cells;
  std::optional<sizes::BaselineScore> learned;  ///< table 2 and figure 5
};

/// The charts of the figures for which there are results, in their order, with a line per contender.
std::vector<lab::Chart> charts_of(const Results& results, const std::vector<std::string>& labels);

}  // namespace stowage::cli::lrasched
