// A replica comes to a node, and what is in its way leaves.

#include <cstdint>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

constexpr std::uint32_t kMostToPull = 4;
constexpr std::uint32_t kNodesToPull = 16;

// A node where the app has run, or any.
template <class Unit>
NodeId pull_target(Site<Unit>& site, AppId app) {
  const auto homes = site.state().homes(app);
  if (homes.empty() || site.random().below(4) == 0) return site.any_node();
  const NodeId home = homes[site.random().below(static_cast<std::uint32_t>(homes.size()))];
  const auto& state = site.state().state();
  return state.in_play(home) && state.away(app, home) > 0 ? home : kNone;
}

}  // namespace

template <class Unit>
bool try_pull(Site<Unit>& site) {
  const auto [app, from] = site.any_replica();
  if (app == kNone) return false;
  const NodeId to = pull_target(site, app);
  if (to == kNone || to == from) return false;
  site.goals().take(app, from);
  site.count(1);
  // The last one that leaves may make room alone, so that the others can stay: the best place of these is this node.
  for (std::uint32_t k = 0; !site.goals().has_room(app, to); ++k) {
    const AppId in_the_way = k < kMostToPull ? site.any_tenant(to) : kNone;
    if (in_the_way == kNone || in_the_way == app) {
      site.forget_waiting();
      return false;
    }
    site.take(in_the_way, to);
  }
  site.goals().put(app, to);
  site.begin_choice(kNodesToPull);
  site.add(from);
  site.add(to);
  return site.place_waiting();
}

template bool try_pull(Site<std::int16_t>& site);
template bool try_pull(Site<std::int32_t>& site);

}  // namespace stowage
