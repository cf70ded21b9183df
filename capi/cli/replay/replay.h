// A trace replayed against a planner: applications arrive and depart, and at the end of each interval the planner places what
// waits.
#pragma once

#include <cstdint>
#include <vector>

#include "capi/cli/library/library.h"
#include "capi/cli/replay/trace.h"

namespace stowage::cli::replay {

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

}  // namespace stowage::cli::replay
