// Residual capacity measures of nodes: P0, section 4.2, table 2.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measures/measure.h"
#include "core/model/instance.h"
#include "core/placement/residuals.h"

namespace stowage {

/// Measures a node by its residual capacity, in shares of the largest capacity of any class. The weights of three measures
/// depend on the residual capacity of all open nodes (W'_h, D'_h, lambda'_h): refresh() updates them.
class ResidualMeasure {
 public:
  ResidualMeasure(const Instance& instance, Measure measure, double epsilon);

  /// Whether the weights depend on refresh().
  [[nodiscard]] bool needs_totals() const { return measure_ != Measure::kAverage && measure_ != Measure::kMax; }

  /// Updates the weights.
  /// @param totals residual sums over the open nodes, in scaled units, dims() entries
  /// @param nodes  number of open nodes
  void refresh(std::span<const std::int64_t> totals, std::uint32_t nodes);

  /// The node's measure. Emptier nodes have larger measures.
  template <class Unit>
  [[nodiscard]] double operator()(const Residuals<Unit>& residuals, NodeId node) const {
    if (measure_ == Measure::kMax) return residuals.weighted_max(node, weight_.data());
    return residuals.weighted_sum(node, weight_.data());
  }

 private:
  Measure measure_;
  double epsilon_;
  std::vector<double> share_;   // per dimension: one scaled unit in shares of a node
  std::vector<double> weight_;  // per dimension: weight of one scaled unit
};

}  // namespace stowage
