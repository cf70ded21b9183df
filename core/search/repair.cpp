#include "core/search/repair.h"

#include <algorithm>

namespace stowage {
namespace {

/// Less than what any replica takes of an overload.
constexpr double kReliefOfDevices = 1e-12;

}  // namespace

template <class Unit>
std::uint64_t Repair<Unit>::broken() const {
  std::uint64_t count = 0;
  const Repair nothing_leaves(*state_);
  for (const NodeId node : state_->nodes()) {
    if (node < state_->instance().listed_nodes()) count += nothing_leaves.broken(node);
  }
  return count;
}

template <class Unit>
void Repair<Unit>::run(WorkClock& clock) {
  struct Order {
    std::uint64_t moves;
    NodeId node;
    bool operator<(const Order& other) const { return moves != other.moves ? moves < other.moves : node < other.node; }
  };
  std::vector<Order> order;
  for (const NodeId node : state_->nodes()) {
    if (node < state_->instance().listed_nodes() && choose_leaving(node, clock)) order.push_back({all_leaving(), node});
  }
  std::sort(order.begin(), order.end());
  for (const Order& next : order) {
    if (next.moves == 0 || !choose_leaving(next.node, clock)) continue;
    for (const Tenant& tenant : leaving_) state_->evict(tenant.app, next.node, tenant.replicas);
  }
}

template <class Unit>
std::uint64_t Repair<Unit>::broken(NodeId node) const {
  std::uint64_t count = 0;
  for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) count += left(node, h) < 0 ? 1 : 0;
  const auto tenants = state_->placement().contents().at(node);
  const Instance& instance = state_->instance();
  const auto staying = [this](const Tenant& tenant) { return tenant.replicas - leaving(tenant.app); };
  if (instance.limits_costs() || !instance.devices().empty()) {
    std::vector<Tenant> stay;
    for (const Tenant& tenant : tenants) {
      if (staying(tenant) > 0) stay.push_back({tenant.app, staying(tenant)});
    }
    if (instance.limits_costs()) count += broken_cost_limits(instance, stay);
    count += devices_lacking(instance, state_->placement().device_site(node), stay);
  }
  const LimitRows& limits = instance.limit_rows();
  for (std::size_t a = 0; a < tenants.size(); ++a) {
    const std::uint32_t here = staying(tenants[a]);
    if (here == 0) continue;
    if (!state_->placement().admits(tenants[a].app, node)) count += here;
    if (here > limits.self_limit(tenants[a].app)) ++count;
    for (std::size_t b = a + 1; b < tenants.size(); ++b) {
      const std::uint32_t other = staying(tenants[b]);
      const std::uint32_t codes = other == 0 ? 0 : limits.find(tenants[a].app, tenants[b].app);
      if (codes == 0) continue;
      const BrokenLimits broken = broken_limits(other, here, limits.imposes(codes), limits.obeys(codes));
      count += (broken.imposed ? 1 : 0) + (broken.obeyed ? 1 : 0);
    }
  }
  return count;
}

template <class Unit>
std::int64_t Repair<Unit>::left(NodeId node, std::uint32_t dim) const {
  return state_->placement().residuals().residual_without(node, dim, [&](auto&& visit) {
    for (const Tenant& tenant : leaving_) visit(tenant.app, tenant.replicas);
  });
}

template <class Unit>
std::uint32_t Repair<Unit>::leaving(AppId app) const {
  const auto found = std::find_if(leaving_.begin(), leaving_.end(), [app](const Tenant& one) { return one.app == app; });
  return found == leaving_.end() ? 0 : found->replicas;
}
template <class Unit>
std::uint64_t Repair<Unit>::all_leaving() const {
  std::uint64_t replicas = 0;
  for (const Tenant& tenant : leaving_) replicas += tenant.replicas;
  return replicas;
}
template <class Unit>
void Repair<Unit>::leave(AppId app, std::uint32_t replicas) {
  const auto found = std::find_if(leaving_.begin(), leaving_.end(), [app](const Tenant& one) { return one.app == app; });
  if (found == leaving_.end()) {
    leaving_.push_back({app, replicas});
  } else {
    found->replicas += replicas;
  }
}
template <class Unit>
void Repair<Unit>::come_back(AppId app) {
  const auto found = std::find_if(leaving_.begin(), leaving_.end(), [app](const Tenant& one) { return one.app == app; });
  if (--found->replicas == 0) leaving_.erase(found);
}

// Chooses the replicas that have to leave the node into leaving_. False where pins or the rest of the budget stand in the way,
// or where the run has ended.
template <class Unit>
bool Repair<Unit>::choose_leaving(NodeId node, WorkClock& clock) {
  leaving_.clear();
  while (broken(node) > 0) {
    if (clock.step(1)) return false;
    const Tenant* next = choose_tenant(node);
    if (next == nullptr) return false;
    leave(next->app, at_once(*next, node));
    if (all_leaving() > state_->moves_left()) return false;
  }
  return true;
}

// The app of which one replica less breaks fewest constraints; of equals, the one that relieves the node most.
template <class Unit>
const Tenant* Repair<Unit>::choose_tenant(NodeId node) {
  const Tenant* best = nullptr;
  std::uint64_t least = 0;
  double most = 0;
  for (const Tenant& tenant : state_->placement().contents().at(node)) {
    if (leaving(tenant.app) >= state_->removable(tenant.app, node)) continue;
    const double relief = relief_of(tenant.app, node);
    leave(tenant.app, 1);
    const std::uint64_t after = broken(node);
    come_back(tenant.app);
    if (best != nullptr && (after > least || (after == least && relief <= most))) continue;
    best = &tenant;
    least = after;
    most = relief;
  }
  return best;
}

// Of a crowd, half of what is missing leaves together, so that the number of choices does not grow with the crowd.
template <class Unit>
std::uint32_t Repair<Unit>::at_once(const Tenant& tenant, NodeId node) const {
  const std::uint32_t may_leave = state_->removable(tenant.app, node) - leaving(tenant.app);
  if (!state_->placement().admits(tenant.app, node)) return may_leave;
  const std::int64_t self_limit = state_->instance().limit_rows().self_limit(tenant.app);
  const std::int64_t too_many = std::int64_t{tenant.replicas} - leaving(tenant.app) - self_limit;
  std::int64_t together = too_many > 0 ? too_many : may_leave;
  bool relieves = too_many > 0;
  for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) {
    const std::int64_t missing = -left(node, h);
    const std::int64_t takes = state_->instance().template scaled_demand<Unit>(tenant.app)[h];
    if (missing <= 0 || takes <= 0) continue;
    together = std::min(together, missing / takes / 2);
    relieves = true;
  }
  if (!relieves) return 1;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(together, 1, may_leave));
}

// Share of the overload that leaves with one replica, summed over dimensions. One that uses devices relieves them as well,
// which decides where nothing but devices is lacking.
template <class Unit>
double Repair<Unit>::relief_of(AppId app, NodeId node) const {
  double sum = 0;
  for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) {
    const std::int64_t missing = -left(node, h);
    if (missing <= 0) continue;
    const std::int64_t takes = state_->instance().template scaled_demand<Unit>(app)[h];
    sum += static_cast<double>(std::min(takes, missing)) / static_cast<double>(missing);
  }
  return sum > 0 || !state_->instance().devices().uses(app) ? sum : kReliefOfDevices;
}

template class Repair<std::int16_t>;
template class Repair<std::int32_t>;

}  // namespace stowage
