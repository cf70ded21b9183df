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
  /// Mends nodes, those that need fewest moves first. A node that the rest of the budget cannot mend stays as it is.
  void run();

 private:
  /// How many of the node's constraints are broken once these replicas have left it.
  [[nodiscard]] std::uint64_t broken(NodeId node, const std::vector<AppId>& leaving) const;
  [[nodiscard]] std::int64_t left(NodeId node, std::uint32_t dim, const std::vector<AppId>& leaving) const;
  [[nodiscard]] static std::uint32_t staying(const Tenant& tenant, const std::vector<AppId>& leaving);
  bool choose_leaving(NodeId node);
  [[nodiscard]] double relief_of(AppId app, NodeId node) const;

  SearchState<Unit>* state_;
  std::vector<AppId> leaving_;  // one entry per replica
};

extern template class Repair<std::int16_t>;
extern template class Repair<std::int32_t>;

}  // namespace stowage
