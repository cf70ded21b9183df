// A bound on the traffic that nodes keep, by what one node keeps at most at prices of replicas.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/bounds/traffic/traffic_forest.h"
#include "core/bounds/traffic/traffic_prices.h"
#include "core/bounds/traffic/traffic_sizes.h"
#include "core/run/work_clock.h"
#include "core/traffic/traffic_graph.h"

namespace stowage {

/// Lagrangian relaxation that may be interrupted: each run goes on where the last one ended.
///
/// Whatever the prices, a plan keeps at most the sum of the prices of all replicas, and of what each node keeps beyond the
/// prices of those that it holds. Pairs outside of a forest count as in traffic_pair_bound(). Holds for plans that leave
/// replicas over, too.
class TrafficForestBound {
 public:
  /// @param graph of the instance; outlives this object
  TrafficForestBound(const Instance& instance, const Supply& supply, const TrafficGraph& graph);
  TrafficForestBound(const TrafficForestBound&) = delete;
  TrafficForestBound& operator=(const TrafficForestBound&) = delete;
  TrafficForestBound(TrafficForestBound&&) = delete;
  TrafficForestBound& operator=(TrafficForestBound&&) = delete;
  ~TrafficForestBound() = default;

  /// Goes on until steps gain next to nothing, or the clock says that the run, or its part, ends.
  void run(WorkClock& clock) {
    while (!is_over() && step(clock)) continue;
  }
  /// One step. False where the clock ends the run.
  bool step(WorkClock& clock) { return prices_->step(clock); }
  /// Upper limit of the work of a step.
  [[nodiscard]] std::uint64_t work_of_step() const { return forest_.work(); }
  /// Whether there is nothing more to find.
  [[nodiscard]] bool is_over() const { return !prices_ || prices_->is_over(); }
  /// A lower bound on the traffic that leaves nodes; at least 0.
  [[nodiscard]] double remote() const;

  [[nodiscard]] const TrafficDemand& demand() const { return demand_; }
  /// The best prices per row; null where the bound knows none.
  [[nodiscard]] const std::vector<double>* prices() const { return prices_ ? &prices_->best() : nullptr; }

 private:
  TrafficForest forest_;
  TrafficDemand demand_;
  double all_;         // traffic
  double others_ = 0;  // share that pairs outside of the forest keep at most
  std::optional<TrafficPrices> prices_;
};

/// Name and source of the bound.
const BoundInfo& traffic_forest_bound_info();
/// Adds the bound to those of an instance with traffic; nothing to the others.
void add_traffic_forest_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds);

}  // namespace stowage
