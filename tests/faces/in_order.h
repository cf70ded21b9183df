// The instance that comes back from JSON, as stowage_text.h promises it: in the order of the format, without columns that say
// nothing.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/property/generator.h"

namespace stowage::faces {

namespace order {

template <class Value>
void drop_if_all(std::vector<Value>& column, Value nothing) {
  if (std::all_of(column.begin(), column.end(), [&](Value one) { return one == nothing; })) column.clear();
}

/// One entry in place of one per period where no cell varies.
inline void drop_periods(std::vector<double>& column, std::size_t cells, std::uint32_t periods) {
  if (column.size() != cells * periods) return;
  std::vector<double> first;
  for (std::size_t at = 0; at < column.size(); ++at) {
    if (at % periods == 0) first.push_back(column[at]);
    if (column[at] != first.back()) return;
  }
  column = std::move(first);
}

inline bool daemons_are_those_of_classes(const test::Generated& instance) {
  for (NodeId n = 0; n < instance.listed(); ++n) {
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      for (std::uint32_t t = 0; t < instance.data.periods; ++t) {
        const ClassId node_class = instance.data.node_class[n];
        if (instance.daemon(n, node_class, r, t) != instance.daemon(kNone, node_class, r, t)) return false;
      }
    }
  }
  return true;
}

inline void own_limits_first(test::Generated& instance) {
  for (std::size_t app = 0; app + 1 < instance.row_begin.size(); ++app) {
    for (std::uint32_t k = instance.row_begin[app]; k < instance.row_begin[app + 1]; ++k) {
      if (instance.limited[k] != app) continue;
      const auto turn = [&](std::vector<std::uint32_t>& column) {
        std::rotate(column.begin() + instance.row_begin[app], column.begin() + k, column.begin() + k + 1);
      };
      turn(instance.limited);
      turn(instance.at_most);
    }
  }
}

/// Tags are numbered by their first use: by apps, nodes, rules, and what apps ask of nodes.
inline void number_tags(InstanceData& data) {
  std::vector<std::uint32_t> number(data.tags.size(), kNone);
  std::vector<std::string> used;
  const auto visit = [&](std::vector<std::uint32_t>& tags) {
    for (std::uint32_t& tag : tags) {
      if (number[tag] == kNone) {
        number[tag] = static_cast<std::uint32_t>(used.size());
        used.push_back(data.tags[tag]);
      }
      tag = number[tag];
    }
  };
  visit(data.app_tags.index);
  visit(data.node_tags.index);
  for (PlacementRule& rule : data.rules) {
    for (auto& conjunction : rule.any_of) {
      for (Cardinality& part : conjunction) {
        visit(part.subject);
        visit(part.target);
      }
    }
  }
  visit(data.app_only.index);
  visit(data.app_not.index);
  data.tags = std::move(used);
}

}  // namespace order

inline test::Generated in_order(test::Generated instance) {
  InstanceData& data = instance.data;
  const std::size_t resources = data.resources.size();
  if (order::daemons_are_those_of_classes(instance)) data.daemon.clear();
  order::drop_periods(data.demand, data.replicas.size() * resources, data.periods);
  order::drop_periods(data.load, data.node_class.size() * resources, data.periods);
  order::drop_periods(data.daemon, data.node_class.size() * resources, data.periods);
  for (NodeClass& one : data.classes) {
    order::drop_periods(one.daemon, resources, data.periods);
    order::drop_if_all(one.daemon, 0.0);
  }
  order::drop_if_all(data.priority, 0);
  order::drop_if_all(data.weight, 1.0);
  for (auto* column : {&data.variance, &data.load, &data.load_variance}) order::drop_if_all(*column, 0.0);
  order::drop_if_all(data.closed, std::uint8_t{0});
  for (IndexRows* rows : {&data.app_tags, &data.node_tags, &data.app_only, &data.app_not}) {
    if (rows->index.empty()) rows->begin.clear();
  }
  order::own_limits_first(instance);
  const auto by_node = [](const Residence& a, const Residence& b) { return a.node < b.node; };
  for (auto* residences : {&data.running, &data.pinned}) std::stable_sort(residences->begin(), residences->end(), by_node);
  order::number_tags(data);
  return instance;
}

}  // namespace stowage::faces
