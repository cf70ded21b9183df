// A first assignment: replicas by load, largest first, each where the node's value is then least (LPT of P||Cmax, aware of
// kinds).
//
// Nodes with the same kinds are in one heap by value, and a replica looks at the top of each heap: the node on which it costs
// least is among these tops where what they hold of each kind is in proportion. O(sets of kinds in use x kinds + log nodes) per
// replica.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/colocation/assignment/colocation_state.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Places every replica of the state that is on no node. Where the clock stops the run meanwhile, the rest is placed with less
/// care; where the caller cancels, or the run is overdue, it is not.
class LoadStart {
 public:
  explicit LoadStart(ColocationState& state) : state_(&state) {}
  /// Returns whether all replicas are on nodes.
  [[nodiscard]] bool run(WorkClock& clock);
  /// The same, unless the run ends meanwhile. Returns whether all replicas are on nodes.
  [[nodiscard]] bool run_unless_over(WorkClock& clock);

 private:
  /// Sorts the nodes by the kinds that they hold. Returns whether that came to its end.
  bool find_sets(WatchRef watch);
  void place_next(std::uint32_t i, WorkClock& clock);
  /// A replica looks at this many sets of kinds at most.
  static constexpr std::uint32_t kMostSets = 64;
  static constexpr std::uint64_t kUnitsPerReplica = 4;
  static constexpr std::uint64_t kStepsPerReplica = 16;  // of a watch

  struct Entry {
    double value;
    std::uint32_t node;
    // The top of a heap is the least.
    bool operator<(const Entry& other) const { return value != other.value ? value > other.value : node > other.node; }
  };
  struct Set {
    std::vector<std::uint8_t> has;      // per kind
    std::vector<std::uint32_t> beside;  // per kind: the set with this kind as well; kNone: not known yet
    std::vector<Entry> heap;
  };

  std::uint32_t set_with(const std::vector<std::uint8_t>& has);
  std::uint32_t beside(std::uint32_t set, std::uint32_t kind);
  /// The set whose top takes the replica best, of at most `most` sets.
  [[nodiscard]] std::uint32_t choose(std::uint32_t i, std::uint32_t most) const;
  void place(std::uint32_t i, std::uint32_t set);

  ColocationState* state_;
  std::vector<Set> sets_;
  std::map<std::vector<std::uint8_t>, std::uint32_t> number_;
};

}  // namespace stowage
