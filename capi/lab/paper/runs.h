// What was measured, one record per instance and planner, and the file that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "capi/lab/experiment/run_table.h"
#include "capi/lab/paper/figures.h"

namespace stowage::cli::paper {

struct Run : lab::MeasuredRun {
  InstanceClass of;
  std::string sizes;  ///< where apps' sizes and replicas come from: kDrawnSizes, or a file's name
  std::uint64_t seed = 0;
  std::uint64_t bound = 0;            ///< P0, Eq. 4
  std::optional<double> lower_bound;  ///< the library's, at least as good

  [[nodiscard]] double gap() const { return static_cast<double>(nodes) / static_cast<double>(bound) - 1; }
  static void fields(Run& run, lab::RunLine& line);
  [[nodiscard]] auto key() const { return std::tuple(of, sizes, seed, label, deadline_ms); }
};
inline constexpr const char* kDrawnSizes = "drawn";

}  // namespace stowage::cli::paper
