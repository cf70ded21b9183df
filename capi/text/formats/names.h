// Names of apps, nodes, classes, resources and rules in text: the instance's own names, or kind and position where it has none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capi/text/base/table.h"
#include "instance_generated.h"
#include "plan_generated.h"

namespace stowage::cli {

/// Names in an instance that the library has accepted. An index may be out of range, as plans and reports may be hostile; its
/// text is then the index itself.
class Names {
 public:
  /// In text for people, names are printable(); JSON, and files, have them as they are.
  explicit Names(const wire::Instance& instance, Summary summary = Summary::kJson) : instance_(instance), summary_(summary) {}

  [[nodiscard]] std::string app(std::uint32_t index) const;
  /// The app of this name. Fails where the instance has none.
  /// @param option where the name was given, such as "--app"
  [[nodiscard]] std::uint32_t find_app(const std::string& name, const char* option) const;
  /// The resource of this name, likewise.
  [[nodiscard]] std::uint32_t find_resource(std::string_view name, const char* option) const;
  [[nodiscard]] std::string node_class(std::uint32_t index) const;
  [[nodiscard]] std::string listed(std::uint32_t index) const;
  [[nodiscard]] std::string resource(std::uint32_t index) const;
  /// The unit of a resource; empty where it has none.
  [[nodiscard]] std::string unit(std::uint32_t resource) const;
  /// The size of a device of a resource; 0 where it has none.
  [[nodiscard]] double device(std::uint32_t resource) const;
  /// A placement rule, by its name or position.
  [[nodiscard]] std::string rule(std::uint32_t index) const;
  /// A kind of the interference table.
  [[nodiscard]] std::string kind(std::uint32_t index) const;
  /// A tag or label.
  [[nodiscard]] std::string tag(std::uint32_t index) const;
  /// An amount with the resource's unit, such as "1.5 GiB".
  [[nodiscard]] std::string amount(double value, std::uint32_t resource) const;
  [[nodiscard]] std::uint32_t periods() const { return instance_.periods(); }
  [[nodiscard]] const wire::Instance& instance() const { return instance_; }

  /// A name for each node of a plan: the listed node's, or the class and a number. Numbers count from 1 in the plan's order and
  /// skip names of listed nodes. Copies of a node have the numbers after its own.
  [[nodiscard]] std::vector<std::string> plan_nodes(const wire::Plan& plan) const;
  /// Calls visit(node, name) for each node in use, copies one by one.
  void visit_copies(const wire::Plan& plan, const std::function<void(std::uint32_t, const std::string&)>& visit) const;

 private:
  /// A name of the instance.
  [[nodiscard]] std::string given(const flatbuffers::String& name) const;

  const wire::Instance& instance_;
  Summary summary_;
};

/// The number of nodes that a node of a plan stands for, and the sum over all nodes of the plan.
[[nodiscard]] std::uint32_t copies_of(const wire::Plan& plan, std::uint32_t node);
[[nodiscard]] std::uint64_t nodes_in_use(const wire::Plan& plan);
/// The number of replicas on all nodes, copies included.
[[nodiscard]] std::uint64_t replicas_placed(const wire::Plan& plan);

}  // namespace stowage::cli
