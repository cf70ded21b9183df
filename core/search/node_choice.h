// Which nodes a plan could do with: the cheapest that carry the demand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/sort_by.h"
#include "core/placement/placement.h"
#include "core/search/search_state.h"

namespace stowage {

/// Classes by what it would cost (without prices: how many nodes it would take) to carry all demand with one of them alone.
inline std::vector<ClassId> classes_by_value(const Instance& instance) {
  std::vector<double> cost(instance.classes());
  for (ClassId c = 0; c < instance.classes(); ++c) {
    double nodes = 0;
    const auto capacity = instance.scaled_capacity(c);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      const auto demand = static_cast<double>(instance.total_demand()[h]);
      const double each = capacity[instance.resource_of(h)];
      // A class without a resource that is asked for carries nothing by itself; it comes last.
      if (demand > 0) nodes = std::max(nodes, each > 0 ? demand / each : 1e300);
    }
    const double price = instance.data().classes[c].price;
    cost[c] = instance.has_prices() && nodes < 1e300 ? nodes * std::max(0.0, price) : nodes;
  }
  return ids_by(cost);
}

/// Chooses nodes for a fresh placement: those in use, then of the classes in order - listed nodes before new ones - as many as
/// carry all demand in every resource and period, and at least `nodes` in all. Opens new ones; sets listed ones aside that are
/// not needed.
template <class Unit>
class NodeChoice {
 public:
  NodeChoice(SearchState<Unit>& state, std::uint32_t nodes)
      : state_(&state), left_(state.instance().total_demand().begin(), state.instance().total_demand().end()) {
    const Instance& instance = state.instance();
    Placement<Unit>& placement = state.placement();
    std::vector<std::uint8_t> playing(placement.nodes(), 0);
    for (const NodeId node : state.nodes()) playing[node] = 1;
    std::vector<NodeId> idle;
    std::uint32_t chosen = 0;
    // No plan uses more nodes than it has replicas; those that fit nowhere ask for none.
    std::uint64_t most = 0;
    for (AppId app = 0; app < instance.apps(); ++app) {
      const std::uint32_t replicas = placement.unplaced(app);
      if (state.placeable(app)) {
        most += replicas;
        continue;
      }
      const auto demand = instance.template scaled_demand<Unit>(app);
      for (std::uint32_t h = 0; h < instance.dims(); ++h) left_[h] -= std::int64_t{demand[h]} * replicas;
    }
    for (NodeId node = 0; node < placement.nodes(); ++node) {
      if (placement.used(node)) {
        carry(node);
        ++chosen;
        ++most;
      } else if (playing[node] != 0) {
        idle.push_back(node);
      }
    }
    const auto wanted = [&] { return chosen < most && (chosen < nodes || short_of_something()); };
    for (const ClassId c : classes_by_value(instance)) {
      for (NodeId& node : idle) {
        if (node == kNone || placement.class_of(node) != c || !wanted()) continue;
        carry(node);
        ++chosen;
        node = kNone;
      }
      while (wanted()) {
        const NodeId node = placement.open(c);
        if (node == kNone) break;
        state.add(node);
        carry(node);
        ++chosen;
      }
    }
    for (const NodeId node : idle) {
      if (node != kNone) state.set_aside(node);
    }
  }

 private:
  [[nodiscard]] bool short_of_something() const {
    return std::any_of(left_.begin(), left_.end(), [](std::int64_t left) { return left > 0; });
  }
  void carry(NodeId node) {
    const Instance& instance = state_->instance();
    const auto capacity = instance.scaled_capacity(state_->placement().class_of(node));
    const auto load = node < instance.listed_nodes() ? instance.scaled_load(node) : std::span<const std::int32_t>{};
    for (std::uint32_t h = 0; h < instance.dims(); ++h) {
      left_[h] -= std::max(0, capacity[instance.resource_of(h)] - (load.empty() ? 0 : load[h]));
    }
  }

  SearchState<Unit>* state_;
  std::vector<std::int64_t> left_;  // demand that the chosen nodes do not carry yet
};

}  // namespace stowage
