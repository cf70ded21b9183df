// What one more replica of an app would cost in violated soft rules, for many nodes in a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/constraints/tag_state.h"

namespace stowage {

/// Cost is weight x extent (P2, Eq. 8), of the arriving replica and of those whose counts it changes. What single nodes have to
/// say is worked out once per app and node; what their sets say, once per set, and again for the sets in which a replica came
/// or went.
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
  double operator()(const TagView& view, const TagSite& site);
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
  [[nodiscard]] double on_node(const TagView& view, const TagSite& site) const;
  [[nodiscard]] double in_set(std::uint32_t group, std::uint32_t set) const;
  [[nodiscard]] double outside(std::uint32_t group) const;

  const TagModel* model_;
  const TagState* state_;
  Parts parts_;
  AppId app_ = kNone;
  std::vector<std::uint32_t> on_node_;         // own parts on single nodes, as subject
  std::vector<std::uint8_t> is_target_;        // per part on single nodes
  std::vector<std::uint32_t> targets_;         // those marked there
  std::vector<std::uint32_t> populations_;     // own parts on numbers of sets and skew
  std::vector<std::uint32_t> choices_;         // own soft choices
  std::vector<std::vector<Own>> of_group_;     // per group
  std::vector<std::uint32_t> groups_;          // those with something in of_group_
  std::vector<std::vector<double>> set_cost_;  // per group and set
  std::vector<double> node_cost_;
  std::vector<std::uint32_t> known_;  // per node: the round in which node_cost_ was worked out
  std::uint32_t round_ = 0;
  std::uint32_t gathering_group_ = kNone;
};

}  // namespace stowage
