// A replica goes to another node.

#include <cstdint>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {

template <class Unit>
bool try_shift(Site<Unit>& site) {
  const auto [app, from] = site.any_replica();
  if (app == kNone) return false;
  const NodeId to = site.any_node();
  site.count(1);
  if (to == from || !site.goals().has_room(app, to)) return false;
  site.goals().take(app, from);
  // Rules may count what has left.
  if (!site.goals().has_room(app, to)) return false;
  site.goals().put(app, to);
  site.count(2);
  return true;
}

template bool try_shift(Site<std::int16_t>& site);
template bool try_shift(Site<std::int32_t>& site);

}  // namespace stowage
