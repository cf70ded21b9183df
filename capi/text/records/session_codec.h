// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/session_records.h"

namespace stowage::cli::codec {

inline flatbuffers::Offset<wire::NamedCardinality> write_named_cardinality(Builder& builder, NamedCardinalityData& from) {
  const auto subject = builder.must(from.subject);
  const auto target = builder.put(from.target);
  const auto group = builder.put(from.group);
  return wire::CreateNamedCardinality(builder, static_cast<std::uint8_t>(from.kind), subject, target, from.min, from.max, group, from.negated);
}

inline flatbuffers::Offset<wire::NamedConjunction> write_named_conjunction(Builder& builder, std::vector<NamedCardinalityData>& from) {
  const auto all_of = builder.must_all(from, write_named_cardinality);
  return wire::CreateNamedConjunction(builder, all_of);
}

inline flatbuffers::Offset<wire::NamedRule> write_named_rule(Builder& builder, NamedRuleData& from) {
  const auto name = builder.must(from.name);
  const auto any_of = builder.all(from.any_of, write_named_conjunction);
  return wire::CreateNamedRule(builder, name, any_of, from.hard, from.weight, static_cast<std::uint8_t>(from.origin));
}

inline flatbuffers::Offset<wire::Operation> write_operation(Builder& builder, OperationData& from) {
  const auto app = builder.put(from.app);
  const auto node = builder.put(from.node);
  const auto demand = builder.put(from.demand);
  const auto variance = builder.put(from.variance);
  const auto support_min = builder.put(from.support_min);
  const auto support_max = builder.put(from.support_max);
  const auto tags = builder.put(from.tags);
  const auto limit_app = builder.put(from.limit_app);
  const auto limit_at_most = builder.put(from.limit_at_most);
  const auto node_class = builder.put(from.node_class);
  const auto load = builder.put(from.load);
  const auto load_variance = builder.put(from.load_variance);
  const auto groups = builder.put(from.groups);
  const auto sets = builder.put(from.sets);
  const auto rule = builder.some(from.rule, write_named_rule);
  const auto only = builder.put(from.only);
  const auto not_ = builder.put(from.not_);
  const auto daemon = builder.put(from.daemon);
  const auto peer = builder.put(from.peer);
  return wire::CreateOperation(builder, static_cast<wire::OperationKind>(from.kind), app, node, from.replicas, demand, from.priority, variance, support_min, support_max, from.app_kind, tags, limit_app, limit_at_most, node_class, load, load_variance, groups, sets, rule, from.weight, only, not_, daemon, peer, from.amount);
}

inline std::uint64_t size_of_named_cardinality(const NamedCardinalityData& from) {
  return 86 + size_of(from.subject) + size_of(from.target) + size_of(from.group);
}

inline std::uint64_t size_of_named_conjunction(const std::vector<NamedCardinalityData>& from) {
  return 26 + size_of_all(from, size_of_named_cardinality);
}

inline std::uint64_t size_of_named_rule(const NamedRuleData& from) {
  return 66 + size_of(from.name) + size_of_all(from.any_of, size_of_named_conjunction);
}

inline std::uint64_t size_of_operation(const OperationData& from) {
  return 266 + size_of(from.app) + size_of(from.node) + size_of(from.demand) + size_of(from.variance) + size_of(from.support_min) + size_of(from.support_max) + size_of(from.tags) + size_of(from.limit_app) + size_of(from.limit_at_most) + size_of(from.node_class) + size_of(from.load) + size_of(from.load_variance) + size_of(from.groups) + size_of(from.sets) + size_of_some(from.rule, size_of_named_rule) + size_of(from.only) + size_of(from.not_) + size_of(from.daemon) + size_of(from.peer);
}

/// Calls visit(key, number) for each number of an app that an operation gives.
template <class Visit>
void app_numbers(OperationData& operation, Visit&& visit) {
  visit("priority", operation.priority);
  visit("weight", operation.weight);
}

}  // namespace stowage::cli::codec
