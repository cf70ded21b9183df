// The independent checker. Works on the original doubles and shares no feasibility code with the planners.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
  bool ok = false;        ///< no violation but inherited ones
  bool given_up = false;  ///< the check was not brought to its end, and says nothing
  std::uint64_t nodes = 0;
  std::uint64_t placed = 0;
  std::uint64_t unplaced = 0;
  double cost = -1;
  std::uint64_t moves = 0;
  std::uint64_t violation_count = 0;
  std::uint64_t inherited_count = 0;
  std::vector<Violation> violations;  ///< the first kMaxListed new ones and as many inherited ones; those of all copies once
  double ucac = -1;                   ///< used capacity at confidence; negative where no demand is uncertain
  std::vector<double> node_ucac;      ///< per node of the plan, or empty
  std::vector<double> utilization;    ///< per resource: highest over periods, over the nodes in use
  ClusterMetrics metrics;
  RuleCosts rule_costs;
  std::vector<RuleViolation> rule_violations;  ///< hard and soft, the first kMaxListed

  static constexpr std::size_t kMaxListed = 1000;
};

/// Amounts may exceed a capacity by this share of it: the sums are of doubles that stand for decimal fractions.
inline constexpr double kCheckerTolerance = 1e-9;

/// How much is looked at: whether a plan breaks anything and says what is so, or also how it leaves the cluster (utilization,
/// metrics), which takes longer.
enum class CheckScope : std::uint8_t { kViolations, kAll };

/// Checks any plan, hostile ones included. O(tenants x dims + pairs of tenants per node x log degree).
/// @param give_up nullptr, or asked now and then; once it says so, the check ends at once
Verification check_plan(const Instance& instance, const Plan& plan, CheckScope scope = CheckScope::kAll,
                        const std::function<bool()>* give_up = nullptr);

}  // namespace stowage
