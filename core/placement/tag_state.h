// Placement rules during planning: counts per rule part and node set, and how many replicas hard rules allow on a node.
// docs/understand/constraints.md defines the semantics.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/watch.h"
#include "core/model/constraints/tags.h"
#include "core/model/instance.h"
#include "core/model/node_contents.h"

namespace stowage {

/// A node as rules see it.
struct TagSite {
  NodeId node = kNone;    ///< kNone: a node that is not open yet
  NodeId listed = kNone;  ///< the same id if the instance lists the node, else kNone
  ClassId node_class = 0;
};

/// The contents and classes of all nodes.
struct TagView {
  const NodeContents* contents;
  const std::vector<ClassId>* node_class;
  std::uint32_t listed;  ///< number of listed nodes, which have the lowest ids

  [[nodiscard]] TagSite site(NodeId node) const { return {node, node < listed ? node : kNone, (*node_class)[node]}; }
  [[nodiscard]] std::span<const Tenant> tenants(NodeId node) const {
    return node == kNone ? std::span<const Tenant>{} : contents->at(node);
  }
};

/// Replicas assumed to be added to the contents.
struct TagArrival {
  AppId app = kNone;
  TagSite site;
  std::uint32_t replicas = 0;
  bool apart = false;  ///< counted in the node's sets, but not on the node itself
};

/// Counts per part and node set, updated with every change. Counts on single nodes are computed from their tenants.
class TagState {
 public:
  explicit TagState(const Instance& instance);

  [[nodiscard]] bool active() const { return model_ != nullptr; }

  /// Updates the counts. Call it after every change of the contents.
  /// @param replicas replicas added; negative: removed
  void change(const TagView& view, AppId app, NodeId node, std::int64_t replicas);
  /// Skew conditions count these nodes, and sets of which none of the other nodes is left, no more. They must hold nothing.
  /// Other calls go on as before until show_all(). O(groups of Skew parts x nodes).
  /// @param is_left whether a node of the view is one of the other nodes
  /// @param watch   ends it: not all is hidden, and nobody asks about rules any more
  void hide(const TagView& view, std::span<const NodeId> nodes, const std::function<bool(NodeId)>& is_left,
            WatchRef watch = {});
  void show_all();
  /// Declares the present contents the start: rules that they break are inherited.
  void settle_start();

  /// The largest number of replicas of the app, at most `wanted`, that the node can take without breaking a hard rule or
  /// breaking it further. Where a minimum is not reached yet, replicas are allowed if the unplaced ones could reach it.
  /// @param which the rules that are asked; kAll: soft rules as if they were hard
  enum class Asked : std::uint8_t { kHard, kAll };
  [[nodiscard]] std::uint32_t allowed(const TagView& view, AppId app, const TagSite& site, std::uint32_t wanted,
                                      Asked which = Asked::kHard) const;
  /// A hard rule that allows no replica of an app on a node.
  struct Refusal {
    std::uint32_t rule = kNone;
    /// The rule's only part that refuses, and the bounds with which it would allow a replica. kNone: no change of one part's
    /// bounds helps, or the rule has several conjunctions.
    std::uint32_t part = kNone;
    std::uint32_t min = 0;
    std::uint32_t max = kNone;
  };
  /// All refusals, at most one per rule, in ascending order of rules. Each is as if the other rules did not exist.
  [[nodiscard]] std::vector<Refusal> refusals(const TagView& view, AppId app, const TagSite& site) const;
  /// Whether replicas of the app on the node break a hard rule. A NodeSets or Skew condition counts as broken if it is further
  /// from holding than at the start.
  [[nodiscard]] bool is_broken(const TagView& view, AppId app, NodeId node) const {
    return breaks(view, app, node, nullptr, view);
  }
  /// The same of replicas that were on the node at the start: whether they break a hard rule further than then.
  /// @param start, at_start the rules and the contents at the start
  [[nodiscard]] bool breaks_further(const TagView& view, AppId app, NodeId node, const TagState& start,
                                    const TagView& at_start) const {
    return breaks(view, app, node, &start, at_start);
  }

