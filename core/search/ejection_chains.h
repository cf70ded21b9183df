// Makes room for a waiting replica by sending others to the pool (the ejection pool of Nagata and Braysy, 2009, for vehicle
// routing).
//
// Every app has a weight: 1 plus the number of times that a waiting replica of it was drawn. A waiting replica is placed on a
// node at the expense of what stands in its way there - tenants that limits exclude, then what capacity demands - if the
// weights that leave add up to less than its own. What leaves is placed on another node at once, or waits in its turn. Apps
// that are hard to place therefore eject those that are not.
//
// O(nodes tried x tenants x log degree) per step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/search/search_state.h"

namespace stowage {

template <class Unit>
class EjectionChains {
 public:
  /// @param nodes the nodes on which replicas are placed, in play; kept up to date by the caller
  /// @param is_usable per node: whether it is one of them; kept up to date by the caller
  EjectionChains(SearchState<Unit>& state, const std::vector<NodeId>& nodes, const std::vector<std::uint8_t>& is_usable,
                 std::uint64_t seed);

  /// Tries to place one waiting replica; changed() lists the nodes that changed.
  void step();
  [[nodiscard]] const std::vector<NodeId>& changed() const { return changed_; }

 private:
  /// Finds what has to leave the node for one replica of the app, into leaving_, and its cost_. Returns false if this is
  /// impossible or costs `most` or more.
  bool make_way(AppId app, NodeId node, std::uint64_t most);
  /// Of make_way(): the tenants that affinity limits exclude.
  bool make_way_by_limits(AppId app, NodeId node, std::uint64_t most);
  bool send_away(AppId app, NodeId node, std::uint32_t replicas, std::uint64_t most);
  [[nodiscard]] bool is_light_enough(AppId app) const;
  [[nodiscard]] std::uint32_t leaving(AppId app) const;
  /// The first dimension in which the node lacks capacity for the need once leaving_ has left; kNone where it fits.
  [[nodiscard]] std::uint32_t first_lacking(AppId app, const Unit* need, NodeId node) const;
  /// Looks for other nodes for what has left, beginning at a random one.
  void settle(const Tenant& tenant);

  SearchState<Unit>* state_;
  const std::vector<NodeId>* nodes_;
  const std::vector<std::uint8_t>* is_usable_;
  Random random_;
  std::vector<std::uint32_t> weight_;  // per app
  typename Placement<Unit>::Candidate candidate_;
  std::vector<Tenant> leaving_;
  std::uint64_t cost_ = 0;  // sum of the weights of leaving_
  std::vector<Tenant> best_leaving_;
  std::vector<NodeId> changed_;
};

extern template class EjectionChains<std::int16_t>;
extern template class EjectionChains<std::int32_t>;

}  // namespace stowage
