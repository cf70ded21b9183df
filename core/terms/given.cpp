// Terms of numbers to which no node contributes: what violated soft rules cost, and what is left out.

#include <memory>

#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

class GivenTerm : public Term {
 public:
  explicit GivenTerm(Fold fold) : fold_(fold) {}
  [[nodiscard]] Fold fold() const override { return fold_; }
  [[nodiscard]] double at(const NodeView&) const override { return 0; }

 private:
  Fold fold_;
};

template <Term::Fold kFold>
std::unique_ptr<Term> given_term(const Instance&, ResourceId) {
  return std::make_unique<GivenTerm>(kFold);
}

}  // namespace

const GoalTerm kSoftRulesGoal = {.make = given_term<Term::Fold::kOfRules>, .objective = Objective::kSoftRules};
const GoalTerm kAdmittedGoal = {.make = given_term<Term::Fold::kLeftOut>,
                                .objective = Objective::kAdmitted,
                                .ask = [](Request& request) { request.all_or_nothing = true; }};

}  // namespace stowage
