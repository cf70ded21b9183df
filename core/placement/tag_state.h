// How often each tag stands in each node set while a plan comes about, and what hard rules let in. docs/constraints.md has the
// semantics.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/model/tags.h"

namespace stowage {

/// A node as rules see it; `node` is kNone for one that is about to be opened.
struct TagSite {
  NodeId node = kNone;
  NodeId listed = kNone;
  ClassId node_class = 0;
};

/// Who sits where, and of which class nodes are.
struct TagView {
  const NodeContents* contents;
  const std::vector<ClassId>* node_class;
  std::uint32_t listed;

  [[nodiscard]] TagSite site(NodeId node) const { return {node, node < listed ? node : kNone, (*node_class)[node]}; }
  [[nodiscard]] std::span<const Tenant> tenants(NodeId node) const {
    return node == kNone ? std::span<const Tenant>{} : contents->at(node);
  }
};

/// Replicas that may come on top of what is there.
struct TagArrival {
  AppId app = kNone;
  TagSite site;
  std::uint32_t replicas = 0;
  bool apart = false;  ///< in the same node sets, but not beside who is on the node
};

/// Counters per part and node set, kept as replicas come and go. Single nodes are counted from their tenants.
class TagState {
 public:
  explicit TagState(const Instance& instance);

  [[nodiscard]] bool active() const { return model_ != nullptr; }

  /// To be told after every change of contents. @param replicas negative where they leave
  void change(const TagView& view, AppId app, NodeId node, std::int64_t replicas);
  /// From now on, what is open counts as the plan's own doing.
  void settle_start();

  /// The most replicas of the app, up to `wanted`, that the node can take without making a hard rule broken or more broken.
  /// With a minimum to reach, the first ones may come where what is still waiting could reach it.
  [[nodiscard]] std::uint32_t allowed(const TagView& view, AppId app, const TagSite& site, std::uint32_t wanted) const;
  /// A hard rule that lets no replica of an app onto a node.
  struct Refusal {
    std::uint32_t rule = kNone;
    /// The part of the only conjunction, and the bounds with which it would let one in; kNone where other bounds would not do,
    /// or where there are several conjunctions.
    std::uint32_t part = kNone;
    std::uint32_t min = 0;
    std::uint32_t max = kNone;
  };
  /// All of them, at most one per rule, by rule; each as if there were no other.
  [[nodiscard]] std::vector<Refusal> refusals(const TagView& view, AppId app, const TagSite& site) const;
  /// Whether replicas of the app on the node break a hard rule as things are; one on the number of sets or on skew: more than
  /// at the start.
  [[nodiscard]] bool is_broken(const TagView& view, AppId app, NodeId node) const;

