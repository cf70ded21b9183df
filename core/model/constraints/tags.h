// Placement rules over tags and node groups (P2, section 4), as planners need them: the apps that are subject to each
// condition, the apps that it counts, and the sets of nodes. docs/understand/constraints.md has the semantics.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/model/data/instance_data.h"
#include "core/model/data/memory_budget.h"
#include "core/model/data/types.h"

namespace stowage {

/// A tag with this prefix names an application (P2's LRA), to which all apps with the tag belong. The prefix is followed by the
/// name of an app or, where apps have no names, its index: that app carries the tag without being given it.
inline constexpr std::string_view kAppTagPrefix = "appID:";

/// Two rules whose bounds for the same subjects, target and group exclude each other.
struct RuleConflict {
  std::uint32_t rule;   ///< the rule that gives way: its bounds are moved just far enough to admit what the other allows
  std::uint32_t other;  ///< the operator's rule
};

/// A subject that two hard rules of one origin leave no number of replicas: no replica may carry all of its tags.
struct RuleContradiction {
  std::uint32_t rule;                  ///< the later one
  std::uint32_t other;                 ///< the first rule about the same condition
  std::vector<std::uint32_t> subject;  ///< tags, ascending
};

/// The rules, with the bounds of those that give way moved; see effective_rules().
std::vector<PlacementRule> narrowed_rules(const std::vector<PlacementRule>& rules, std::vector<RuleConflict>& conflicts);
/// At most one per rule and condition, in the order of rules. For rules that narrowed_rules() has returned.
std::vector<RuleContradiction> contradictions(const std::vector<PlacementRule>& rules);
/// kInvalid where nothing can meet a negated condition; kLimitExceeded where the negated conditions of one conjunction have too
/// many ways to be met.
/// @param path of the rule
Error check_negations(const PlacementRule& rule, const std::string& path);

/// The rules that hold: an operator's rule replaces an application's rule that it contradicts (P2, section 5.2), if the
/// operator's is hard or the other is soft. Errors: kInvalid with the path of a hard rule that contradicts another hard rule of
/// the same origin; kCancelled.
/// @param app_tags  tags by app, see all_app_tags()
/// @param conflicts gets an entry for each rule that gives way
Result<std::vector<PlacementRule>> effective_rules(const InstanceData& data, const IndexRows& app_tags,
                                                   std::vector<RuleConflict>& conflicts, WatchRef watch = {});

/// The tags that each app's replicas carry: the given ones and the one with kAppTagPrefix. Ascending, none twice. Where the
/// watch ends the call, they are incomplete and nobody uses them.
IndexRows all_app_tags(const InstanceData& data, WatchRef watch = {});

/// The application that each app belongs to, by the lowest index of its apps. Where the watch ends the call, they are
/// incomplete and nobody uses them.
std::vector<AppId> applications(const InstanceData& data, const IndexRows& app_tags, WatchRef watch = {});

/// One condition of a rule, without negation: a negated condition is replaced by two conjunctions, below min and above max.
struct TagPart {
  CardinalityKind kind = CardinalityKind::kReplicas;
  std::uint32_t rule = 0;
  std::uint32_t condition = 0;  ///< position in its conjunction
  std::uint32_t group = kNone;  ///< kNone: each node alone
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  bool hard = true;
  bool alone = true;  ///< whether its conjunction is the rule's only one, so that the part counts by itself
  double weight = 1;
  /// Nodes whose static tags include the target: their number per set of the group (listed nodes alone) or, for single nodes, 1
  /// per listed node and per class. Empty where there are none.
  std::vector<std::uint32_t> static_sets;
  std::vector<std::uint8_t> static_listed;
  std::vector<std::uint8_t> static_classes;
};

/// The distance of a number from its bounds, as a share of the bound (P2, Eq. 8); 0 within the bounds.
inline double violation_extent(std::int64_t number, std::uint32_t min, std::uint32_t max) {
  if (number < min) return static_cast<double>(min - number) / min;
  if (max != kNone && number > max) return static_cast<double>(number - max) / (max > 0 ? max : 1);
  return 0;
}

/// Immutable; empty where the instance has no rules.
class TagModel {
 public:
  /// The role of an app in a part, as subject or as target.
  struct Role {
    std::uint32_t part;
    bool also;  ///< whether the app has the other role as well
  };
  /// A rule with several conjunctions, whose parts count together.
  struct Choice {
    std::uint32_t rule;
    bool hard;
    double weight;
    std::vector<std::vector<std::uint32_t>> any_of;  ///< parts of each conjunction
  };

  /// @param rules    see effective_rules()
  /// @param app_tags see all_app_tags()
  /// @param left_out per rule: 1 if it is not for the model; see find_selectors()
  /// Errors: kLimitExceeded where rules, apps and node sets multiply beyond max_cells or the budget; kCancelled.
  static Result<TagModel> build(const InstanceData& data, const Limits& limits, MemoryBudget& budget,
                                const std::vector<PlacementRule>& rules, const IndexRows& app_tags,
                                const std::vector<std::uint8_t>& left_out, WatchRef watch = {});

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  /// Whether some hard rule has a minimum: it can be broken at the start, or by replicas that leave a node.
  [[nodiscard]] bool has_hard_minimum() const { return has_hard_minimum_; }
  [[nodiscard]] bool has_hard() const { return has_hard_; }
  [[nodiscard]] bool has_soft() const { return has_soft_; }

