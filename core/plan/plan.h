// The plan, as the core sees it. plan.fbs documents the fields.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/model/types.h"

namespace stowage {

/// Mirrors Objective of request.fbs.
enum class PlanObjective : std::uint8_t { kNodes, kUcac };

enum class PlanStatus : std::uint8_t { kComplete, kOptimal, kPartial, kInfeasibleProven, kCancelled, kDeadline };

/// A lower bound on what any complete plan needs, and the resource and period that give it (kNone where none does).
struct Bound {
  std::string name;
  double value = 0;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
};

/// Stands for `copies` nodes, each of which holds what is placed on it.
struct PlannedNode {
  ClassId node_class;
  NodeId listed;             ///< kNone for an anonymous node
  std::uint32_t copies = 1;  ///< 1 for a listed node
};

struct Placed {
  AppId app;
  NodeId node;  ///< index into Plan::nodes
  std::uint32_t replicas;
};

struct Unplaced {
  AppId app;
  std::uint32_t replicas;
};

/// How a plan leaves the cluster.
struct ClusterMetrics {
  /// Applications that want replicas, and those of which nothing is left over. Apps that share a tag `appID:` count as one.
  std::uint64_t applications = 0;
  std::uint64_t applications_placed = 0;
  /// Nodes that exist (of classes without a count: that are used), and those in use.
  std::uint64_t nodes = 0;
  std::uint64_t nodes_used = 0;
  /// Nodes with less left of some resource than any app needs of it that are not full in all (P2, section 7.4).
  std::uint64_t fragmented_nodes = 0;
  /// Per resource: coefficient of variation of the nodes' utilization at their peaks.
  std::vector<double> imbalance;
};

/// Placement rules that do not hold: replicas for which one does not, once per rule; different replicas; sums of their extents
/// (P2, Eq. 8), of the rules' weights, and of both multiplied.
struct RuleCosts {
  std::uint64_t violations = 0;
  std::uint64_t replicas = 0;
  double extent = 0;
  double weight = 0;
  double cost = -1;  ///< negative where the instance has no rules
};

struct Plan {
  std::uint64_t instance = 0;  ///< fingerprint
  std::string planner;
  PlanStatus status = PlanStatus::kPartial;
  std::uint64_t seed = 0;
  std::uint64_t work = 0;
  std::uint64_t pace = 0;          ///< work that the search planned for; 0: it did not
  std::vector<PlannedNode> nodes;  ///< in use; listed ones first, in the instance's order; see core/model/compact_plan.h
  std::vector<Placed> placed;      ///< by node, then by app
  std::vector<Unplaced> unplaced;  ///< by app
  Bound node_bound;
  double gap = -1;
  double cost = -1;
  bool has_cost_bound = false;
  Bound cost_bound;
  std::uint32_t inherited_violations = 0;
  std::uint32_t moves = 0;
  PlanObjective objective = PlanObjective::kNodes;
  double ucac = -1;                  ///< used capacity at confidence; negative where no demand is uncertain
  ResourceId ucac_resource = kNone;  ///< the first resource with uncertain demand
  std::vector<double> node_ucac;     ///< per entry of nodes, of one copy; or empty where no demand is uncertain
  bool has_ucac_bound = false;
  Bound ucac_bound;
  RuleCosts rule_costs;
  /// Where the planner makes a number of its own large: that, the most that any plan can have, and the difference as a share of
  /// the score; negative where no bound is proven.
  bool has_score = false;
  double score = 0;
  double score_bound = 0;
  double score_gap = -1;

  /// Takes over who sits where and what is left over; everything that does not follow from these stays.
  void adopt(Plan&& other) {
    nodes = std::move(other.nodes);
    node_ucac = std::move(other.node_ucac);
    placed = std::move(other.placed);
    unplaced = std::move(other.unplaced);
  }
};

}  // namespace stowage
