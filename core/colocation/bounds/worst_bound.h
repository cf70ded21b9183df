// The strongest bound on what the worst-off replica costs.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/colocation/problem.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Nodes that hold the same kinds, in the assignment of loads divided at will that the bound found.
struct NodeTarget {
  std::uint32_t nodes = 0;
  std::vector<double> load;  ///< of each kind, on all of them together
};

struct WorstBound {
  double value = 0;  ///< no plan's worst-off replica costs less
  /// What gives it: "largest-replica", "fluid", "supports" (whole numbers of nodes for each set of kinds) or "leads" (and nodes
  /// of their own for large replicas that can share none).
  std::string_view name;
  /// Whole numbers of nodes whose loads, divided at will, cost little; none if none were found. At most as many nodes as there
  /// are.
  std::vector<NodeTarget> targets;
};

/// Units of work, each about a microsecond, that worst_cost_bound() takes at most unless told otherwise.
inline constexpr std::uint64_t kWorstBoundWork = 2'000'000;

/// The bound, which grows with the work: ends when little would make it larger, when it reaches `upper`, the cost of a known
/// plan, after about `work` units, or when the clock says so.
[[nodiscard]] WorstBound worst_cost_bound(const ColocationProblem& problem, WorkClock& clock,
                                          double upper = std::numeric_limits<double>::infinity(),
                                          std::uint64_t work = kWorstBoundWork);

}  // namespace stowage
