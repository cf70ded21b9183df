// Contents of nodes that keep much traffic, one node after the other, by prices of replicas.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/traffic/traffic_forest.h"
#include "core/bounds/traffic/traffic_prices.h"
#include "core/bounds/traffic/traffic_sizes.h"
#include "core/run/work_clock.h"
#include "core/traffic/traffic_graph.h"

namespace stowage {

/// Diving on the Lagrangian relaxation of TrafficForestBound: the node that keeps most beyond the prices of what it holds is
/// filled, the others' prices are improved for what is left, and so on. Contents fit by the dimension of TrafficDemand;
/// whether they do by the others, and by limits and rules, is the caller's business.
class TrafficDive {
 public:
  /// @param carries per node, what it carries in the dimension
  TrafficDive(const TrafficGraph& graph, const TrafficDemand& demand, std::span<const std::uint64_t> carries);

  struct Way {
    std::uint32_t steps;  ///< that improve the prices for what is left, after each node
    double discount;      ///< replicas cost so much of the dual's prices, so that nodes take some more of them
  };
  /// How many evaluations of the prices run() takes, roughly; 0 where it has nothing to do.
  [[nodiscard]] std::uint64_t evaluations(const Way& way) const { return nodes_ * (way.steps + 1); }
  /// Fills nodes, the most rewarding first. False where the clock ends the run.
  /// @param prices per row
  bool run(std::vector<double> prices, const Way& way, WorkClock& clock);
  [[nodiscard]] const std::vector<TrafficFill>& filled() const { return filled_; }

 private:
  struct Room {
    std::uint32_t capacity;
    std::vector<NodeId> nodes;  // the next one last
  };
  bool fill_next(TrafficPrices& prices, double discount, WorkClock& clock, bool& is_done);

  const TrafficGraph* graph_;
  TrafficForest forest_;
  std::vector<TrafficForest::App> apps_;
  std::vector<Room> all_rooms_;  // by rising capacity
  std::vector<Room> rooms_;      // that are left
  std::uint64_t nodes_ = 0;      // that are filled, roughly
  std::vector<TrafficFill> filled_;
};

}  // namespace stowage
