// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/request_records.h"

namespace stowage::cli::codec {

inline flatbuffers::Offset<wire::Option> write_option(Builder& builder, OptionData& from) {
  const auto name = builder.must(from.name);
  const auto text = builder.put(from.text);
  return wire::CreateOption(builder, name, from.number, text);
}

inline flatbuffers::Offset<wire::PlanGoal> write_plan_goal(Builder& builder, PlanGoalData& from) {
  const auto words = builder.put(from.words);
  return wire::CreatePlanGoal(builder, static_cast<wire::GoalKind>(from.what), from.resource, from.beside, from.weight, from.tolerance, words);
}

inline flatbuffers::Offset<wire::Request> write_request(Builder& builder, RequestData& from) {
  const auto planner = builder.must(from.planner);
  const auto options = builder.all(from.options, write_option);
  const auto keep = builder.column<wire::Kept>(from.keep);
  const auto survive = builder.put(from.survive);
  const auto leave_free = builder.put(from.leave_free);
  const auto goals = builder.all(from.goals, write_plan_goal);
  return wire::CreateRequest(builder, 1, planner, options, from.seed, from.deadline_ms, from.work_limit, from.threads, from.node_limit, from.ignore_running, from.move_budget, static_cast<wire::Objective>(from.objective), from.all_or_nothing, from.compact, static_cast<wire::SoftPolicy>(from.soft), from.soft_price, from.patience_ms, from.fill, from.max_cost, keep, survive, leave_free, goals, from.trace);
}

}  // namespace stowage::cli::codec
