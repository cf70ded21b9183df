// A trace replayed against a planner: applications arrive and depart, and at the end of each interval the planner places what
// waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/cli/base/text/csv.h"
#include "capi/cli/library/library.h"
#include "instance_generated.h"

namespace stowage::cli::replay {

/// An application of the trace.
struct TraceApp {
  std::string name;
  double arrives = 0;  ///< seconds
  double departs = 0;  ///< seconds, at least `arrives`; infinite: it stays
  std::uint32_t replicas = 1;
  std::int32_t priority = 0;
  std::vector<double> demand;                                 ///< per resource, of one replica
  std::vector<std::pair<std::string, std::uint32_t>> limits;  ///< beside it, at most this many replicas of an application
  std::size_t line = 0;                                       ///< in the file
};

/// Reads a CSV with the columns `app`, `arrives`, one per resource of the cluster, and perhaps `departs`, `replicas`,
/// `priority` and `limits`. The applications are in the order of their arrival, those of the same time in the order of the
/// file. Fails, with file, line and column, where one is missing or wrong, or where an application comes while one of its name
/// is there.
std::vector<TraceApp> read_trace(std::string_view text, const std::string& file, const wire::Instance& cluster);

/// The cluster after one interval, until the next entry.
struct Step {
  double time = 0;  ///< seconds, of the end of the interval
  std::uint32_t apps = 0;
  std::uint64_t running = 0;  ///< replicas
  std::uint64_t waiting = 0;
  std::uint64_t nodes = 0;       ///< in use
  std::vector<double> use;       ///< per resource: share of the capacity of nodes in use, in the period where it is highest
  double cost = -1;              ///< of the nodes in use; negative without prices
  std::uint64_t violations = 0;  ///< of placement rules
  std::uint64_t started = 0;     ///< replicas
  std::uint64_t moves = 0;
  double planning_seconds = 0;
};

/// Replicas that waited equally long.
struct Wait {
  double seconds = 0;
  std::uint64_t replicas = 0;
};

struct Replay {
  std::vector<Step> steps;          ///< ascending; only intervals in which something changed
  std::vector<Wait> waits;          ///< ascending; of replicas that ran
  std::uint64_t never_ran = 0;      ///< replicas that departed while they waited
  std::uint64_t still_waiting = 0;  ///< at the end
  bool interrupted = false;         ///< ended before the trace did
};

/// Opens a session on the cluster and replays the trace. Operations take effect at the end of the interval in which they fall.
/// Nodes of an endless class that hold nothing any more leave. At Ctrl-C, returns what was replayed so far.
/// @param interval seconds, above 0
Replay replay(const InstanceBytes& cluster, const std::string& source, const std::vector<TraceApp>& trace, double interval,
              const RequestOptions& request, const Console& console);

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
