// The hard constraints of an instance as a gate of the search: it keeps a placement in step with the assignment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/colocation/assignment/colocation_state.h"
#include "core/colocation/problem.h"
#include "core/colocation/search/colocation_annealing.h"
#include "core/placement/placement.h"
#include "core/placement/ties.h"

namespace stowage {

/// Asks the placement for headroom. Pinned replicas stay; running ones leave their nodes as long as the request's move budget
/// lasts, and give back what they took of it when they return.
template <class Unit>
class PlacementGate final : public ColocationGate {
 public:
  /// All of them outlive the gate. The placement holds what the state assigns.
  /// @param nodes  the placement's node for each node of the problem
  /// @param frozen per app, whether its replicas stay where they are; empty: none do
  PlacementGate(Placement<Unit>& placement, const ColocationState& state, std::span<const NodeId> nodes,
                std::span<const std::uint8_t> frozen, const Request& request);

  [[nodiscard]] bool may_exchange(std::uint32_t i, std::uint32_t node, std::uint32_t j) override;
  void exchanging(std::uint32_t i, std::uint32_t node, std::uint32_t j) override;
  /// Brings the placement from the state's assignment to another one that the constraints have admitted before.
  void go_to(const Colocation& colocation);

 private:
  /// Further moves if a replica leaves a node or comes to it: -1, 0 or 1. kPinned: it may not leave.
  static constexpr int kPinned = 1'000'000;
  [[nodiscard]] int moves_of_leaving(AppId app, NodeId node) const;
  [[nodiscard]] int moves_of_coming(AppId app, NodeId node) const;
  [[nodiscard]] bool takes(AppId app, NodeId node);
  [[nodiscard]] bool is_frozen(AppId app) const { return !frozen_.empty() && frozen_[app] != 0; }
  /// Running replicas that are not where they ran.
  [[nodiscard]] std::int64_t count_moves() const;

  Placement<Unit>* placement_;
  const ColocationState* state_;
  std::span<const NodeId> nodes_;
  std::span<const std::uint8_t> frozen_;
  std::int64_t budget_;
  std::int64_t moves_ = 0;
  Ties ties_;
  typename Placement<Unit>::Candidate candidate_;
};

extern template class PlacementGate<std::int16_t>;
extern template class PlacementGate<std::int32_t>;

}  // namespace stowage
