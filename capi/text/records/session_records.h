// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instance_generated.h"
#include "session_generated.h"

namespace stowage::cli {

/// A Cardinality of instance.fbs whose tags and group are given by name.
struct NamedCardinalityData {
  /// As CardinalityKind.
  wire::CardinalityKind kind = wire::CardinalityKind::Replicas;
  std::vector<std::string> subject{};
  std::vector<std::string> target{};
  std::uint32_t min = 0;
  std::uint32_t max = 4294967295U;
  /// Name of a NodeGroup; absent, "" or "node" = each node is a set of its own.
  std::string group{};
  bool negated = false;
};

/// A PlacementRule of instance.fbs whose tags and groups are given by name.
struct NamedRuleData {
  std::string name{};
  std::vector<std::vector<NamedCardinalityData>> any_of{};
  bool hard = true;
  double weight = 1;
  /// As Origin.
  wire::Origin origin = wire::Origin::Application;
};

/// A change of a cluster. Its kind says which fields it uses.
struct OperationData {
  wire::OperationKind kind = wire::OperationKind::Submit;
  std::string app{};
  std::string node{};
  std::uint32_t replicas = 0;
  /// Demand of one replica in the resource's unit. Length: resources, or resources x periods with the periods of a resource
  /// side by side.
  std::vector<double> demand{};
  std::int32_t priority = 0;
  /// As in Apps, for this app. Length: resources, or absent.
  std::vector<double> variance{};
  std::vector<double> support_min{};
  std::vector<double> support_max{};
  /// Kind of the app, an index into Interference.kinds; only where the cluster has kinds.
  std::uint32_t app_kind = 4294967295U;
  /// Tags of the app's replicas, or of the node.
  std::vector<std::string> tags{};
  /// Affinity limits: beside a replica of the app, at most limit_at_most[k] replicas of limit_app[k] on the same node. The
  /// named app need not exist yet. The app's own name limits its replicas per node. 4294967295 = no limit.
  std::vector<std::string> limit_app{};
  std::vector<std::uint32_t> limit_at_most{};
  /// Name of the class; may be absent where the cluster has one class.
  std::string node_class{};
  /// Length as `demand`; absent = no load.
  std::vector<double> load{};
  std::vector<double> load_variance{};
  /// The node joins the set sets[k] of the group groups[k]. A set that does not exist is created.
  std::vector<std::string> groups{};
  std::vector<std::string> sets{};
  std::optional<NamedRuleData> rule{};
  /// As in Apps, for this app.
  double weight = 1;
  /// Tags that every node of the app carries, and tags that none does.
  std::vector<std::string> only{};
  std::vector<std::string> not_{};
  /// Load that goes with the node. Length as `demand`; absent = as its class says.
  std::vector<double> daemon{};
  /// The other app of a pair, and its traffic, as in Traffic of instance.fbs.
  std::string peer{};
  double amount = 0;
};

}  // namespace stowage::cli
