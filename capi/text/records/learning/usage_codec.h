// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/learning/usage_records.h"

namespace stowage::cli::codec {

inline flatbuffers::Offset<wire::SizeRule> write_size_rule(Builder& builder, SizeRuleData& from) {
  return wire::CreateSizeRule(builder, from.percentile, from.half_life, from.window, from.margin, from.bump, from.floor, from.ceiling, from.uncertain);
}

inline flatbuffers::Offset<wire::Usage> write_usage(Builder& builder, UsageData& from) {
  const auto apps = builder.must(from.apps);
  const auto resources = builder.must(from.resources);
  const auto app = builder.must(from.app);
  const auto replica = builder.put(from.replica);
  const auto time = builder.must(from.time);
  const auto amount = builder.must(from.amount);
  const auto out_of_memory = builder.put(from.out_of_memory);
  const auto rules = builder.must_all(from.rules, write_size_rule);
  return wire::CreateUsage(builder, apps, resources, app, replica, time, amount, out_of_memory, rules, from.periods, from.cycle);
}

}  // namespace stowage::cli::codec
