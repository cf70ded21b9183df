#include "capi/text/formats/instance_data.h"

#include <algorithm>

#include "capi/text/base/failure.h"

namespace stowage::cli {
namespace {

template <class Value>
bool all_equal_to(const std::vector<Value>& values, Value expected) {
  return std::all_of(values.begin(), values.end(), [expected](Value value) { return value == expected; });
}

template <class Value>
void drop_if_all(std::vector<Value>& values, Value expected) {
  if (all_equal_to(values, expected)) values.clear();
}

/// Stores a column of items x resources x periods as items x resources where it is constant over the periods.
void drop_constant_periods(std::vector<double>& column, std::size_t items, std::size_t resources, std::uint32_t periods) {
  if (periods <= 1 || column.size() != items * resources * periods) return;
  for (std::size_t cell = 0; cell < items * resources; ++cell) {
    const double* row = column.data() + cell * periods;
    if (!std::all_of(row, row + periods, [row](double value) { return value == row[0]; })) return;
  }
  for (std::size_t cell = 0; cell < items * resources; ++cell) column[cell] = column[cell * periods];
  column.resize(items * resources);
}

/// Puts an app's limit on itself first in its row.
void own_limit_first(LimitsData& limits) {
  for (std::size_t app = 0; app + 1 < limits.row_begin.size(); ++app) {
    const std::size_t begin = limits.row_begin[app];
    const std::size_t end = limits.row_begin[app + 1];
    const auto first = limits.app.begin();
    const auto found = std::find(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end), app);
    const auto at = static_cast<std::size_t>(found - first);
    if (at == end || at == begin) continue;
    const std::uint32_t at_most = limits.at_most[at];
    std::move_backward(first + static_cast<std::ptrdiff_t>(begin), found, found + 1);
    const auto values = limits.at_most.begin();
    std::move_backward(values + static_cast<std::ptrdiff_t>(begin), values + static_cast<std::ptrdiff_t>(at),
                       values + static_cast<std::ptrdiff_t>(at) + 1);
    limits.app[begin] = static_cast<std::uint32_t>(app);
    limits.at_most[begin] = at_most;
  }
}

void by_node(std::vector<ResidenceData>& residences) {
  std::stable_sort(residences.begin(), residences.end(),
                   [](const ResidenceData& a, const ResidenceData& b) { return a.node < b.node; });
}

/// Drops the nodes' daemon loads where all of them are those of their classes.
void drop_daemons_of_classes(InstanceData& data) {
  const std::size_t resources = data.resources.size();
  const std::size_t width = data.nodes.daemon.size() / std::max<std::size_t>(1, data.nodes.node_class.size());
  for (std::size_t node = 0; node < data.nodes.node_class.size() && !data.nodes.daemon.empty(); ++node) {
    const std::vector<double>& of_class = data.classes[data.nodes.node_class[node]].daemon;
    for (std::size_t cell = 0; cell < width; ++cell) {
      // Both rows may have one entry per resource, or one per resource and period.
      const std::size_t periods = std::max<std::size_t>(1, width / std::max<std::size_t>(1, resources));
      const std::size_t at = of_class.size() == width ? cell : cell / periods;
      const double expected = of_class.empty() ? 0 : of_class[at];
      if (of_class.size() > width || data.nodes.daemon[node * width + cell] != expected) return;
    }
  }
  data.nodes.daemon.clear();
}

/// Numbers the tags by first use and drops those that nothing uses.
void renumber_tags(InstanceData& data) {
  std::vector<std::uint32_t> number(data.tags.size(), kNone);
  std::vector<std::string> used;
  const auto visit = [&](std::vector<std::uint32_t>& indices) {
    for (std::uint32_t& index : indices) {
      if (number[index] == kNone) {
        number[index] = static_cast<std::uint32_t>(used.size());
        used.push_back(data.tags[index]);
      }
      index = number[index];
    }
  };
  visit(data.apps.tags.index);
  visit(data.nodes.tags.index);
  for (RuleData& rule : data.rules) {
    for (auto& conjunction : rule.any_of) {
      for (CardinalityData& cardinality : conjunction) {
        visit(cardinality.subject);
        visit(cardinality.target);
      }
    }
  }
  visit(data.apps.only.index);
  visit(data.apps.refused.index);
  data.tags = std::move(used);
}

void make_canonical(InstanceData& data) {
  if (data.periods == 0) data.periods = 1;
  AppsData& apps = data.apps;
  drop_constant_periods(apps.demand, apps.replicas.size(), data.resources.size(), data.periods);
  drop_if_all(apps.priority, 0);
  drop_if_all(apps.weight, 1.0);
  drop_if_all(apps.variance, 0.0);
  for (TagRows* rows : {&apps.tags, &apps.only, &apps.refused}) {
    if (rows->index.empty()) rows->begin.clear();
  }
  for (NodeClassData& node_class : data.classes) {
    drop_constant_periods(node_class.daemon, 1, data.resources.size(), data.periods);
    drop_if_all(node_class.daemon, 0.0);
  }
  NodesData& nodes = data.nodes;
  drop_constant_periods(nodes.load, nodes.node_class.size(), data.resources.size(), data.periods);
  drop_if_all(nodes.load, 0.0);
  drop_if_all(nodes.load_variance, 0.0);
  drop_constant_periods(nodes.daemon, nodes.node_class.size(), data.resources.size(), data.periods);
  drop_daemons_of_classes(data);
  drop_if_all(nodes.closed, std::uint8_t{0});
  if (nodes.tags.index.empty()) nodes.tags.begin.clear();
  own_limit_first(data.limits);
  by_node(data.running);
  by_node(data.pinned);
  renumber_tags(data);
}

std::uint64_t text_size(const std::vector<std::string>& texts) {
  std::uint64_t size = 0;
  for (const std::string& text : texts) size += text.size() + 16;
  return size;
}

/// An estimate of the buffer's bytes; it errs on the high side.
std::uint64_t size_estimate(const InstanceData& data) {
  const AppsData& apps = data.apps;
  const NodesData& nodes = data.nodes;
  std::uint64_t size = 65536;
  size += text_size(apps.names) + text_size(nodes.names) + text_size(data.tags);
  size +=
      8 * (apps.demand.size() + apps.variance.size() + apps.support_min.size() + apps.support_max.size() + apps.weight.size());
  size += 4 * (apps.replicas.size() + apps.priority.size() + apps.kind.size());
  size += 4 * (apps.tags.begin.size() + apps.tags.index.size() + nodes.tags.begin.size() + nodes.tags.index.size());
  size += 4 * (apps.only.begin.size() + apps.only.index.size() + apps.refused.begin.size() + apps.refused.index.size());
  size += 4 * nodes.node_class.size() + nodes.closed.size();
  size += 8 * (nodes.load.size() + nodes.load_variance.size() + nodes.daemon.size());
  size += 4 * (data.limits.row_begin.size() + data.limits.app.size() + data.limits.at_most.size());
  size += 12 * (data.running.size() + data.pinned.size()) + 16 * data.traffic.size();
  for (const NodeClassData& node_class : data.classes)
    size += 128 + 8 * (node_class.capacity.size() + node_class.daemon.size()) + text_size(node_class.labels);
  for (const GroupData& group : data.groups) {
    size += 128 + 4 * (group.set_begin.size() + group.node.size()) + text_size(group.set_names);
  }
  if (data.interference) size += 8 * data.interference->coefficient.size() + text_size(data.interference->kinds);
  return size;
}

template <class Value>
flatbuffers::Offset<flatbuffers::Vector<Value>> column(flatbuffers::FlatBufferBuilder& builder, std::vector<Value>& values,
                                                       bool required = false) {
  if (values.empty() && !required) return 0;
  const auto offset = builder.CreateVector(values.data(), values.size());
  // The buffer holds a copy; the column's memory is released.
  std::vector<Value>().swap(values);
  return offset;
}

using Strings = flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>>;

Strings strings(flatbuffers::FlatBufferBuilder& builder, const std::vector<std::string>& texts) {
  return texts.empty() ? Strings() : builder.CreateVectorOfStrings(texts);
}

flatbuffers::Offset<flatbuffers::String> optional_string(flatbuffers::FlatBufferBuilder& builder, const std::string& text) {
  return text.empty() ? flatbuffers::Offset<flatbuffers::String>() : builder.CreateString(text);
}

flatbuffers::Offset<flatbuffers::Vector<const wire::Residence*>> residences(flatbuffers::FlatBufferBuilder& builder,
                                                                            const std::vector<ResidenceData>& data) {
  if (data.empty()) return 0;
  std::vector<wire::Residence> structs;
  structs.reserve(data.size());
  for (const ResidenceData& one : data) structs.emplace_back(one.app, one.node, one.replicas);
  return builder.CreateVectorOfStructs(structs);
}

flatbuffers::Offset<wire::Cardinality> cardinality(flatbuffers::FlatBufferBuilder& builder, CardinalityData& data) {
  const auto subject = column(builder, data.subject, true);
  const auto target = column(builder, data.target);
  return wire::CreateCardinality(builder, data.kind, subject, target, data.min, data.max, data.group, data.negated);
}

flatbuffers::Offset<wire::AffinityLimits> encode_limits(flatbuffers::FlatBufferBuilder& builder, LimitsData& limits) {
  const auto app = column(builder, limits.app);
  const auto at_most = column(builder, limits.at_most);
  if (app.IsNull()) return 0;
  const auto row_begin = column(builder, limits.row_begin, true);
  return wire::CreateAffinityLimits(builder, row_begin, app, at_most);
}

flatbuffers::Offset<wire::Apps> encode_apps(flatbuffers::FlatBufferBuilder& builder, AppsData& apps) {
  const auto names = strings(builder, apps.names);
  const auto replicas = column(builder, apps.replicas, true);
  const auto demand = column(builder, apps.demand, true);
  const auto priority = column(builder, apps.priority);
  const auto variance = column(builder, apps.variance);
  const auto support_min = column(builder, apps.support_min);
  const auto support_max = column(builder, apps.support_max);
  const auto kind = column(builder, apps.kind);
  const auto tag_begin = column(builder, apps.tags.begin);
  const auto tag_index = column(builder, apps.tags.index);
  const auto weight = column(builder, apps.weight);
  const auto only_begin = column(builder, apps.only.begin);
  const auto only_index = column(builder, apps.only.index);
  const auto not_begin = column(builder, apps.refused.begin);
  const auto not_index = column(builder, apps.refused.index);
  return wire::CreateApps(builder, names, replicas, demand, priority, variance, support_min, support_max, kind, tag_begin,
                          tag_index, weight, only_begin, only_index, not_begin, not_index);
}

flatbuffers::Offset<wire::Nodes> encode_nodes(flatbuffers::FlatBufferBuilder& builder, NodesData& nodes) {
  if (nodes.node_class.empty()) return 0;
  const auto names = strings(builder, nodes.names);
  const auto node_class = column(builder, nodes.node_class);
  const auto load = column(builder, nodes.load);
  const auto load_variance = column(builder, nodes.load_variance);
  const auto closed = column(builder, nodes.closed);
  const auto tag_begin = column(builder, nodes.tags.begin);
  const auto tag_index = column(builder, nodes.tags.index);
  const auto daemon = column(builder, nodes.daemon);
  return wire::CreateNodes(builder, node_class, names, load, load_variance, closed, tag_begin, tag_index, daemon);
}

template <class Table>
using Tables = std::vector<flatbuffers::Offset<Table>>;

Tables<wire::Resource> encode_resources(flatbuffers::FlatBufferBuilder& builder, const std::vector<ResourceData>& resources) {
  Tables<wire::Resource> tables;
  for (const ResourceData& resource : resources) {
    const auto name = builder.CreateString(resource.name);
    tables.push_back(wire::CreateResource(builder, name, optional_string(builder, resource.unit), resource.device));
  }
  return tables;
}

Tables<wire::NodeClass> encode_classes(flatbuffers::FlatBufferBuilder& builder, std::vector<NodeClassData>& classes) {
  Tables<wire::NodeClass> tables;
  for (NodeClassData& node_class : classes) {
    const auto name = optional_string(builder, node_class.name);
    const auto capacity = column(builder, node_class.capacity, true);
    const auto labels = strings(builder, node_class.labels);
    const auto daemon = column(builder, node_class.daemon);
    tables.push_back(wire::CreateNodeClass(builder, name, capacity, node_class.count, node_class.price, labels, daemon));
  }
  return tables;
}

Tables<wire::NodeGroup> encode_groups(flatbuffers::FlatBufferBuilder& builder, std::vector<GroupData>& groups) {
  Tables<wire::NodeGroup> tables;
  for (GroupData& group : groups) {
    const auto name = builder.CreateString(group.name);
    const auto set_begin = column(builder, group.set_begin);
    const auto node = column(builder, group.node);
    const auto set_names = strings(builder, group.set_names);
    tables.push_back(
        wire::CreateNodeGroup(builder, name, set_begin, node, set_names, optional_string(builder, group.by_label)));
  }
  return tables;
}

Tables<wire::PlacementRule> encode_rules(flatbuffers::FlatBufferBuilder& builder, std::vector<RuleData>& rules) {
  Tables<wire::PlacementRule> tables;
  for (RuleData& rule : rules) {
    const auto name = optional_string(builder, rule.name);
    Tables<wire::Conjunction> any_of;
    for (auto& conjunction : rule.any_of) {
      Tables<wire::Cardinality> all_of;
      all_of.reserve(conjunction.size());
      for (CardinalityData& one : conjunction) all_of.push_back(cardinality(builder, one));
      any_of.push_back(wire::CreateConjunction(builder, builder.CreateVector(all_of)));
    }
    tables.push_back(
        wire::CreatePlacementRule(builder, name, builder.CreateVector(any_of), rule.hard, rule.weight, rule.origin));
  }
  return tables;
}

template <class Value>
std::vector<Value> copied(const flatbuffers::Vector<Value>* vector) {
  return vector == nullptr ? std::vector<Value>() : std::vector<Value>(vector->begin(), vector->end());
}

std::vector<double> copied_doubles(const flatbuffers::Vector<double>* vector) {
  return vector == nullptr ? std::vector<double>() : std::vector<double>(vector->begin(), vector->end());
}

std::string copied(const flatbuffers::String* text) { return text == nullptr ? std::string() : text->str(); }

std::vector<std::string> copied(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>* vector) {
  std::vector<std::string> texts;
  if (vector == nullptr) return texts;
  texts.reserve(vector->size());
  for (const flatbuffers::String* text : *vector) texts.push_back(text->str());
  return texts;
}

std::vector<ResidenceData> copied(const flatbuffers::Vector<const wire::Residence*>* vector) {
  std::vector<ResidenceData> result;
  if (vector == nullptr) return result;
  result.reserve(vector->size());
  for (const wire::Residence* one : *vector) result.push_back({one->app(), one->node(), one->replicas()});
  return result;
}

CardinalityData decoded(const wire::Cardinality& wire) {
  CardinalityData data;
  data.kind = wire.kind();
  data.subject = copied(wire.subject());
  data.target = copied(wire.target());
  data.min = wire.min();
  data.max = wire.max();
  data.group = wire.group();
  data.negated = wire.negated();
  return data;
}

}  // namespace

