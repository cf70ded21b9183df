// Operations on a live cluster. session.fbs documents the fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/data/instance_data.h"
#include "core/model/data/types.h"

namespace stowage {

/// Mirrors OperationKind of session.fbs, number by number.
enum class OperationKind : std::uint8_t {
  kSubmit,
  kScale,
  kRemove,
  kPin,
  kAddNode,
  kRemoveNode,
  kCordon,
  kUncordon,
  kDrain,
  kFail,
  kLoad,
  kAddRule,
  kRemoveRule,
  kTraffic,
};
inline constexpr std::uint8_t kLastOperationKind = static_cast<std::uint8_t>(OperationKind::kTraffic);

/// A Cardinality with tags and group by name. The group "" or "node" stands for single nodes.
struct NamedCardinality {
  CardinalityKind kind = CardinalityKind::kReplicas;
  std::vector<std::string> subject;
  std::vector<std::string> target;
  std::uint32_t min = 0;
  std::uint32_t max = kNone;
  std::string group;
  bool negated = false;
};

struct NamedRule {
  std::string name;
  std::vector<std::vector<NamedCardinality>> any_of;
  bool hard = true;
  double weight = 1;
  bool from_operator = false;
};

struct Operation : AppNumbers {
  OperationKind kind = OperationKind::kSubmit;
  std::string app;
  std::string node;
  std::uint32_t replicas = 0;
  std::vector<double> demand;       ///< per resource, or resources x periods
  std::vector<double> variance;     ///< per resource, or empty
  std::vector<double> support_min;  ///< per resource, or empty
  std::vector<double> support_max;
  std::uint32_t app_kind = kNone;
  std::vector<std::string> tags;  ///< of the app or the node
  std::vector<std::string> limit_app;
  std::vector<std::uint32_t> limit_at_most;
  std::string node_class;
  std::vector<double> load;           ///< per resource, or resources x periods; empty: none
  std::vector<double> load_variance;  ///< per resource, or empty
  std::vector<std::string> groups;    ///< node sets that a new node joins: groups[k] is the group of sets[k]
  std::vector<std::string> sets;
  NamedRule rule;
  std::vector<std::string> only;     ///< tags that a node of the app has to carry
  std::vector<std::string> refused;  ///< tags that a node of the app may not carry
  std::vector<double> daemon;        ///< of the node: per resource, or resources x periods; empty: its class's
  std::string peer;                  ///< app that exchanges traffic with the app
  double amount = 0;                 ///< of traffic
};

}  // namespace stowage
