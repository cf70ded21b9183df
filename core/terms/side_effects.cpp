// The terms of side effects (P4, section 2): of the replica that suffers most, and of all.

#include <algorithm>
#include <memory>

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

}  // namespace

std::unique_ptr<Term> side_effect_term(const Instance& instance, Term::Fold fold) {
  return std::make_unique<SideEffectTerm>(instance, fold);
}

}  // namespace stowage
