// What a replay comes to: figures, a table of its intervals, and a picture.
#pragma once

#include <string>
#include <vector>

#include "capi/cli/base/text/csv.h"
#include "capi/cli/replay/replay.h"

namespace stowage::cli::replay {

/// Means are over time: each interval counts as long as it lasts.
struct Figures {
  double seconds = 0;  ///< from the first to the last entry
  double mean_nodes = 0;
  std::uint64_t most_nodes = 0;
  std::vector<double> mean_use;  ///< per resource, over nodes in use
  double node_hours = 0;
  double cost = -1;      ///< sum over time of nodes x price, prices being those of an hour; negative without prices
  double mean_wait = 0;  ///< seconds, over the replicas that ran
  double wait_99 = 0;    ///< 99 of 100 replicas waited no longer
  double most_wait = 0;
  std::uint64_t ran = 0;  ///< replicas
  std::uint64_t moves = 0;
  std::uint64_t most_violations = 0;
  double mean_planning = 0;  ///< seconds
  double most_planning = 0;
};
Figures figures_of(const Replay& replay, std::size_t resources);

/// A line per entry: time, apps, running, waiting, started, nodes, moves, violations, cost where there are prices, planning
/// seconds, and a column per resource with the use of nodes in use.
std::string series_csv(const Replay& replay, const std::vector<std::string>& resources, CsvCells cells);

/// The same as charts over time, as SVG.
std::string picture_svg(const Replay& replay, const std::vector<std::string>& resources);

}  // namespace stowage::cli::replay
