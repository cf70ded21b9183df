#include "core/rebuild/neighbourhoods/homecoming.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace stowage {
namespace {

/// Homes of an app that are tried for its replicas on a node.
constexpr std::size_t kMostHomes = 12;

template <class Unit>
class Homecoming {
 public:
  Homecoming(RebuildState<Unit>& state, std::uint64_t steps) : state_(&state), left_(steps) {}

  void run() {
    for (bool any = true; any && left_ > 0;) {
      left_ -= std::min<std::uint64_t>(left_, state_->used().size());
      any = false;
      const std::vector<NodeId> nodes = state_->used();
      for (const NodeId node : nodes) {
        if (left_ == 0) return;
        if (!state_->placement().used(node)) continue;
        any = send_contents(node) || any;
        any = send_replicas(node) || any;
      }
    }
  }

 private:
  /// Replicas of the contents of `from` that run on `to`.
  [[nodiscard]] std::int64_t at_home(NodeId from, NodeId to) {
    std::int64_t sum = 0;
    const auto tenants = state_->placement().contents().at(from);
    left_ -= std::min<std::uint64_t>(left_, tenants.size());
    for (const Tenant& tenant : tenants) sum += std::min(tenant.replicas, state_->state().running(tenant.app, to));
    return sum;
  }
  /// Calls visit(home) for nodes where replicas of the app run that are not there.
  template <class Visit>
  void for_each_home(AppId app, NodeId node, Visit&& visit) {
    const auto homes = state_->homes(app);
    for (std::size_t k = 0; k < std::min(homes.size(), kMostHomes) && left_ > 0; ++k) {
      const NodeId home = homes[(node + k) % homes.size()];
      --left_;
      if (home != node && state_->state().away(app, home) > 0) visit(home);
    }
  }
  // Exchanges the node's contents for those of the node with which that saves most.
  bool send_contents(NodeId node) {
    NodeId best = kNone;
    std::int64_t most = 0;
    const std::int64_t here = at_home(node, node);
    for (const Tenant& tenant : state_->placement().contents().at(node)) {
      for_each_home(tenant.app, node, [&](NodeId home) {
        const std::int64_t saved = at_home(node, home) + at_home(home, node) - here - at_home(home, home);
        if (saved <= most) return;
        most = saved;
        best = home;
      });
    }
    if (best == kNone) return false;
    return change([&] {
      const std::vector<Tenant> of_node = take_all(node);
      const std::vector<Tenant> of_other = take_all(best);
      return put_all(best, of_node) && put_all(node, of_other);
    });
  }
  // Sends replicas of the node home where there is room.
  bool send_replicas(NodeId node) {
    bool any = false;
    const auto there = state_->placement().contents().at(node);
    for (const Tenant& tenant : std::vector<Tenant>(there.begin(), there.end())) {
      for_each_home(tenant.app, node, [&](NodeId home) {
        const std::uint32_t here = state_->placement().contents().count(tenant.app, node);
        const std::uint32_t guests = here - std::min(here, state_->state().running(tenant.app, node));
        const std::uint32_t wanted =
            std::min({guests, state_->state().away(tenant.app, home), state_->state().removable(tenant.app, node)});
        if (wanted == 0) return;
        any = change([&] {
                state_->take(tenant.app, node, wanted);
                const std::uint32_t room = state_->room(tenant.app, home, wanted, TagState::Asked::kHard);
                if (room > 0) state_->put(tenant.app, home, room);
                return room == wanted || put_all(node, {{tenant.app, wanted - room}});
              }) ||
              any;
      });
    }
    return any;
  }
  /// Changes the plan, or leaves it as it is where that saves no move, costs something or has no room.
  template <class Do>
  bool change(Do&& apply) {
    // Nothing waits afterwards that did not before; so what waits, which may cost far more than all nodes, is left out.
    const auto charged = [&] {
      return state_->energy() - state_->parts().unplaced - state_->prices().move * static_cast<double>(state_->state().moves());
    };
    const double before = charged();
    const std::uint64_t moves = state_->state().moves();
    state_->begin();
    constexpr double kRounding = 1e-9;
    const bool done = apply() && charged() <= before + kRounding * (1 + std::abs(before)) && state_->state().moves() < moves;
    if (!done) state_->roll_back();
    return done;
  }
  std::vector<Tenant> take_all(NodeId node) {
    const auto tenants = state_->placement().contents().at(node);
    std::vector<Tenant> taken(tenants.begin(), tenants.end());
    for (Tenant& tenant : taken) {
      tenant.replicas = state_->state().removable(tenant.app, node);
      if (tenant.replicas > 0) state_->take(tenant.app, node, tenant.replicas);
    }
    return taken;
  }
  bool put_all(NodeId node, const std::vector<Tenant>& contents) {
    for (const Tenant& tenant : contents) {
      if (tenant.replicas == 0) continue;
      if (state_->room(tenant.app, node, tenant.replicas, TagState::Asked::kHard) < tenant.replicas) return false;
      state_->put(tenant.app, node, tenant.replicas);
    }
    return true;
  }

  RebuildState<Unit>* state_;
  std::uint64_t left_;  // steps
};

}  // namespace

template <class Unit>
void bring_home(RebuildState<Unit>& state, std::uint64_t steps) {
  if (state.may_move()) Homecoming<Unit>(state, steps).run();
}

template void bring_home(RebuildState<std::int16_t>& state, std::uint64_t steps);
template void bring_home(RebuildState<std::int32_t>& state, std::uint64_t steps);

}  // namespace stowage
