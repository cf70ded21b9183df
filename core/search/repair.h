// Moves that mend a cluster whose running replicas break constraints already.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/affinity/admission.h"
#include "core/search/search_state.h"

namespace stowage {

/// What is broken on the listed nodes in play, and how to mend it by sending running replicas to the pool, within the request's
/// move budget. Nodes that need fewest moves are mended first; a node that the rest of the budget cannot mend is left as it is.
template <class Unit>
class Repair {
 public:
  explicit Repair(SearchState<Unit>& state) : state_(&state) {}

  /// Dimensions of nodes over capacity, apps over their own limit, and limits between two apps that are broken.
  [[nodiscard]] std::uint64_t broken() const {
    std::uint64_t count = 0;
    for (const NodeId node : state_->nodes()) {
      if (node < state_->instance().listed_nodes()) count += broken(node, {});
    }
    return count;
  }

  void run() {
    struct Order {
      std::size_t moves;
      NodeId node;
      bool operator<(const Order& other) const { return moves != other.moves ? moves < other.moves : node < other.node; }
    };
    std::vector<Order> order;
    for (const NodeId node : state_->nodes()) {
      if (node < state_->instance().listed_nodes() && mend(node)) order.push_back({out_.size(), node});
    }
    std::sort(order.begin(), order.end());
    for (const Order& next : order) {
      if (next.moves == 0 || !mend(next.node) || out_.size() > state_->moves_left()) continue;
      for (const AppId app : out_) state_->evict(app, next.node);
    }
  }

 private:
  // How many of the node's constraints are broken once these replicas have left it.
  [[nodiscard]] std::uint64_t broken(NodeId node, const std::vector<AppId>& out) const {
    std::uint64_t count = 0;
    for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) count += left(node, h, out) < 0 ? 1 : 0;
    const auto tenants = state_->placement().contents().at(node);
    const LimitRows& rows = state_->instance().limit_rows();
    for (std::size_t a = 0; a < tenants.size(); ++a) {
      const std::uint32_t here = staying(tenants[a], out);
      if (here == 0) continue;
      if (here > rows.self_limit(tenants[a].app)) ++count;
      for (std::size_t b = a + 1; b < tenants.size(); ++b) {
        const std::uint32_t other = staying(tenants[b], out);
        const std::uint32_t codes = other == 0 ? 0 : rows.find(tenants[a].app, tenants[b].app);
        if (codes == 0) continue;
        const BrokenLimits limits = broken_limits(other, here, rows.imposes(codes), rows.obeys(codes));
        count += (limits.imposed ? 1 : 0) + (limits.obeyed ? 1 : 0);
      }
    }
    return count;
  }
  [[nodiscard]] std::int64_t left(NodeId node, std::uint32_t dim, const std::vector<AppId>& out) const {
    return state_->placement().residuals().residual_without(node, dim, [&](auto&& visit) {
      for (const AppId app : out) visit(app, 1);
    });
  }
  [[nodiscard]] static std::uint32_t staying(const Tenant& tenant, const std::vector<AppId>& out) {
    return tenant.replicas - static_cast<std::uint32_t>(std::count(out.begin(), out.end(), tenant.app));
  }
  [[nodiscard]] bool movable(const Tenant& tenant, NodeId node, const std::vector<AppId>& out) const {
    return staying(tenant, out) > state_->pinned(tenant.app, node);
  }

  // Chooses what to send away, one replica at a time, into out_: each time the one after which least is broken, and of equals
  // the one that takes most of what is missing. False where pins stand in the way.
  bool mend(NodeId node) {
    out_.clear();
    const auto tenants = state_->placement().contents().at(node);
    std::uint64_t now = broken(node, out_);
    while (now > 0) {
      const Tenant* best = nullptr;
      std::uint64_t least = 0;
      double most = 0;
      for (const Tenant& tenant : tenants) {
        if (!movable(tenant, node, out_)) continue;
        const double relief = relief_of(tenant.app, node);
        out_.push_back(tenant.app);
        const std::uint64_t after = broken(node, out_);
        out_.pop_back();
        if (best != nullptr && (after > least || (after == least && relief <= most))) continue;
        best = &tenant;
        least = after;
        most = relief;
      }
      if (best == nullptr) return false;
      out_.push_back(best->app);
      now = least;
    }
    return true;
  }
  // Share of what is missing that goes with one replica, summed over dimensions.
  [[nodiscard]] double relief_of(AppId app, NodeId node) const {
    double sum = 0;
    for (std::uint32_t h = 0; h < state_->instance().dims(); ++h) {
      const std::int64_t missing = -left(node, h, out_);
      if (missing <= 0) continue;
      const std::int64_t takes = state_->instance().template scaled_demand<Unit>(app)[h];
      sum += static_cast<double>(std::min(takes, missing)) / static_cast<double>(missing);
    }
    return sum;
  }

  SearchState<Unit>* state_;
  std::vector<AppId> out_;
};

}  // namespace stowage
