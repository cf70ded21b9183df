// Two replicas change their places.

#include <cstdint>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {

template <class Unit>
bool try_swap(Site<Unit>& site) {
  const NodeId node = site.burdened_node(1 + site.random().below(3));
  if (node == kNone) return false;
  const NodeId other_node = site.any_node();
  if (other_node == node) return false;
  const AppId app = site.any_tenant(node);
  const AppId other = site.any_tenant(other_node);
  if (app == kNone || other == kNone || app == other) return false;
  GoalState<Unit>& goals = site.goals();
  goals.take(app, node);
  goals.take(other, other_node);
  site.count(4);
  if (!goals.has_room(app, other_node)) return false;
  goals.put(app, other_node);
  if (!goals.has_room(other, node)) return false;
  goals.put(other, node);
  return true;
}

template bool try_swap(Site<std::int16_t>& site);
template bool try_swap(Site<std::int32_t>& site);

}  // namespace stowage
