// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include "capi/text/records/codec.h"
#include "capi/text/records/instance_records.h"

namespace stowage::cli::codec {

inline void read_resource(const wire::Resource& from, Copier& copier, ResourceData& to) {
  copier.read(from.name(), to.name);
  copier.read(from.unit(), to.unit);
  to.device = from.device();
}

inline void read_apps(const wire::Apps& from, Copier& copier, AppsData& to) {
  copier.read(from.names(), to.names);
  copier.read(from.replicas(), to.replicas);
  copier.read(from.demand(), to.demand);
  copier.read(from.priority(), to.priority);
  copier.read(from.variance(), to.variance);
  copier.read(from.support_min(), to.support_min);
  copier.read(from.support_max(), to.support_max);
  copier.read(from.kind(), to.kind);
  copier.read(from.tag_begin(), to.tag_begin);
  copier.read(from.tag_index(), to.tag_index);
  copier.read(from.weight(), to.weight);
  copier.read(from.only_begin(), to.only_begin);
  copier.read(from.only_index(), to.only_index);
  copier.read(from.not_begin(), to.not_begin);
  copier.read(from.not_index(), to.not_index);
}

inline void read_node_class(const wire::NodeClass& from, Copier& copier, NodeClassData& to) {
  copier.read(from.name(), to.name);
  copier.read(from.capacity(), to.capacity);
  to.count = from.count();
  to.price = from.price();
  copier.read(from.labels(), to.labels);
  copier.read(from.daemon(), to.daemon);
}

inline void read_nodes(const wire::Nodes& from, Copier& copier, NodesData& to) {
  copier.read(from.node_class(), to.node_class);
  copier.read(from.names(), to.names);
  copier.read(from.load(), to.load);
  copier.read(from.load_variance(), to.load_variance);
  copier.read(from.closed(), to.closed);
  copier.read(from.tag_begin(), to.tag_begin);
  copier.read(from.tag_index(), to.tag_index);
  copier.read(from.daemon(), to.daemon);
}

inline void read_affinity_limits(const wire::AffinityLimits& from, Copier& copier, AffinityLimitsData& to) {
  copier.read(from.row_begin(), to.row_begin);
  copier.read(from.app(), to.app);
  copier.read(from.at_most(), to.at_most);
}

inline void read_node_group(const wire::NodeGroup& from, Copier& copier, NodeGroupData& to) {
  copier.read(from.name(), to.name);
  copier.read(from.set_begin(), to.set_begin);
  copier.read(from.node(), to.node);
  copier.read(from.set_names(), to.set_names);
  copier.read(from.by_label(), to.by_label);
}

inline void read_cardinality(const wire::Cardinality& from, Copier& copier, CardinalityData& to) {
  to.kind = static_cast<decltype(to.kind)>(from.kind());
  copier.read(from.subject(), to.subject);
  copier.read(from.target(), to.target);
  to.min = from.min();
  to.max = from.max();
  to.group = from.group();
  to.negated = from.negated();
}

inline void read_conjunction(const wire::Conjunction& from, Copier& copier, std::vector<CardinalityData>& to) {
  copier.all(from.all_of(), to, read_cardinality);
}

inline void read_placement_rule(const wire::PlacementRule& from, Copier& copier, PlacementRuleData& to) {
  copier.read(from.name(), to.name);
  copier.all(from.any_of(), to.any_of, read_conjunction);
  to.hard = from.hard();
  to.weight = from.weight();
  to.origin = static_cast<decltype(to.origin)>(from.origin());
}

inline void read_uncertainty(const wire::Uncertainty& from, Copier&, UncertaintyData& to) {
  to.model = static_cast<decltype(to.model)>(from.model());
  to.confidence = from.confidence();
  to.factor = from.factor();
}

inline void read_interference(const wire::Interference& from, Copier& copier, InterferenceData& to) {
  copier.read(from.kinds(), to.kinds);
  copier.read(from.coefficient(), to.coefficient);
  to.resource = from.resource();
  copier.read(from.max_cost(), to.max_cost);
}

inline void read_instance(const wire::Instance& from, Copier& copier, InstanceData& to) {
  copier.read(from.name(), to.name);
  copier.all(from.resources(), to.resources, read_resource);
  to.periods = from.periods();
  copier.some(from.apps(), to.apps, read_apps);
  copier.all(from.classes(), to.classes, read_node_class);
  copier.some(from.nodes(), to.nodes, read_nodes);
  copier.some(from.limits(), to.limits, read_affinity_limits);
  copier.read(from.running(), to.running);
  copier.read(from.pinned(), to.pinned);
  copier.read(from.tags(), to.tags);
  copier.all(from.groups(), to.groups, read_node_group);
  copier.all(from.rules(), to.rules, read_placement_rule);
  copier.some(from.uncertainty(), to.uncertainty, read_uncertainty);
  copier.some(from.interference(), to.interference, read_interference);
  copier.read(from.traffic(), to.traffic);
}

inline flatbuffers::Offset<wire::Resource> write_resource(Builder& builder, ResourceData& from) {
  const auto name = builder.must(from.name);
  const auto unit = builder.put(from.unit);
  return wire::CreateResource(builder, name, unit, from.device);
}

inline flatbuffers::Offset<wire::Apps> write_apps(Builder& builder, AppsData& from) {
  const auto names = builder.put(from.names);
  const auto replicas = builder.must(from.replicas);
  const auto demand = builder.must(from.demand);
  const auto priority = builder.put(from.priority);
  const auto variance = builder.put(from.variance);
  const auto support_min = builder.put(from.support_min);
  const auto support_max = builder.put(from.support_max);
  const auto kind = builder.put(from.kind);
  const auto tag_begin = builder.put(from.tag_begin);
  const auto tag_index = builder.put(from.tag_index);
  const auto weight = builder.put(from.weight);
  const auto only_begin = builder.put(from.only_begin);
  const auto only_index = builder.put(from.only_index);
  const auto not_begin = builder.put(from.not_begin);
  const auto not_index = builder.put(from.not_index);
  return wire::CreateApps(builder, names, replicas, demand, priority, variance, support_min, support_max, kind, tag_begin, tag_index, weight, only_begin, only_index, not_begin, not_index);
}

inline flatbuffers::Offset<wire::NodeClass> write_node_class(Builder& builder, NodeClassData& from) {
  const auto name = builder.put(from.name);
  const auto capacity = builder.must(from.capacity);
  const auto labels = builder.put(from.labels);
  const auto daemon = builder.put(from.daemon);
  return wire::CreateNodeClass(builder, name, capacity, from.count, from.price, labels, daemon);
}

inline flatbuffers::Offset<wire::Nodes> write_nodes(Builder& builder, NodesData& from) {
  const auto node_class = builder.must(from.node_class);
  const auto names = builder.put(from.names);
  const auto load = builder.put(from.load);
  const auto load_variance = builder.put(from.load_variance);
  const auto closed = builder.put(from.closed);
  const auto tag_begin = builder.put(from.tag_begin);
  const auto tag_index = builder.put(from.tag_index);
  const auto daemon = builder.put(from.daemon);
  return wire::CreateNodes(builder, node_class, names, load, load_variance, closed, tag_begin, tag_index, daemon);
}

inline flatbuffers::Offset<wire::AffinityLimits> write_affinity_limits(Builder& builder, AffinityLimitsData& from) {
  const auto row_begin = builder.must(from.row_begin);
  const auto app = builder.must(from.app);
  const auto at_most = builder.must(from.at_most);
  return wire::CreateAffinityLimits(builder, row_begin, app, at_most);
}

inline flatbuffers::Offset<wire::NodeGroup> write_node_group(Builder& builder, NodeGroupData& from) {
  const auto name = builder.must(from.name);
  const auto set_begin = builder.put(from.set_begin);
  const auto node = builder.put(from.node);
  const auto set_names = builder.put(from.set_names);
  const auto by_label = builder.put(from.by_label);
  return wire::CreateNodeGroup(builder, name, set_begin, node, set_names, by_label);
}

inline flatbuffers::Offset<wire::Cardinality> write_cardinality(Builder& builder, CardinalityData& from) {
  const auto subject = builder.must(from.subject);
  const auto target = builder.put(from.target);
  return wire::CreateCardinality(builder, static_cast<wire::CardinalityKind>(from.kind), subject, target, from.min, from.max, from.group, from.negated);
}

inline flatbuffers::Offset<wire::Conjunction> write_conjunction(Builder& builder, std::vector<CardinalityData>& from) {
  const auto all_of = builder.must_all(from, write_cardinality);
  return wire::CreateConjunction(builder, all_of);
}

inline flatbuffers::Offset<wire::PlacementRule> write_placement_rule(Builder& builder, PlacementRuleData& from) {
  const auto name = builder.put(from.name);
  const auto any_of = builder.must_all(from.any_of, write_conjunction);
  return wire::CreatePlacementRule(builder, name, any_of, from.hard, from.weight, static_cast<wire::Origin>(from.origin));
}

inline flatbuffers::Offset<wire::Uncertainty> write_uncertainty(Builder& builder, UncertaintyData& from) {
  return wire::CreateUncertainty(builder, static_cast<wire::ChanceModel>(from.model), from.confidence, from.factor);
}

inline flatbuffers::Offset<wire::Interference> write_interference(Builder& builder, InterferenceData& from) {
  const auto kinds = builder.put(from.kinds);
  const auto coefficient = builder.must(from.coefficient);
  const auto max_cost = builder.put(from.max_cost);
  return wire::CreateInterference(builder, kinds, coefficient, from.resource, max_cost);
}

inline flatbuffers::Offset<wire::Instance> write_instance(Builder& builder, InstanceData& from) {
  const auto name = builder.put(from.name);
  const auto resources = builder.must_all(from.resources, write_resource);
  const auto apps = write_apps(builder, from.apps);
  const auto classes = builder.must_all(from.classes, write_node_class);
  const auto nodes = from.nodes.node_class.empty() ? flatbuffers::Offset<wire::Nodes>() : write_nodes(builder, from.nodes);
  const auto limits = from.limits.app.empty() ? flatbuffers::Offset<wire::AffinityLimits>() : write_affinity_limits(builder, from.limits);
  const auto running = builder.column<wire::Residence>(from.running);
  const auto pinned = builder.column<wire::Residence>(from.pinned);
  const auto tags = builder.put(from.tags);
  const auto groups = builder.all(from.groups, write_node_group);
  const auto rules = builder.all(from.rules, write_placement_rule);
  const auto uncertainty = builder.some(from.uncertainty, write_uncertainty);
  const auto interference = builder.some(from.interference, write_interference);
  const auto traffic = builder.column<wire::Traffic>(from.traffic);
  return wire::CreateInstance(builder, 1, name, resources, from.periods, apps, classes, nodes, limits, running, pinned, tags, groups, rules, uncertainty, interference, flatbuffers::Offset<wire::Session>(), traffic);
}

inline std::uint64_t size_of_resource(const ResourceData& from) {
  return 46 + size_of(from.name) + size_of(from.unit);
}

inline std::uint64_t size_of_apps(const AppsData& from) {
  return 166 + size_of(from.names) + size_of(from.replicas) + size_of(from.demand) + size_of(from.priority) + size_of(from.variance) + size_of(from.support_min) + size_of(from.support_max) + size_of(from.kind) + size_of(from.tag_begin) + size_of(from.tag_index) + size_of(from.weight) + size_of(from.only_begin) + size_of(from.only_index) + size_of(from.not_begin) + size_of(from.not_index);
}

inline std::uint64_t size_of_node_class(const NodeClassData& from) {
  return 76 + size_of(from.name) + size_of(from.capacity) + size_of(from.labels) + size_of(from.daemon);
}

inline std::uint64_t size_of_nodes(const NodesData& from) {
  return 96 + size_of(from.node_class) + size_of(from.names) + size_of(from.load) + size_of(from.load_variance) + size_of(from.closed) + size_of(from.tag_begin) + size_of(from.tag_index) + size_of(from.daemon);
}

inline std::uint64_t size_of_affinity_limits(const AffinityLimitsData& from) {
  return 46 + size_of(from.row_begin) + size_of(from.app) + size_of(from.at_most);
}

inline std::uint64_t size_of_node_group(const NodeGroupData& from) {
  return 66 + size_of(from.name) + size_of(from.set_begin) + size_of(from.node) + size_of(from.set_names) + size_of(from.by_label);
}

inline std::uint64_t size_of_cardinality(const CardinalityData& from) {
  return 86 + size_of(from.subject) + size_of(from.target);
}

inline std::uint64_t size_of_conjunction(const std::vector<CardinalityData>& from) {
  return 26 + size_of_all(from, size_of_cardinality);
}

inline std::uint64_t size_of_placement_rule(const PlacementRuleData& from) {
  return 66 + size_of(from.name) + size_of_all(from.any_of, size_of_conjunction);
}

inline std::uint64_t size_of_uncertainty(const UncertaintyData&) {
  return 46;
}

inline std::uint64_t size_of_interference(const InterferenceData& from) {
  return 56 + size_of(from.kinds) + size_of(from.coefficient) + size_of(from.max_cost);
}

inline std::uint64_t size_of_instance(const InstanceData& from) {
  return 186 + size_of(from.name) + size_of_all(from.resources, size_of_resource) + size_of_apps(from.apps) + size_of_all(from.classes, size_of_node_class) + size_of_nodes(from.nodes) + size_of_affinity_limits(from.limits) + size_of(from.running) + size_of(from.pinned) + size_of(from.tags) + size_of_all(from.groups, size_of_node_group) + size_of_all(from.rules, size_of_placement_rule) + size_of_some(from.uncertainty, size_of_uncertainty) + size_of_some(from.interference, size_of_interference) + size_of(from.traffic);
}

/// Calls visit(key, column, what each entry of an absent column is) for each column of numbers that apps may have.
template <class Visit>
void app_numbers(AppsData& apps, Visit&& visit) {
  visit("priority", apps.priority, std::int32_t(0));
  visit("weight", apps.weight, double(1));
}
template <class Visit>
void app_numbers(const wire::Apps& apps, Visit&& visit) {
  visit("priority", apps.priority(), std::int32_t(0));
  visit("weight", apps.weight(), double(1));
}

}  // namespace stowage::cli::codec
