// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stowage {

/// What a goal counts. A plan makes it small.
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

/// The word for each.
inline constexpr std::array<std::string_view, 11> kGoalWords = {
    "cost",
    "nodes",
    "moves",
    "balance",
    "evenness",
    "soft-rules",
    "ucac",
    "worst",
    "total",
    "admitted",
    "traffic",
};

/// Whether a goal may be of one resource.
constexpr bool may_have_resource(GoalKind what) { return what == GoalKind::kBalance || what == GoalKind::kEvenness; }

}  // namespace stowage