NameIndex::NameIndex(const std::vector<std::string>& names) {
  positions_.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto position = static_cast<std::uint32_t>(i);
    const auto [found, inserted] = positions_.emplace(names[i], position);
    if (!inserted && !duplicate_) duplicate_ = {found->second, position};
  }
}

std::uint32_t NameIndex::find(std::string_view name) const {
  const auto found = positions_.find(name);
  return found == positions_.end() ? kNone : found->second;
}

flatbuffers::DetachedBuffer encode_instance(InstanceData data) {
  make_canonical(data);
  const std::uint64_t size = size_estimate(data);
  if (size > FLATBUFFERS_MAX_BUFFER_SIZE)
    throw Failure::in("the instance", "", "is too large: its .stow form would pass 2 GiB", Fault::kSize);
  flatbuffers::FlatBufferBuilder builder(static_cast<std::size_t>(size));

  // The order of the parts decides the bytes.
  const auto limits = encode_limits(builder, data.limits);
  const auto apps = encode_apps(builder, data.apps);
  const auto nodes = encode_nodes(builder, data.nodes);
  const auto resources = encode_resources(builder, data.resources);
  const auto classes = encode_classes(builder, data.classes);
  const auto groups = encode_groups(builder, data.groups);
  const auto rules = encode_rules(builder, data.rules);
  flatbuffers::Offset<wire::Uncertainty> uncertainty;
  if (data.uncertainty) {
    uncertainty =
        wire::CreateUncertainty(builder, data.uncertainty->model, data.uncertainty->confidence, data.uncertainty->factor);
  }
  flatbuffers::Offset<wire::Interference> interference;
  if (data.interference) {
    const auto kinds = strings(builder, data.interference->kinds);
    const auto coefficient = column(builder, data.interference->coefficient, true);
    const auto max_cost = column(builder, data.interference->max_cost);
    interference = wire::CreateInterference(builder, kinds, coefficient, data.interference->resource, max_cost);
  }

  std::vector<wire::Traffic> traffic;
  for (const TrafficData& one : data.traffic) traffic.emplace_back(one.app, one.peer, one.amount);

  const auto name = optional_string(builder, data.name);
  const auto wire_resources = builder.CreateVector(resources);
  const auto wire_classes = builder.CreateVector(classes);
  const auto running = residences(builder, data.running);
  const auto pinned = residences(builder, data.pinned);
  const auto tags = strings(builder, data.tags);
  const auto wire_groups = groups.empty() ? 0 : builder.CreateVector(groups);
  const auto wire_rules = rules.empty() ? 0 : builder.CreateVector(rules);

  const auto wire_traffic = traffic.empty() ? 0 : builder.CreateVectorOfStructs(traffic);

  wire::InstanceBuilder instance(builder);
  instance.add_name(name);
  instance.add_resources(wire_resources);
  instance.add_periods(data.periods);
  instance.add_apps(apps);
  instance.add_classes(wire_classes);
  instance.add_nodes(nodes);
  instance.add_limits(limits);
  instance.add_running(running);
  instance.add_pinned(pinned);
  instance.add_tags(tags);
  instance.add_groups(wire_groups);
  instance.add_rules(wire_rules);
  instance.add_uncertainty(uncertainty);
  instance.add_interference(interference);
  instance.add_traffic(wire_traffic);
  wire::FinishInstanceBuffer(builder, instance.Finish());
  return builder.Release();
}

