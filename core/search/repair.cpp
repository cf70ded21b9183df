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
  for (const NodeId node : state_->nodes()) {
    if (node < state_->instance().listed_nodes()) count += broken(node, {});
  }
  return count;
}

template <class Unit>
void Repair<Unit>::run() {
  struct Order {
    std::size_t moves;
    NodeId node;
    bool operator<(const Order& other) const { return moves != other.moves ? moves < other.moves : node < other.node; }
  };
  std::vector<Order> order;
  for (const NodeId node : state_->nodes()) {
    if (node < state_->instance().listed_nodes() && choose_leaving(node)) order.push_back({leaving_.size(), node});
  }
  std::sort(order.begin(), order.end());
  for (const Order& next : order) {
    if (next.moves == 0 || !choose_leaving(next.node) || leaving_.size() > state_->moves_left()) continue;
    for (const AppId app : leaving_) state_->evict(app, next.node);
  }
}

template <class Unit>
std::uint64_t Repair<Unit>::broken(NodeId node, const std::vector<AppId>& leaving) const {
  std::uint64_t count = 0;
  for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) count += left(node, h, leaving) < 0 ? 1 : 0;
  const auto tenants = state_->placement().contents().at(node);
  const Instance& instance = state_->instance();
  if (instance.limits_costs() || !instance.devices().empty()) {
    std::vector<Tenant> stay;
    for (const Tenant& tenant : tenants) {
      if (staying(tenant, leaving) > 0) stay.push_back({tenant.app, staying(tenant, leaving)});
    }
    if (instance.limits_costs()) count += broken_cost_limits(instance, stay);
    count += devices_lacking(instance, state_->placement().device_site(node), stay);
  }
  const LimitRows& limits = instance.limit_rows();
  for (std::size_t a = 0; a < tenants.size(); ++a) {
    const std::uint32_t here = staying(tenants[a], leaving);
    if (here == 0) continue;
    if (!state_->placement().admits(tenants[a].app, node)) count += here;
    if (here > limits.self_limit(tenants[a].app)) ++count;
    for (std::size_t b = a + 1; b < tenants.size(); ++b) {
      const std::uint32_t other = staying(tenants[b], leaving);
      const std::uint32_t codes = other == 0 ? 0 : limits.find(tenants[a].app, tenants[b].app);
      if (codes == 0) continue;
      const BrokenLimits broken = broken_limits(other, here, limits.imposes(codes), limits.obeys(codes));
      count += (broken.imposed ? 1 : 0) + (broken.obeyed ? 1 : 0);
    }
  }
  return count;
}

template <class Unit>
std::int64_t Repair<Unit>::left(NodeId node, std::uint32_t dim, const std::vector<AppId>& leaving) const {
  return state_->placement().residuals().residual_without(node, dim, [&](auto&& visit) {
    for (const AppId app : leaving) visit(app, 1);
  });
}

template <class Unit>
std::uint32_t Repair<Unit>::staying(const Tenant& tenant, const std::vector<AppId>& leaving) {
  return tenant.replicas - static_cast<std::uint32_t>(std::count(leaving.begin(), leaving.end(), tenant.app));
}

// Chooses the replicas that have to leave the node, one by one, into leaving_: each time the one after which fewest constraints
// are broken; of equals, the one that relieves the node most. False where pins stand in the way.
template <class Unit>
bool Repair<Unit>::choose_leaving(NodeId node) {
  leaving_.clear();
  const auto tenants = state_->placement().contents().at(node);
  std::uint64_t now = broken(node, leaving_);
  while (now > 0) {
    const Tenant* best = nullptr;
    std::uint64_t least = 0;
    double most = 0;
    for (const Tenant& tenant : tenants) {
      if (tenant.replicas - staying(tenant, leaving_) >= state_->removable(tenant.app, node)) continue;
      const double relief = relief_of(tenant.app, node);
      leaving_.push_back(tenant.app);
      const std::uint64_t after = broken(node, leaving_);
      leaving_.pop_back();
      if (best != nullptr && (after > least || (after == least && relief <= most))) continue;
      best = &tenant;
      least = after;
      most = relief;
    }
    if (best == nullptr) return false;
    leaving_.push_back(best->app);
    now = least;
  }
  return true;
}

// Share of the overload that leaves with one replica, summed over dimensions. One that uses devices relieves them as well,
// which decides where nothing but devices is lacking.
template <class Unit>
double Repair<Unit>::relief_of(AppId app, NodeId node) const {
  double sum = 0;
  for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) {
    const std::int64_t missing = -left(node, h, leaving_);
    if (missing <= 0) continue;
    const std::int64_t takes = state_->instance().template scaled_demand<Unit>(app)[h];
    sum += static_cast<double>(std::min(takes, missing)) / static_cast<double>(missing);
  }
  return sum > 0 || !state_->instance().devices().uses(app) ? sum : kReliefOfDevices;
}

template class Repair<std::int16_t>;
template class Repair<std::int32_t>;

}  // namespace stowage
