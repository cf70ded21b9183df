// Two nodes change their contents: rather with a node where one of the tenants has run, be that empty or not.

#include <cstdint>
#include <vector>

#include "core/goals/neighbourhoods/neighbourhood.h"

namespace stowage {
namespace {

constexpr std::uint32_t kMostExchanged = 64;

template <class Unit>
NodeId other_for_contents(Site<Unit>& site, NodeId node) {
  const AppId app = site.any_tenant(node);
  if (app == kNone) return kNone;
  const auto homes = site.state().homes(app);
  if (homes.empty()) return site.any_node();
  const NodeId home = homes[site.random().below(static_cast<std::uint32_t>(homes.size()))];
  const auto& state = site.state().state();
  return state.in_play(home) && state.away(app, home) > 0 ? home : kNone;
}

// Takes away what may leave. False: that is too much.
template <class Unit>
bool take_contents(Site<Unit>& site, NodeId node, std::vector<Tenant>& taken) {
  const auto tenants = site.state().placement().contents().at(node);
  taken.assign(tenants.begin(), tenants.end());
  std::uint32_t all = 0;
  for (Tenant& tenant : taken) {
    tenant.replicas = site.state().state().removable(tenant.app, node);
    all += tenant.replicas;
  }
  if (all > kMostExchanged) return false;
  for (const Tenant& tenant : taken) {
    for (std::uint32_t k = 0; k < tenant.replicas; ++k) site.goals().take(tenant.app, node);
  }
  site.count(all);
  return true;
}

template <class Unit>
bool put_contents(Site<Unit>& site, NodeId node, const std::vector<Tenant>& contents) {
  for (const Tenant& tenant : contents) {
    for (std::uint32_t k = 0; k < tenant.replicas; ++k) {
      site.count(1);
      if (!site.goals().has_room(tenant.app, node)) return false;
      site.goals().put(tenant.app, node);
    }
  }
  return true;
}

}  // namespace

template <class Unit>
bool try_contents(Site<Unit>& site) {
  const NodeId node = site.burdened_node(1 + site.random().below(3));
  const NodeId other = node == kNone ? kNone : other_for_contents(site, node);
  if (other == kNone || other == node) return false;
  std::vector<Tenant> of_node;
  std::vector<Tenant> of_other;
  return take_contents(site, node, of_node) && take_contents(site, other, of_other) && put_contents(site, other, of_node) &&
         put_contents(site, node, of_other);
}

template bool try_contents(Site<std::int16_t>& site);
template bool try_contents(Site<std::int32_t>& site);

}  // namespace stowage