  /// Replicas in a set, for one part.
  struct Count {
    std::uint32_t out = 0;    ///< subjects that are not counted
    std::uint32_t in = 0;     ///< subjects that are counted
    std::uint32_t count = 0;  ///< all that is counted, static tags of nodes included
  };
  [[nodiscard]] Count in_set(std::uint32_t part, std::uint32_t set) const { return counts_[offset_[part] + set]; }
  /// Count::count on a single node with these tenants.
  [[nodiscard]] std::uint32_t count_on(std::uint32_t part, const TagSite& site, std::span<const Tenant> tenants) const;
  /// Number of placed replicas that are subject to the part.
  [[nodiscard]] std::uint64_t subjects(std::uint32_t part) const { return subjects_[part]; }
  /// Violation extent of a NodeSets or Skew part, with the arrival.
  [[nodiscard]] double population_extent(std::uint32_t part, const TagArrival& arrival) const;
  /// Number of pairs (app, node) whose replicas are subject to the choice.
  [[nodiscard]] std::size_t residents(std::uint32_t choice) const { return residents_[choice].list.size(); }
  /// What allowed() takes for the app besides a usual question, in steps of a Watch: every resident of a choice is looked at.
  [[nodiscard]] std::uint64_t steps_to_ask(AppId app) const;
  /// Sum over the placed subjects of the choice of the violation extent of the nearest conjunction, with the arrival.
  [[nodiscard]] double choice_extent(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const;
  /// What an arrival that is not apart adds to choice_extent() of the same arrival apart: the change for the tenants of its
  /// node, and the extents of the arriving replicas.
  [[nodiscard]] double choice_extent_on_node(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const;
  /// What violated rules cost, hard and soft ones apart: sums over replicas of the violation extent x the weight, where a hard
  /// rule weighs 1.
  struct Toll {
    double hard = 0;
    double soft = 0;
  };
  /// The part of the cost of all violated rules that one more or one less replica of the app on the node can change. So the
  /// change of this number is the change of the whole.
  [[nodiscard]] Toll toll(const TagView& view, AppId app, NodeId node) const;
  /// The whole cost of all violated rules. O(nodes x tenants x roles).
  [[nodiscard]] Toll all_tolls(const TagView& view) const;
  /// Writes a key of the site. At sites with equal keys, arrivals that are apart have the same choice_extent().
  void read_choice_key(std::uint32_t choice, const TagSite& site, std::vector<std::uint32_t>& key) const;

 private:
  /// How many sets have how many subjects. Few numbers differ, and they may be large.
  class SetsBySubjects {
   public:
    void add(std::uint32_t subjects, std::uint32_t sets);
    void remove(std::uint32_t subjects, std::uint32_t sets);
    /// Subjects in the emptiest set and in the fullest one; 0 where there is no set.
    [[nodiscard]] std::uint32_t least() const { return sets_.empty() ? 0 : sets_.front().first; }
    [[nodiscard]] std::uint32_t most() const { return sets_.empty() ? 0 : sets_.back().first; }
    /// Pairs of subjects and sets, by subjects.
    [[nodiscard]] const std::vector<std::pair<std::uint32_t, std::uint32_t>>& all() const { return sets_; }

   private:
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>::iterator find(std::uint32_t subjects);

    std::vector<std::pair<std::uint32_t, std::uint32_t>> sets_;
  };
  /// Subjects of a NodeSets or Skew part.
  struct Population {
    std::vector<std::uint32_t> of_set;  // per set: subjects
    SetsBySubjects sets_with;
    std::uint32_t occupied = 0;      // sets with subjects
    std::uint64_t outside = 0;       // subjects in no set
    std::uint32_t hidden = 0;        // sets that sets_with leaves out
    std::uint32_t hidden_nodes = 0;  // the same where each node is a set, those without an entry included
  };
  /// Replicas of an app on a node that are subject to a choice.
  struct Resident {
    AppId app;
    NodeId node;
    std::uint32_t replicas;
  };
  struct Residents {
    std::vector<Resident> list;
    std::unordered_map<std::uint64_t, std::size_t> at;  // by app and node: position in `list`
  };

  [[nodiscard]] const TagPart& part(std::uint32_t p) const { return model_->part(p); }
  /// How many sets of the group hide() leaves out; not all of them if the watch ends it.
  [[nodiscard]] std::uint32_t hidden_sets(const TagView& view, std::uint32_t group, std::span<const NodeId> nodes,
                                          const std::function<bool(NodeId)>& is_left, WatchRef watch) const;
  /// @param start null: the app was not on the node at the start
  [[nodiscard]] bool breaks(const TagView& view, AppId app, NodeId node, const TagState* start, const TagView& at_start) const;
  [[nodiscard]] bool needs_near(const TagPart& part) const {
    return part.hard && part.alone && part.kind == CardinalityKind::kReplicas && part.min > 0;
  }
  /// Whether a subject in the set does not have the minimum beside it.
  [[nodiscard]] static bool is_open(const TagPart& part, const Count& count) {
    return (count.out > 0 && count.count < part.min) || (count.in > 0 && count.count - 1 < part.min);
  }
  [[nodiscard]] Count on_node(std::uint32_t p, const TagSite& site, std::span<const Tenant> tenants) const;
  void change_part(const TagView& view, std::uint32_t p, bool subject, bool target, NodeId node, std::int64_t replicas);
  void change_population(std::uint32_t p, const TagView& view, NodeId node, std::int64_t replicas);
  void change_residents(std::uint32_t choice, AppId app, NodeId node, std::int64_t replicas);
  /// The most replicas, up to `wanted`, that a Replicas part allows its subject.
  [[nodiscard]] std::uint32_t allowed_as_subject(const TagView& view, const TagModel::Role& role, const TagSite& site,
                                                 std::uint32_t wanted) const;
  /// The same for any kind of part that is hard and alone.
  [[nodiscard]] std::uint32_t allowed_by_part(const TagView& view, const TagModel::Role& role, AppId app, const TagSite& site,
                                              std::uint32_t wanted) const;
  /// Calls visit(part, seen) for the hard maxima that count replicas of the app and have subjects there; `seen` is the count
  /// that these subjects see now.
  template <class Visit>
  void visit_maxima(const TagView& view, AppId app, const TagSite& site, Asked which, Visit&& visit) const;
  [[nodiscard]] std::uint32_t room_in(const TagPart& part, std::uint32_t p, const Count& here, bool also,
                                      std::uint32_t wanted) const;
  /// What the part costs in the sets that hold the site, or on the site's node, per unit of weight; for other kinds of parts in
  /// all.
  [[nodiscard]] double part_toll(const TagView& view, std::uint32_t p, const TagSite& site) const;
  /// Violation extent of a Replicas part for one replica of the app at the site, with the arrival.
  [[nodiscard]] double extent(const TagView& view, std::uint32_t p, AppId app, const TagSite& site,
                              const TagArrival& arrival) const;
  /// What the extents of a choice have in common for all subjects, with an arrival.
  struct Outlook {
    TagArrival arrival;
    std::vector<double> extents;  ///< per part, conjunction after conjunction: population_extent(), 0 for Replicas parts
  };
  [[nodiscard]] Outlook outlook(const TagModel::Choice& choice, const TagArrival& arrival) const;
  [[nodiscard]] bool choice_allows(const TagView& view, std::uint32_t choice, const TagArrival& arrival) const;
  /// Violation extent of the nearest conjunction for one replica of the app at the site. kNoConjunction: the app is subject to
  /// none.
  [[nodiscard]] double choice_extent(const TagView& view, const TagModel::Choice& choice, AppId app, const TagSite& site,
                                     const Outlook& outlook) const;

  const TagModel* model_ = nullptr;      // nullptr: there are no rules
  std::vector<std::size_t> offset_;      // per part: where its sets begin in counts_
  std::vector<Count> counts_;            // by part and set
  std::vector<std::uint64_t> subjects_;  // per part
  std::vector<std::uint64_t> waiting_;   // per part: unplaced replicas that it counts
  std::vector<std::uint32_t> open_;      // per part with a hard minimum: sets with is_open()
  std::vector<std::uint32_t> open_at_start_;
  std::vector<std::uint32_t> population_;  // per part: position in populations_, or kNone
  std::vector<Population> populations_;
  std::vector<double> extents_at_start_;  // per entry of populations_
  std::vector<Residents> residents_;      // per choice
};

}  // namespace stowage
