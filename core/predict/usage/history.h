// What replicas used over time, as monitoring records it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"

namespace stowage {

/// Samples of usage in columns, in any order. Each sample is one replica at one time.
struct UsageHistory {
  std::vector<std::string> apps;            ///< names, unique
  std::vector<std::string> resources;       ///< names, unique
  std::vector<std::uint32_t> app;           ///< per sample
  std::vector<std::uint32_t> replica;       ///< per sample, a number within its app; empty: not known
  std::vector<double> time;                 ///< per sample, in seconds since any origin
  std::vector<double> amount;               ///< samples x resources, in the resource's unit; NaN: not measured
  std::vector<std::uint8_t> out_of_memory;  ///< per sample: 1 = the replica was killed at that usage; empty: none was

  [[nodiscard]] std::size_t samples() const { return app.size(); }
};

/// The largest time from the origin, in seconds: about 30,000 years.
inline constexpr double kLargestTime = 1e12;

/// Code::kOk, or why the history is none: no samples, lengths that differ, indices out of range, names twice, amounts or times
/// out of range, or two samples of one replica at one time. The path names the field. Code::kCancelled where the watch ends it.
Error check_usage(const UsageHistory& history, WatchRef watch = {});

}  // namespace stowage
