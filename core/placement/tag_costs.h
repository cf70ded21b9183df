// What one more replica of an app would cost in violated soft rules, for many nodes in a row.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/placement/tag_state.h"

namespace stowage {

/// Cost is weight x extent (P2, Eq. 8), of the arriving replica and of those whose counts it changes. It is the sum of what the
/// node alone has to say, which callers may keep as long as nothing changes there, and of the rest. What node sets say is
/// worked out once per set, and again for the sets in which a replica came or went.
class TagCosts {
 public:
  /// Which parts are understood.
  enum class Parts : std::uint8_t {
    kAll,
    kAffinity,  ///< at least one near, or none near (as Kubernetes' pod affinity and anti-affinity)
  };

  TagCosts(const Instance& instance, const TagState& state, Parts parts);

  /// Turns to an app; everything is worked out anew.
  void start(AppId app);
  /// Cost of one more replica of the app there.
  [[nodiscard]] double operator()(const TagView& view, const TagSite& site) const {
    return elsewhere(view, site, on_node(view, site));
  }
  /// What the node alone has to say.
  [[nodiscard]] double on_node(const TagView& view, const TagSite& site) const;
  /// The whole cost, from that.
  [[nodiscard]] double elsewhere(const TagView& view, const TagSite& site, double on_node) const;

  /// Node sets, and entries of apps on nodes, that were looked at since the last call; but for those of refresh().
  std::uint64_t take_work() { return std::exchange(looked_, 0); }
  /// Whether the rest is one number per set of one group, of which no node is in several sets; or nothing.
  [[nodiscard]] bool is_simple() const {
    return populations_.empty() && choices_.empty() && groups_.size() <= 1 && (groups_.empty() || model_->disjoint(groups_[0]));
  }
  /// Where is_simple(): what to add for each place() of a node.
  [[nodiscard]] const double* of_places() const { return groups_.empty() ? &kNoCost : set_cost_[groups_[0]].data(); }
  [[nodiscard]] std::uint32_t place(const TagSite& site) const {
    if (groups_.empty()) return 0;
    const auto sets = model_->sets_of(groups_[0], site.listed, site.node_class);
    return sets.empty() ? model_->sets(groups_[0]) : sets[0];
  }
  /// After a replica of the app came to a node or left it.
  void refresh(const TagView& view, NodeId node);

  /// A group whose sets the app's own replicas should share, or kNone.
  [[nodiscard]] std::uint32_t gathering_group() const { return gathering_group_; }

 private:
  struct Own {
    std::uint32_t part;
    bool subject;
    bool target;
  };
  [[nodiscard]] bool counts(const TagPart& part) const;
  void add_part(std::uint32_t p, bool subject, bool target);
  void concern(std::uint32_t p);
  /// What is known of a choice until a replica comes or goes: how far those there are from its holding as things are, and, by
  /// the key of a site, with one more replica that is apart there.
  struct KnownChoice {
    struct KeyHash {
      std::size_t operator()(const std::vector<std::uint32_t>& key) const {
        std::uint64_t hash = key.size();
        for (const std::uint32_t number : key) hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(hash ^ hash >> 32);
      }
    };
    double now = 0;
    std::unordered_map<std::vector<std::uint32_t>, double, KeyHash> with_one;
  };
  void forget_choices();
  /// @param k of choices_
  [[nodiscard]] double of_choice(const TagView& view, std::size_t k, const TagSite& site) const;
  [[nodiscard]] double in_set(std::uint32_t group, std::uint32_t set) const;
  [[nodiscard]] double outside(std::uint32_t group) const;

  static constexpr double kNoCost = 0;

  const TagModel* model_;
  const TagState* state_;
  Parts parts_;
  AppId app_ = kNone;
  std::vector<std::uint32_t> on_node_;      // own parts on single nodes, as subject
  std::vector<std::uint8_t> is_target_;     // per part on single nodes
  std::vector<std::uint32_t> targets_;      // those marked there
  std::vector<std::uint32_t> populations_;  // own parts on numbers of sets and skew
  std::vector<std::uint32_t> choices_;      // own soft choices
  mutable std::vector<KnownChoice> known_;  // of each
  mutable std::vector<std::uint32_t> key_;
  mutable std::uint64_t looked_ = 0;
  std::vector<std::vector<Own>> of_group_;     // per group
  std::vector<std::uint32_t> groups_;          // those with something in of_group_
  std::vector<std::vector<double>> set_cost_;  // per group and set, and last for nodes in none
  std::vector<std::uint32_t> concerned_;       // per app: round_ where it has a role in on_node_ or targets_
  std::uint32_t round_ = 0;
  bool any_static_ = false;  // of on_node_: some count nodes
  double on_others_ = 0;     // of on_node_, where nobody is concerned
  std::uint32_t gathering_group_ = kNone;
};

}  // namespace stowage
