// Contenders: planners with options and deadlines, as benchmarks label them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "request_generated.h"

namespace stowage::cli::lab {

/// A planner with optional options and an optional deadline: "ff", "auto@10s", "bf-nsigma:n=1.15". "auto:moves=100" may move up
/// to 100 running replicas.
struct Contender {
  std::string label;
  std::string planner;
  std::vector<std::pair<std::string, double>> options;
  std::uint64_t deadline_ms = 0;  ///< 0: the experiment's
  std::uint32_t move_budget = 0;
  wire::Objective objective = wire::Objective::Nodes;  ///< not part of the label

  bool operator==(const Contender&) const = default;
};
/// Fails where `label` is not NAME[:OPTION=NUMBER...][@DEADLINE].
Contender parse_contender(const std::string& label);

/// The name for tables and charts: "auto, 10 s", "bf-nsigma, n = 1.15".
std::string contender_text(const std::string& label);

}  // namespace stowage::cli::lab
