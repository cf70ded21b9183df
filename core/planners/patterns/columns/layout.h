// Patterns, the groups of nodes that they are added to, and layouts, which say how many nodes of which group get which pattern.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/plan/plan.h"

namespace stowage {

template <class Unit>
class Placement;

/// Replicas that are added to one node, per app.
using Pattern = std::vector<std::uint32_t>;

/// What a node has left before a pattern is added.
struct NodeState {
  ClassId node_class = 0;
  bool in_use = false;
  std::vector<std::int64_t> left;      ///< per resource: capacity less means, in scaled units
  std::vector<std::int64_t> risk;      ///< per resource: risk held
  std::vector<std::uint32_t> at_most;  ///< per app: replicas that its self limit still allows, kNone = any; empty = any of all
  [[nodiscard]] std::uint32_t most_of(AppId app) const { return at_most.empty() ? kNone : at_most[app]; }
};

/// Nodes in the same state.
struct StateGroup {
  NodeState state;
  std::vector<NodeId> nodes;    ///< listed nodes, ascending
  std::uint64_t anonymous = 0;  ///< number of new nodes of the class
  [[nodiscard]] std::uint64_t size() const { return nodes.size() + anonymous; }
};

/// Number of nodes by group and by the pattern that is added to each of them.
using Layout = std::map<std::pair<std::uint32_t, Pattern>, std::uint64_t>;

/// A part of the problem: the replicas to be placed, and the number of nodes of each group that may take them.
struct Subproblem {
  Pattern wanted;                    ///< replicas per app
  std::vector<std::uint64_t> sizes;  ///< nodes per group
  std::uint32_t filled = kNone;      ///< a group none of whose nodes may stay empty; kNone = there is none
  [[nodiscard]] bool wants_any() const;
};

/// The nodes that can take more at the start, grouped by state. Nodes that start beyond a capacity and closed ones are in no
/// group.
class StateGroups {
 public:
  /// @param start what every plan of the request starts from; has to outlive the groups
  template <class Unit>
  StateGroups(const Instance& instance, const Placement<Unit>& start);

  /// In the order of their first listed nodes, then of new nodes by class_order().
  [[nodiscard]] const std::vector<StateGroup>& all() const { return groups_; }

  /// Whether some open node starts beyond a capacity. It may still take what needs nothing of that resource, so that no number
  /// of patterns is a bound.
  [[nodiscard]] bool any_exceeded() const { return exceeded_; }

  /// What a plan adds to the start, to nodes that are in a group.
  [[nodiscard]] Layout layout_of(const Plan& plan) const;
  /// What a node of the group holds after a pattern is added to it. Of listed nodes in the same state, the first one counts.
  [[nodiscard]] std::vector<Tenant> tenants_with(std::uint32_t group, const Pattern& added) const;

 private:
  std::uint32_t group_for(NodeState state);
  template <class Unit>
  void group_listed(const Placement<Unit>& start);
  void group_new(std::uint64_t wanted);

  const Instance& instance_;
  const NodeContents& contents_;  // at the start
  bool exceeded_ = false;
  std::vector<StateGroup> groups_;
  std::vector<std::uint32_t> group_of_;     // per listed node; kNone where nothing can be added
  std::vector<std::uint32_t> class_group_;  // per class: the group of its new nodes; kNone where there are none
  std::map<std::vector<std::int64_t>, std::uint32_t> known_;  // groups by state
};

}  // namespace stowage
