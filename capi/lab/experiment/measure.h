// One planner on one instance, measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capi/cli/base/console.h"
#include "capi/cli/library/library.h"
#include "capi/lab/experiment/contenders.h"

namespace stowage::cli::lab {

struct Measurement {
  std::optional<PlanRun> run;  ///< the first one
  bool interrupted = false;    ///< by Ctrl-C; the measurement does not count
  bool refused = false;        ///< the planner refuses the instance; no run and not refused means a defect
  double seconds = 0;          ///< the planner alone, the best of `repeats`
  double call_seconds = 0;     ///< with bounds and the final check
  std::uint32_t repeats = 0;
};

/// Runs the contender up to `most_repeats` times, fewer where a run takes long. Prints failures on the console; `which`
/// identifies the instance in its class there.
Measurement measure(const Workload& workload, const Contender& contender, std::uint64_t deadline_ms, std::uint32_t most_repeats,
                    const std::string& which, const Console& console);

}  // namespace stowage::cli::lab
