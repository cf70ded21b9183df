// The terms of balance: how much of a node's capacity its load and its replicas use.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "core/terms/term.h"

namespace stowage {
namespace {

class UseTerm : public Term {
 public:
  UseTerm(const Instance& instance, ResourceId resource, Fold fold) : instance_(instance), resource_(resource), fold_(fold) {}

  [[nodiscard]] Fold fold() const override { return fold_; }
  [[nodiscard]] double at(const NodeView& node) const override {
    if (!node.in_use()) return 0;
    if (resource_ != kNone) return of(node, resource_);
    double most = 0;
    for (ResourceId r = 0; r < instance_.resources(); ++r) most = std::max(most, of(node, r));
    return most;
  }

 private:
  [[nodiscard]] double of(const NodeView& node, ResourceId r) const {
    const double capacity = instance_.data().classes[node.node_class].capacity[r];
    if (!(capacity > 0)) return 0;
    double most = 0;
    for (std::uint32_t t = 0; t < instance_.periods(); ++t) {
      double sum = instance_.daemon(node.listed, node.node_class, r, t);
      if (node.listed != kNone) sum += instance_.load(node.listed, r, t);
      for (const Tenant& tenant : node.tenants) sum += tenant.replicas * instance_.demand(tenant.app, r, t);
      most = std::max(most, sum);
    }
    return most / capacity;
  }

  const Instance& instance_;
  ResourceId resource_;
  Fold fold_;
};

}  // namespace

std::unique_ptr<Term> use_term(const Instance& instance, ResourceId resource, Term::Fold fold) {
  return std::make_unique<UseTerm>(instance, resource, fold);
}

}  // namespace stowage
