// Brings an assignment closer to another one, as far as a gate allows: a plan that heeds hard constraints takes over which
// kinds share which nodes from one that was found without them.
//
// A replica goes where the target has it, in exchange for one that has no business there if there is no room. One that cannot,
// and is among kinds that the target keeps apart from its own, goes to any node where the target has its kind. What lies
// between may cost more than begin and end.
#pragma once

#include <cstdint>
#include <vector>

#include "core/colocation/assignment/colocation_state.h"
#include "core/colocation/search/colocation_annealing.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Renames the nodes of an assignment, so that many replicas stay where the state has them: by the greatest number of common
/// replicas first. Once the watch has ended: the target as it is.
[[nodiscard]] Colocation renamed_after(const ColocationState& state, const Colocation& target, WatchRef watch = {});

class TargetWalk {
 public:
  /// All outlive the walk. Every replica of the state is on a node.
  TargetWalk(ColocationState& state, Colocation target, ColocationGate& gate);
  /// Ends where nothing comes closer, or where the clock stops the run.
  void run(WorkClock& clock);

 private:
  static constexpr std::uint32_t kMostSweeps = 8;
  static constexpr std::uint64_t kUnitsPerQuestion = 16;

  [[nodiscard]] bool is_misplaced(std::uint32_t i) const { return state_->replica(i).node != target_[i]; }
  /// Whether the target has the replica's kind on the node.
  [[nodiscard]] bool belongs(std::uint32_t i, std::uint32_t node) const {
    return has_kind_[std::size_t{node} * state_->kinds() + state_->replica(i).kind] != 0;
  }
  bool go(std::uint32_t i, std::uint32_t node, WorkClock& clock);
  bool go_among_own(std::uint32_t i, WorkClock& clock);
  bool exchange(std::uint32_t i, std::uint32_t node, std::uint32_t j, WorkClock& clock);

  ColocationState* state_;
  Colocation target_;
  ColocationGate* gate_;
  std::vector<std::uint8_t> has_kind_;  // per node and kind
};

}  // namespace stowage
