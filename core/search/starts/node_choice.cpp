#include "core/search/starts/node_choice.h"

#include <algorithm>

#include "core/base/sort_by.h"

namespace stowage {
namespace {

template <class Unit>
class NodeChoice {
 public:
  NodeChoice(SearchState<Unit>& state, WorkClock& clock)
      : state_(state),
        clock_(clock),
        instance_(state.instance()),
        left_(instance_.total_demand().begin(), instance_.total_demand().end()) {}

  void run(std::uint32_t nodes, const std::vector<ClassId>& classes) {
    Placement<Unit>& placement = state_.placement();
    leave_out_unplaceable();
    std::vector<NodeId> idle = carry_with_nodes_in_use();
    most_ = std::min<std::uint64_t>(most_, std::uint64_t{chosen_} + placement.may_still_use());
    const auto wanted = [&](ClassId c) { return chosen_ < most_ && (chosen_ < nodes || helps(c)); };
    for (const ClassId c : classes) {
      for (NodeId& node : idle) {
        if (node == kNone || placement.class_of(node) != c || !wanted(c)) continue;
        carry(node);
        node = kNone;
      }
      while (wanted(c)) {
        const NodeId node = placement.open(c);
        if (node == kNone) break;
        state_.add(node);
        carry(node);
        if (chosen_ % kNodesCounted == 0 && clock_.step(kWorkCounted)) return;
      }
    }
    std::erase(idle, kNone);
    state_.set_aside(idle);
  }

 private:
  void leave_out_unplaceable() {
    for (AppId app = 0; app < instance_.apps(); ++app) {
      const std::uint32_t replicas = state_.placement().unplaced(app);
      if (state_.placeable(app)) {
        most_ += replicas;
        continue;
      }
      const auto demand = instance_.template scaled_demand<Unit>(app);
      for (std::uint32_t h = 0; h < instance_.dims(); ++h) left_[h] -= std::int64_t{demand[h]} * replicas;
    }
  }
  // Returns the nodes in play that are not in use.
  std::vector<NodeId> carry_with_nodes_in_use() {
    const Placement<Unit>& placement = state_.placement();
    std::vector<NodeId> idle;
    for (NodeId node = 0; node < placement.nodes(); ++node) {
      if (placement.used(node)) {
        carry(node);
        ++most_;
      } else if (state_.in_play(node)) {
        idle.push_back(node);
      }
    }
    return idle;
  }
  /// Whether nodes of the class carry any of the demand that is left.
  [[nodiscard]] bool helps(ClassId c) const {
    const auto capacity = instance_.scaled_capacity(c);
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      if (left_[h] > 0 && capacity[instance_.resource_of(h)] > 0) return true;
    }
    return false;
  }
  void carry(NodeId node) {
    const ClassId c = state_.placement().class_of(node);
    const auto capacity = instance_.scaled_capacity(c);
    const auto load = instance_.scaled_standing(node < instance_.listed_nodes() ? node : kNone, c);
    for (std::uint32_t h = 0; h < instance_.dims(); ++h) {
      left_[h] -= std::max(0, capacity[instance_.resource_of(h)] - (load.empty() ? 0 : load[h]));
    }
    ++chosen_;
  }

  /// So many opened nodes count as so much work; fewer take no time.
  static constexpr std::uint32_t kNodesCounted = 16'384;
  static constexpr std::uint64_t kWorkCounted = 4'096;

  SearchState<Unit>& state_;
  WorkClock& clock_;
  const Instance& instance_;
  std::vector<std::int64_t> left_;  // per dimension: demand that the chosen nodes do not carry yet
  std::uint32_t chosen_ = 0;        // nodes
  std::uint64_t most_ = 0;          // nodes that a plan could use
};

/// Per class, the cost (without prices: number of nodes) of carrying all demand with nodes of that class alone, as fractions;
/// 1e300 where it cannot.
std::vector<double> costs_of_carrying(const Instance& instance) {
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
  return cost;
}

}  // namespace

std::vector<ClassId> classes_by_value(const Instance& instance) { return ids_by(costs_of_carrying(instance)); }

template <class Unit>
void choose_nodes(SearchState<Unit>& state, std::uint32_t nodes, const std::vector<ClassId>& classes, WorkClock& clock) {
  NodeChoice<Unit>(state, clock).run(nodes, classes);
}

template void choose_nodes(SearchState<std::int16_t>& state, std::uint32_t nodes, const std::vector<ClassId>& classes,
                           WorkClock& clock);
template void choose_nodes(SearchState<std::int32_t>& state, std::uint32_t nodes, const std::vector<ClassId>& classes,
                           WorkClock& clock);

}  // namespace stowage
