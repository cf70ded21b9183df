// Builds plans by hand, for tests of the checker and the explainer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage::test {

struct Seat {
  AppId app;
  std::uint32_t replicas;
};

/// Collects nodes and their replicas. build() adds all figures that follow from them, so that the checker accepts these. The
/// plan states no bound.
class PlanBuilder {
 public:
  explicit PlanBuilder(const Instance& instance) : instance_(&instance) {}

  PlanBuilder& node(ClassId node_class, const std::vector<Seat>& seats) { return add({node_class, kNone}, seats); }
  PlanBuilder& listed(NodeId listed, const std::vector<Seat>& seats) {
    return add({instance_->data().node_class.at(listed), listed}, seats);
  }

  [[nodiscard]] Plan build() const {
    const InstanceData& data = instance_->data();
    Plan plan = plan_;
    plan.instance = instance_->fingerprint();
    plan.planner = "ff";
    std::vector<std::uint64_t> placed(instance_->apps(), 0);
    for (const Placed& p : plan.placed) placed.at(p.app) += p.replicas;
    for (AppId i = 0; i < instance_->apps(); ++i) {
      if (placed[i] >= instance_->replicas(i)) continue;
      plan.unplaced.push_back({i, static_cast<std::uint32_t>(instance_->replicas(i) - placed[i])});
    }
    plan.status = plan.unplaced.empty() ? PlanStatus::kComplete : PlanStatus::kPartial;
    if (instance_->has_prices()) {
      plan.cost = 0;
      for (const PlannedNode& n : plan.nodes) plan.cost += data.classes.at(n.node_class).price;
    }
    for (const Residence& r : data.running) {
      std::uint32_t there = 0;
      for (const Placed& p : plan.placed) {
        if (p.app == r.app && plan.nodes[p.node].listed == r.node) there = p.replicas;
      }
      plan.moves += r.replicas - std::min(there, r.replicas);
    }
    return plan;
  }

 private:
  PlanBuilder& add(PlannedNode node, const std::vector<Seat>& seats) {
    const auto index = static_cast<NodeId>(plan_.nodes.size());
    plan_.nodes.push_back(node);
    for (const Seat& seat : seats) plan_.placed.push_back({seat.app, index, seat.replicas});
    return *this;
  }

  const Instance* instance_;
  Plan plan_;
};

}  // namespace stowage::test
