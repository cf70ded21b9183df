// The mutable state of a plan under construction, and its headroom: how many more replicas of an app a node can take.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "core/affinity/affinity_probe.h"
#include "core/affinity/cost_headroom.h"
#include "core/devices/device_headroom.h"
#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/placement/residuals.h"
#include "core/placement/tag_state.h"
#include "core/run/placement_clock.h"
#include "core/run/request.h"

namespace stowage {

/// Nodes 0 .. listed - 1 are the instance's listed nodes, in order, with their load and their running and pinned replicas.
/// Further nodes are opened one by one. An opened node may stand for many copies that hold the same replicas, at the cost of
/// one node. headroom() asks every hard constraint that planners honour; a new kind of constraint is added there.
template <class Unit>
class Placement {
 public:
  /// @param clock of the run that the placement belongs to: hard questions count as its work, and the time is reserved that it
  ///     takes to write the plan. Null: none
  /// @param watch ends it: some nodes or replicas are missing, and nobody uses the placement
  Placement(const Instance& instance, const Request& request, WorkClock* clock = nullptr, WatchRef watch = {});

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  /// Number of node ids; a node and its copies have one id.
  [[nodiscard]] std::uint32_t nodes() const { return contents_.nodes(); }
  /// How many nodes the id stands for, at least 1.
  [[nodiscard]] std::uint32_t copies(NodeId node) const { return node < more_.size() ? 1 + more_[node] : 1; }
  [[nodiscard]] std::uint32_t nodes_in_use() const { return in_use_; }
  /// Replicas that are neither placed nor held back.
  [[nodiscard]] std::uint32_t unplaced(AppId app) const { return unplaced_[app]; }
  /// Replicas that are not placed, held back or not.
  [[nodiscard]] std::uint32_t left_over(AppId app) const { return unplaced_[app] + held_back(app); }
  [[nodiscard]] std::uint32_t held_back(AppId app) const { return held_back_.empty() ? 0 : held_back_[app]; }
  /// Sets how many of the replicas that are not placed unplaced() leaves out, at most left_over(app): for callers that place
  /// what has room first.
  void hold_back(AppId app, std::uint32_t replicas) {
    if (held_back_.empty()) held_back_.assign(instance_->apps(), 0);
    unplaced_[app] = left_over(app) - replicas;
    held_back_[app] = replicas;
  }
  void hold_back_nothing() {
    for (AppId app = 0; app < held_back_.size(); ++app) hold_back(app, 0);
  }
  [[nodiscard]] const Residuals<Unit>& residuals() const { return residuals_; }
  [[nodiscard]] Residuals<Unit>& residuals() { return residuals_; }
  [[nodiscard]] const NodeContents& contents() const { return contents_; }
  [[nodiscard]] ClassId class_of(NodeId node) const { return node_class_[node]; }
  /// Whether the request's node_limit allows replicas on the node. False only for a node that is not in use.
  [[nodiscard]] bool may_use(NodeId node) const { return in_use_ < node_limit_ || used(node); }
  /// How many more nodes may come into use.
  [[nodiscard]] std::uint32_t may_still_use() const { return node_limit_ - std::min(node_limit_, in_use_); }
  [[nodiscard]] bool used(NodeId node) const { return !contents_.at(node).empty() || loaded(node); }
  /// Whether the node carries load, and hence is in use whatever else it holds.
  [[nodiscard]] bool loaded(NodeId node) const { return node < loaded_.size() && loaded_[node] != 0; }
  /// True once open() was refused by the caller's max_nodes.
  [[nodiscard]] bool hit_ceiling() const { return hit_ceiling_; }

  /// An app, prepared for questions about many nodes.
  class Candidate {
   public:
    explicit Candidate(const Placement& placement) : affinity_(placement.instance()) {}
    /// @param many true if many nodes will certainly be asked about: more preparation, faster answers
    void start(const Placement& placement, AppId app, bool many = false) {
      app_ = app;
      placement.residuals_.prepare(app, need_);
      affinity_.start(app, many);
    }
    [[nodiscard]] AppId app() const { return app_; }
    [[nodiscard]] const typename Residuals<Unit>::Need& need() const { return need_; }

