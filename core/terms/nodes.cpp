// Terms that count nodes: their number, and the sum of their prices.

#include <memory>

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

std::unique_ptr<Term> node_term() { return std::make_unique<NodeTerm>(); }
std::unique_ptr<Term> price_term(const Instance& instance) { return std::make_unique<PriceTerm>(instance); }

}  // namespace stowage
