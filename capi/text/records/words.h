// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <array>

#include "instance_generated.h"
#include "learning_generated.h"
#include "plan_generated.h"
#include "report_generated.h"
#include "request_generated.h"
#include "session_generated.h"

namespace stowage::cli {

/// The words of an enumeration in texts, by value.
template <class Enum>
struct Words;
template <>
struct Words<wire::CardinalityKind> {
  static constexpr std::array kAll = {"replicas", "node-sets", "skew"};
};
template <>
struct Words<wire::Origin> {
  static constexpr std::array kAll = {"application", "operator"};
};
template <>
struct Words<wire::ChanceModel> {
  static constexpr std::array kAll = {"gaussian", "bounded-support", "factor"};
};
template <>
struct Words<wire::NodeState> {
  static constexpr std::array kAll = {"open", "cordoned", "drained", "failed"};
};
template <>
struct Words<wire::Objective> {
  static constexpr std::array kAll = {"nodes", "ucac", "worst", "total", "admitted", "traffic"};
};
template <>
struct Words<wire::SoftPolicy> {
  static constexpr std::array kAll = {"first", "last", "price"};
};
template <>
struct Words<wire::GoalKind> {
  static constexpr std::array kAll = {"cost", "nodes", "moves", "balance", "evenness", "soft-rules", "ucac", "worst", "total", "admitted", "traffic"};
};
template <>
struct Words<wire::PlanStatus> {
  static constexpr std::array kAll = {"complete", "optimal", "partial", "infeasible-proven", "cancelled", "deadline"};
};
template <>
struct Words<wire::NoteCode> {
  static constexpr std::array kAll = {"search-off", "not-improved", "ended-early", "left-out", "idle-rule", "promise", "start-plan"};
};
template <>
struct Words<wire::ViolationKind> {
  static constexpr std::array kAll = {"capacity", "affinity-limit", "self-limit", "replica-count", "pin", "class-count", "bad-node", "bad-entry", "moves", "closed-node", "figures", "wrong-instance", "unchecked", "capacity-at-confidence", "placement-rule", "eligibility", "side-effects", "devices", "promise"};
};
template <>
struct Words<wire::ObstacleKind> {
  static constexpr std::array kAll = {"capacity", "affinity-limit", "imposed-limit", "self-limit", "closed-node", "capacity-at-confidence", "placement-rule", "eligibility", "side-effects", "devices"};
};
template <>
struct Words<wire::RelaxationKind> {
  static constexpr std::array kAll = {"none", "add-node", "add-capacity", "raise-limit", "open-node", "raise-maximum", "lower-minimum", "soften-rule", "admit-tag", "raise-max-cost"};
};
template <>
struct Words<wire::DriverKind> {
  static constexpr std::array kAll = {"capacity", "large-items", "without-limits", "without-resource", "without-periods", "self-limit", "without-uncertainty", "without-cost-limits", "without-promises"};
};
template <>
struct Words<wire::ConflictKind> {
  static constexpr std::array kAll = {"version", "app-gone", "not-pending", "node-gone", "node-closed", "no-room", "moves", "rules"};
};
template <>
struct Words<wire::OperationKind> {
  static constexpr std::array kAll = {"submit", "scale", "remove", "pin", "add-node", "remove-node", "cordon", "uncordon", "drain", "fail", "load", "add-rule", "remove-rule", "traffic"};
};
template <>
struct Words<wire::Measure> {
  static constexpr std::array kAll = {"performance", "latency"};
};
template <>
struct Words<wire::RecommendationReason> {
  static constexpr std::array kAll = {"meets-goal", "not-enough-evidence", "goal-out-of-reach"};
};
/// Whether a goal may be of one resource. Its value is a share then.
constexpr bool may_have_resource(wire::GoalKind what) { return what == wire::GoalKind::Balance || what == wire::GoalKind::Evenness; }

}  // namespace stowage::cli
