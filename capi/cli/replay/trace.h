// A trace of applications that come and go, from a CSV. docs/replay.md describes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

}  // namespace stowage::cli::replay