InstanceData decode_instance(const wire::Instance& instance) {
  InstanceData data;
  data.name = copied(instance.name());
  for (const wire::Resource* resource : *instance.resources()) {
    data.resources.push_back({copied(resource->name()), copied(resource->unit()), resource->device()});
  }
  data.periods = instance.periods();
  const wire::Apps& apps = *instance.apps();
  data.apps.names = copied(apps.names());
  data.apps.replicas = copied(apps.replicas());
  data.apps.demand = copied_doubles(apps.demand());
  data.apps.priority = copied(apps.priority());
  data.apps.variance = copied_doubles(apps.variance());
  data.apps.support_min = copied_doubles(apps.support_min());
  data.apps.support_max = copied_doubles(apps.support_max());
  data.apps.kind = copied(apps.kind());
  data.apps.tags = {copied(apps.tag_begin()), copied(apps.tag_index())};
  data.apps.only = {copied(apps.only_begin()), copied(apps.only_index())};
  data.apps.refused = {copied(apps.not_begin()), copied(apps.not_index())};
  data.apps.weight = copied_doubles(apps.weight());
  for (const wire::NodeClass* node_class : *instance.classes()) {
    data.classes.push_back({copied(node_class->name()), copied_doubles(node_class->capacity()), node_class->count(),
                            node_class->price(), copied(node_class->labels()), copied_doubles(node_class->daemon())});
  }
  if (const wire::Nodes* nodes = instance.nodes(); nodes != nullptr) {
    data.nodes.node_class = copied(nodes->node_class());
    data.nodes.names = copied(nodes->names());
    data.nodes.load = copied_doubles(nodes->load());
    data.nodes.load_variance = copied_doubles(nodes->load_variance());
    data.nodes.closed = copied(nodes->closed());
    data.nodes.tags = {copied(nodes->tag_begin()), copied(nodes->tag_index())};
    data.nodes.daemon = copied_doubles(nodes->daemon());
  }
  if (const wire::AffinityLimits* limits = instance.limits(); limits != nullptr) {
    data.limits = {copied(limits->row_begin()), copied(limits->app()), copied(limits->at_most())};
  }
  data.running = copied(instance.running());
  data.pinned = copied(instance.pinned());
  data.tags = copied(instance.tags());
  if (instance.groups() != nullptr) {
    for (const wire::NodeGroup* group : *instance.groups()) {
      data.groups.push_back({copied(group->name()), copied(group->set_begin()), copied(group->node()),
                             copied(group->set_names()), copied(group->by_label())});
    }
  }
  if (instance.rules() != nullptr) {
    for (const wire::PlacementRule* rule : *instance.rules()) {
      RuleData& target = data.rules.emplace_back();
      target.name = copied(rule->name());
      target.hard = rule->hard();
      target.weight = rule->weight();
      target.origin = rule->origin();
      for (const wire::Conjunction* conjunction : *rule->any_of()) {
        auto& all_of = target.any_of.emplace_back();
        for (const wire::Cardinality* one : *conjunction->all_of()) all_of.push_back(decoded(*one));
      }
    }
  }
  if (const wire::Uncertainty* uncertainty = instance.uncertainty(); uncertainty != nullptr) {
    data.uncertainty = {uncertainty->model(), uncertainty->confidence(), uncertainty->factor()};
  }
  if (const wire::Interference* interference = instance.interference(); interference != nullptr) {
    data.interference = {copied(interference->kinds()), copied_doubles(interference->coefficient()), interference->resource(),
                         copied_doubles(interference->max_cost())};
  }
  if (instance.traffic() != nullptr) {
    for (const wire::Traffic* one : *instance.traffic()) data.traffic.push_back({one->app(), one->peer(), one->amount()});
  }
  return data;
}

