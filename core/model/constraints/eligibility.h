// Eligibility: which nodes an app may be on at all, by what is written on them. It comes from the columns `only` and `not` of
// apps, and from selectors: hard placement rules that ask for static tags of the node alone. docs/understand/constraints.md has
// the semantics.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/data/instance_data.h"
#include "core/model/data/memory_budget.h"
#include "core/model/data/types.h"

namespace stowage {

/// For each rule, 1 if it is a selector: hard, and each of its conditions asks how many of a target are on the subject's own
/// node, where no app carries the target.
/// @param app_tags see all_app_tags()
/// @param watch    where it ends the call, the answers mean nothing
std::vector<std::uint8_t> find_selectors(const InstanceData& data, const std::vector<PlacementRule>& rules,
                                         const IndexRows& app_tags, WatchRef watch = {});

/// Immutable. Apps with the same eligibility form a group, and nodes with the same tags, as far as apps speak of them, are of
/// one kind; the first kinds are the classes. A table of groups and kinds answers.
class Eligibility {
 public:
  /// @param rules       the effective rules
  /// @param is_selector see find_selectors()
  /// Errors: kLimitExceeded where the table takes more than max_cells bytes, or the tables more than the budget;
  /// kCancelled.
  static Result<Eligibility> build(const InstanceData& data, const Limits& limits, MemoryBudget& budget,
                                   const std::vector<PlacementRule>& rules, const std::vector<std::uint8_t>& is_selector,
                                   const IndexRows& app_tags, WatchRef watch = {});

  /// Whether some app may not be on some node.
  [[nodiscard]] bool any() const { return !group_.empty(); }
  /// Whether the app may be on a listed node or, where `listed` is kNone, on an anonymous node of the class.
  [[nodiscard]] bool admits(AppId app, NodeId listed, ClassId node_class) const {
    if (group_.empty()) return true;
    const std::uint32_t kind = this->kind(listed, node_class);
    return (table_[std::size_t{group_[app]} * words_ + kind / 64] >> (kind % 64) & 1) != 0;
  }
  /// Whether the app may be on some node of the class, listed or anonymous.
  [[nodiscard]] bool reaches(AppId app, ClassId node_class) const {
    return group_.empty() || reaches_[std::size_t{group_[app]} * classes_ + node_class] != 0;
  }
  /// The kind of a listed node or, where `listed` is kNone, of an anonymous node of the class, which is the class's index.
  [[nodiscard]] std::uint32_t kind(NodeId listed, ClassId node_class) const {
    return group_.empty() || listed == kNone ? node_class : kind_of_listed_[listed];
  }
  /// Whether the node carries a tag that an app asks for. Only where any().
  [[nodiscard]] bool carries(NodeId listed, ClassId node_class, std::uint32_t tag) const {
    const std::vector<std::uint32_t>& tags = tags_of_kind_[kind(listed, node_class)];
    return std::binary_search(tags.begin(), tags.end(), tag);
  }
  /// The rules that are selectors.
  [[nodiscard]] const std::vector<std::uint32_t>& selectors() const { return selectors_; }
  /// The number of groups, at least 1, and the group of an app.
  [[nodiscard]] std::uint32_t groups() const { return groups_; }
  [[nodiscard]] std::uint32_t group(AppId app) const { return group_.empty() ? 0 : group_[app]; }

 private:
  class Builder;

  std::uint32_t groups_ = 1;
  std::uint32_t classes_ = 0;
  std::size_t words_ = 0;                                 // of a group's row
  std::vector<std::uint32_t> group_;                      // per app; empty where every app may be on every node
  std::vector<std::uint32_t> kind_of_listed_;             // per listed node
  std::vector<std::uint64_t> table_;                      // per group: a bit per kind
  std::vector<std::uint8_t> reaches_;                     // per group and class
  std::vector<std::vector<std::uint32_t>> tags_of_kind_;  // those that apps ask for; ascending
  std::vector<std::uint32_t> selectors_;
};

}  // namespace stowage