  /// What stands in a set: subjects that are not counted themselves, those that are, and all that is counted.
  struct Count {
    std::uint32_t out = 0;
    std::uint32_t in = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] Count in_set(std::uint32_t part, std::uint32_t set) const { return counts_[offset_[part] + set]; }
  [[nodiscard]] std::uint32_t count_on(std::uint32_t part, const TagSite& site, std::span<const Tenant> tenants) const;
  [[nodiscard]] std::uint64_t subjects(std::uint32_t part) const { return subjects_[part]; }
  /// How far a part on the number of sets or on skew is from holding, with an arrival.
  [[nodiscard]] double population_extent(std::uint32_t part, const TagArrival& arrival) const;
  /// Entries, of an app on a node, that are subject to a choice.
  [[nodiscard]] std::size_t residents(std::uint32_t choice) const { return residents_[choice].list.size(); }
  /// Sum over the subjects of a choice that are there of how far its best conjunction is from holding, with an arrival.
  [[nodiscard]] double choice_extent(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const;
  /// What comes on top where the arrival is not apart: what it changes for those on its node, and its own.
  [[nodiscard]] double choice_extent_on_node(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const;
  /// Sites with the same key are the same to arrivals that are apart.
  void read_choice_key(std::uint32_t choice, const TagSite& site, std::vector<std::uint32_t>& key) const;

 private:
  /// Subjects of a part on node sets, set by set.
  struct Population {
    std::vector<std::uint32_t> of_set;
    std::vector<std::uint32_t> sets_with;  // by number of subjects
    std::uint32_t least = 0;               // subjects of any set
    std::uint32_t most = 0;
    std::uint32_t occupied = 0;
    std::uint64_t outside = 0;
  };
  struct Resident {
    AppId app;
    NodeId node;
    std::uint32_t replicas;
  };
  struct Residents {
    std::vector<Resident> list;
    std::unordered_map<std::uint64_t, std::size_t> at;
  };

  [[nodiscard]] const TagPart& part(std::uint32_t p) const { return model_->part(p); }
  [[nodiscard]] bool needs_near(const TagPart& part) const {
    return part.hard && part.alone && part.kind == CardinalityKind::kReplicas && part.min > 0;
  }
  [[nodiscard]] static bool is_open(const TagPart& part, const Count& count) {
    return (count.out > 0 && count.count < part.min) || (count.in > 0 && count.count - 1 < part.min);
  }
  [[nodiscard]] Count on_node(std::uint32_t p, const TagSite& site, std::span<const Tenant> tenants) const;
  void change_part(const TagView& view, std::uint32_t p, bool subject, bool target, NodeId node, std::int64_t replicas);
  void change_population(std::uint32_t p, const TagView& view, NodeId node, std::int64_t replicas);
  void change_residents(std::uint32_t choice, AppId app, NodeId node, std::int64_t replicas);
  [[nodiscard]] std::uint32_t allowed_as_subject(const TagView& view, const TagModel::Role& role, const TagSite& site,
                                                 std::uint32_t wanted) const;
  /// As subject, to a part that is hard and stands alone.
  [[nodiscard]] std::uint32_t allowed_by_part(const TagView& view, const TagModel::Role& role, AppId app, const TagSite& site,
                                              std::uint32_t wanted) const;
  /// Calls visit(part, seen) for hard maxima that replicas of the app would count towards; `seen` is what those there see now.
  template <class Visit>
  void visit_maxima(const TagView& view, AppId app, const TagSite& site, Visit&& visit) const;
  [[nodiscard]] std::uint32_t room_in(const TagPart& part, std::uint32_t p, const Count& here, bool also,
                                      std::uint32_t wanted) const;
  /// Of a part on numbers of replicas.
  [[nodiscard]] double extent(const TagView& view, std::uint32_t p, AppId app, const TagSite& site,
                              const TagArrival& arrival) const;
  /// How a choice looks with an arrival, to any subject.
  struct Outlook {
    TagArrival arrival;
    std::vector<double> extents;  ///< per part, conjunction after conjunction: of those on the number of sets or on skew
  };
  [[nodiscard]] Outlook outlook(const TagModel::Choice& choice, const TagArrival& arrival) const;
  [[nodiscard]] bool choice_allows(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const;
  /// kNoConjunction where the app is subject to none.
  [[nodiscard]] double choice_extent(const TagView& view, const TagModel::Choice& choice, AppId app, const TagSite& site,
                                     const Outlook& outlook) const;

  const TagModel* model_ = nullptr;  // nullptr where there are no rules
  std::vector<std::size_t> offset_;  // of a part's sets in counts_
  std::vector<Count> counts_;
  std::vector<std::uint64_t> subjects_;  // per part
  std::vector<std::uint64_t> waiting_;   // per part with a hard minimum: replicas that count and are not placed
  std::vector<std::uint32_t> open_;      // per part with a hard minimum: sets in which it is not reached
  std::vector<std::uint32_t> open_at_start_;
  std::vector<std::uint32_t> population_;  // per part: where in populations_, or kNone
  std::vector<Population> populations_;
  std::vector<double> extents_at_start_;  // of populations_
  std::vector<Residents> residents_;      // per choice
};

}  // namespace stowage