   private:
    friend class Placement;
    AppId app_ = kNone;
    typename Residuals<Unit>::Need need_;
    AffinityProbe affinity_;
  };

  /// How many more replicas of the app the node can take, at most `wanted`, under every hard constraint but capacity. For
  /// questions about many apps on one node.
  /// @param which whether soft rules are asked as well, as if they were hard
  [[nodiscard]] std::uint32_t allowed(AppId app, NodeId node, std::uint32_t wanted,
                                      TagState::Asked which = TagState::Asked::kHard) const {
    if (!admits(app, node)) return 0;
    const auto tenants = contents_.at(node);
    if (tenants.empty() && !may_use(node)) return 0;
    std::uint32_t allowed = std::min(wanted, affinity_headroom(instance_->limit_rows(), app, tenants));
    if (allowed > 0) allowed = allowed_beside(app, device_site(node), tenants, allowed);
    return allowed == 0 ? 0 : allowed_by_rules(app, node, allowed, which);
  }

  /// How many more replicas of the candidate the node can take, at most `wanted`, under every hard constraint.
  [[nodiscard]] std::uint32_t headroom(Candidate& candidate, NodeId node, std::uint32_t wanted) const {
    if (!admits(candidate.app_, node)) return 0;
    const auto tenants = contents_.at(node);
    if (tenants.empty() && !may_use(node)) return 0;
    std::uint32_t allowed = std::min(wanted, candidate.affinity_.headroom(tenants));
    if (allowed > 0) allowed = allowed_beside(candidate.app_, device_site(node), tenants, allowed);
    if (allowed > 0) allowed = allowed_by_rules(candidate.app_, node, allowed);
    return allowed == 0 ? 0 : residuals_.copies(candidate.need_, node, allowed);
  }

  /// Whether headroom(candidate, node, 1) is 1, for a node whose residuals are known to have room for a replica.
  [[nodiscard]] bool allows_one(Candidate& candidate, NodeId node) const {
    if (!admits(candidate.app_, node)) return false;
    const auto tenants = contents_.at(node);
    const bool allowed = tenants.empty() ? may_use(node) && candidate.affinity_.headroom_on_empty() > 0
                                         : candidate.affinity_.headroom(tenants) > 0;
    return allowed && allowed_beside(candidate.app_, device_site(node), tenants, 1) > 0 &&
           allowed_by_rules(candidate.app_, node, 1) > 0;
  }

  /// How many replicas of the candidate a new node of the class takes, at most `wanted`.
  [[nodiscard]] std::uint32_t headroom_on_empty(const Candidate& candidate, ClassId node_class, std::uint32_t wanted) const {
    if (!instance_->admits(candidate.app_, kNone, node_class)) return 0;
    wanted = std::min(wanted, candidate.affinity_.headroom_on_empty());
    if (wanted > 0) wanted = allowed_beside(candidate.app_, {kNone, node_class}, {}, wanted);
    if (wanted > 0 && tags_.active()) wanted = tags_.allowed(tag_view(), candidate.app_, {kNone, kNone, node_class}, wanted);
    return residuals_.copies_on_empty(candidate.need_, node_class, wanted);
  }

