// What was measured, one record per instance and planner, and the file that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capi/cli/paper/figures.h"
#include "capi/cli/paper/run_table.h"

namespace stowage::cli::paper {

struct Run {
  InstanceClass of;
  std::string sizes;  ///< where apps' sizes and replicas come from: kDrawnSizes, or a file's name
  std::uint64_t seed = 0;
  std::string label;              ///< of the contender
  std::uint64_t deadline_ms = 0;  ///< 0: none
  std::string status;             ///< kRefused where the planner does not take the instance
  std::uint64_t nodes = 0;
  std::uint64_t bound = 0;            ///< P0, Eq. 4
  std::optional<double> lower_bound;  ///< the library's, at least as good
  std::uint64_t unplaced = 0;
  std::uint64_t violations = 0;
  double seconds = 0;       ///< the planner alone, the best of `repeats`
  double call_seconds = 0;  ///< with bounds and the final check
  std::uint32_t repeats = 0;
  std::string machine;
  std::string build;

  /// A complete plan that the checker accepts.
  [[nodiscard]] bool counts() const { return status != kRefused && unplaced == 0 && violations == 0; }
  [[nodiscard]] double gap() const { return static_cast<double>(nodes) / static_cast<double>(bound) - 1; }

  static constexpr const char* kRefused = "refused";
  static constexpr const char* kFailed = "failed";  ///< by a defect; never written
};
inline constexpr const char* kDrawnSizes = "drawn";

void write_runs(const std::vector<Run>& runs, const std::string& path);
/// Fails where the file is not one that write_runs() wrote.
std::vector<Run> read_runs(const std::string& path);

}  // namespace stowage::cli::paper
