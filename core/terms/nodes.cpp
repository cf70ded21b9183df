// Terms that count nodes: their number, and the sum of their prices.

#include <memory>

#include "core/terms/term.h"

namespace stowage {
namespace {

class Nodes : public Term {
 public:
  [[nodiscard]] double at(const NodeView& node) const override { return node.in_use() ? 1 : 0; }
};

class Price : public Term {
 public:
  explicit Price(const Instance& instance) : instance_(instance) {}
  [[nodiscard]] double at(const NodeView& node) const override {
    return node.in_use() ? instance_.node_cost(node.node_class) : 0;
  }

 private:
  const Instance& instance_;
};

}  // namespace

std::unique_ptr<Term> node_term() { return std::make_unique<Nodes>(); }
std::unique_ptr<Term> price_term(const Instance& instance) { return std::make_unique<Price>(instance); }

}  // namespace stowage
