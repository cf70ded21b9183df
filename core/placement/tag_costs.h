// The cost in violated soft rules of one more replica of an app, for many nodes in a row.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/placement/tag_state.h"

namespace stowage {

/// The cost is weight x extent (P2, Eq. 8), summed over the arriving replica and the replicas whose counts it changes. It is
/// the sum of on_node(), which depends on the node's tenants alone (callers may keep it until these change), and of the rest.
/// The costs of node sets are computed once per set, and again for the sets of a node that refresh() names.
class TagCosts {
 public:
  /// Which parts count.
  enum class Parts : std::uint8_t {
    kAll,
    kAffinity,  ///< "at least one" and "none" (as Kubernetes' pod affinity and anti-affinity)
  };

  TagCosts(const Instance& instance, const TagState& state, Parts parts);

  /// Makes `app` the app that all other functions are about.
  void start(AppId app);
  /// Cost of one more replica of the app at the site.
  [[nodiscard]] double operator()(const TagView& view, const TagSite& site) const {
    return elsewhere(view, site, on_node(view, site));
  }
  /// The part of the cost that depends on the node's tenants alone.
  [[nodiscard]] double on_node(const TagView& view, const TagSite& site) const;
  /// The whole cost.
  /// @param on_node the value of on_node() for the site
  [[nodiscard]] double elsewhere(const TagView& view, const TagSite& site, double on_node) const;

  /// Work since the last call: node sets and pairs (app, node) looked at, refresh() excluded.
  std::uint64_t take_work() { return std::exchange(looked_, 0); }
  /// Whether cost - on_node() is always 0, or depends on nothing but the one set of a single group that holds the node.
  [[nodiscard]] bool is_simple() const {
    return populations_.empty() && choices_.empty() && groups_.size() <= 1 && (groups_.empty() || model_->disjoint(groups_[0]));
  }
  /// If is_simple(): per place(), cost - on_node().
  [[nodiscard]] const double* of_places() const { return groups_.empty() ? &kNoCost : set_cost_[groups_[0]].data(); }
  /// If is_simple(): the site's set, or the number of sets if it is in none; 0 if no group matters.
  [[nodiscard]] std::uint32_t place(const TagSite& site) const {
    if (groups_.empty()) return 0;
    const auto sets = model_->sets_of(groups_[0], site.listed, site.node_class);
    return sets.empty() ? model_->sets(groups_[0]) : sets[0];
  }
  /// Brings the costs up to date after a replica of the app was added to the node or removed from it.
  void refresh(const TagView& view, NodeId node);

  /// A group whose sets the app's own replicas should share, or kNone.
  [[nodiscard]] std::uint32_t gathering_group() const { return gathering_group_; }

 private:
  /// A part that the app has a role in.
  struct Own {
    std::uint32_t part;
    bool subject;
    bool target;
  };
  [[nodiscard]] bool counts(const TagPart& part) const;
  void add_part(std::uint32_t p, bool subject, bool target);
  void concern(std::uint32_t p);
  /// Known values of choice_extent() for a choice; valid until a replica is added or removed.
  struct KnownChoice {
    struct KeyHash {
      std::size_t operator()(const std::vector<std::uint32_t>& key) const {
        std::uint64_t hash = key.size();
        for (const std::uint32_t number : key) hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(hash ^ hash >> 32);
      }
    };
    double now = 0;                                                            // without an arrival
    std::unordered_map<std::vector<std::uint32_t>, double, KeyHash> with_one;  // by key of the site: one replica, apart
  };
  void forget_choices();
  /// What one more replica at the site adds to the extent of choices_[k].
  [[nodiscard]] double of_choice(const TagView& view, std::size_t k, const TagSite& site) const;
  /// Cost of one more replica in a set of the group, by all parts on the group.
  [[nodiscard]] double in_set(std::uint32_t group, std::uint32_t set) const;
  /// The same on a node that is in no set of the group.
  [[nodiscard]] double outside(std::uint32_t group) const;

  static constexpr double kNoCost = 0;

  const TagModel* model_;
  const TagState* state_;
  Parts parts_;
  AppId app_ = kNone;
  std::vector<std::uint32_t> on_node_;      // parts on single nodes that the app is subject to
  std::vector<std::uint8_t> is_target_;     // per part: whether it is on single nodes and counts the app
  std::vector<std::uint32_t> targets_;      // the parts marked in is_target_
  std::vector<std::uint32_t> populations_;  // the app's NodeSets and Skew parts
  std::vector<std::uint32_t> choices_;      // the app's soft choices
  mutable std::vector<KnownChoice> known_;  // per entry of choices_
  mutable std::vector<std::uint32_t> key_;
  mutable std::uint64_t looked_ = 0;
  std::vector<std::vector<Own>> of_group_;     // per group: its parts with a role of the app
  std::vector<std::uint32_t> groups_;          // groups with entries in of_group_
  std::vector<std::vector<double>> set_cost_;  // per group: per set, then for nodes in no set
  std::vector<std::uint32_t> concerned_;       // per app: round_ if it has a role in a part of on_node_ or targets_
  std::uint32_t round_ = 0;                    // number of calls of start()
  bool any_static_ = false;                    // whether a part of on_node_ counts static tags of nodes
  double on_others_ = 0;                       // cost by on_node_ on a node without concerned tenants
  std::uint32_t gathering_group_ = kNone;
};

}  // namespace stowage
