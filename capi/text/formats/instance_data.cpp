#include "capi/text/formats/instance_data.h"

#include <algorithm>

#include "capi/text/base/failure.h"
#include "capi/text/records/instance_codec.h"

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
void own_limit_first(AffinityLimitsData& limits) {
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

void by_node(std::vector<wire::Residence>& residences) {
  std::stable_sort(residences.begin(), residences.end(),
                   [](const wire::Residence& a, const wire::Residence& b) { return a.node() < b.node(); });
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
  visit(data.apps.tag_index);
  visit(data.nodes.tag_index);
  for (PlacementRuleData& rule : data.rules) {
    for (auto& conjunction : rule.any_of) {
      for (CardinalityData& cardinality : conjunction) {
        visit(cardinality.subject);
        visit(cardinality.target);
      }
    }
  }
  visit(data.apps.only_index);
  visit(data.apps.not_index);
  data.tags = std::move(used);
}

void make_canonical(InstanceData& data) {
  if (data.periods == 0) data.periods = 1;
  AppsData& apps = data.apps;
  drop_constant_periods(apps.demand, apps.replicas.size(), data.resources.size(), data.periods);
  codec::app_numbers(apps, [](const char*, auto& column, auto absent) { drop_if_all(column, absent); });
  drop_if_all(apps.variance, 0.0);
  if (apps.tag_index.empty()) apps.tag_begin.clear();
  if (apps.only_index.empty()) apps.only_begin.clear();
  if (apps.not_index.empty()) apps.not_begin.clear();
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
  if (nodes.tag_index.empty()) nodes.tag_begin.clear();
  own_limit_first(data.limits);
  by_node(data.running);
  by_node(data.pinned);
  renumber_tags(data);
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
  constexpr std::uint64_t kAround = 1024;
  const std::uint64_t size = kAround + codec::size_of_instance(data);
  if (size > FLATBUFFERS_MAX_BUFFER_SIZE)
    throw Failure::in("the instance", "", "is too large: its .stow form would pass 2 GiB", Fault::kSize);
  codec::Builder builder(static_cast<std::size_t>(size));
  wire::FinishInstanceBuffer(builder, codec::write_instance(builder, data));
  return builder.Release();
}

InstanceData decode_instance(const wire::Instance& instance) {
  InstanceData data;
  codec::Copier copier;
  codec::read_instance(instance, copier, data);
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
