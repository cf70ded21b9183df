// Which term a goal has.

#include <memory>

#include "core/terms/term.h"

namespace stowage {
namespace {

/// A number to which no node contributes.
class GivenTerm : public Term {
 public:
  explicit GivenTerm(Fold fold) : fold_(fold) {}
  [[nodiscard]] Fold fold() const override { return fold_; }
  [[nodiscard]] double at(const NodeView&) const override { return 0; }

 private:
  Fold fold_;
};

}  // namespace

std::unique_ptr<Term> make_term(const Instance& instance, const PlanGoal& goal) {
  switch (goal.what) {
    case GoalKind::kCost:
      return price_term(instance);
    case GoalKind::kMoves:
      return move_term(instance);
    case GoalKind::kBalance:
      return use_term(instance, goal.resource, Term::Fold::kLargest);
    case GoalKind::kEvenness:
      return use_term(instance, goal.resource, Term::Fold::kDeviation);
    case GoalKind::kSoftRules:
      return std::make_unique<GivenTerm>(Term::Fold::kOfRules);
    case GoalKind::kUcac:
      return used_capacity_term(instance);
    case GoalKind::kWorst:
      return side_effect_term(instance, Term::Fold::kLargest);
    case GoalKind::kTotal:
      return side_effect_term(instance, Term::Fold::kSum);
    case GoalKind::kAdmitted:
      return std::make_unique<GivenTerm>(Term::Fold::kLeftOut);
    case GoalKind::kTraffic:
      return traffic_term(instance);
    default:
      return node_term();
  }
}

}  // namespace stowage
