// Moves that mend a cluster whose running replicas already break constraints.
#pragma once

#include <cstdint>
#include <vector>

#include "core/search/search_state.h"

namespace stowage {

/// Counts broken constraints on the listed nodes in play, and mends them by sending running replicas to the pool, within the
/// request's move budget.
template <class Unit>
class Repair {
 public:
  explicit Repair(SearchState<Unit>& state) : state_(&state) {}

  /// Dimensions in which a node is over capacity, replicas that are not eligible where they are, apps over their own limit, and
  /// limits between two apps that are broken, by direction.
  [[nodiscard]] std::uint64_t broken() const;
  /// Mends nodes, those that need fewest moves first. A node that the rest of the budget cannot mend stays as it is. Once the
  /// run ends, further nodes stay as they are, too.
  void run(WorkClock& clock);

 private:
  /// How many of the node's constraints are broken once leaving_ has left it.
  [[nodiscard]] std::uint64_t broken(NodeId node) const;
  [[nodiscard]] std::int64_t left(NodeId node, std::uint32_t dim) const;
  [[nodiscard]] std::uint32_t leaving(AppId app) const;
  [[nodiscard]] std::uint64_t all_leaving() const;
  bool choose_leaving(NodeId node, WorkClock& clock);
  [[nodiscard]] const Tenant* choose_tenant(NodeId node);
  [[nodiscard]] double relief_of(AppId app, NodeId node) const;
  [[nodiscard]] std::uint32_t at_once(const Tenant& tenant, NodeId node) const;
  void leave(AppId app, std::uint32_t replicas);
  void come_back(AppId app);

  SearchState<Unit>* state_;
  std::vector<Tenant> leaving_;
};

extern template class Repair<std::int16_t>;
extern template class Repair<std::int32_t>;

}  // namespace stowage