  [[nodiscard]] std::uint32_t parts() const { return static_cast<std::uint32_t>(parts_.size()); }
  [[nodiscard]] const TagPart& part(std::uint32_t p) const { return parts_[p]; }
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  /// Parts that the app is subject to, and parts that count it; ascending.
  [[nodiscard]] std::span<const Role> subject_of(AppId app) const { return row(subjects_, app); }
  [[nodiscard]] std::span<const Role> target_of(AppId app) const { return row(targets_, app); }
  /// Choices in which the app has a role.
  [[nodiscard]] std::span<const std::uint32_t> choices_of(AppId app) const {
    if (app_choices_.empty()) return {};
    return {app_choices_.index.data() + app_choices_.begin[app], app_choices_.begin[app + 1] - app_choices_.begin[app]};
  }
  /// Apps that are subject to the part or counted by it; those that are both stand twice.
  [[nodiscard]] std::span<const AppId> apps_of(std::uint32_t part) const {
    return {part_apps_.data() + part_begin_[part], part_begin_[part + 1] - part_begin_[part]};
  }
  [[nodiscard]] bool is_subject(AppId app, std::uint32_t part) const { return find(subject_of(app), part) != nullptr; }
  [[nodiscard]] bool is_target(AppId app, std::uint32_t part) const { return find(target_of(app), part) != nullptr; }

  /// Number of sets of a group.
  [[nodiscard]] std::uint32_t sets(std::uint32_t group) const { return groups_[group].sets; }
  [[nodiscard]] std::uint32_t groups() const { return static_cast<std::uint32_t>(groups_.size()); }
  /// The sets of a group that hold a listed node or, where `listed` is kNone, an anonymous node of the class. None where no
  /// rule is about the group.
  [[nodiscard]] std::span<const std::uint32_t> sets_of(std::uint32_t group, NodeId listed, ClassId node_class) const {
    const IndexRows& rows = listed != kNone ? groups_[group].of_listed : groups_[group].of_class;
    if (rows.empty()) return {};
    const std::uint32_t at = listed != kNone ? listed : node_class;
    return {rows.index.data() + rows.begin[at], rows.begin[at + 1] - rows.begin[at]};
  }
  /// Whether every node is in at most one set of the group.
  [[nodiscard]] bool disjoint(std::uint32_t group) const { return groups_[group].disjoint; }
  /// Number of nodes that there are, listed or not; kEndless where some class has as many as needed.
  [[nodiscard]] std::uint64_t node_count() const { return node_count_; }
  static constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

  /// Number of roles that the app has in all parts (P2, section 5.3: popularity of its tags).
  [[nodiscard]] std::uint32_t popularity(AppId app) const {
    return static_cast<std::uint32_t>(subject_of(app).size() + target_of(app).size());
  }
  /// Length of the longest chain, starting at this app, in which each app needs the next one near by a hard minimum; 0 for an
  /// app that needs none. Planners take apps of less depth first.
  [[nodiscard]] std::uint32_t depth(AppId app) const { return depth_.empty() ? 0 : depth_[app]; }

 private:
  class Builder;
  struct Group {
    std::uint32_t sets = 0;
    bool disjoint = true;
    IndexRows of_listed;
    IndexRows of_class;
  };
  struct Roles {
    std::vector<std::size_t> begin;
    std::vector<Role> index;
  };
  // Without rules there are no rows.
  static std::span<const Role> row(const Roles& roles, AppId app) {
    if (roles.begin.empty()) return {};
    return {roles.index.data() + roles.begin[app], roles.begin[app + 1] - roles.begin[app]};
  }
  static const Role* find(std::span<const Role> roles, std::uint32_t part);

  /// Adds the row of a node or class to `rows`, one of the group's, and empties `sets`.
  static void add_row(Group& group, IndexRows& rows, std::vector<std::uint32_t>& sets);
  /// @param named per group: 1 if some rule is about it; the others get no sets
  Error find_groups(const InstanceData& data, const std::vector<std::uint8_t>& named, MemoryBudget& budget, WatchRef watch);
  // Where the watch ends these, what they find is incomplete and nobody uses it.
  /// Finds the sets of nodes of a group that is given by sets.
  static void find_sets(const InstanceData& data, const NodeGroup& group, Group& to, WatchRef watch);
  /// The same of a group that is given by a label.
  static void find_labelled(const InstanceData& data, const NodeGroup& group, Group& to, WatchRef watch);
  void find_static(const InstanceData& data, std::span<const std::uint32_t> target, TagPart& part, WatchRef watch) const;
  void find_depths(std::uint32_t apps, WatchRef watch);

  std::vector<TagPart> parts_;
  std::vector<Choice> choices_;
  std::vector<Group> groups_;
  Roles subjects_;
  Roles targets_;
  IndexRows app_choices_;
  std::vector<std::size_t> part_begin_{0};
  std::vector<AppId> part_apps_;
  std::vector<std::uint32_t> depth_;
  bool has_hard_minimum_ = false;
  bool has_hard_ = false;
  bool has_soft_ = false;
  std::uint64_t node_count_ = 0;
};

}  // namespace stowage
