// Goals in order, as a request states them and as a plan reaches them. request.fbs and plan.fbs document the fields.
#pragma once

#include <cstdint>

#include "core/model/data/types.h"

namespace stowage {

/// What a goal counts. Mirrors GoalKind of request.fbs.
enum class GoalKind : std::uint8_t {
  kCost,
  kNodes,
  kMoves,
  kBalance,
  kEvenness,
  kSoftRules,
  kUcac,
  kWorst,
  kTotal,
  kAdmitted,
  kTraffic,
  kEnd
};

struct PlanGoal {
  GoalKind what = GoalKind::kCost;
  ResourceId resource = kNone;  ///< with kBalance and kEvenness; kNone: all
  bool beside = false;          ///< counts together with the goal before it
  double weight = 1;
  double tolerance = 0;
};

struct ReachedGoal : PlanGoal {
  double value = 0;
  double bound = -1;  ///< of any complete plan; negative: none is known
  bool proven = false;
};

}  // namespace stowage
