// What the checker of placement rules knows about nodes: which tags they have, and which sets of a group they are in.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/watch.h"
#include "core/model/data/instance_data.h"
#include "core/plan/plan.h"

namespace stowage {

/// Tags and sets of the nodes of a plan and of the listed nodes of its instance, as numbers. Labels are compared once, when it
/// is built: O(tags + labels of classes + tags and sets of listed nodes).
class RuleNodes {
 public:
  /// @param data, nodes live as long as this object; the classes and listed nodes of `nodes` exist
  /// @param watch lives as long; where it ends the call, this object is incomplete and nobody asks it
  RuleNodes(const InstanceData& data, const std::vector<PlannedNode>& nodes, WatchRef watch = {});

  /// Whether each of these tags is on a node that may exist.
  [[nodiscard]] bool anywhere(std::span<const std::uint32_t> tags) const;
  /// Whether a node of the plan has all of these tags. O(tags of the node), per tag.
  [[nodiscard]] bool has_all(NodeId node, std::span<const std::uint32_t> tags) const;
  /// Sets of a group that a node of the plan is in, in ascending order, each once.
  [[nodiscard]] std::span<const std::uint32_t> sets(std::uint32_t group, NodeId node) const;
  [[nodiscard]] std::uint32_t set_count(std::uint32_t group) const { return groups_[group].count; }
  /// The number of sets of the group that has most of them.
  [[nodiscard]] std::uint32_t most_sets() const;

  struct SetNodes {
    std::uint32_t set;
    std::uint32_t nodes;
  };
  /// Per set of a group, the listed nodes in it that have all of these tags; sets without any are left out. O(listed nodes) at
  /// the first call for a group and tags. Means nothing where the watch ends the call.
  const std::vector<SetNodes>& listed_with(std::uint32_t group, const std::vector<std::uint32_t>& tags);

 private:
  /// Sets by row: one row per listed node, then one per class, for the nodes of the plan that are not listed.
  struct Sets {
    std::uint32_t count = 0;
    std::vector<std::size_t> begin = {0};
    std::vector<std::uint32_t> index;
    /// Ends the row of what was added to `index` since the last one: ascending, each once.
    void end_row();
    [[nodiscard]] std::span<const std::uint32_t> row(std::size_t r) const {
      return std::span(index).subspan(begin[r], begin[r + 1] - begin[r]);
    }
  };

  void read_tags();
  void find_same();
  [[nodiscard]] Sets read_sets(const IndexRows& sets) const;
  [[nodiscard]] Sets read_labels(const std::string& key) const;
  [[nodiscard]] bool has_all(ClassId node_class, NodeId listed, std::span<const std::uint32_t> tags) const;
  /// Tags that a listed node has besides those of its class.
  [[nodiscard]] std::span<const std::uint32_t> own_tags(NodeId listed) const;

  const InstanceData& data_;
  const std::vector<PlannedNode>& nodes_;
  WatchRef watch_;
  std::vector<std::uint32_t> same_;                     // per tag: the first tag of the same name
  std::vector<std::vector<std::uint32_t>> class_tags_;  // per class, those of its labels that are tags
  std::vector<std::uint8_t> on_nodes_;                  // per tag: whether some node has it
  std::vector<Sets> groups_;
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::vector<SetNodes>> listed_with_;
};

}  // namespace stowage
