// Placement rules, looked at from a finished plan: the checker's own reading of docs/constraints.md.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Replicas of an app on a node and its copies for which a rule does not hold; for conditions on the number of sets or on skew,
/// which are about all subjects together, app and node are kNone and replicas is 1.
struct RuleViolation {
  std::uint32_t rule = 0;
  std::uint32_t part = kNone;  ///< of its only conjunction, where that part is about all subjects together
  NodeId node = kNone;         ///< of the plan
  AppId app = kNone;
  std::uint32_t replicas = 0;
  double extent = 0;  ///< of one of them: how far counts are outside of their bounds, as a share of these (P2, Eq. 8)
  double amount = 0;  ///< the count that is furthest out, and the bound it misses
  double limit = 0;
  double weight = 1;
  bool hard = true;
  bool inherited = false;
};

struct RuleFindings {
  std::vector<RuleViolation> violations;  ///< by rule
  RuleCosts costs;
};

/// @param placed entries whose indices exist; a pair of app and node at most once
RuleFindings check_rules(const Instance& instance, const std::vector<PlannedNode>& nodes, const std::vector<Placed>& placed);

}  // namespace stowage
