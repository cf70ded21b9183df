// Why a plan is as it is: what drives its number of nodes, and what keeps unplaced replicas out.
#pragma once

#include <cstdint>
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
};

struct Obstacle {
  ObstacleKind kind;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  AppId other = kNone;
  double amount = 0;
  double limit = 0;
};

/// A node that came close to taking one more replica, with everything that fails there; nothing where it can take one.
struct CloseNode {
  NodeId node = kNone;  ///< index into the plan's nodes; kNone = a new, empty node of the class
  ClassId node_class = kNone;
  std::vector<Obstacle> obstacles;
  double distance = 0;  ///< sum of amount missing over capacity, plus one per failing limit and per resource of capacity 0
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
  kSoftenRule
};

/// A change that alone lets one more replica of the app in.
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
};

/// Counts are over the nodes of the plan, closed ones among those blocked by limits. `closest` (at most 5, nearest first, ties
/// to the lower index) also looks at what the plan does not use: spare listed nodes, and an empty node of every class that is
/// not exhausted. `relaxations` (at most 5, by the effort that explain_apps.cpp defines; kNothing where no single change helps)
/// is empty where a node of the plan can take a replica as things are.
struct AppExplanation {
  AppId app = kNone;
  std::uint32_t unplaced = 0;
  std::uint64_t open_nodes = 0;
  std::uint64_t blocked_by_capacity = 0;
  std::uint64_t blocked_by_limits = 0;
  std::uint64_t blocked_by_both = 0;
  std::vector<CloseNode> closest;
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
};

/// Bounds come first, the largest first; then the plans without something, the smallest first. Such a plan is left out where it
/// is not complete within ten seconds, and where the instance would have to be copied with more than five million limits.
struct Driver {
  DriverKind kind;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  AppId app = kNone;
  double nodes = 0;
};

/// Amounts are sums over the nodes of the plan in the resource's peak period, load included in demand. Stranded is the capacity
/// left on nodes that can take one more replica of none of the apps that need the resource. At most 64 of those are tried, the
/// ones whose replicas take the smallest share of a node (fewer with more than 4 resources, 256 in all).
struct ResourceUse {
  ResourceId resource = kNone;
  std::uint32_t peak_period = kNone;
  double demand = 0;
  double capacity = 0;
  double stranded = 0;
};

struct Explanation {
  std::uint64_t nodes = 0;
  double node_bound = 0;
  std::vector<Driver> drivers;
  std::vector<ResourceUse> resources;
  std::vector<AppExplanation> apps;
  std::vector<RuleConflict> conflicts;
};

/// Explains a plan that the checker accepts as belonging to the instance.
/// @param app     one app to explain whether or not it is fully placed, or kNone for the (at most 100) apps with the most
///                unplaced replicas, the most first
/// @param control NULL, or a control to cancel by: what was found until then is returned
/// Apps and resources are reported when every node has been looked at, or not at all.
/// Errors: kInvalid where the plan is not for this instance or breaks its structure (an index that does not exist, an entry
/// that stands twice, replicas that are neither placed nor reported unplaced), or where there is no such app.
Result<Explanation> explain_plan(const Instance& instance, const Plan& plan, AppId app, Control* control);

}  // namespace stowage
