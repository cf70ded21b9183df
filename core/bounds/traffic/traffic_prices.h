// Prices of replicas by which nodes keep traffic: the Lagrangian dual of core/bounds/traffic/traffic_forest_bound.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bounds/traffic/traffic_forest.h"
#include "core/run/work_clock.h"
#include "core/traffic/traffic_graph.h"

namespace stowage {

/// Minimizes sum_i price_i left_i + sum over kinds of nodes x most(capacity), over prices >= 0, by subgradient steps of
/// Polyak's length (Held, Wolfe and Crowder 1974): each aims at the best value so far less a level, which falls after steps in
/// vain.
class TrafficPrices {
 public:
  /// Nodes that have room for the same.
  struct Kind {
    std::uint32_t capacity;
    double nodes;
  };
  struct Steps {
    double level;        ///< the first one
    double factor;       ///< by which it falls
    std::uint32_t vain;  ///< steps in vain before it does
    double last_level;   ///< at which nothing more is tried
  };

  /// @param forest with sizes; outlives this object, and nobody else solves it
  TrafficPrices(const TrafficGraph& graph, TrafficForest& forest, std::vector<Kind> kinds, const Steps& steps);

  std::vector<Kind>& kinds() { return kinds_; }
  /// Replicas per row that nodes are to hold: all, at first.
  std::vector<double>& left() { return left_; }
  /// Forgets how good prices were, where kinds() or left() have changed, and begins with the best ones.
  void restart(const Steps& steps);
  void start_with(std::vector<double> prices, const Steps& steps);

  /// One step. False where the clock ends the run.
  bool step(WorkClock& clock);
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// The least value so far; infinity before the first step.
  [[nodiscard]] double least() const { return least_; }
  /// The prices of that value.
  [[nodiscard]] const std::vector<double>& best() const { return best_; }

 private:
  bool evaluate(double& value, WorkClock& clock);
  void move(double value);

  const TrafficGraph* graph_;
  TrafficForest* forest_;
  std::vector<Kind> kinds_;
  std::vector<double> left_;
  Steps steps_;
  double level_ = 0;
  std::uint32_t vain_ = 0;
  bool is_over_ = false;
  double least_;
  std::vector<double> scale_;  // per row: how far a price moves per unit of its slope
  std::vector<double> prices_;
  std::vector<double> best_;
  std::vector<double> slope_;
  std::vector<std::uint32_t> content_;
};

}  // namespace stowage