std::uint32_t periods_told_apart(const wire::Instance& instance) {
  const std::size_t resources = instance.resources()->size();
  const auto is_profile = [&](const flatbuffers::Vector<double>* column, std::size_t items) {
    return given(column) && column->size() != items * resources;
  };
  bool any = is_profile(instance.apps()->demand(), instance.apps()->replicas()->size());
  for (const wire::NodeClass* node_class : *instance.classes()) any = any || is_profile(node_class->daemon(), 1);
  if (const wire::Nodes* nodes = instance.nodes(); nodes != nullptr) {
    const std::size_t listed = nodes->node_class()->size();
    any = any || is_profile(nodes->load(), listed) || is_profile(nodes->daemon(), listed);
  }
  return any ? instance.periods() : 1;
}

const wire::Instance* checked_instance(std::span<const std::uint8_t> bytes, const std::string& name) {
  // Names are strings of their own, so a large instance has more tables than the verifier's default of a million.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 64, 2'000'000'000);
  if (bytes.size() > FLATBUFFERS_MAX_BUFFER_SIZE || !wire::VerifyInstanceBuffer(verifier)) {
    throw Failure::in(name, "", "is damaged: not a well-formed .stow instance", Fault::kForm);
  }
  return wire::GetInstance(bytes.data());
}

}  // namespace stowage::cli
