// The terms of side effects (P4, section 2): of the replica that suffers most, and of all.

#include <algorithm>
#include <memory>
#include <string>

#include "core/plan/side_effects.h"
#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

class SideEffectTerm : public Term {
 public:
  SideEffectTerm(const Instance& instance, Fold fold) : instance_(instance), fold_(fold) {}

  [[nodiscard]] Fold fold() const override { return fold_; }
  [[nodiscard]] double at(const NodeView& node) const override {
    double worst = 0;
    double total = 0;
    for (const Tenant& suffering : node.tenants) {
      double cost = 0;
      for (const Tenant& beside : node.tenants) {
        cost += instance_.coefficient(instance_.kind(suffering.app), instance_.kind(beside.app)) * beside.replicas *
                instance_.interfering_load(beside.app);
      }
      worst = std::max(worst, cost);
      total += suffering.replicas * cost;
    }
    return fold_ == Fold::kLargest ? worst : total;
  }

 private:
  const Instance& instance_;
  Fold fold_;
};

template <Term::Fold kFold>
std::unique_ptr<Term> side_effect_term(const Instance& instance, ResourceId) {
  return std::make_unique<SideEffectTerm>(instance, kFold);
}

std::string refusal_of_side_effects(const Instance& instance, const Request& request) {
  if (!instance.has_interference()) return "the instance has no interference table: nothing costs anything";
  if (most_nodes(instance, request.node_limit) != kNone) return {};
  return "the least cost of side effects needs a number of nodes: a node limit, or a count for each class of nodes";
}

}  // namespace

const GoalTerm kWorstGoal = {
    .make = side_effect_term<Term::Fold::kLargest>, .objective = Objective::kWorst, .refusal = refusal_of_side_effects};
const GoalTerm kTotalGoal = {
    .make = side_effect_term<Term::Fold::kSum>, .objective = Objective::kTotal, .refusal = refusal_of_side_effects};

}  // namespace stowage
