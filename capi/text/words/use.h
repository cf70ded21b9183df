// What the nodes of a plan hold, by class and node: demand, load, and their shares of capacity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capi/text/base/table.h"
#include "capi/text/formats/names.h"
#include "instance_generated.h"
#include "plan_generated.h"

namespace stowage::cli {

/// Demand and load on the nodes in use. Of demand that is uncertain, the mean. The plan belongs to the instance.
class UseTable {
 public:
  UseTable(const wire::Plan& plan, const wire::Instance& instance);

  /// Nodes in use of a class.
  [[nodiscard]] std::uint64_t nodes(std::size_t node_class) const { return uses_[node_class].nodes; }
  [[nodiscard]] std::size_t classes() const { return uses_.size(); }
  [[nodiscard]] std::size_t resources() const { return resources_; }

  /// What all nodes in use hold and have of a resource, in its unit.
  [[nodiscard]] double demand(std::size_t resource, std::size_t period) const;
  [[nodiscard]] double capacity(std::size_t resource) const;
  [[nodiscard]] double capacity_of(std::size_t resource, std::size_t node_class) const;
  /// The period in which they hold most of it.
  [[nodiscard]] std::size_t peak(std::size_t resource) const { return peaks_[resource]; }
  /// The share of the capacity of the nodes of a class that is taken in a period; 0 where they have none.
  [[nodiscard]] double share(std::size_t resource, std::size_t period, std::size_t node_class) const;
  /// The same of a node of the plan.
  [[nodiscard]] double share_of_node(std::size_t resource, std::size_t period, std::uint32_t node,
                                     std::span<const wire::Placed> on_node) const;
  /// What replicas take of a node of a class, and what the load of a node of the plan takes of it.
  [[nodiscard]] double share_of_replicas(std::size_t resource, std::size_t period, std::size_t node_class,
                                         const wire::Placed& placed) const;
  [[nodiscard]] double share_of_load(std::size_t resource, std::size_t period, std::uint32_t node) const;

 private:
  struct ClassUse {
    std::uint64_t nodes = 0;
    std::vector<double> demand;  // resources x periods
  };

  // Adds times x an item's row of a column, which may be constant over the periods.
  void add(std::vector<double>& to, const flatbuffers::Vector<double>& column, std::size_t items, std::size_t item,
           double times) const;
  [[nodiscard]] double cell(const flatbuffers::Vector<double>& column, std::size_t items, std::size_t item,
                            std::size_t resource, std::size_t period) const;

  const wire::Plan& plan_;
  const wire::Instance& instance_;
  std::size_t resources_;
  std::size_t periods_;
  std::vector<ClassUse> uses_;
  std::vector<std::size_t> peaks_;  // per resource
};

/// The placements of a plan, which stand in the order of its nodes, node by node.
class PlacedByNode {
 public:
  explicit PlacedByNode(const wire::Plan& plan);
  [[nodiscard]] std::span<const wire::Placed> on(std::uint32_t node) const {
    return placed_.subspan(begin_[node], begin_[node + std::size_t{1}] - begin_[node]);
  }

 private:
  std::span<const wire::Placed> placed_;
  std::vector<std::size_t> begin_;  // per node: its first placement
};

/// What the largest node has of a resource.
[[nodiscard]] double largest_capacity(const wire::Instance& instance, std::uint32_t resource);

/// Per resource, the share of the capacity of the nodes in use that is taken, in the period in which it is highest.
std::vector<double> utilization(const wire::Plan& plan, const wire::Instance& instance);

/// The column of a resource in a table of use: its name, and with periods the one in which most of it is taken.
std::string use_header(const UseTable& use, const Names& names, std::size_t resource);

/// The nodes in use by class, what they cost, and the share of each resource that is taken in the period in which all of them
/// together hold most of it. Empty where no node is in use.
TextTable classes_table(const wire::Plan& plan, const UseTable& use, const Names& names);

/// Nodes with their apps: all of them where they are at most `shown` lines, else the fullest and the emptiest. Nodes with the
/// same class and apps that are not listed share a line. `nodes` names the plan's nodes.
TextTable nodes_table(const wire::Plan& plan, const UseTable& use, const Names& names, const std::vector<std::string>& nodes,
                      std::size_t shown);

/// What stands on a node, such as "2 web, db and 3 more apps": at most six apps by name.
std::string apps_text(std::span<const wire::Placed> placed, const Names& names);

}  // namespace stowage::cli