  /// Whether the app may be on the node at all, by what is written on it.
  [[nodiscard]] bool admits(AppId app, NodeId node) const {
    return instance_->admits(app, node < instance_->listed_nodes() ? node : kNone, node_class_[node]);
  }
  /// How many more replicas of the app, at most `wanted`, side effects and devices allow beside the tenants.
  [[nodiscard]] std::uint32_t allowed_beside(AppId app, const DeviceSite& site, std::span<const Tenant> tenants,
                                             std::uint32_t wanted) const {
    if (instance_->limits_costs()) wanted = cost_headroom(*instance_, app, tenants, wanted);
    return wanted > 0 && instance_->devices().uses(app) ? allowed_by_devices(app, site, tenants, wanted) : wanted;
  }
  [[nodiscard]] std::uint32_t allowed_by_devices(AppId app, const DeviceSite& site, std::span<const Tenant> tenants,
                                                 std::uint32_t wanted) const {
    PackingEffort effort = clock_.effort();
    wanted = device_headroom(*instance_, app, site, tenants, wanted, &effort);
    clock_.count(effort);
    return wanted;
  }
  /// Whether the devices of the node take one replica of the app, which uses them, where one of `leaving` (unless kNone)
  /// leaves.
  [[nodiscard]] bool devices_admit(AppId app, AppId leaving, NodeId node) const {
    PackingEffort effort = clock_.effort();
    const bool admit = stowage::devices_admit(*instance_, app, leaving, device_site(node), contents_.at(node), &effort);
    clock_.count(effort);
    return admit;
  }
  /// From now on, hard questions are answered as after the end of a run: "no" where that takes no search.
  void be_quick() { clock_.be_quick(); }
  [[nodiscard]] DeviceSite device_site(NodeId node) const {
    return {node < instance_->listed_nodes() ? node : kNone, node_class_[node]};
  }
  /// How many more replicas of the app, at most `wanted`, placement rules allow on the node.
  [[nodiscard]] std::uint32_t allowed_by_rules(AppId app, NodeId node, std::uint32_t wanted,
                                               TagState::Asked which = TagState::Asked::kHard) const {
    return tags_.active() ? tags_.allowed(tag_view(), app, tag_view().site(node), wanted, which) : wanted;
  }
  /// So many nodes will be opened (Residuals::expect()).
  void expect(std::uint32_t nodes) { residuals_.expect(nodes); }
  /// What a question about the app and a node takes, in steps of a Watch.
  [[nodiscard]] std::uint64_t steps_to_ask(AppId app) const {
    constexpr std::uint64_t kStepsPerQuestion = 16;
    // Uncertain demand takes a root in each dimension.
    const std::uint64_t roots = instance_->uncertain() ? instance_->dims() : 0;
    return kStepsPerQuestion + roots + (tags_.active() ? tags_.steps_to_ask(app) : 0);
  }
  /// Whether the instance has placement rules. If so, empty nodes of one class may differ.
  [[nodiscard]] bool has_rules() const { return tags_.active(); }
  [[nodiscard]] const TagState& tags() const { return tags_; }
  [[nodiscard]] TagState& tags() { return tags_; }
  /// What all violated rules cost.
  [[nodiscard]] TagState::Toll all_tolls() const { return tags_.active() ? tags_.all_tolls(tag_view()) : TagState::Toll{}; }
  /// The cost of the placement rules that concern the app, as far as it depends on the node; 0 without rules.
  [[nodiscard]] TagState::Toll toll(AppId app, NodeId node) const {
    return tags_.active() ? tags_.toll(tag_view(), app, node) : TagState::Toll{};
  }
  [[nodiscard]] TagView tag_view() const { return {&contents_, &node_class_, instance_->listed_nodes()}; }
  /// Whether rules allow one replica of `app` to move from `node` to `other_node`, and one of `other` (unless kNone) to move
  /// the other way. Makes the moves and undoes them.
  [[nodiscard]] bool rules_let_exchange(AppId app, NodeId node, AppId other, NodeId other_node);

  /// Makes an empty node that residuals().close() has closed take replicas again.
  void reopen(NodeId node) {
    const NodeId listed = node < instance_->listed_nodes() ? node : kNone;
    residuals_.reopen(node, node_class_[node], instance_->scaled_standing(listed, node_class_[node]));
  }
  /// Opens the anonymous nodes of an expanded plan, and places its replicas beside those that are there at the start. Returns
  /// the number of each node of the plan. Where the watch ends it, some nodes or replicas are missing.
  std::vector<NodeId> add(const Plan& plan, WatchRef watch = {});
  /// Opens the anonymous nodes of an expanded plan, and places nothing. Returns the number of each node of the plan. No limit
  /// is asked: the plan keeps to them all, also where what is placed now uses nodes that the plan leaves.
  std::vector<NodeId> open_nodes_of(const Plan& plan, WatchRef watch = {});
  /// Whether the class's count and the request allow a further node of the class.
  [[nodiscard]] bool may_open(ClassId node_class) const { return left_of(node_class) > 0; }
  /// Opens a node of the class. kNone: the class, the request or the caller's limits have none left.
  NodeId open(ClassId node_class) {
    if (left_of(node_class) == 0) return kNone;
    if (ceiling() == 0) {
      hit_ceiling_ = true;
      return kNone;
    }
    return open_regardless(node_class);
  }

