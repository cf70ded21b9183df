// Checks the placement rules on a finished plan. An implementation of docs/understand/constraints.md apart from the planners'.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/watch.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Replicas of an app, on a node and its copies, for which a rule does not hold. A NodeSets or Skew condition is about all
/// subjects together: its violation has no app and node (kNone), and counts as 1 replica.
struct RuleViolation {
  std::uint32_t rule = 0;
  std::uint32_t part = kNone;  ///< for NodeSets and Skew: position of the condition in the rule's only conjunction
  NodeId node = kNone;         ///< index into the plan's nodes
  AppId app = kNone;
  std::uint32_t replicas = 0;
  double extent = 0;  ///< of one replica: how far counts are outside of their bounds, as a share of the bound (P2, Eq. 8)
  double amount = 0;  ///< the count that is furthest outside
  double limit = 0;   ///< the bound that it misses
  double weight = 1;
  bool hard = true;
  bool inherited = false;
};

struct RuleFindings {
  std::vector<RuleViolation> violations;  ///< by rule
  RuleCosts costs;
};

/// Finds all violations, hard and soft, and sums up their costs.
/// @param placed entries with valid indices, each pair of app and node at most once
/// @param watch ends the check, whose result then means nothing
RuleFindings check_rules(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed,
                         WatchRef watch = {});

}  // namespace stowage
