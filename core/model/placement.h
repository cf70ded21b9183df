// The mutable state of a plan in the making, and the composed answer to "how many more replicas can this node take?".
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/constraints/affinity.h"
#include "core/constraints/capacity.h"
#include "core/constraints/tag_state.h"
#include "core/model/instance.h"
#include "core/model/node_contents.h"
#include "core/model/plan.h"

namespace stowage {

/// Nodes 0 .. listed - 1 are the instance's listed nodes, in order, with their load and what runs there or is pinned there.
/// Others are opened one by one. Every hard constraint that planners honour is asked through headroom(); a new constraint
/// family joins there.
template <class Unit>
class Placement {
 public:
  Placement(const Instance& instance, const Request& request)
      : instance_(&instance),
        residuals_(instance),
        tags_(instance),
        node_limit_(request.node_limit == 0 ? kNone : request.node_limit),
        opened_(instance.classes(), 0),
        unplaced_(instance.data().replicas) {
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      const ClassId c = instance.data().node_class[n];
      add_node(c, instance.scaled_load(n), instance.scaled_load_risk(n));
      ++opened_[c];
    }
    const InstanceData& data = instance.data();
    loaded_.assign(instance.listed_nodes(), 0);
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      for (const std::int32_t units : instance.scaled_load(n)) {
        if (units > 0) loaded_[n] = 1;
      }
      in_use_ += loaded_[n];
    }
    residuals_.defer();
    if (!request.ignore_running) {
      for (const Residence& r : data.running) place(r.app, r.node, r.replicas);
    }
    for (const Residence& p : data.pinned) {
      const std::uint32_t there = contents_.count(p.app, p.node);
      if (p.replicas > there) place(p.app, p.node, p.replicas - there);
    }
    residuals_.settle();
    for (NodeId n = 0; n < data.closed.size(); ++n) {
      if (data.closed[n] != 0) residuals_.close(n);
    }
    all_or_nothing_ = request.all_or_nothing;
    if (may_withdraw()) start_ = contents_;
    if (tags_.active()) tags_.settle_start();
  }

  [[nodiscard]] const Instance& instance() const { return *instance_; }
  [[nodiscard]] std::uint32_t nodes() const { return contents_.nodes(); }
  [[nodiscard]] std::uint32_t nodes_in_use() const { return in_use_; }
  [[nodiscard]] std::uint32_t unplaced(AppId app) const { return unplaced_[app]; }
  [[nodiscard]] const Residuals<Unit>& residuals() const { return residuals_; }
  [[nodiscard]] Residuals<Unit>& residuals() { return residuals_; }
  [[nodiscard]] const NodeContents& contents() const { return contents_; }
  [[nodiscard]] ClassId class_of(NodeId node) const { return node_class_[node]; }
  /// Whether the request's node_limit lets something onto the node; only an unused one is ever refused.
  [[nodiscard]] bool may_use(NodeId node) const { return in_use_ < node_limit_ || used(node); }
  [[nodiscard]] bool used(NodeId node) const { return !contents_.at(node).empty() || loaded(node); }
  /// True where a listed node carries load, and hence is in use whatever else it holds.
  [[nodiscard]] bool loaded(NodeId node) const { return node < loaded_.size() && loaded_[node] != 0; }
  /// True once open() was refused by the caller's max_nodes.
  [[nodiscard]] bool hit_ceiling() const { return hit_ceiling_; }

  /// An app, prepared for questions about many nodes.
  class Candidate {
   public:
    explicit Candidate(const Placement& placement) : affinity_(placement.instance()) {}
    /// @param many questions about many nodes are sure to come
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

  /// How many more replicas of the app the node can take, at most `wanted`, under every hard constraint but capacity: for
  /// questions about many apps on one node.
  [[nodiscard]] std::uint32_t allowed(AppId app, NodeId node, std::uint32_t wanted) const {
    const auto tenants = contents_.at(node);
    if (tenants.empty() && !may_use(node)) return 0;
    const std::uint32_t allowed = std::min(wanted, affinity_headroom(instance_->limit_rows(), app, tenants));
    return allowed == 0 ? 0 : allowed_by_rules(app, node, allowed);
  }

  /// How many more replicas of the candidate the node can take, at most `wanted`, under every hard constraint.
  [[nodiscard]] std::uint32_t headroom(Candidate& candidate, NodeId node, std::uint32_t wanted) const {
    const auto tenants = contents_.at(node);
    if (tenants.empty() && !may_use(node)) return 0;
    std::uint32_t allowed = std::min(wanted, candidate.affinity_.headroom(tenants));
    if (allowed > 0) allowed = allowed_by_rules(candidate.app_, node, allowed);
    return allowed == 0 ? 0 : residuals_.copies(candidate.need_, node, allowed);
  }

  /// The same where the node has room for at least one by its residuals, and one is wanted.
  [[nodiscard]] bool allows_one(Candidate& candidate, NodeId node) const {
    const auto tenants = contents_.at(node);
    const bool allowed = tenants.empty() ? may_use(node) && candidate.affinity_.headroom_on_empty() > 0
                                         : candidate.affinity_.headroom(tenants) > 0;
    return allowed && allowed_by_rules(candidate.app_, node, 1) > 0;
  }

  /// How many replicas of the candidate a new node of the class takes, at most `wanted`.
  [[nodiscard]] std::uint32_t headroom_on_empty(const Candidate& candidate, ClassId node_class, std::uint32_t wanted) const {
    wanted = std::min(wanted, candidate.affinity_.headroom_on_empty());
    if (wanted > 0 && tags_.active()) wanted = tags_.allowed(tag_view(), candidate.app_, {kNone, kNone, node_class}, wanted);
    return residuals_.copies_on_empty(candidate.need_, node_class, wanted);
  }

  /// How many more replicas of the app, at most `wanted`, placement rules let onto the node.
  [[nodiscard]] std::uint32_t allowed_by_rules(AppId app, NodeId node, std::uint32_t wanted) const {
    return tags_.active() ? tags_.allowed(tag_view(), app, tag_view().site(node), wanted) : wanted;
  }
  /// Whether the instance has placement rules; nodes of one class then differ.
  [[nodiscard]] bool has_rules() const { return tags_.active(); }
  [[nodiscard]] const TagState& tags() const { return tags_; }
  [[nodiscard]] TagView tag_view() const { return {&contents_, &node_class_, instance_->listed_nodes()}; }
  /// Whether rules let one replica of `app` go from its node to `other_node`, and one of `other` (unless kNone) the other way.
  /// Takes both away and puts them there, and everything back.
  [[nodiscard]] bool rules_let_exchange(AppId app, NodeId node, AppId other, NodeId other_node) {
    if (!tags_.active()) return true;
    const auto change = [&](AppId who, NodeId where, std::int64_t replicas) {
      if (replicas > 0) {
        contents_.add(who, where, 1);
      } else {
        contents_.remove(who, where, 1);
      }
      tags_.change(tag_view(), who, where, replicas);
    };
    const auto lets = [&](AppId who, NodeId where) { return tags_.allowed(tag_view(), who, tag_view().site(where), 1) > 0; };
    change(app, node, -1);
    if (other != kNone) change(other, other_node, -1);
    bool fine = lets(app, other_node);
    if (fine && other != kNone) {
      change(app, other_node, 1);
      fine = lets(other, node);
      change(app, other_node, -1);
    }
    if (other != kNone) change(other, other_node, 1);
    change(app, node, 1);
    return fine;
  }

  /// Opens a node of the class; kNone where the class, the request or the caller's limits have no more.
  NodeId open(ClassId node_class) {
    const std::uint32_t count = instance_->data().classes[node_class].count;
    if ((count != 0 && opened_[node_class] >= count) || in_use_ >= node_limit_) return kNone;
    if (nodes() >= instance_->limits().max_nodes) {
      hit_ceiling_ = true;
      return kNone;
    }
    ++opened_[node_class];
    return add_node(node_class, {}, {});
  }

  /// Opens a node of the first of these classes that takes the candidate and has a node left; kNone where there is none.
  NodeId open_for(const Candidate& candidate, std::span<const ClassId> classes) {
    for (const ClassId c : classes) {
      if (headroom_on_empty(candidate, c, 1) == 0) continue;
      const NodeId node = open(c);
      if (node != kNone) return node;
    }
    return kNone;
  }

  void place(AppId app, NodeId node, std::uint32_t replicas) {
    if (!used(node)) ++in_use_;
    contents_.add(app, node, replicas);
    residuals_.take(app, node, replicas);
    unplaced_[app] -= replicas;
    if (tags_.active()) tags_.change(tag_view(), app, node, replicas);
  }
  void remove(AppId app, NodeId node, std::uint32_t replicas) {
    contents_.remove(app, node, replicas);
    residuals_.give_back(app, node, replicas);
    unplaced_[app] += replicas;
    if (tags_.active()) tags_.change(tag_view(), app, node, -std::int64_t{replicas});
    if (!used(node)) --in_use_;
  }

  /// Takes away what has been placed although it may not stay: replicas that hard rules with a minimum did not get what they
  /// need near, and, where the request is all or nothing, applications of which something is left over. What is there at the
  /// start stays.
  void withdraw() {
    if (!may_withdraw()) return;
    std::vector<std::uint8_t> incomplete(instance_->apps(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (AppId app = 0; app < instance_->apps() && all_or_nothing_; ++app) {
        if (unplaced_[app] > 0) incomplete[instance_->application(app)] = 1;
      }
      for (NodeId node = 0; node < nodes(); ++node) {
        // The list changes on the way.
        const std::vector<Tenant> tenants(contents_.at(node).begin(), contents_.at(node).end());
        for (const Tenant& tenant : tenants) {
          const std::uint32_t newcomers = start_.newcomers(tenant, node);
          if (newcomers == 0) continue;
          const bool stays = incomplete[instance_->application(tenant.app)] == 0 &&
                             !(tags_.active() && tags_.is_broken(tag_view(), tenant.app, node));
          if (stays) continue;
          remove(tenant.app, node, newcomers);
          changed = true;
        }
      }
    }
  }

  /// Writes nodes in use, who sits where, and what is left over, after withdraw().
  void write(Plan& plan) const {
    if (may_withdraw()) {
      Placement settled = *this;
      settled.withdraw();
      settled.write_as_is(plan);
    } else {
      write_as_is(plan);
    }
  }
  void write_as_is(Plan& plan) const {
    write(contents_, plan);
    for (AppId app = 0; app < instance_->apps(); ++app) {
      if (unplaced_[app] > 0) plan.unplaced.push_back({app, unplaced_[app]});
    }
  }
  /// The same for contents kept from an earlier moment at which nothing was left over.
  void write(const NodeContents& contents, Plan& plan) const {
    std::vector<Tenant> tenants;
    std::size_t entries = 0;
    for (NodeId node = 0; node < contents.nodes(); ++node) entries += contents.at(node).size();
    plan.placed.reserve(entries);
    for (NodeId node = 0; node < contents.nodes(); ++node) {
      const auto list = contents.at(node);
      if (list.empty() && !loaded(node)) continue;
      tenants.assign(list.begin(), list.end());
      std::sort(tenants.begin(), tenants.end(), [](const Tenant& a, const Tenant& b) { return a.app < b.app; });
      const auto index = static_cast<NodeId>(plan.nodes.size());
      plan.nodes.push_back({node_class_[node], node < instance_->listed_nodes() ? node : kNone});
      for (const Tenant& tenant : tenants) plan.placed.push_back({tenant.app, index, tenant.replicas});
    }
  }

 private:
  NodeId add_node(ClassId node_class, std::span<const std::int32_t> load, std::span<const std::int64_t> load_risk) {
    contents_.add_node();
    node_class_.push_back(node_class);
    return residuals_.add_node(node_class, load, load_risk);
  }

  [[nodiscard]] bool may_withdraw() const { return all_or_nothing_ || instance_->tag_model().has_hard_minimum(); }

  const Instance* instance_;
  Residuals<Unit> residuals_;
  TagState tags_;
  NodeContents contents_;
  NodeContents start_;  // kept where something may be withdrawn
  bool all_or_nothing_ = false;
  std::vector<ClassId> node_class_;
  std::uint32_t node_limit_;
  std::uint32_t in_use_ = 0;
  bool hit_ceiling_ = false;
  std::vector<std::uint8_t> loaded_;
  std::vector<std::uint32_t> opened_;
  std::vector<std::uint32_t> unplaced_;
};

}  // namespace stowage
