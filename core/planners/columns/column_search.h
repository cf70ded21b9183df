// The part of `auto` that proves: column generation and branching on the contents of nodes (core/columns).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/planners/planner.h"

namespace stowage {

/// Nodes to begin a plan with.
struct ColumnStart {
  struct Node {
    NodeId listed;  ///< kNone: any of the class
    ClassId node_class;
    std::uint32_t count;                                        ///< of equal nodes; 1 if it is listed
    std::vector<std::pair<std::uint32_t, std::uint32_t>> held;  ///< (item, replicas) of each
  };
  std::vector<std::vector<AppId>> items;  ///< per item: apps, of any of which its replicas may be
  std::vector<Node> nodes;
};

/// Raises the bound on nodes, cost or used capacity, and finds plans that reach it, in portions.
class ColumnSearch {
 public:
  ColumnSearch() = default;
  ColumnSearch(const ColumnSearch&) = delete;
  ColumnSearch(ColumnSearch&&) = delete;
  ColumnSearch& operator=(const ColumnSearch&) = delete;
  ColumnSearch& operator=(ColumnSearch&&) = delete;
  virtual ~ColumnSearch() = default;

  /// Goes on for `units` of work. With less than it takes to begin, it does nothing.
  /// @param best the best plan known; what is no better is not looked for
  /// @param plan in any case, its bounds become those that are proven
  /// @return whether `plan` has become a better one
  virtual bool go_on(std::uint64_t units, const Plan& best, Plan& plan) = 0;
  /// Whether plans may come of it, not bounds alone: what moves where is not limited.
  [[nodiscard]] virtual bool makes_plans() const = 0;
  /// The last solution found, once, for a start; without one, what the root's program uses, which may hold too little. It may
  /// break rules, or move what may not move. Without nodes: none.
  virtual ColumnStart take_start() = 0;
  /// Whether nothing more comes of it.
  [[nodiscard]] virtual bool has_ended() const = 0;
};

/// @param input     outlives the result
/// @param objective kNodes, kCost or kUcac; kCost where nodes have prices, instead of kNodes
std::unique_ptr<ColumnSearch> make_column_search(const PlannerInput& input, Objective objective);

}  // namespace stowage
