// From an assignment of the side-effects model to a placement on the nodes of an instance.
//
// P4 has equal nodes of soft capacity. Here, an algorithm sees equal nodes, as many as the request and the classes allow, but
// no more than there are replicas. What it puts on one node goes to a node of the instance: the greatest load to the node with
// the greatest capacity, and so on; equal ones stand in order. Hard constraints hold. A replica that its node does not take
// goes, once all others are placed, to the node whose worst-off replica then costs least, of equal ones to the first; or
// nowhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/colocation/problem.h"
#include "core/placement/placement.h"
#include "core/run/work_clock.h"

namespace stowage {

/// What each kind suffers on each node.
class NodeCosts {
 public:
  NodeCosts(const ColocationProblem& problem, std::uint32_t nodes)
      : problem_(&problem), cost_(std::size_t{nodes} * problem.kinds, 0), there_(cost_.size(), 0) {}
  void add(NodeId node, std::uint32_t kind, double load);
  /// There are this many nodes now, of which the new ones are empty.
  void open(std::uint32_t nodes) {
    cost_.resize(std::size_t{nodes} * problem_->kinds, 0);
    there_.resize(cost_.size(), 0);
  }
  /// What the worst-off replica of the node would cost beside another one.
  [[nodiscard]] double worst_with(NodeId node, std::uint32_t kind, double load) const;

 private:
  const ColocationProblem* problem_;
  std::vector<double> cost_;
  std::vector<std::uint8_t> there_;
};

template <class Unit>
class Seats {
 public:
  /// Opens the nodes; fewer where the clock ends it. Replicas that are there at the start are placed.
  Seats(const Instance& instance, const Request& request, WorkClock& clock);

  [[nodiscard]] Placement<Unit>& placement() { return placement_; }
  /// The placement's node for each node that an algorithm sees; then those that seat_elsewhere() has opened.
  [[nodiscard]] std::span<const NodeId> nodes() const { return nodes_; }

  /// Places the replicas that are not placed yet where the colocation puts them, as far as they may go there. Returns the
  /// others, at least one of them where the clock ends it. O(R).
  std::vector<std::uint32_t> seat(const ColocationProblem& problem, const Colocation& colocation, WorkClock& clock);
  /// Places replicas where they make the worst-off replica of a node cost least. O(N kinds) each. Ends early if the clock says
  /// so.
  void seat_elsewhere(const ColocationProblem& problem, const std::vector<std::uint32_t>& replicas, WorkClock& clock);

 private:
  void open(std::uint32_t nodes, WorkClock& clock);
  /// Opens a node that takes one replica of the candidate; kNone where there is none.
  NodeId open_for(NodeCosts& costs);
  /// Costs of what is placed.
  [[nodiscard]] NodeCosts costs_of(const ColocationProblem& problem) const;

  const Instance* instance_;
  Placement<Unit> placement_;
  typename Placement<Unit>::Candidate candidate_;
  std::vector<NodeId> nodes_;
};

extern template class Seats<std::int16_t>;
extern template class Seats<std::int32_t>;

}  // namespace stowage
