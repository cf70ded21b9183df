// What was measured on instances of colocation, one record per instance and contender, and the file that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "capi/lab/colocation/design.h"
#include "capi/lab/experiment/run_table.h"

namespace stowage::cli::colocation {

struct Run : lab::MeasuredRun {
  Cell of;
  std::uint64_t seed = 0;
  double largest = 0;           ///< the largest load of the instance
  double paper_bound = 0;       ///< P4's bound of the instance
  double cost = 0;              ///< of the replica that suffers most
  std::optional<double> bound;  ///< the plan's own, on that cost

  [[nodiscard]] bool proven() const;
  [[nodiscard]] auto key() const { return std::tuple(of, seed, label, deadline_ms); }
  static void fields(Run& run, lab::RunLine& line);
};

}  // namespace stowage::cli::colocation
