// What a loss does to a plan, checked and by brute force.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/losses/loss.h"
#include "core/verify/checker.h"

namespace stowage::test {

/// Whether the checker finds capacities, limits and closed nodes kept.
inline bool keeps_constraints(const Instance& instance, const Plan& plan) {
  const Verification checked = check_plan(instance, plan);
  return std::none_of(checked.violations.begin(), checked.violations.end(), [](const Violation& one) {
    return !one.inherited && (one.kind == ViolationKind::kCapacity || one.kind == ViolationKind::kAffinityLimit ||
                              one.kind == ViolationKind::kSelfLimit || one.kind == ViolationKind::kClosedNode ||
                              one.kind == ViolationKind::kBadNode || one.kind == ViolationKind::kBadEntry);
  });
}

/// The plan with one more replica on a node.
inline void add_replica(Plan& plan, AppId app, NodeId node) {
  const auto there = std::find_if(plan.placed.begin(), plan.placed.end(),
                                  [&](const Placed& one) { return one.node == node && one.app == app; });
  if (there != plan.placed.end()) {
    ++there->replicas;
  } else {
    plan.placed.push_back({app, node, 1});
  }
}

/// All ways to place the replicas of an instance on its listed nodes that keep the constraints.
class AllPlacements {
 public:
  explicit AllPlacements(const Instance& instance) : instance_(instance) {
    for (AppId app = 0; app < instance.apps(); ++app) replicas_.insert(replicas_.end(), instance.replicas(app), app);
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) plan_.nodes.push_back({instance.data().node_class[n], n, 1});
  }
  /// Calls see(plan) for each.
  template <class See>
  void visit(See&& see) {
    place(0, see);
  }

 private:
  template <class See>
  void place(std::size_t at, See& see) {
    if (at == replicas_.size()) return see(std::as_const(plan_));
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
      const Plan before = plan_;
      add_replica(plan_, replicas_[at], n);
      if (keeps_constraints(instance_, plan_)) place(at + 1, see);
      plan_ = before;
    }
  }

  const Instance& instance_;
  std::vector<AppId> replicas_;
  Plan plan_;
};

/// The fewest replicas of `lost` that find no place on the nodes `open` of the plan, by trying everything.
inline std::uint32_t fewest_left(const Instance& instance, Plan& plan, const std::vector<AppId>& lost,
                                 const std::vector<NodeId>& open, std::size_t at = 0) {
  if (at == lost.size()) return 0;
  std::uint32_t fewest = 1 + fewest_left(instance, plan, lost, open, at + 1);
  for (const NodeId node : open) {
    if (fewest == 0) break;
    const Plan before = plan;
    add_replica(plan, lost[at], node);
    if (keeps_constraints(instance, plan)) fewest = std::min(fewest, fewest_left(instance, plan, lost, open, at + 1));
    plan = before;
  }
  return fewest;
}

/// The nodes of the plan, by the numbers of Loss.
inline std::vector<NodeId> numbers_of_nodes(const Instance& instance, const Plan& plan) {
  std::vector<NodeId> number;
  NodeId next = instance.listed_nodes();
  for (const PlannedNode& node : plan.nodes) number.push_back(node.listed != kNone ? node.listed : next++);
  return number;
}

/// The plan after a loss, where lost nodes hold nothing.
inline Plan after_loss(const Plan& plan, const Instance& instance, const Loss& loss, const std::vector<NodeId>& number) {
  Plan after = plan;
  const auto is_lost = [&](NodeId node) {
    return std::find(loss.domain.nodes.begin(), loss.domain.nodes.end(), number[node]) != loss.domain.nodes.end();
  };
  std::erase_if(after.placed, [&](const Placed& one) { return is_lost(one.node); });
  for (const Loss::Entry& entry : loss.entries) {
    if (entry.to == kNone) continue;
    auto at = static_cast<NodeId>(std::find(number.begin(), number.end(), entry.to) - number.begin());
    if (at == number.size()) {
      // A listed node that the plan did not use.
      at = static_cast<NodeId>(after.nodes.size());
      for (auto n = static_cast<NodeId>(number.size()); n < after.nodes.size(); ++n) {
        if (after.nodes[n].listed == entry.to) at = n;
      }
      if (at == after.nodes.size()) after.nodes.push_back({instance.data().node_class[entry.to], entry.to});
    }
    for (std::uint32_t k = 0; k < entry.replicas; ++k) add_replica(after, entry.app, at);
  }
  return after;
}

}  // namespace stowage::test
