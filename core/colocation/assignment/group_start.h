// A first assignment after the pattern of groups of nodes: each node has a target load per kind, and replicas go, largest
// first, to the node that lacks most of their kind. Large replicas come before, where the node's value is least, as they decide
// it.
//
// O(groups + log nodes) per replica.
#pragma once

#include <cstdint>
#include <vector>

#include "core/colocation/assignment/colocation_state.h"
#include "core/colocation/assignment/kind_groups.h"
#include "core/run/work_clock.h"

namespace stowage {

class GroupStart {
 public:
  /// @param state all its replicas are on no node
  GroupStart(ColocationState& state, const KindGroups& groups);
  /// Places all replicas whose kinds have a group. Ends early where the clock stops the run.
  void run(WorkClock& clock);

 private:
  /// A replica that costs itself more than this share of a node's cost is large.
  static constexpr double kLargeShare = 0.2;
  static constexpr std::uint64_t kUnitsPerReplica = 2;

  struct Entry {
    double key;
    std::uint32_t node;
    // The top of a heap has the greatest key.
    bool operator<(const Entry& other) const { return key != other.key ? key < other.key : node > other.node; }
  };
  using Heap = std::vector<Entry>;

  [[nodiscard]] double& lack(std::uint32_t node, std::uint32_t kind) {
    return lack_[std::size_t{node} * state_->kinds() + kind];
  }
  [[nodiscard]] std::size_t group_of(std::uint32_t node) const;
  void make_heaps();
  /// The first node of a heap once its keys are up to date. Keys only fall.
  template <class KeyOf>
  static std::uint32_t top(Heap& heap, KeyOf&& key_of);
  /// Whether the replica is large and more than the node lacks of its kind.
  [[nodiscard]] bool exceeds(std::uint32_t i, std::uint32_t node);
  [[nodiscard]] std::uint32_t least_costly(std::uint32_t i);
  void settle(std::uint32_t i, std::uint32_t node);

  ColocationState* state_;
  const KindGroups* groups_;
  std::vector<std::uint32_t> first_;  // per group, and the end: its first node
  std::vector<double> lack_;          // per node and kind: load that it is to hold and does not; below 0: it has more
  std::vector<double> cost_;          // per group: the greatest cost on a node that holds the targets
  std::vector<Heap> by_lack_;         // per kind: its nodes, those that lack most first
  std::vector<Heap> by_value_;        // per group: its nodes, those with the least value first
};

}  // namespace stowage
