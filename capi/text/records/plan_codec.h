// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/plan_records.h"

namespace stowage::cli::codec {

inline flatbuffers::Offset<wire::Bound> write_bound(Builder& builder, BoundData& from) {
  const auto name = builder.must(from.name);
  return wire::CreateBound(builder, name, from.value, from.resource, from.period);
}

inline flatbuffers::Offset<wire::Note> write_note(Builder& builder, NoteData& from) {
  const auto text = builder.put(from.text);
  return wire::CreateNote(builder, static_cast<wire::NoteCode>(from.code), text);
}

inline flatbuffers::Offset<wire::ReachedGoal> write_reached_goal(Builder& builder, ReachedGoalData& from) {
  return wire::CreateReachedGoal(builder, static_cast<std::uint8_t>(from.what), from.resource, from.beside, from.weight, from.tolerance, from.value, from.bound, from.proven);
}

inline flatbuffers::Offset<wire::TracedPart> write_traced_part(Builder& builder, TracedPartData& from) {
  const auto name = builder.must(from.name);
  return wire::CreateTracedPart(builder, name, from.calls, from.gains, from.work);
}

inline flatbuffers::Offset<wire::Plan> write_plan(Builder& builder, PlanData& from) {
  const auto planner = builder.must(from.planner);
  const auto node_class = builder.must(from.node_class);
  const auto listed = builder.must(from.listed);
  const auto placed = builder.must_column<wire::Placed>(from.placed);
  const auto unplaced = builder.must_column<wire::Unplaced>(from.unplaced);
  const auto node_bound = builder.some(from.node_bound, write_bound);
  const auto cost_bound = builder.some(from.cost_bound, write_bound);
  const auto ucac_bound = builder.some(from.ucac_bound, write_bound);
  const auto node_ucac = builder.put(from.node_ucac);
  const auto copies = builder.put(from.copies);
  const auto notes = builder.all(from.notes, write_note);
  const auto left_over_bound = builder.column<wire::LeftOver>(from.left_over_bound);
  const auto max_cost_bound = builder.some(from.max_cost_bound, write_bound);
  const auto total_cost_bound = builder.some(from.total_cost_bound, write_bound);
  const auto node_max_cost = builder.put(from.node_max_cost);
  const auto left_out_bound = builder.some(from.left_out_bound, write_bound);
  const auto remote_traffic_bound = builder.some(from.remote_traffic_bound, write_bound);
  const auto reserved = builder.column<wire::Placed>(from.reserved);
  const auto unreserved = builder.column<wire::Unplaced>(from.unreserved);
  const auto survive = builder.put(from.survive);
  const auto leave_free = builder.put(from.leave_free);
  const auto goals = builder.all(from.goals, write_reached_goal);
  const auto trace = builder.all(from.trace, write_traced_part);
  return wire::CreatePlan(builder, 1, from.instance, planner, static_cast<wire::PlanStatus>(from.status), from.seed, from.work, node_class, listed, placed, unplaced, node_bound, from.gap, from.cost, cost_bound, from.inherited_violations, from.moves, from.ucac, from.ucac_resource, ucac_bound, node_ucac, static_cast<std::uint8_t>(from.objective), from.rule_violations, from.violating_replicas, from.violation_extent, from.violation_weight, from.violation_cost, from.has_score, from.score, from.score_bound, from.score_gap, from.pace, copies, static_cast<std::uint8_t>(from.soft), from.soft_price, from.fill, notes, left_over_bound, from.places_most, from.max_cost, max_cost_bound, from.total_cost, total_cost_bound, node_max_cost, from.max_cost_limit, from.left_out, left_out_bound, from.remote_traffic, remote_traffic_bound, reserved, unreserved, survive, from.not_survived, leave_free, from.domains_in_use, from.domain_bound, goals, trace);
}

/// Calls visit(key, field) for each field that the JSON form has as it is: numbers, flags, texts and bounds.
template <class Visit>
void plan_fields(PlanData& plan, Visit&& visit) {
  visit("seed", plan.seed);
  visit("work", plan.work);
  visit("node_bound", plan.node_bound);
  visit("gap", plan.gap);
  visit("cost", plan.cost);
  visit("cost_bound", plan.cost_bound);
  visit("inherited_violations", plan.inherited_violations);
  visit("moves", plan.moves);
  visit("ucac", plan.ucac);
  visit("ucac_bound", plan.ucac_bound);
  visit("rule_violations", plan.rule_violations);
  visit("violating_replicas", plan.violating_replicas);
  visit("violation_extent", plan.violation_extent);
  visit("violation_weight", plan.violation_weight);
  visit("violation_cost", plan.violation_cost);
  visit("score_bound", plan.score_bound);
  visit("score_gap", plan.score_gap);
  visit("pace", plan.pace);
  visit("soft_price", plan.soft_price);
  visit("fill", plan.fill);
  visit("places_most", plan.places_most);
  visit("max_cost", plan.max_cost);
  visit("max_cost_bound", plan.max_cost_bound);
  visit("total_cost", plan.total_cost);
  visit("total_cost_bound", plan.total_cost_bound);
  visit("max_cost_limit", plan.max_cost_limit);
  visit("left_out", plan.left_out);
  visit("left_out_bound", plan.left_out_bound);
  visit("remote_traffic", plan.remote_traffic);
  visit("remote_traffic_bound", plan.remote_traffic_bound);
  visit("survive", plan.survive);
  visit("leave_free", plan.leave_free);
  visit("domains_in_use", plan.domains_in_use);
  visit("domain_bound", plan.domain_bound);
}

}  // namespace stowage::cli::codec
