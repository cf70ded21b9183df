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
  EntriesByNode(std::vector<Placed>& entries, std::size_t nodes) : entries_(&entries) {
    if (entries.empty()) return;
    begin_.assign(nodes + 1, 0);
    for (const Placed& p : entries) ++begin_[p.node + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    if (std::is_sorted(entries.begin(), entries.end(), by_node)) return;
    std::vector<Placed> ordered(entries.size());
    std::vector<std::size_t> next = begin_;
    for (const Placed& p : entries) ordered[next[p.node]++] = p;
    entries = std::move(ordered);
  }
  [[nodiscard]] std::span<const Placed> of(NodeId node) const {
    if (begin_.empty()) return {};
    return std::span(*entries_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  static bool by_node(const Placed& a, const Placed& b) { return a.node < b.node; }
  std::vector<Placed>* entries_;
  std::vector<std::size_t> begin_;  // per node: its first entry; empty: there is none
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
  /// Returns what the plan was before, but for all that this does not rewrite.
  Plan finish() {
    std::swap(plan_->nodes, fresh_.nodes);
    std::swap(plan_->placed, fresh_.placed);
    std::swap(plan_->reserved, fresh_.reserved);
    for (const auto figures : kPerNode) std::swap(plan_->*figures, fresh_.*figures);
    return std::move(fresh_);
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

/// For every node of the plan, one after the other, the first one with the same class and contents. A listed node equals only
/// itself.
class FirstAlike {
 public:
  FirstAlike(const Plan& plan, const Rewriting& rewriting) : plan_(&plan), rewriting_(&rewriting), slots_(kLeastSlots) {}

  NodeId of(NodeId node) {
    if (plan_->nodes[node].listed != kNone) return node;
    // Planners open equal nodes one after the other.
    if (last_ == kNone || !alike(node, last_)) last_ = first_like(node);
    return last_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    NodeId node = kNone;
  };

  [[nodiscard]] bool alike(NodeId a, NodeId b) const {
    return plan_->nodes[a].node_class == plan_->nodes[b].node_class &&
           holds_the_same(rewriting_->held(a), rewriting_->held(b)) &&
           holds_the_same(rewriting_->reserved(a), rewriting_->reserved(b));
  }
  [[nodiscard]] std::uint64_t key_of(NodeId node) const {
    Hash hash;
    hash.add(plan_->nodes[node].node_class);
    for (const Placed& p : rewriting_->held(node)) hash.add(std::uint64_t{p.app} << 32 | p.replicas);
    for (const Placed& p : rewriting_->reserved(node)) hash.add(std::uint64_t{p.app} << 32 | p.replicas);
    return hash.value();
  }
  [[nodiscard]] std::size_t after(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  // The node, if none before was like it. Equal keys nearly always mean equal nodes.
  NodeId first_like(NodeId node) {
    const std::uint64_t key = key_of(node);
    std::size_t at = key & (slots_.size() - 1);
    for (; slots_[at].node != kNone; at = after(at)) {
      if (slots_[at].key == key && alike(slots_[at].node, node)) return slots_[at].node;
    }
    slots_[at] = {key, node};
    if (++taken_ * 2 > slots_.size()) grow();
    return node;
  }
  void grow() {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.size() * 4));
    for (const Slot& slot : before) {
      if (slot.node == kNone) continue;
      std::size_t at = slot.key & (slots_.size() - 1);
      while (slots_[at].node != kNone) at = after(at);
      slots_[at] = slot;
    }
  }

  static constexpr std::size_t kLeastSlots = 256;

  const Plan* plan_;
  const Rewriting* rewriting_;
  std::vector<Slot> slots_;  // a power of two, of which less than half is taken: the first node with each content
  std::size_t taken_ = 0;
  NodeId last_ = kNone;  // what the last anonymous node was like
};

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

std::vector<NodeId> compact(Plan& plan, Plan* before) {
  Rewriting rewriting(plan);
  FirstAlike first_alike(plan, rewriting);
  std::vector<NodeId> index(plan.nodes.size());
  for (NodeId node = 0; node < plan.nodes.size(); ++node) {
    const NodeId first = first_alike.of(node);
    const std::uint32_t copies = plan.nodes[node].copies;
    if (first == node) {
      index[node] = rewriting.add(node, copies);
    } else {
      index[node] = index[first];
      rewriting.add_copies(index[node], copies);
    }
  }
  Plan rewritten = rewriting.finish();
  if (before != nullptr) *before = std::move(rewritten);
  return index;
}

}  // namespace stowage
