// Residual capacity measures of nodes: P0, section 4.2, table 2.
#pragma once

#include <cstdint>
#include <vector>

#include "core/measures/measure.h"
#include "core/model/instance.h"
#include "core/placement/residuals.h"

namespace stowage {

/// Measures nodes by what they have left, in shares of the largest capacity of any class. The weights of three of the measures
/// depend on what all open nodes have left (W'_h, D'_h, lambda'_h): refresh() takes them as they are now.
class ResidualMeasure {
 public:
  ResidualMeasure(const Instance& instance, Measure measure, double epsilon);

  [[nodiscard]] bool needs_totals() const { return measure_ != Measure::kAverage && measure_ != Measure::kMax; }

  /// @param totals residual sums over the open nodes, scaled units, dims() entries
  /// @param nodes  number of open nodes
  void refresh(std::span<const std::int64_t> totals, std::uint32_t nodes);

  /// Measure of a node; the larger, the emptier.
  template <class Unit>
  [[nodiscard]] double operator()(const Residuals<Unit>& residuals, NodeId node) const {
    if (measure_ == Measure::kMax) return residuals.weighted_max(node, weight_.data());
    return residuals.weighted_sum(node, weight_.data());
  }

 private:
  Measure measure_;
  double epsilon_;
  std::vector<double> share_;   // one scaled unit in shares of a node, per dimension
  std::vector<double> weight_;  // weight of one scaled unit
};

}  // namespace stowage
