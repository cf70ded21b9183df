#include "core/search/ejection_chains.h"

namespace stowage {
namespace {

/// Nodes tried per step.
constexpr std::uint32_t kNodesPerStep = 64;
/// Apps of which replicas may leave a node in one step.
constexpr std::size_t kMostAppsLeaving = 4;
/// After this many attempts in vain, an app may eject as much again as it needs.
constexpr std::uint32_t kAttemptsPerMultiple = 32;

}  // namespace

template <class Unit>
EjectionChains<Unit>::EjectionChains(SearchState<Unit>& state, const std::vector<NodeId>& nodes,
                                     const std::vector<std::uint8_t>& is_usable, std::uint64_t seed)
    : state_(&state),
      nodes_(&nodes),
      is_usable_(&is_usable),
      random_(seed),
      weight_(state.instance().apps(), 1),
      candidate_(state.placement()) {}

template <class Unit>
void EjectionChains<Unit>::step() {
  changed_.clear();
  if (state_->pool().empty() || nodes_->empty()) return;
  const AppId app = state_->pool()[random_.below(static_cast<std::uint32_t>(state_->pool().size()))];
  NodeId best = kNone;
  std::uint64_t least = weight_[app]++;
  for (std::uint32_t k = 0; k < kNodesPerStep; ++k) {
    const NodeId node = (*nodes_)[random_.below(static_cast<std::uint32_t>(nodes_->size()))];
    if (!make_way(app, node, least) || !is_light_enough(app)) continue;
    best = node;
    least = cost_;
    best_leaving_ = leaving_;
  }
  if (best == kNone) return;
  for (const Tenant& tenant : best_leaving_) state_->evict(tenant.app, best, tenant.replicas);
  state_->place_waiting(app, best);
  changed_.push_back(best);
  for (const Tenant& tenant : best_leaving_) settle(tenant);
}

template <class Unit>
bool EjectionChains<Unit>::make_way(AppId app, NodeId node, std::uint64_t most) {
  const Instance& instance = state_->instance();
  const Placement<Unit>& placement = state_->placement();
  if (!placement.admits(app, node)) return false;
  const auto tenants = placement.contents().at(node);
  if (tenants.empty() && !placement.may_use(node)) return false;
  // A node that rules, costs or devices close as it is, is not tried, although what leaves might open it.
  if (placement.allowed_beside(app, placement.device_site(node), tenants, 1) == 0 ||
      placement.allowed_by_rules(app, node, 1) == 0)
    return false;
  leaving_.clear();
  cost_ = 0;
  if (!make_way_by_limits(app, node, most)) return false;
  const Unit* need = instance.template scaled_demand<Unit>(app).data();
  while (true) {
    const std::uint32_t lacking = first_lacking(app, need, node);
    if (lacking == kNone) return true;
    // A replica that uses the resource, is on the node and does not leave yet.
    if (tenants.empty()) return false;
    const Tenant& tenant = tenants[random_.below(static_cast<std::uint32_t>(tenants.size()))];
    if (tenant.app == app || leaving(tenant.app) >= tenant.replicas) return false;
    if (instance.template scaled_demand<Unit>(tenant.app)[lacking] == 0) return false;
    if (!send_away(tenant.app, node, 1, most)) return false;
  }
}

template <class Unit>
bool EjectionChains<Unit>::make_way_by_limits(AppId app, NodeId node, std::uint64_t most) {
  const LimitRows& limits = state_->instance().limit_rows();
  const auto tenants = state_->placement().contents().at(node);
  std::uint32_t own = 1;
  for (const Tenant& tenant : tenants) own += tenant.app == app ? tenant.replicas : 0;
  if (own > limits.self_limit(app)) return false;
  for (const Tenant& tenant : tenants) {
    if (tenant.app == app) continue;
    const std::uint32_t most_stay = most_beside(state_->pairs().of(app, tenant.app), limits, {app, own}, tenant.app);
    if (tenant.replicas > most_stay && !send_away(tenant.app, node, tenant.replicas - most_stay, most)) return false;
  }
  return true;
}

template <class Unit>
bool EjectionChains<Unit>::send_away(AppId app, NodeId node, std::uint32_t replicas, std::uint64_t most) {
  cost_ += std::uint64_t{replicas} * weight_[app];
  if (cost_ >= most || !state_->free_to_leave(app, node)) return false;
  for (Tenant& tenant : leaving_) {
    if (tenant.app != app) continue;
    tenant.replicas += replicas;
    return true;
  }
  if (leaving_.size() == kMostAppsLeaving) return false;
  leaving_.push_back({app, replicas});
  return true;
}

// Whether what leaves needs no more than what arrives, of every resource, so that demand in the pool does not grow. The longer
// an app waits in vain, the more it may eject: a small one that nearly all others exclude has no other way.
template <class Unit>
bool EjectionChains<Unit>::is_light_enough(AppId app) const {
  const Instance& instance = state_->instance();
  const std::int64_t multiple = 1 + std::int64_t{weight_[app]} / kAttemptsPerMultiple;
  const Unit* need = instance.template scaled_demand<Unit>(app).data();
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    std::int64_t sum = 0;
    for (const Tenant& tenant : leaving_) {
      sum += std::int64_t{instance.template scaled_demand<Unit>(tenant.app)[h]} * tenant.replicas;
    }
    if (sum > need[h] * multiple) return false;
  }
  return true;
}

template <class Unit>
std::uint32_t EjectionChains<Unit>::leaving(AppId app) const {
  for (const Tenant& tenant : leaving_) {
    if (tenant.app == app) return tenant.replicas;
  }
  return 0;
}

template <class Unit>
std::uint32_t EjectionChains<Unit>::first_lacking(AppId app, const Unit* need, NodeId node) const {
  const Instance& instance = state_->instance();
  for (std::uint32_t h = 0; h < instance.dims(); ++h) {
    if (need[h] == 0 && !instance.uncertain()) continue;
    const auto& residuals = state_->placement().residuals();
    // A replica that arrives is visited as -1 that leave: means and spreads are then counted together.
    const std::int64_t left = residuals.residual_without(node, h, [&](auto&& visit) {
      for (const Tenant& tenant : leaving_) visit(tenant.app, tenant.replicas);
      if (instance.uncertain()) visit(app, -1);
    });
    if (left < (instance.uncertain() ? 0 : need[h])) return h;
  }
  return kNone;
}

template <class Unit>
void EjectionChains<Unit>::settle(const Tenant& tenant) {
  Placement<Unit>& placement = state_->placement();
  candidate_.start(placement, tenant.app);
  std::uint32_t left = tenant.replicas;
  const NodeId from = random_.below(placement.nodes());
  placement.residuals().for_each_fitting(candidate_.need(), from, [&](NodeId node) {
    if (node >= is_usable_->size() || (*is_usable_)[node] == 0 || placement.headroom(candidate_, node, 1) == 0) return true;
    state_->place_waiting(tenant.app, node);
    changed_.push_back(node);
    return --left > 0;
  });
}

template class EjectionChains<std::int16_t>;
template class EjectionChains<std::int32_t>;

}  // namespace stowage
