// The term of used capacity at confidence (P1, section 4.1, definitions 1 and 2).

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

class UsedCapacityTerm : public Term {
 public:
  explicit UsedCapacityTerm(const Instance& instance) : instance_(instance), resource_(instance.uncertain_resource()) {}
  [[nodiscard]] double at(const NodeView& node) const override {
    if (!node.in_use()) return 0;
    const bool is_listed = node.listed != kNone;
    double spread = is_listed ? instance_.load_spread(node.listed, resource_) : 0;
    for (const Tenant& tenant : node.tenants) spread += tenant.replicas * instance_.spread(tenant.app, resource_);
    double most = 0;
    for (std::uint32_t t = 0; t < instance_.periods(); ++t) {
      double mean = is_listed ? instance_.load(node.listed, resource_, t) : 0;
      for (const Tenant& tenant : node.tenants) mean += tenant.replicas * instance_.demand(tenant.app, resource_, t);
      most = std::max(most, mean);
    }
    return most + instance_.confidence_factor() * std::sqrt(spread);
  }

 private:
  const Instance& instance_;
  ResourceId resource_;
};

}  // namespace

const GoalTerm kUcacGoal = {
    .make = [](const Instance& instance, ResourceId) -> std::unique_ptr<Term> {
      return std::make_unique<UsedCapacityTerm>(instance);
    },
    .objective = Objective::kUcac,
    .refusal = [](const Instance& instance, const Request&) -> std::string {
      return instance.uncertain() ? "" : "no demand of the instance is uncertain: there is no used capacity at confidence";
    },
};

}  // namespace stowage
