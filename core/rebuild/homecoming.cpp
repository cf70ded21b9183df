#include "core/rebuild/homecoming.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace stowage {
namespace {

/// Homes of an app that are tried for its replicas on a node, and passes over all nodes.
constexpr std::size_t kMostHomes = 12;
constexpr int kMostPasses = 8;

template <class Unit>
class Homecoming {
 public:
  Homecoming(RebuildState<Unit>& state, WatchRef watch) : state_(&state), watch_(watch) {}

  void run() {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      bool any = false;
      const std::vector<NodeId> nodes = state_->used();
      for (const NodeId node : nodes) {
        if (!state_->placement().used(node)) continue;
        if (watch_.step(kMostHomes)) return;
        any = send_home(node) || any;
      }
      if (!any) return;
    }
  }

 private:
  /// Replicas of the contents of `from` that run on `to`.
  [[nodiscard]] std::int64_t at_home(NodeId from, NodeId to) const {
    std::int64_t sum = 0;
    for (const Tenant& tenant : state_->placement().contents().at(from))
      sum += std::min(tenant.replicas, state_->state().running(tenant.app, to));
    return sum;
  }
  // Exchanges the node's contents for those of the node with which that saves most.
  bool send_home(NodeId node) {
    NodeId best = kNone;
    std::int64_t most = 0;
    const std::int64_t here = at_home(node, node);
    for (const Tenant& tenant : state_->placement().contents().at(node)) {
      const auto homes = state_->homes(tenant.app);
      for (std::size_t k = 0; k < std::min(homes.size(), kMostHomes); ++k) {
        const NodeId home = homes[(node + k) % homes.size()];
        if (home == node || state_->cost_of(home) != state_->cost_of(node)) continue;
        const std::int64_t saved = at_home(node, home) + at_home(home, node) - here - at_home(home, home);
        if (saved <= most) continue;
        most = saved;
        best = home;
      }
    }
    return best != kNone && exchange(node, best);
  }
  bool exchange(NodeId node, NodeId other) {
    const double energy = state_->energy();
    const std::uint64_t moves = state_->state().moves();
    state_->begin();
    const std::vector<Tenant> of_node = take_all(node);
    const std::vector<Tenant> of_other = take_all(other);
    constexpr double kRounding = 1e-9;
    const bool done = put_all(other, of_node) && put_all(node, of_other) &&
                      state_->energy() <= energy + kRounding * (1 + std::abs(energy)) && state_->state().moves() < moves;
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
  WatchRef watch_;
};

}  // namespace

template <class Unit>
void bring_home(RebuildState<Unit>& state, WatchRef watch) {
  if (state.may_move()) Homecoming<Unit>(state, watch).run();
}

template void bring_home(RebuildState<std::int16_t>& state, WatchRef watch);
template void bring_home(RebuildState<std::int32_t>& state, WatchRef watch);

}  // namespace stowage
