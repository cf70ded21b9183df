#include "core/model/data/memory_budget.h"

#include <string>
#include <vector>

namespace stowage {
namespace {

template <class Value>
std::uint64_t bytes_in(const std::vector<Value>& column) {
  return column.size() * sizeof(Value);
}
std::uint64_t bytes_in(const IndexRows& rows) { return bytes_in(rows.begin) + bytes_in(rows.index); }
std::uint64_t text_bytes(const std::vector<std::string>& texts) {
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size() + sizeof(std::uint32_t);
  return bytes;
}

std::uint64_t rule_bytes(const PlacementRule& rule) {
  std::uint64_t bytes = rule.name.size();
  for (const auto& conjunction : rule.any_of) {
    for (const Cardinality& part : conjunction) {
      bytes += sizeof(std::uint64_t) + bytes_in(part.subject) + bytes_in(part.target);
    }
  }
  return bytes;
}

}  // namespace

std::uint64_t bytes_of(const InstanceData& data) {
  std::uint64_t bytes = text_bytes(data.app_names) + text_bytes(data.node_names) + text_bytes(data.tags);
  bytes += bytes_in(data.replicas) + bytes_in(data.kind) + bytes_in(data.node_class);
  for (const std::vector<double>* column :
       {&data.demand, &data.variance, &data.support_min, &data.support_max, &data.load, &data.load_variance, &data.daemon,
        &data.interference.coefficient, &data.interference.max_cost}) {
    bytes += bytes_in(*column);
  }
  visit_app_numbers([&](const char*, auto numbers, auto, bool) { bytes += bytes_in(data.*numbers); });
  bytes += bytes_in(data.traffic);
  for (const IndexRows* rows : {&data.app_tags, &data.app_only, &data.app_not, &data.node_tags}) bytes += bytes_in(*rows);
  for (const NodeClass& c : data.classes) {
    bytes += bytes_in(c.capacity) + bytes_in(c.daemon) + text_bytes(c.labels) + c.name.size();
  }
  bytes += data.limits.row_begin.size_bytes() + data.limits.app.size_bytes() + data.limits.at_most.size_bytes();
  bytes += bytes_in(data.running) + bytes_in(data.pinned) + bytes_in(data.closed);
  for (const NodeGroup& group : data.groups) {
    bytes += bytes_in(group.sets) + text_bytes(group.set_names) + group.name.size() + group.by_label.size();
  }
  for (const PlacementRule& rule : data.rules) bytes += rule_bytes(rule);
  return bytes;
}

MemoryBudget::MemoryBudget(const InstanceData& data, const Limits& limits)
    : left_(limits.max_memory != 0 ? limits.max_memory : default_memory(bytes_of(data))) {}

}  // namespace stowage
