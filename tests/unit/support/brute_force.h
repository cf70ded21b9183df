// The best plans of tiny instances, by trying all plans.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/objective.h"
#include "core/plan/plan.h"
#include "core/verify/checker.h"

namespace stowage::test {

/// Of all complete plans: the fewest nodes, the lowest cost (0 without prices) and the least used capacity at confidence (-1 if
/// no demand is uncertain), perhaps of different plans.
struct Best {
  std::uint32_t nodes;
  double cost;
  double ucac;
};

/// Tries all complete plans, and keeps those in which the checker finds only inherited violations. For up to about seven
/// replicas.
class BruteForce {
 public:
  /// @param may_move whether running replicas may be elsewhere
  BruteForce(const Instance& instance, bool may_move) : instance_(instance), may_move_(may_move) {
    for (AppId i = 0; i < instance.apps(); ++i) replicas_.insert(replicas_.end(), instance.replicas(i), i);
  }

  /// Nothing: there is no complete plan.
  std::optional<Best> run() {
    list_nodes();
    place(0, 0);
    return best_;
  }

  /// The least left over of all plans on at most `most_nodes` nodes, complete or not. Nothing: there is no plan.
  std::optional<LeftOver> least_left_over(std::size_t most_nodes) {
    partial_ = true;
    most_nodes_ = most_nodes;
    list_nodes();
    place(0, 0);
    return least_;
  }

 private:
  void list_nodes() {
    const InstanceData& data = instance_.data();
    std::vector<std::uint32_t> listed_of(instance_.classes(), 0);
    for (NodeId n = 0; n < instance_.listed_nodes(); ++n) {
      ++listed_of[data.node_class[n]];
      nodes_.push_back({data.node_class[n], n});
    }
    for (ClassId c = 0; c < instance_.classes(); ++c) {
      const auto all = static_cast<std::uint32_t>(replicas_.size());
      const std::uint32_t count = data.classes[c].count;
      const std::uint32_t anonymous = count == 0 ? all : std::min(all, count - listed_of[c]);
      nodes_.insert(nodes_.end(), anonymous, PlannedNode{c, kNone});
    }
    seats_.assign(nodes_.size(), std::vector<std::uint32_t>(instance_.apps(), 0));
    used_.assign(nodes_.size(), 0);
    for (const PlannedNode& node : nodes_) in_use_ += node.listed != kNone && is_loaded(node.listed) ? 1 : 0;
  }

  // Replicas of an app are equal, so they take nodes in ascending order. Empty anonymous nodes of a class are equal, so only
  // the first of them is tried.
  void place(std::size_t k, std::size_t first) {
    if (k == replicas_.size()) {
      judge();
      return;
    }
    const AppId app = replicas_[k];
    for (std::size_t n = first; n < nodes_.size(); ++n) {
      const bool alike = n > 0 && nodes_[n].listed == kNone && used_[n] == 0 && nodes_[n - 1].listed == kNone &&
                         used_[n - 1] == 0 && nodes_[n - 1].node_class == nodes_[n].node_class;
      if (alike) continue;
      const bool opens = used_[n] == 0 && !(nodes_[n].listed != kNone && is_loaded(nodes_[n].listed));
      if (opens && in_use_ == most_nodes_) continue;
      in_use_ += opens ? 1 : 0;
      ++seats_[n][app];
      ++used_[n];
      place(k + 1, k + 1 < replicas_.size() && replicas_[k + 1] == app ? n : 0);
      --used_[n];
      --seats_[n][app];
      in_use_ -= opens ? 1 : 0;
    }
    if (!partial_) return;
    // This replica and the further ones of its app are left over.
    std::size_t next = k;
    while (next < replicas_.size() && replicas_[next] == app) ++next;
    left_.push_back({app, static_cast<std::uint32_t>(next - k)});
    place(next, 0);
    left_.pop_back();
  }

  void judge() {
    Plan plan;
    plan.instance = instance_.fingerprint();
    plan.status = left_.empty() ? PlanStatus::kComplete : PlanStatus::kPartial;
    plan.unplaced = left_;
    std::sort(plan.unplaced.begin(), plan.unplaced.end(), [](const Unplaced& a, const Unplaced& b) { return a.app < b.app; });
    if (partial_ && least_ && !(LeftOver(instance_, plan, false) < *least_)) return;
    plan.cost = instance_.has_prices() ? 0 : -1;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const bool loaded = nodes_[n].listed != kNone && is_loaded(nodes_[n].listed);
      if (used_[n] == 0 && !loaded) continue;
      for (AppId i = 0; i < instance_.apps(); ++i) {
        if (seats_[n][i] > 0) plan.placed.push_back({i, static_cast<NodeId>(plan.nodes.size()), seats_[n][i]});
      }
      plan.nodes.push_back(nodes_[n]);
      if (instance_.has_prices()) plan.cost += instance_.data().classes[nodes_[n].node_class].price;
    }
    const Verification found = check_plan(instance_, plan);
    if (!may_move_ && found.moves > 0) return;
    for (const Violation& v : found.violations) {
      const bool only_counted = v.kind == ViolationKind::kFigures && (v.what == "moves" || v.what == "inherited_violations");
      if (!v.inherited && !only_counted) return;
    }
    if (partial_) {
      least_ = LeftOver(instance_, plan, false);
      return;
    }
    const auto count = static_cast<std::uint32_t>(plan.nodes.size());
    const double cost = std::max(0.0, plan.cost);
    if (!best_) best_ = Best{count, cost, found.ucac};
    best_->nodes = std::min(best_->nodes, count);
    best_->cost = std::min(best_->cost, cost);
    best_->ucac = std::min(best_->ucac, found.ucac);
  }

  [[nodiscard]] bool is_loaded(NodeId listed) const {
    for (ResourceId r = 0; r < instance_.resources(); ++r) {
      for (std::uint32_t t = 0; t < instance_.periods(); ++t) {
        if (instance_.load(listed, r, t) > 0) return true;
      }
    }
    return false;
  }

  const Instance& instance_;
  bool may_move_;
  std::vector<AppId> replicas_;
  std::vector<PlannedNode> nodes_;
  std::vector<std::vector<std::uint32_t>> seats_;  // by node and app: replicas
  std::vector<std::uint32_t> used_;
  std::optional<Best> best_;
  bool partial_ = false;  // whether replicas may be left over
  std::size_t most_nodes_ = static_cast<std::size_t>(-1);
  std::size_t in_use_ = 0;  // nodes
  std::vector<Unplaced> left_;
  std::optional<LeftOver> least_;
};

}  // namespace stowage::test
