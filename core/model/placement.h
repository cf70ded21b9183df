// The mutable state of a plan in the making, and the composed answer to "how many more replicas can this node take?".
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/constraints/affinity.h"
#include "core/constraints/capacity.h"
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
    if (!request.ignore_running) {
      for (const Residence& r : data.running) place(r.app, r.node, r.replicas);
    }
    for (const Residence& p : data.pinned) {
      const std::uint32_t there = contents_.count(p.app, p.node);
      if (p.replicas > there) place(p.app, p.node, p.replicas - there);
    }
    for (NodeId n = 0; n < data.closed.size(); ++n) {
      if (data.closed[n] != 0) residuals_.close(n);
    }
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
    return std::min(wanted, affinity_headroom(instance_->limit_rows(), app, tenants));
  }

  /// How many more replicas of the candidate the node can take, at most `wanted`, under every hard constraint.
  [[nodiscard]] std::uint32_t headroom(Candidate& candidate, NodeId node, std::uint32_t wanted) const {
    const auto tenants = contents_.at(node);
    if (tenants.empty() && !may_use(node)) return 0;
    const std::uint32_t allowed = std::min(wanted, candidate.affinity_.headroom(tenants));
    return allowed == 0 ? 0 : residuals_.copies(candidate.need_, node, allowed);
  }

  /// The same where the node has room for at least one by its residuals, and one is wanted.
  [[nodiscard]] bool allows_one(Candidate& candidate, NodeId node) const {
    const auto tenants = contents_.at(node);
    return tenants.empty() ? may_use(node) && candidate.affinity_.headroom_on_empty() > 0
                           : candidate.affinity_.headroom(tenants) > 0;
  }

  /// How many replicas of the candidate an empty node of the class takes, at most `wanted`.
  [[nodiscard]] std::uint32_t headroom_on_empty(const Candidate& candidate, ClassId node_class, std::uint32_t wanted) const {
    return residuals_.copies_on_empty(candidate.need_, node_class, std::min(wanted, candidate.affinity_.headroom_on_empty()));
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
  }
  void remove(AppId app, NodeId node, std::uint32_t replicas) {
    contents_.remove(app, node, replicas);
    residuals_.give_back(app, node, replicas);
    unplaced_[app] += replicas;
    if (!used(node)) --in_use_;
  }

  /// Writes nodes in use, who sits where, and what is left over.
  void write(Plan& plan) const {
    write(contents_, plan);
    for (AppId app = 0; app < instance_->apps(); ++app) {
      if (unplaced_[app] > 0) plan.unplaced.push_back({app, unplaced_[app]});
    }
  }
  /// The same for contents kept from an earlier moment at which nothing was left over.
  void write(const NodeContents& contents, Plan& plan) const {
    std::vector<Tenant> tenants;
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

  const Instance* instance_;
  Residuals<Unit> residuals_;
  NodeContents contents_;
  std::vector<ClassId> node_class_;
  std::uint32_t node_limit_;
  std::uint32_t in_use_ = 0;
  bool hit_ceiling_ = false;
  std::vector<std::uint8_t> loaded_;
  std::vector<std::uint32_t> opened_;
  std::vector<std::uint32_t> unplaced_;
};

}  // namespace stowage