  /// Adds copies to an opened node: up to `most`, limited by the unplaced replicas of its apps, its class, the request and the
  /// caller's limits. Returns the number of copies added. It is 0 for an empty node, where rules make nodes of a class differ,
  /// and where withdraw() might remove replicas.
  std::uint32_t repeat(NodeId node, std::uint64_t most = kNone);
  /// Splits `copies` copies (at least 1) off the node. Returns the new node that stands for them, or `node` itself if it has no
  /// other copies.
  NodeId split(NodeId node, std::uint32_t copies);
  /// Places `each` replicas (at least 1, at most unplaced(app)) of the app on every copy of the node. If replicas run out, the
  /// copies without a full share are split off, and one of them takes the remainder.
  void place_on_copies(AppId app, NodeId node, std::uint32_t each);

  /// Opens a node of the first of `classes` that takes the candidate and has a node left. kNone: there is none.
  NodeId open_for(const Candidate& candidate, std::span<const ClassId> classes) {
    for (const ClassId c : classes) {
      if (headroom_on_empty(candidate, c, 1) == 0) continue;
      const NodeId node = open(c);
      if (node != kNone) return node;
    }
    return kNone;
  }

  /// Places `replicas` replicas on each copy of the node.
  void place(AppId app, NodeId node, std::uint32_t replicas) {
    assert(node < nodes());
    if (!used(node)) ++in_use_;
    contents_.add(app, node, replicas);
    residuals_.take(app, node, replicas);
    unplaced_[app] -= replicas * copies(node);
    if (tags_.active()) tags_.change(tag_view(), app, node, replicas);
  }
  /// Removes replicas. The node must have no further copies.
  void remove(AppId app, NodeId node, std::uint32_t replicas) {
    assert(node < nodes() && copies(node) == 1 && replicas <= contents_.count(app, node));
    contents_.remove(app, node, replicas);
    residuals_.give_back(app, node, replicas);
    unplaced_[app] += replicas;
    if (tags_.active()) tags_.change(tag_view(), app, node, -std::int64_t{replicas});
    if (!used(node)) --in_use_;
  }

  /// Makes what is placed a plan that may stay. Of the replicas that came since the start, it removes those whose hard rule has
  /// a minimum that was not reached and, if the request is all or nothing, those of applications with unplaced replicas. Of the
  /// replicas that left their node, those come home that have no other place, or that others need there. If nothing else helps,
  /// everything is where it was at the start.
  void withdraw() {
    if (may_withdraw() && !may_stay()) put_right();
  }

  /// Writes the nodes in use, the placed and the unplaced replicas, as they are after withdraw().
  void write(Plan& plan) const;
  /// As withdraw() and write(), where the placement is of no further use: nothing is copied. Where the run is cancelled or
  /// late, and its caller wants no late plan, nothing is written.
  void finish(Plan& plan) {
    if (drops_late_ && clock_.is_overdue()) return;
    withdraw();
    write_as_is(plan);
  }
  /// The same without withdraw(). Where the watch ends it, the plan is incomplete, and nobody uses it.
  void write_as_is(Plan& plan, WatchRef watch = {}) const;
  /// As write(), of contents copied earlier. No node may have been repeated or split since then.
  void write(const NodeContents& contents, Plan& plan) const;

