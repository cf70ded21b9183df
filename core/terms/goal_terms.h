// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <array>

#include "core/terms/term.h"

namespace stowage {

extern const GoalTerm kCostGoal;
extern const GoalTerm kNodesGoal;
extern const GoalTerm kMovesGoal;
extern const GoalTerm kBalanceGoal;
extern const GoalTerm kEvennessGoal;
extern const GoalTerm kSoftRulesGoal;
extern const GoalTerm kUcacGoal;
extern const GoalTerm kWorstGoal;
extern const GoalTerm kTotalGoal;
extern const GoalTerm kAdmittedGoal;
extern const GoalTerm kTrafficGoal;

/// By GoalKind.
inline constexpr std::array<const GoalTerm*, 11> kGoalTerms = {
    &kCostGoal,
    &kNodesGoal,
    &kMovesGoal,
    &kBalanceGoal,
    &kEvennessGoal,
    &kSoftRulesGoal,
    &kUcacGoal,
    &kWorstGoal,
    &kTotalGoal,
    &kAdmittedGoal,
    &kTrafficGoal,
};

}  // namespace stowage
