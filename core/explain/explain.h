// Explains a plan: what drives its number of nodes, and what keeps unplaced replicas out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/run.h"

namespace stowage {

/// Mirrors ObstacleKind of report.fbs.
enum class ObstacleKind : std::uint8_t {
  kCapacity,
  kAffinityLimit,
  kImposedLimit,
  kSelfLimit,
  kClosedNode,
  kCapacityAtConfidence,
  kPlacementRule,
  kEligibility,
  kSideEffects,
  kDevices,
};

struct Obstacle {
  ObstacleKind kind;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  std::uint32_t other = kNone;  ///< an app, a rule, a tag or a kind of the side-effects model: the obstacle's kind says which
  double amount = 0;
  double limit = 0;
};

/// A node that is close to taking one more replica, with all obstacles there; none if it can take one.
struct CloseNode {
  NodeId node = kNone;  ///< index into the plan's nodes; kNone = a new, empty node of the class
  ClassId node_class = kNone;
  std::vector<Obstacle> obstacles;
  double distance = 0;    ///< sum over obstacles: missing amount / capacity; 1 for a limit or rule, and for a capacity of 0
  NodeId listed = kNone;  ///< the listed node, where the plan does not use it
};

/// Mirrors RelaxationKind of report.fbs.
enum class RelaxationKind : std::uint8_t {
  kNothing,
  kAddNode,
  kAddCapacity,
  kRaiseLimit,
  kOpenNode,
  kRaiseMaximum,
  kLowerMinimum,
  kSoftenRule,
  kAdmitTag,
  kRaiseMaxCost,
};

/// A change that alone allows one more replica of the app.
struct Relaxation {
  RelaxationKind kind = RelaxationKind::kNothing;
  NodeId node = kNone;
  ClassId node_class = kNone;
  AppId beside = kNone;
  AppId app = kNone;
  ResourceId resource = kNone;
  double amount = 0;
  std::uint32_t rule = kNone;
  std::uint32_t condition = kNone;
  std::uint32_t tag = kNone;
  std::uint32_t suffering_kind = kNone;  ///< a kind of the side-effects model
  NodeId listed = kNone;                 ///< the listed node on which it was seen, where the plan does not use it
};

/// What keeps an app out. The counts are over the nodes of the plan.
struct AppExplanation {
  AppId app = kNone;
  std::uint32_t unplaced = 0;
  std::uint64_t open_nodes = 0;           ///< nodes that can take one more replica
  std::uint64_t blocked_by_capacity = 0;  ///< nodes that lack capacity alone
  std::uint64_t blocked_by_limits = 0;    ///< nodes that exclude it by a limit or rule, or are closed, and have the capacity
  std::uint64_t blocked_by_both = 0;
  /// At most 5, nearest first, ties to the lower index. Nodes that the plan does not use count as well: unused listed nodes,
  /// and an empty node of every class that has one left.
  std::vector<CloseNode> closest;
  /// At most 5, by ascending effort as explain_apps.cpp defines it; kNothing alone if no single change helps. Empty if a node
  /// of the plan can take a replica.
  std::vector<Relaxation> relaxations;
};

/// Mirrors DriverKind of report.fbs.
enum class DriverKind : std::uint8_t {
  kCapacity,
  kLargeItems,
  kWithoutLimits,
  kWithoutResource,
  kWithoutPeriods,
  kSelfLimit,
  kWithoutUncertainty,
  kWithoutCostLimits,
  kWithoutPromises,
};

/// A cause of the cost or the number of nodes: a bound, or the nodes of a plan without something (kWithout...). Bounds come
/// first, in descending order; then plans, in ascending order of cost, then of nodes. A plan is missing if it is not complete
/// within ten seconds or its share of the time that the caller gives, and if the instance has more than five million limits to
/// copy.
struct Driver {
  DriverKind kind;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  AppId app = kNone;
  double nodes = 0;
  double cost = -1;  ///< of a plan's nodes; negative of bounds, and without prices
};

/// Use of a resource: sums over the nodes of the plan in the resource's peak period.
struct ResourceUse {
  ResourceId resource = kNone;
  std::uint32_t peak_period = kNone;
  double demand = 0;  ///< load and daemon load included
  double capacity = 0;
  /// Capacity left on nodes that can take no further replica of any app that needs the resource. At most 64 of these apps are
  /// tried, those whose replicas take the smallest share of a node (with more than 4 resources fewer: 256 in all).
  double stranded = 0;
};

/// The replica that suffers most from side effects, of equal ones on the first node, and one move that would help.
struct WorstOff {
  NodeId node = kNone;  ///< index into the plan's nodes
  AppId app = kNone;    ///< the first app of its kind on the node
  double cost = 0;
  std::vector<double> from_kind;  ///< per kind: what its load on the node adds to the cost
  /// The move of one replica to another node of the plan that takes it, after which the worse of both nodes suffers least;
  /// kNone where none helps. At most 16 apps and 4,096 nodes are tried.
  AppId moving = kNone;
  NodeId to = kNone;
  double cost_after = 0;  ///< of who then suffers most on `node`
  double cost_there = 0;  ///< of who then suffers most on `to`
};

struct Explanation {
  std::uint64_t nodes = 0;
  /// Of the plan's own bound, which a search may have raised, and those that need no search, the larger one; 0: not known.
  double node_bound = 0;
  double cost_bound = 0;  ///< likewise; 0 without prices
  std::vector<Driver> drivers;
  std::vector<ResourceUse> resources;
  std::vector<AppExplanation> apps;
  std::vector<RuleConflict> conflicts;
  std::optional<WorstOff> suffering;  ///< empty without interference or without replicas
};

/// Explains a plan. The plan may break constraints.
/// @param app     one app to explain, fully placed or not; kNone: the (at most 100) apps with the most unplaced replicas, in
///                descending order
/// @param control null, or ends the call by cancel or deadline: the parts that are finished by then are returned. Apps and
///                resources are finished once every node has been looked at; a bound that is not known is 0.
/// Errors: kInvalid if the plan is not for this instance, if its structure is broken (an index that does not exist, a repeated
/// entry, replicas that are neither placed nor reported unplaced), or if there is no such app.
Result<Explanation> explain_plan(const Instance& instance, const Plan& plan, AppId app, Control* control);

}  // namespace stowage
