// What the Lagrangian relaxation gives the search for less traffic: contents to start from, and a bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/traffic/traffic_forest_bound.h"
#include "core/planners/auto/traffic/traffic_dive.h"
#include "core/planners/planner.h"

namespace stowage {

/// Takes its turns by the work of the run: no turn before the search has had a share of what the turn takes.
class TrafficHelp {
 public:
  TrafficHelp(const PlannerInput& input, const TrafficGraph& graph, std::vector<std::uint64_t> carries);

  /// Whether fills() are new: a few times, when it is a dive's turn and the clock lets it end.
  bool dive(WorkClock& clock);
  [[nodiscard]] std::span<const TrafficFill> fills() const { return dive_.filled(); }
  /// Improves the bound where it is its turn.
  void prove(WorkClock& clock);
  /// A lower bound on the traffic that leaves nodes.
  [[nodiscard]] double bound() const;
  /// Gives the plan the bound, where it is the best.
  void state_bound(Plan& plan) const;

 private:
  /// Steps of the bound, which the work of proving counts.
  bool step(WorkClock& clock);

  double known_;  // the best of other bounds
  TrafficForestBound proof_;
  TrafficDive dive_;
  std::size_t dives_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t work_ = 0;  // of all steps
};

}  // namespace stowage
