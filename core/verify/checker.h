// The independent checker. It works on the original doubles and shares no feasibility code with the planners.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/verify/rules.h"

namespace stowage {

/// Mirrors ViolationKind of report.fbs, number by number.
enum class ViolationKind : std::uint8_t {
  kCapacity,
  kAffinityLimit,
  kSelfLimit,
  kReplicaCount,
  kPin,
  kClassCount,
  kBadNode,
  kBadEntry,
  kMoves,
  kClosedNode,
  kFigures,
  kWrongInstance,
  kUnchecked,
  kCapacityAtConfidence,
  kPlacementRule,
  kEligibility,
  kSideEffects,
  kDevices,
  kPromise,
};

struct Violation {
  ViolationKind kind;
  bool inherited = false;
  NodeId node = kNone;
  AppId app = kNone;
  std::uint32_t other = kNone;
  ResourceId resource = kNone;
  std::uint32_t period = kNone;
  double amount = 0;
  double limit = 0;
  std::string what{};
};

struct Verification {
  bool ok = false;        ///< there is no violation besides inherited ones
  bool given_up = false;  ///< the check was stopped early; no other field means anything
  std::uint64_t nodes = 0;
  std::uint64_t placed = 0;
  std::uint64_t unplaced = 0;
  double cost = -1;
  std::uint64_t moves = 0;
  std::uint64_t violation_count = 0;
  std::uint64_t inherited_count = 0;
  std::vector<Violation> violations;  ///< the first kMaxListed new ones and kMaxListed inherited ones; one entry for all copies
  double ucac = -1;                   ///< used capacity at confidence; negative: no demand is uncertain
  std::vector<double> node_ucac;      ///< per node of the plan, or empty
  double remote_traffic = -1;         ///< traffic that leaves its node; negative without traffic
  double left_out = 0;                ///< weight of the applications that lack replicas
  double max_cost = -1;               ///< as Plan::max_cost; negative without interference
  double total_cost = -1;             ///< as Plan::total_cost
  std::vector<double> node_max_cost;  ///< as Plan::node_max_cost
  std::vector<double> utilization;    ///< per resource: used share of the nodes in use, in the fullest period
  ClusterMetrics metrics;
  RuleCosts rule_costs;
  std::vector<RuleViolation> rule_violations;  ///< hard and soft, the first kMaxListed

  static constexpr std::size_t kMaxListed = 1000;
};

/// Amounts may exceed a capacity by this share of it, because sums of doubles that stand for decimal fractions are inexact.
inline constexpr double kCheckerTolerance = 1e-9;

/// kViolations: constraints, and the figures that the plan states. kAll: also utilization and metrics, which takes longer.
enum class CheckScope : std::uint8_t { kViolations, kAll };

/// Checks any plan, hostile ones included. O(tenants x dims + pairs of tenants per node x log degree).
/// @param watch ends the check
Verification check_plan(const Instance& instance, const Plan& plan, CheckScope scope = CheckScope::kAll, WatchRef watch = {});

}  // namespace stowage
