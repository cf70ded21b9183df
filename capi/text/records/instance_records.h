// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instance_generated.h"

namespace stowage::cli {

/// A named dimension. All values of a resource are in its unit; only people read the unit's name.
struct ResourceData {
  std::string name{};
  std::string unit{};
  /// The amount of one device, such as one GPU, in the resource's unit; 0: the resource is divisible at will. A replica takes a
  /// part of one device, or whole ones: its demand is at most this, or a whole multiple of it. Every capacity is a whole multiple.
  double device = 0;
};

/// The applications with identical replicas, one column per property. The number of apps is the length of `replicas`.
struct AppsData {
  /// Unique names. Length: apps; where absent, apps are known by their index alone.
  std::vector<std::string> names{};
  /// Replicas wanted in total, running ones included. Length: apps.
  std::vector<std::uint32_t> replicas{};
  /// Demand of one replica in the resource's unit; the mean where `variance` is given. Length: apps x resources (the same in
  /// every period) or apps x resources x periods, row-major in that order.
  std::vector<double> demand{};
  /// Where not all replicas fit, apps of higher priority are placed first. May be negative. Length: apps; absent = all 0.
  std::vector<std::int32_t> priority{};
  /// Variance of one replica's demand in every period, in the square of the resource's unit. Replicas vary independently.
  /// Length: apps x resources; 0 = known exactly.
  std::vector<double> variance{};
  /// Smallest and largest possible demand of one replica, for ChanceModel.BoundedSupport. Length: apps x resources.
  std::vector<double> support_min{};
  std::vector<double> support_max{};
  /// Kind of each app in the side-effects model, an index into `Interference.kinds`. Length: apps.
  std::vector<std::uint32_t> kind{};
  /// Tags carried by every replica of an app: app i carries tag_index[tag_begin[i] .. tag_begin[i + 1]), indices into
  /// `Instance.tags`. Length of tag_begin: apps + 1.
  std::vector<std::uint32_t> tag_begin{};
  std::vector<std::uint32_t> tag_index{};
  /// What one replica counts where not all of the same priority fit: the sum over those left over is made small. Above 0.
  /// Length: apps; absent = all 1.
  std::vector<double> weight{};
  /// Eligibility: every node of app i carries all tags only_index[only_begin[i] .. only_begin[i + 1]) and none of
  /// not_index[not_begin[i] .. not_begin[i + 1]), as labels of its class or tags of its own; indices into `Instance.tags`.
  /// Layout as tag_begin and tag_index.
  std::vector<std::uint32_t> only_begin{};
  std::vector<std::uint32_t> only_index{};
  std::vector<std::uint32_t> not_begin{};
  std::vector<std::uint32_t> not_index{};
};

/// Nodes that share capacity, price and labels.
struct NodeClassData {
  std::string name{};
  /// Capacity per resource. Length: resources.
  std::vector<double> capacity{};
  /// Number of nodes of this class, listed ones included; 0 = as many as needed.
  std::uint32_t count = 0;
  /// Cost of one node in use, in any currency; negative = not given. Either all classes have a price or none has.
  double price = -1;
  /// Static labels as "key=value" (or a bare word). A label is also a static tag of every node of the class.
  std::vector<std::string> labels{};
  /// Load that goes with each node of the class, in the resource's unit: it takes capacity and does not keep the node in use.
  /// At most the capacity. Length: resources, or resources x periods.
  std::vector<double> daemon{};
};

/// The listed nodes: those that run something, that apps are pinned to, or that belong to node sets. All other nodes are
/// anonymous members of their class. The number of listed nodes is the length of `node_class`.
struct NodesData {
  /// Class of each listed node, an index into `Instance.classes`. Length: listed nodes.
  std::vector<std::uint32_t> node_class{};
  /// Unique names. Length: listed nodes.
  std::vector<std::string> names{};
  /// Load of each node that belongs to no app of the instance and that no plan changes, in the resource's unit. Length: listed
  /// nodes x resources, or listed nodes x resources x periods, row-major.
  std::vector<double> load{};
  /// Variance of that load, in the square of the resource's unit; with ChanceModel.BoundedSupport, the square of the width of
  /// its support. Length: listed nodes x resources; 0 where there is no load.
  std::vector<double> load_variance{};
  /// 1 = the node accepts no new replicas (cordoned), 0 = it does. Length: listed nodes.
  std::vector<std::uint8_t> closed{};
  /// Static tags of single nodes, in addition to the labels of their class. Layout as Apps.tag_begin and Apps.tag_index.
  std::vector<std::uint32_t> tag_begin{};
  std::vector<std::uint32_t> tag_index{};
  /// Load that goes with each node, in place of `daemon` of its class. Length as `load`; absent = as the classes say.
  std::vector<double> daemon{};
};

/// Affinity limits (P0, section 3.1): beside at least one replica of app i, at most a replicas of app j on the same node.
/// (i, i, a) limits app i to a replicas per node. Compressed rows: the limits that app i imposes are
/// (app[k], at_most[k]) for k in row_begin[i] .. row_begin[i + 1]; any order within a row, no app twice.
struct AffinityLimitsData {
  /// Length: apps + 1, first 0, never decreasing, last = length of `app`.
  std::vector<std::uint32_t> row_begin{};
  std::vector<std::uint32_t> app{};
  /// Length: as `app`.
  std::vector<std::uint32_t> at_most{};
};

/// A family of node sets (P2, section 4.1), such as "rack" or "zone". Sets may overlap. The group "node" is predefined: each
/// node is a set of its own.
struct NodeGroupData {
  std::string name{};
  /// Sets of listed nodes: set s holds the nodes node[set_begin[s] .. set_begin[s + 1]). Length of set_begin: sets + 1.
  std::vector<std::uint32_t> set_begin{};
  std::vector<std::uint32_t> node{};
  std::vector<std::string> set_names{};
  /// Instead of listed sets, the key of a label: nodes with the same value in "by_label=value" form a set, anonymous nodes
  /// included.
  std::string by_label{};
};

/// One placement constraint {subject, {target, min, max}, group} (P2, section 4.2).
struct CardinalityData {
  wire::CardinalityKind kind = wire::CardinalityKind::Replicas;
  /// The subjects are the replicas that carry all these tags; indices into `Instance.tags`.
  std::vector<std::uint32_t> subject{};
  /// The replicas counted are those that carry all these tags; indices into `Instance.tags`.
  std::vector<std::uint32_t> target{};
  std::uint32_t min = 0;
  std::uint32_t max = 4294967295U;
  /// Index into `Instance.groups`, or 4294967295 for the predefined group "node".
  std::uint32_t group = 4294967295U;
  /// True: the constraint holds exactly where the condition does not.
  bool negated = false;
};

/// A rule in disjunctive normal form (P2, section 4.2): it holds where at least one conjunction holds.
struct PlacementRuleData {
  std::string name{};
  std::vector<std::vector<CardinalityData>> any_of{};
  /// True: no plan may violate the rule. False: each violation costs `weight`.
  bool hard = true;
  double weight = 1;
  wire::Origin origin = wire::Origin::Application;
};

/// The chance constraint: how `Apps.variance` or the supports enter the capacity constraint.
struct UncertaintyData {
  wire::ChanceModel model = wire::ChanceModel::Gaussian;
  /// Probability that a node's demand stays within its capacity, in (0, 1); with ChanceModel.Gaussian at least 0.5.
  double confidence = 0.99;
  double factor = 0;
};

/// The side-effects model of colocation (P4): a replica of kind t costs the sum over all kinds u of
/// coefficient[t][u] x the load of kind u on its node, its own load included.
struct InterferenceData {
  std::vector<std::string> kinds{};
  /// Length: kinds x kinds, row-major.
  std::vector<double> coefficient{};
  /// Index of the resource that is the load: of an app, its largest demand over time.
  std::uint32_t resource = 0;
  /// The most that a replica of each kind may cost, its own load included; infinity = no limit. Length: kinds; absent = no
  /// limits.
  std::vector<double> max_cost{};
};

/// Everything known before planning.
struct InstanceData {
  std::string name{};
  std::vector<ResourceData> resources{};
  /// Number of periods in the demand profiles; 1 = constant demand.
  std::uint32_t periods = 1;
  AppsData apps{};
  std::vector<NodeClassData> classes{};
  NodesData nodes{};
  AffinityLimitsData limits{};
  /// Replicas that already run. They count in `Apps.replicas` and stay where they are unless the request allows moves.
  std::vector<wire::Residence> running{};
  /// Replicas that must be on a node in every plan. A running replica there satisfies a pin.
  std::vector<wire::Residence> pinned{};
  std::vector<std::string> tags{};
  std::vector<NodeGroupData> groups{};
  std::vector<PlacementRuleData> rules{};
  std::optional<UncertaintyData> uncertainty{};
  std::optional<InterferenceData> interference{};
  /// Traffic between apps: what the objective `Traffic` keeps on nodes. It constrains nothing.
  std::vector<wire::Traffic> traffic{};
};

}  // namespace stowage::cli
