// What things are called in text: names where the instance gives them, else kind and position.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "instance_generated.h"
#include "plan_generated.h"

namespace stowage::cli {

/// Names in an instance that the library has accepted. Indices may be out of range (plans and reports may be hostile): then the
/// index itself is named.
class Names {
 public:
  explicit Names(const wire::Instance& instance) : instance_(instance) {}

  [[nodiscard]] std::string app(std::uint32_t index) const;
  [[nodiscard]] std::string node_class(std::uint32_t index) const;
  [[nodiscard]] std::string listed(std::uint32_t index) const;
  [[nodiscard]] std::string resource(std::uint32_t index) const;
  /// A placement rule, by its name or position.
  [[nodiscard]] std::string rule(std::uint32_t index) const;
  /// An amount with the resource's unit, such as "1.5 GiB".
  [[nodiscard]] std::string amount(double value, std::uint32_t resource) const;
  [[nodiscard]] std::uint32_t periods() const { return instance_.periods(); }
  [[nodiscard]] const wire::Instance& instance() const { return instance_; }

  /// A name for each node of a plan: that of the listed node, or the class and a number, counted from 1 in the plan's order and
  /// leaving out what a listed node is called. Copies of a node have the numbers after its own.
  [[nodiscard]] std::vector<std::string> plan_nodes(const wire::Plan& plan) const;
  /// Calls visit(node, name) for each node in use, copies one by one.
  void visit_copies(const wire::Plan& plan, const std::function<void(std::uint32_t, const std::string&)>& visit) const;

 private:
  const wire::Instance& instance_;
};

/// How many nodes a node of a plan stands for, and all of them together.
[[nodiscard]] std::uint32_t copies_of(const wire::Plan& plan, std::uint32_t node);
[[nodiscard]] std::uint64_t nodes_in_use(const wire::Plan& plan);
/// Replicas on all of them.
[[nodiscard]] std::uint64_t replicas_placed(const wire::Plan& plan);

}  // namespace stowage::cli
