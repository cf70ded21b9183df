// The best assignment of few replicas.
#pragma once

#include "core/colocation/problem.h"
#include "core/run/work_clock.h"

namespace stowage {

/// An assignment, and whether no other one has a worst-off replica that costs less (but for a relative 1e-12).
struct ExactColocation {
  Colocation colocation;
  double worst = 0;  ///< what its worst-off replica costs
  bool proven = false;
};

/// Replicas at most that exact_colocation() looks into; with more, it returns the start, or a first assignment.
inline constexpr std::uint32_t kMostExactReplicas = 64;

/// Branch and bound over what the nodes hold, one node after the other. About 20 replicas take well under a second; with more
/// of them it improves the start until the clock says so. `start`: an assignment, or empty. A unit of work is about a
/// microsecond.
[[nodiscard]] ExactColocation exact_colocation(const ColocationProblem& problem, WorkClock& clock,
                                               const Colocation& start = {});

}  // namespace stowage
