// Optimal plans of tiny instances, by exact search over all assignments of replicas to nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/property/judge.h"

namespace stowage::test {

/// Of all complete plans: the fewest nodes, the lowest cost, the least used capacity at confidence, the least costs of side
/// effects and the least remote traffic, perhaps of different plans.
struct Optimum {
  bool feasible = false;
  std::uint32_t nodes = std::numeric_limits<std::uint32_t>::max();
  double cost = std::numeric_limits<double>::infinity();    ///< 0 without prices
  double ucac = std::numeric_limits<double>::infinity();    ///< of the first uncertain resource
  double worst = std::numeric_limits<double>::infinity();   ///< of the replica that suffers most; 0 without interference
  double total = std::numeric_limits<double>::infinity();   ///< of all replicas
  double remote = std::numeric_limits<double>::infinity();  ///< 0 without traffic
};

/// What a request leaves to a plan.
struct Freedom {
  bool may_move = true;                                             ///< whether running replicas may be anywhere
  std::uint32_t moves = 0;                                          ///< if not: how many of them may
  std::uint32_t nodes = std::numeric_limits<std::uint32_t>::max();  ///< most nodes in use
  double max_cost = 0;                                              ///< most that side effects may cost a replica; 0: no limit
};

/// Exact search. Replicas are placed one by one on a node in use, a listed node, or a new node of some class. A node that
/// breaks a constraint stays broken whatever is added, so that branch ends; hard rules are judged at the end. For up to about
/// seven replicas.
class OptimumSearch {
 public:
  explicit OptimumSearch(const Generated& instance, const Freedom& freedom = {})
      : in_(instance), judge_(instance), freedom_(freedom), uncertain_(judge_.first_uncertain()) {
    for (AppId i = 0; i < in_.apps(); ++i) replicas_.insert(replicas_.end(), in_.data.replicas[i], i);
    for (NodeId n = 0; n < in_.listed(); ++n) {
      nodes_.push_back({in_.data.node_class[n], n, Judge::Counts(in_.apps(), 0), judge_.loaded(n)});
      if (judge_.loaded(n)) use(in_.data.node_class[n]);
    }
    opened_.assign(in_.data.classes.size(), 0);
  }

  /// The same where an app has another number of replicas: those beyond are not placed.
  OptimumSearch(const Generated& instance, const Freedom& freedom, const std::vector<std::uint32_t>& replicas)
      : OptimumSearch(instance, freedom) {
    replicas_.clear();
    for (AppId i = 0; i < in_.apps(); ++i) replicas_.insert(replicas_.end(), replicas[i], i);
  }

  Optimum run() {
    place(0, 0);
    return best_;
  }

 private:
  struct Node {
    ClassId node_class;
    NodeId listed;
    Judge::Counts held;
    bool used;
  };

  void use(ClassId c) {
    ++used_;
    cost_ += std::max(0.0, in_.data.classes[c].price);
  }
  void release(ClassId c) {
    --used_;
    cost_ -= std::max(0.0, in_.data.classes[c].price);
  }

  // Replicas of one app are equal: each goes to the node of the previous one or to a later node.
  void place(std::size_t k, std::size_t first) {
    if (used_ > freedom_.nodes) return;
    const bool counts_nodes = uncertain_ == kNone && !in_.data.has_interference && in_.data.traffic.empty();
    if (counts_nodes && used_ >= best_.nodes && cost_ >= best_.cost) return;
    if (k == replicas_.size()) {
      if (!pins_kept() || !rules_kept()) return;
      best_.feasible = true;
      best_.nodes = std::min(best_.nodes, used_);
      best_.cost = std::min(best_.cost, cost_);
      double worst = 0;
      double total = 0;
      for (const Node& node : nodes_) {
        worst = std::max(worst, judge_.worst_cost(node.held));
        total += judge_.total_cost(node.held);
      }
      best_.worst = std::min(best_.worst, worst);
      best_.total = std::min(best_.total, total);
      best_.remote = std::min(best_.remote, remote());
      if (uncertain_ == kNone) return;
      double ucac = 0;
      for (const Node& node : nodes_) {
        if (node.used) ucac += judge_.use_at_confidence(node.listed, node.held, uncertain_);
      }
      best_.ucac = std::min(best_.ucac, ucac);
      return;
    }
    const bool more = k + 1 < replicas_.size() && replicas_[k + 1] == replicas_[k];
    for (std::size_t n = first; n < nodes_.size(); ++n) put(k, n, more ? n : 0);
    for (ClassId c = 0; c < in_.data.classes.size(); ++c) {
      const std::uint32_t count = in_.data.classes[c].count;
      if (count > 0 && opened_[c] >= count - judge_.listed_of(c)) continue;
      ++opened_[c];
      nodes_.push_back({c, kNone, Judge::Counts(in_.apps(), 0), false});
      put(k, nodes_.size() - 1, more ? nodes_.size() - 1 : 0);
      nodes_.pop_back();
      --opened_[c];
    }
  }

  void put(std::size_t k, std::size_t n, std::size_t next_first) {
    const AppId app = replicas_[k];
    const bool was_used = nodes_[n].used;
    ++nodes_[n].held[app];
    if (judge_.node_problem(nodes_[n].node_class, nodes_[n].listed, nodes_[n].held, false, freedom_.max_cost).empty()) {
      if (!was_used) use(nodes_[n].node_class);
      nodes_[n].used = true;
      place(k + 1, next_first);
      nodes_[n].used = was_used;
      if (!was_used) release(nodes_[n].node_class);
    }
    --nodes_[n].held[app];
  }

  [[nodiscard]] double remote() const {
    double sum = 0;
    for (const Traffic& one : in_.data.traffic) {
      const double d = in_.data.replicas[one.app];
      const double e = in_.data.replicas[one.peer];
      if (d == 0 || e == 0) continue;
      double stays = 0;
      for (const Node& node : nodes_) stays += std::min(node.held[one.app] / d, node.held[one.peer] / e);
      sum += one.amount * std::max(0.0, 1 - stays);
    }
    return sum;
  }

  [[nodiscard]] bool pins_kept() const {
    std::uint64_t moved = 0;
    for (const Residence& r : in_.data.running) moved += r.replicas - std::min(r.replicas, nodes_[r.node].held[r.app]);
    if (!freedom_.may_move && moved > freedom_.moves) return false;
    return std::all_of(in_.data.pinned.begin(), in_.data.pinned.end(),
                       [&](const Residence& p) { return nodes_[p.node].held[p.app] >= p.replicas; });
  }

  [[nodiscard]] bool rules_kept() const {
    if (in_.data.rules.empty()) return true;
    Plan plan;
    std::vector<Judge::Counts> held;
    for (const Node& node : nodes_) {
      plan.nodes.push_back({node.node_class, node.listed});
      held.push_back(node.held);
    }
    return judge_.rule_problem(plan, held).empty();
  }

  const Generated& in_;
  Judge judge_;
  Freedom freedom_;
  ResourceId uncertain_;
  std::vector<AppId> replicas_;
  std::vector<Node> nodes_;  // listed ones first
  std::vector<std::uint32_t> opened_;
  std::uint32_t used_ = 0;
  double cost_ = 0;
  Optimum best_;
};

}  // namespace stowage::test
