// Placement rules over tags and node groups (P2, section 4), made ready for planners: who is subject to what, who is counted
// where, and which sets of nodes there are. docs/constraints.md has the semantics.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/model/instance_data.h"
#include "core/model/types.h"

namespace stowage {

/// A tag with this prefix names an application: the app whose name (without names: whose index) follows carries it by itself,
/// and apps that carry the same one belong to one application (P2's LRA).
inline constexpr std::string_view kAppTagPrefix = "appID:";

/// Two rules whose bounds for the same subjects, target and group exclude each other.
struct RuleConflict {
  std::uint32_t rule;   ///< the one that gives way: its bounds are moved to what the other allows, as far as they exclude it
  std::uint32_t other;  ///< the operator's
};

/// The instance's rules as they hold: an operator's rule takes the place of an application's that it contradicts (P2, section
/// 5.2), if it is hard or the other is soft. Errors: kInvalid with the path of a rule that contradicts another hard one of the
/// same origin.
/// @param app_tags tags by app, automatic ones included
Result<std::vector<PlacementRule>> effective_rules(const InstanceData& data, const IndexRows& app_tags,
                                                   std::vector<RuleConflict>& conflicts);

/// The tags that each app's replicas carry: those given and `appID:`. Ascending, none twice.
IndexRows all_app_tags(const InstanceData& data);

/// The application that each app belongs to, by the lowest index of its apps.
std::vector<AppId> applications(const InstanceData& data, const IndexRows& app_tags);

/// One condition of a rule. Negation is resolved: a negated part stands as two conjunctions, of less than min and of more than
/// max.
struct TagPart {
  CardinalityKind kind = CardinalityKind::kReplicas;
  std::uint32_t rule = 0;
  std::uint32_t condition = 0;  ///< position in its conjunction
  std::uint32_t group = kNone;  ///< kNone: each node alone
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  bool hard = true;
  bool alone = true;  ///< its conjunction is the rule's only one: it counts by itself
  double weight = 1;
  /// Nodes whose static tags are the target: per set of the group (listed nodes alone), or per listed node and per class for
  /// single nodes. Empty: none.
  std::vector<std::uint32_t> static_sets;
  std::vector<std::uint8_t> static_listed;
  std::vector<std::uint8_t> static_classes;
};

/// How far a number is outside of its bounds, as a share of the bound (P2, Eq. 8).
inline double violation_extent(std::int64_t number, std::uint32_t min, std::uint32_t max) {
  if (number < min) return static_cast<double>(min - number) / min;
  if (max != kNone && number > max) return static_cast<double>(number - max) / (max > 0 ? max : 1);
  return 0;
}

/// Immutable; empty where the instance has no rules.
class TagModel {
 public:
  /// A role of an app in a part.
  struct Role {
    std::uint32_t part;
    bool also;  ///< of a subject: whether it is counted as well; of a target: whether it is subject as well
  };
  /// A rule with several conjunctions: its parts have to be looked at together.
  struct Choice {
    std::uint32_t rule;
    bool hard;
    double weight;
    std::vector<std::vector<std::uint32_t>> any_of;  ///< parts
  };

  /// Errors: kLimitExceeded where rules, apps and node sets multiply beyond max_cells.
  static Result<TagModel> build(const InstanceData& data, const Limits& limits, const std::vector<PlacementRule>& rules,
                                const IndexRows& app_tags);

  [[nodiscard]] bool empty() const { return parts_.empty(); }
  /// Whether some hard rule can come to be broken by what leaves a node, or starts out broken: those with a minimum.
  [[nodiscard]] bool has_hard_minimum() const { return has_hard_minimum_; }
  [[nodiscard]] bool has_hard() const { return has_hard_; }
  [[nodiscard]] bool has_soft() const { return has_soft_; }

  [[nodiscard]] std::uint32_t parts() const { return static_cast<std::uint32_t>(parts_.size()); }
  [[nodiscard]] const TagPart& part(std::uint32_t p) const { return parts_[p]; }
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  /// Parts that the app is subject to, and parts that count it; by part.
  [[nodiscard]] std::span<const Role> subject_of(AppId app) const { return row(subjects_, app); }
  [[nodiscard]] std::span<const Role> target_of(AppId app) const { return row(targets_, app); }
  /// Choices that the app has a part in, as subject or target.
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

  /// Sets of a group.
  [[nodiscard]] std::uint32_t sets(std::uint32_t group) const { return groups_[group].sets; }
  [[nodiscard]] std::uint32_t groups() const { return static_cast<std::uint32_t>(groups_.size()); }
  /// The sets of a group that a listed node is in (`listed` not kNone), or an anonymous one of the class.
  [[nodiscard]] std::span<const std::uint32_t> sets_of(std::uint32_t group, NodeId listed, ClassId node_class) const {
    const IndexRows& rows = listed != kNone ? groups_[group].of_listed : groups_[group].of_class;
    const std::uint32_t at = listed != kNone ? listed : node_class;
    return {rows.index.data() + rows.begin[at], rows.begin[at + 1] - rows.begin[at]};
  }
  /// Whether no node is in more than one set of the group.
  [[nodiscard]] bool disjoint(std::uint32_t group) const { return groups_[group].disjoint; }
  /// Whether nodes exist that the instance does not list.
  [[nodiscard]] bool has_anonymous() const { return has_anonymous_; }

  /// In how many rules of whatever kind the app is subject or counted (P2, section 5.3: popularity of its tags).
  [[nodiscard]] std::uint32_t popularity(AppId app) const {
    return static_cast<std::uint32_t>(subject_of(app).size() + target_of(app).size());
  }
  /// How many apps with hard minima stand one behind the other before this one finds what it has to be near; planners take
  /// apps with smaller numbers first. 0 for all where no hard rule has a minimum.
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

  void find_groups(const InstanceData& data);
  void find_static(const InstanceData& data, std::span<const std::uint32_t> target, TagPart& part) const;
  void find_depths(std::uint32_t apps);

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
  bool has_anonymous_ = false;
};

}  // namespace stowage
