// Builds instances with tags, node groups and placement rules in a few lines, for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/support/instance_builder.h"

namespace stowage::test {

/// Apps and nodes are given with the names of their tags; rules are written as in P2.
class TaggedBuilder : public InstanceBuilder {
 public:
  explicit TaggedBuilder(const std::vector<std::string>& resources = {"cpu"}) : InstanceBuilder(resources) {}

  std::uint32_t tag(const std::string& name) {
    auto& tags = data().tags;
    const auto at = std::find(tags.begin(), tags.end(), name);
    if (at != tags.end()) return static_cast<std::uint32_t>(at - tags.begin());
    tags.push_back(name);
    return static_cast<std::uint32_t>(tags.size() - 1);
  }
  AppId app(const std::string& name, std::uint32_t replicas, const std::vector<std::string>& tags,
            std::vector<double> demand = {1}) {
    const AppId app = add_app(name, replicas, std::move(demand));
    append(data().app_tags, tags);
    return app;
  }
  /// Adds `count` listed nodes of a new class with `capacity` of every resource.
  void nodes(std::uint32_t count, double capacity = 10, const std::vector<std::string>& tags = {}) {
    const ClassId node_class =
        add_class(std::vector<double>(data().resources.size(), capacity), static_cast<std::uint32_t>(count));
    for (std::uint32_t n = 0; n < count; ++n) {
      add_node(node_class);
      append(data().node_tags, tags);
    }
  }
  /// Adds a group of sets of listed nodes.
  std::uint32_t group(const std::string& name, const std::vector<std::vector<std::uint32_t>>& sets) {
    NodeGroup group;
    group.name = name;
    group.sets.begin.push_back(0);
    for (const auto& set : sets) {
      group.sets.index.insert(group.sets.index.end(), set.begin(), set.end());
      group.sets.begin.push_back(static_cast<std::uint32_t>(group.sets.index.size()));
    }
    data().groups.push_back(std::move(group));
    return static_cast<std::uint32_t>(data().groups.size() - 1);
  }
  std::uint32_t group_by_label(const std::string& name, const std::string& label) {
    NodeGroup group;
    group.name = name;
    group.by_label = label;
    data().groups.push_back(std::move(group));
    return static_cast<std::uint32_t>(data().groups.size() - 1);
  }
  /// {subject, {target, min, max}, group}
  Cardinality replicas(const std::vector<std::string>& subject, const std::vector<std::string>& target, std::uint32_t min,
                       std::uint32_t max, std::uint32_t group = kNone) {
    Cardinality part;
    for (const std::string& name : subject) part.subject.push_back(tag(name));
    for (const std::string& name : target) part.target.push_back(tag(name));
    part.min = min;
    part.max = max;
    part.group = group;
    return part;
  }
  Cardinality node_sets(const std::vector<std::string>& subject, std::uint32_t min, std::uint32_t max, std::uint32_t group) {
    Cardinality part = replicas(subject, {}, min, max, group);
    part.kind = CardinalityKind::kNodeSets;
    return part;
  }
  Cardinality skew(const std::vector<std::string>& subject, std::uint32_t max, std::uint32_t group) {
    Cardinality part = replicas(subject, {}, 0, max, group);
    part.kind = CardinalityKind::kSkew;
    return part;
  }
  static Cardinality negated(Cardinality part) {
    part.negated = true;
    return part;
  }
  std::uint32_t hard(std::vector<std::vector<Cardinality>> any_of) {
    PlacementRule rule;
    rule.name = "rule-" + std::to_string(data().rules.size());
    rule.any_of = std::move(any_of);
    data().rules.push_back(std::move(rule));
    return static_cast<std::uint32_t>(data().rules.size() - 1);
  }
  std::uint32_t hard(Cardinality part) { return hard({{std::move(part)}}); }
  std::uint32_t soft(std::vector<std::vector<Cardinality>> any_of, double weight = 1) {
    const std::uint32_t rule = hard(std::move(any_of));
    data().rules.back().hard = false;
    data().rules.back().weight = weight;
    return rule;
  }
  std::uint32_t soft(Cardinality part, double weight = 1) { return soft({{std::move(part)}}, weight); }

 private:
  void append(IndexRows& rows, const std::vector<std::string>& tags) {
    if (rows.begin.empty()) rows.begin.push_back(0);
    for (const std::string& name : tags) rows.index.push_back(tag(name));
    rows.begin.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
};

}  // namespace stowage::test
