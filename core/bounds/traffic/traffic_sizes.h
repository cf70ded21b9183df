// Demands and capacities in the few units of TrafficForest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/bounds/traffic/traffic_forest.h"
#include "core/traffic/traffic_graph.h"

namespace stowage {

/// One dimension of an instance for the apps of a graph: that of which demand takes the largest share.
struct TrafficDemand {
  std::uint32_t dim = kNone;          ///< kNone: no demand
  std::uint64_t largest = 0;          ///< the most that a node carries
  std::vector<std::uint64_t> demand;  ///< per row
  std::vector<std::uint32_t> most;    ///< per row: replicas on a node

  TrafficDemand(const Instance& instance, const Supply& supply, const TrafficGraph& graph);
};

/// A unit of the dimension, such that tables of the forest have room, and that rounding changes little. Demands are rounded
/// down for bounds, and up for contents that nodes have room for; capacities are always rounded down.
class TrafficUnit {
 public:
  enum class Demand : std::uint8_t { kDown, kUp };
  TrafficUnit(const TrafficGraph& graph, const TrafficForest& forest, const TrafficDemand& demand, Demand rounding);
  /// Whether there is one.
  [[nodiscard]] bool exists() const { return tenths_ > 0; }
  /// Units that a node has which carries so much.
  [[nodiscard]] std::uint32_t capacity(std::uint64_t carries) const;
  /// Per row of the graph.
  [[nodiscard]] const std::vector<TrafficForest::App>& apps() const { return apps_; }

 private:
  [[nodiscard]] std::uint32_t size(std::uint64_t amount, std::uint64_t tenths) const;

  Demand rounding_;
  std::uint64_t largest_;
  std::uint64_t tenths_ = 0;  // of a unit, that the largest node carries
  std::vector<TrafficForest::App> apps_;
};

}  // namespace stowage