 private:
  /// Places what runs, unless the request ignores it, and what is pinned.
  void place_start(const Request& request, WatchRef watch);
  /// @param listed kNone: an anonymous node
  NodeId add_node(NodeId listed, ClassId node_class);
  NodeId open_regardless(ClassId node_class) {
    ++opened_[node_class];
    return add_node(kNone, node_class);
  }

  /// How many more nodes of the class its count and the request allow.
  [[nodiscard]] std::uint32_t left_of(ClassId node_class) const {
    const std::uint32_t count = instance_->data().classes[node_class].count;
    return std::min(count == 0 ? kNone : count - std::min(count, opened_[node_class]), may_still_use());
  }
  /// How many more nodes, of all classes, the caller's max_nodes allows.
  [[nodiscard]] std::uint64_t ceiling() const {
    return instance_->limits().max_nodes - std::min(instance_->limits().max_nodes, nodes() + repeated_);
  }

  [[nodiscard]] TagView view_of_start() const { return {&start_, &node_class_, start_.nodes()}; }
  [[nodiscard]] TagState rules_at_start() const;
  /// Replicas that were on a node at the start, as one of its tenants, and are not there.
  [[nodiscard]] std::uint32_t away(const Tenant& tenant, NodeId node) const {
    return tenant.replicas - std::min(tenant.replicas, contents_.count(tenant.app, node));
  }
  [[nodiscard]] bool any_away() const;
  /// If the request is all or nothing, marks applications with unplaced replicas, by their first app.
  void find_incomplete(std::vector<std::uint8_t>& incomplete) const;
  /// Whether withdraw() removes the replicas of the tenant that were placed on the node since the start.
  [[nodiscard]] bool goes(const std::vector<std::uint8_t>& incomplete, const Tenant& tenant, NodeId node) const;
  [[nodiscard]] bool any_goes(const std::vector<std::uint8_t>& incomplete, NodeId node) const;
  /// Whether withdraw() leaves everything as it is.
  [[nodiscard]] bool may_stay() const;
  /// withdraw() where something may not stay.
  void put_right();
  // Its steps.
  void remove_what_goes();
  void remove_newcomers(NodeId node);
  /// @param all also those that have another place
  void bring_home(bool all);
  void call_back();
  void make_room(AppId app, NodeId home, std::uint32_t replicas);
  void keep_node_limit();

  void write_contents(const NodeContents& contents, Plan& plan, WatchRef watch = {}) const;
  void set_more(NodeId node, std::uint32_t more) {
    if (more_.size() <= node) more_.resize(std::size_t{node} + 1, 0);
    repeated_ += std::uint64_t{more} - more_[node];
    more_[node] = more;
  }
  /// Reserves the time to write the plan, now and then.
  void reserve_time() const { clock_.reserve(nodes(), is_compact_ ? 0 : nodes() + repeated_); }
  [[nodiscard]] bool may_withdraw() const { return all_or_nothing_ || instance_->tag_model().has_hard_minimum(); }

  /// Nodes that are opened between two reservations of time.
  static constexpr std::uint32_t kReserveEvery = 4096;

  const Instance* instance_;
  PlacementClock clock_;
  bool drops_late_;
  bool is_compact_;
  Residuals<Unit> residuals_;
  TagState tags_;
  NodeContents contents_;
  NodeContents start_;  // contents at the start; empty unless may_withdraw()
  bool all_or_nothing_ = false;
  std::vector<ClassId> node_class_;
  std::uint32_t node_limit_;
  std::uint32_t in_use_ = 0;
  bool hit_ceiling_ = false;
  std::vector<std::uint8_t> loaded_;
  std::vector<std::uint32_t> opened_;
  std::vector<std::uint32_t> more_;  // per node: copies besides itself; ends with the last node that has some
  std::uint64_t repeated_ = 0;       // their sum
  std::vector<std::uint32_t> unplaced_;
  std::vector<std::uint32_t> held_back_;  // per app; empty: none
};

extern template class Placement<std::int16_t>;
extern template class Placement<std::int32_t>;

}  // namespace stowage
