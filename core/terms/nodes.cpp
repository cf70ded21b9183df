// Terms that count nodes: their number, and the sum of their prices.

#include <memory>

#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

class NodeTerm : public Term {
 public:
  [[nodiscard]] double at(const NodeView& node) const override { return node.in_use() ? 1 : 0; }
};

class PriceTerm : public Term {
 public:
  explicit PriceTerm(const Instance& instance) : instance_(instance) {}
  [[nodiscard]] double at(const NodeView& node) const override {
    return node.in_use() ? instance_.node_cost(node.node_class) : 0;
  }

 private:
  const Instance& instance_;
};

}  // namespace

const GoalTerm kNodesGoal = {
    .make = [](const Instance&, ResourceId) -> std::unique_ptr<Term> { return std::make_unique<NodeTerm>(); },
    .objective = Objective::kNodes,
};
const GoalTerm kCostGoal = {
    .make = [](const Instance& instance, ResourceId) -> std::unique_ptr<Term> { return std::make_unique<PriceTerm>(instance); },
    .objective = Objective::kCost,
};

}  // namespace stowage
