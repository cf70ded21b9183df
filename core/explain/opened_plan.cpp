#include "core/explain/opened_plan.h"

#include <algorithm>
#include <limits>

#include "core/verify/confidence.h"

namespace stowage {
namespace {

double most_cost(const Plan& plan) {
  return plan.max_cost_limit > 0 ? plan.max_cost_limit : std::numeric_limits<double>::infinity();
}

}  // namespace

Spot OpenedPlan::spot(NodeId node, std::span<const double> used) const {
  const PlannedNode& planned = plan_->nodes[node];
  return {planned.node_class, closed(planned.listed), tenants(node),     used,  confidence_factor_,
          planned.listed,     limits_costs(),         most_cost(*plan_), watch_};
}

Spot OpenedPlan::empty_spot(NodeId listed, ClassId node_class, bool closed, std::span<const double> used) const {
  return {node_class, closed, {}, used, confidence_factor_, listed, limits_costs(), most_cost(*plan_), watch_};
}

Result<OpenedPlan> OpenedPlan::open(const Instance& instance, const Plan& plan, WatchRef watch) {
  if (plan.instance != instance.fingerprint()) return invalid("instance", "the plan was made for another instance");
  OpenedPlan opened(instance, plan, watch);
  if (Error e = opened.read_nodes(); failed(e)) return e;
  if (watch.look()) return cancelled();
  if (Error e = opened.read_placed(); failed(e)) return e;
  if (watch.look()) return cancelled();
  if (Error e = opened.check_counts(); failed(e)) return e;
  if (watch.look()) return cancelled();
  if (opened.tags_.active()) opened.read_tags();
  if (watch.look()) return cancelled();
  if (instance.uncertain()) opened.confidence_factor_ = checked_confidence_factor(instance.data().uncertainty);
  return opened;
}

Error OpenedPlan::read_nodes() {
  const InstanceData& data = instance_->data();
  std::vector<std::uint64_t> left(instance_->classes());
  for (ClassId c = 0; c < instance_->classes(); ++c) left[c] = data.classes[c].count;
  for (const ClassId c : data.node_class) {
    if (data.classes[c].count != 0) --left[c];
  }
  listed_in_use_.assign(instance_->listed_nodes(), 0);
  for (NodeId n = 0; n < nodes() && !watch_.step(); ++n) {
    const PlannedNode& node = plan_->nodes[n];
    if (node.node_class >= instance_->classes()) {
      return invalid(indexed("node_class", n), "there is no class with this index");
    }
    if (node.copies == 0) return invalid(indexed("copies", n), "a node stands for none");
    nodes_in_use_ += node.copies;
    if (node.copies > 1 && nodes_in_use_ > instance_->limits().max_nodes) {
      return invalid(indexed("copies", n), "the plan has more nodes than max_nodes allows");
    }
    if (node.listed == kNone) {
      left[node.node_class] -= std::min<std::uint64_t>(left[node.node_class], node.copies);
      continue;
    }
    if (node.copies != 1) return invalid(indexed("copies", n), "a listed node stands for itself");
    if (node.listed >= instance_->listed_nodes()) {
      return invalid(indexed("listed", n), "there is no listed node with this index");
    }
    if (listed_in_use_[node.listed] != 0) return invalid(indexed("listed", n), "this listed node stands twice");
    if (data.node_class[node.listed] != node.node_class) {
      return invalid(indexed("node_class", n), "the listed node is of another class");
    }
    listed_in_use_[node.listed] = 1;
  }
  anonymous_left_.resize(instance_->classes());
  for (ClassId c = 0; c < instance_->classes(); ++c) {
    anonymous_left_[c] = data.classes[c].count == 0 ? kEndless : left[c];
  }
  return {};
}

Error OpenedPlan::read_placed() {
  begin_.assign(std::size_t{nodes()} + 1, 0);
  for (std::size_t k = 0; k < plan_->placed.size(); ++k) {
    if (watch_.step()) return {};
    const Placed& placed = plan_->placed[k];
    if (placed.app >= instance_->apps()) return invalid(indexed("placed", k) + ".app", "there is no app with this index");
    if (placed.node >= nodes()) return invalid(indexed("placed", k) + ".node", "the plan has no node with this index");
    if (placed.replicas == 0) return invalid(indexed("placed", k) + ".replicas", "no replicas");
    ++begin_[std::size_t{placed.node} + 1];
  }
  for (std::size_t n = 0; n < nodes(); ++n) {
    if (watch_.step()) return {};
    begin_[n + 1] += begin_[n];
  }
  // Nodes are kept without replicas for losses, and for room.
  const bool may_be_empty = !plan_->survive.empty() || !plan_->reserved.empty();
  for (NodeId n = 0; n < nodes() && !may_be_empty; ++n) {
    if (copies(n) > 1 && begin_[n] == begin_[n + 1]) return invalid(indexed("copies", n), "an empty node has no copies");
  }
  tenants_.resize(plan_->placed.size());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const Placed& placed : plan_->placed) {
    if (watch_.step()) return {};
    tenants_[next[placed.node]++] = {placed.app, placed.replicas};
  }
  for (NodeId n = 0; n < nodes() && !watch_.step(); ++n) {
    const auto first = tenants_.begin() + static_cast<std::ptrdiff_t>(begin_[n]);
    const auto last = tenants_.begin() + static_cast<std::ptrdiff_t>(begin_[n + 1]);
    std::sort(first, last, [](const Tenant& a, const Tenant& b) { return a.app < b.app; });
    const auto twice = std::adjacent_find(first, last, [](const Tenant& a, const Tenant& b) { return a.app == b.app; });
    if (twice == last) continue;
    return invalid("placed", "app " + std::to_string(twice->app) + " stands twice on node " + std::to_string(n));
  }
  return {};
}

