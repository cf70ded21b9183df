#include "core/plan/compact_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/hash.h"

namespace stowage {
namespace {

/// Entries of a plan, by node.
class EntriesByNode {
 public:
  /// Orders the entries by node if they are not: plans from outside may have them in any order.
  EntriesByNode(std::vector<Placed>& entries, std::size_t nodes) : entries_(&entries), begin_(nodes + 1, 0) {
    for (const Placed& p : entries) ++begin_[p.node + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    if (std::is_sorted(entries.begin(), entries.end(), by_node)) return;
    std::vector<Placed> ordered(entries.size());
    std::vector<std::size_t> next = begin_;
    for (const Placed& p : entries) ordered[next[p.node]++] = p;
    entries = std::move(ordered);
  }
  [[nodiscard]] std::span<const Placed> of(NodeId node) const {
    return std::span(*entries_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  static bool by_node(const Placed& a, const Placed& b) { return a.node < b.node; }
  std::vector<Placed>* entries_;
  std::vector<std::size_t> begin_;  // per node: its first entry
};

/// Rewrites a plan node by node.
class Rewriting {
 public:
  explicit Rewriting(Plan& plan)
      : plan_(&plan), placed_(plan.placed, plan.nodes.size()), reserved_(plan.reserved, plan.nodes.size()) {}

  /// Placed replicas of a node of the old plan, and those that it keeps room for.
  [[nodiscard]] std::span<const Placed> held(NodeId node) const { return placed_.of(node); }
  [[nodiscard]] std::span<const Placed> reserved(NodeId node) const { return reserved_.of(node); }
  void reserve(std::size_t nodes, std::size_t entries) {
    fresh_.nodes.reserve(nodes);
    fresh_.placed.reserve(entries);
    for (const auto figures : kPerNode) {
      if (!(plan_->*figures).empty()) (fresh_.*figures).reserve(nodes);
    }
  }
  /// Adds `copies` of node `from` of the old plan as one node. Returns its index.
  NodeId add(NodeId from, std::uint32_t copies) {
    const auto index = static_cast<NodeId>(fresh_.nodes.size());
    fresh_.nodes.push_back(plan_->nodes[from]);
    fresh_.nodes.back().copies = copies;
    for (const Placed& p : held(from)) fresh_.placed.push_back({p.app, index, p.replicas});
    for (const Placed& p : reserved(from)) fresh_.reserved.push_back({p.app, index, p.replicas});
    for (const auto figures : kPerNode) {
      if (!(plan_->*figures).empty()) (fresh_.*figures).push_back((plan_->*figures)[from]);
    }
    return index;
  }
  /// Adds `count` nodes like node `from` of the old plan, each by itself.
  void add_each(NodeId from, std::uint32_t count) {
    const auto first = static_cast<NodeId>(fresh_.nodes.size());
    PlannedNode one = plan_->nodes[from];
    one.copies = 1;
    fresh_.nodes.insert(fresh_.nodes.end(), count, one);
    repeat(held(from), first, count, fresh_.placed);
    repeat(reserved(from), first, count, fresh_.reserved);
    for (const auto figures : kPerNode) {
      if (!(plan_->*figures).empty()) (fresh_.*figures).insert((fresh_.*figures).end(), count, (plan_->*figures)[from]);
    }
  }
  void add_copies(NodeId node, std::uint32_t copies) { fresh_.nodes[node].copies += copies; }
  void finish() {
    plan_->nodes = std::move(fresh_.nodes);
    plan_->placed = std::move(fresh_.placed);
    plan_->reserved = std::move(fresh_.reserved);
    for (const auto figures : kPerNode) plan_->*figures = std::move(fresh_.*figures);
  }

 private:
  // Figures of each node, or empty.
  static constexpr std::vector<double> Plan::*kPerNode[] = {&Plan::node_ucac, &Plan::node_max_cost};

  static void repeat(std::span<const Placed> entries, NodeId first, std::uint32_t count, std::vector<Placed>& to) {
    for (NodeId node = first; node < first + count; ++node) {
      for (const Placed& p : entries) to.push_back({p.app, node, p.replicas});
    }
  }

  Plan* plan_;
  Plan fresh_;
  EntriesByNode placed_, reserved_;
};

bool holds_the_same(std::span<const Placed> a, std::span<const Placed> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Placed& x, const Placed& y) { return x.app == y.app && x.replicas == y.replicas; });
}

/// For every node of the plan, the first one with the same class and contents. A listed node equals only itself.
std::vector<NodeId> find_first_alike(const Plan& plan, const Rewriting& rewriting) {
  std::vector<NodeId> first(plan.nodes.size());
  std::iota(first.begin(), first.end(), 0);
  std::vector<std::pair<std::uint64_t, NodeId>> keys;
  for (NodeId node = 0; node < plan.nodes.size(); ++node) {
    if (plan.nodes[node].listed != kNone) continue;
    Hash hash;
    hash.add(plan.nodes[node].node_class);
    for (const Placed& p : rewriting.held(node)) hash.add(std::uint64_t{p.app} << 32 | p.replicas);
    for (const Placed& p : rewriting.reserved(node)) hash.add(std::uint64_t{p.app} << 32 | p.replicas);
    keys.emplace_back(hash.value(), node);
  }
  std::sort(keys.begin(), keys.end());
  // Equal keys nearly always mean equal nodes, so the inner loop mostly ends at its first comparison.
  for (std::size_t k = 1; k < keys.size(); ++k) {
    for (std::size_t before = k; before > 0 && keys[before - 1].first == keys[k].first; --before) {
      const NodeId node = keys[k].second;
      const NodeId other = first[keys[before - 1].second];
      if (plan.nodes[node].node_class != plan.nodes[other].node_class) continue;
      if (!holds_the_same(rewriting.held(node), rewriting.held(other))) continue;
      if (!holds_the_same(rewriting.reserved(node), rewriting.reserved(other))) continue;
      first[node] = other;
      break;
    }
  }
  return first;
}

}  // namespace

std::uint64_t nodes_in_use(const Plan& plan) {
  return std::accumulate(plan.nodes.begin(), plan.nodes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const PlannedNode& node) { return sum + node.copies; });
}

Error check_nodes_held(const Instance& instance, std::uint64_t nodes) {
  if (nodes <= std::min<std::uint64_t>(instance.limits().max_nodes, kMostNodesHeld)) return {};
  return too_large("plan.nodes",
                   "has more nodes than the limits of the instance allow, or than " + std::to_string(kMostNodesHeld));
}

void expand(Plan& plan) {
  const std::uint64_t nodes = nodes_in_use(plan);
  if (nodes == plan.nodes.size()) return;
  std::size_t entries = 0;
  for (const Placed& p : plan.placed) entries += plan.nodes[p.node].copies;
  Rewriting rewriting(plan);
  rewriting.reserve(nodes, entries);
  for (NodeId node = 0; node < plan.nodes.size(); ++node) {
    rewriting.add_each(node, plan.nodes[node].copies);
  }
  rewriting.finish();
}

void compact(Plan& plan) {
  Rewriting rewriting(plan);
  const std::vector<NodeId> first = find_first_alike(plan, rewriting);
  std::vector<NodeId> index(plan.nodes.size(), kNone);
  for (NodeId node = 0; node < plan.nodes.size(); ++node) {
    const std::uint32_t copies = plan.nodes[node].copies;
    if (first[node] == node) {
      index[node] = rewriting.add(node, copies);
    } else {
      rewriting.add_copies(index[first[node]], copies);
    }
  }
  rewriting.finish();
}

}  // namespace stowage
