// Admission node by node: a bound on what has to be left out, for many resources. It takes time.
//
// Prices of replicas u >= 0, one per app, decouple the nodes (Lagrangian relaxation of "an app has as many replicas on all
// nodes together as it wants, or those that are in every plan"):
//
//   admitted <= sum over applications of max(weight - sum wanted u, - sum held u) + sum over nodes of what the dearest content
//   of
//               the node is worth
//
// The content of a node is whole (a knapsack over all dimensions), so that what small nodes cannot use up counts. With u = what
// a replica costs at the prices of resources, the bound is at least that of resource_prices.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/bounds/bounds.h"
#include "core/run/work_clock.h"

namespace stowage {

/// May be interrupted: each run goes on where the last one ended.
class NodePrices {
 public:
  NodePrices(const Instance& instance, const Supply& supply, const Request& request, const AdmissionBound& known);
  ~NodePrices();
  NodePrices(const NodePrices&) = delete;
  NodePrices& operator=(const NodePrices&) = delete;
  NodePrices(NodePrices&&) = delete;
  NodePrices& operator=(NodePrices&&) = delete;

  /// Raises the bound until the clock says that the run, or its part, ends.
  /// @param admitted weight that some plan admits: the bound on what is admitted falls towards it
  /// @return whether there may be more to find
  bool run(double admitted, WorkClock& clock);
  /// No plan of the request leaves out less weight.
  [[nodiscard]] double left_out() const;
  /// What a replica is worth, per app; empty before the first step.
  [[nodiscard]] std::span<const double> worth() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stowage