void OpenedPlan::read_tags() {
  tag_class_ = instance_->data().node_class;
  for (const PlannedNode& node : plan_->nodes) {
    if (watch_.step(node.copies)) return;
    tag_node_.push_back(node.listed != kNone ? node.listed : static_cast<NodeId>(tag_class_.size()));
    if (node.listed == kNone) tag_class_.insert(tag_class_.end(), node.copies, node.node_class);
  }
  constexpr std::uint64_t kStepsOfRules = 64;
  for (std::size_t n = 0; n < tag_class_.size() && !watch_.step(); ++n) tag_contents_.add_node();
  for (const Placed& placed : plan_->placed) {
    for (std::uint32_t k = 0; k < copies(placed.node); ++k) {
      if (watch_.step(kStepsOfRules)) return;
      tag_contents_.add(placed.app, tag_node_[placed.node] + k, placed.replicas);
      tags_.change(tag_view(), placed.app, tag_node_[placed.node] + k, placed.replicas);
    }
  }
  tags_.settle_start();
}

Error OpenedPlan::check_counts() const {
  std::vector<std::uint64_t> counted(instance_->apps(), 0);
  std::vector<std::uint8_t> seen(instance_->apps(), 0);
  for (std::size_t k = 0; k < plan_->unplaced.size(); ++k) {
    const Unplaced& unplaced = plan_->unplaced[k];
    const std::string path = indexed("unplaced", k);
    if (unplaced.app >= instance_->apps()) return invalid(path + ".app", "there is no app with this index");
    if (unplaced.replicas == 0) return invalid(path + ".replicas", "no replicas");
    if (seen[unplaced.app] != 0) return invalid(path + ".app", "this app stands twice");
    seen[unplaced.app] = 1;
    counted[unplaced.app] = unplaced.replicas;
  }
  for (const Placed& placed : plan_->placed) {
    if (watch_.step()) return {};
    counted[placed.app] += std::uint64_t{placed.replicas} * copies(placed.node);
  }
  for (AppId i = 0; i < instance_->apps(); ++i) {
    if (counted[i] == instance_->replicas(i)) continue;
    return invalid("placed", "of app " + std::to_string(i) + ", " + std::to_string(counted[i]) +
                                 " replicas are placed or reported unplaced; it has " + std::to_string(instance_->replicas(i)));
  }
  return {};
}

void OpenedPlan::use_of_load(NodeId listed, ClassId node_class, std::vector<double>& amounts) const {
  const std::uint32_t periods = instance_->periods();
  amounts.resize(instance_->dims());
  for (ResourceId r = 0; r < instance_->resources(); ++r) {
    for (std::uint32_t t = 0; t < periods; ++t) {
      amounts[r * periods + t] =
          (listed == kNone ? 0 : instance_->load(listed, r, t)) + instance_->daemon(listed, node_class, r, t);
    }
  }
}

void OpenedPlan::use(NodeId node, std::vector<double>& amounts) const {
  const std::uint32_t periods = instance_->periods();
  use_of_load(plan_->nodes[node].listed, plan_->nodes[node].node_class, amounts);
  for (const Tenant& tenant : tenants(node)) {
    for (ResourceId r = 0; r < instance_->resources(); ++r) {
      for (std::uint32_t t = 0; t < periods; ++t) {
        amounts[r * periods + t] += tenant.replicas * instance_->demand(tenant.app, r, t);
      }
    }
  }
}

}  // namespace stowage
