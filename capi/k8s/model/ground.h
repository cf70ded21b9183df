// Whether labels, names, taints and ports of a node exclude a pod, as the scheduler's filters decide it.
#pragma once

#include <string>
#include <vector>

#include "capi/k8s/read/types.h"

namespace stowage::k8s {

inline constexpr View kHostname = "kubernetes.io/hostname";
inline constexpr View kZone = "topology.kubernetes.io/zone";
inline constexpr View kRegion = "topology.kubernetes.io/region";
inline constexpr View kInstanceType = "node.kubernetes.io/instance-type";

/// A port of the host that is used by what goes with its node.
struct UsedPort {
  Port port;
  std::string by;
  friend bool operator==(const UsedPort&, const UsedPort&) = default;
};

/// What a node is to pods before any of them is there; the name is "" for nodes to come.
struct Ground {
  View name;
  const Labels& labels;
  const std::vector<Taint>& taints;
  const std::vector<UsedPort>& ports;
};

/// Why a pod is excluded, whatever else is there.
struct Refusal {
  std::string its;      ///< completes "node x has room, but ..."
  std::string with;     ///< completes "3 nodes ..."
  std::string taint{};  ///< where a toleration would help
};

/// Volumes of a claim can be used on nodes that meet one of the terms. Without a term, nowhere.
struct Within {
  std::string claim;
  std::vector<NodeTerm> terms;
};

[[nodiscard]] bool tolerates(const PodSpec& spec, const Taint& taint);
/// Labels that are not there match NotIn and DoesNotExist.
[[nodiscard]] bool matches(const Requirement& one, const Labels& labels);
[[nodiscard]] bool selects(const Selector& selector, const Labels& labels);
/// Whether a node meets one of the terms; else, by which keys these fail.
[[nodiscard]] bool meets_one(const std::vector<NodeTerm>& terms, const Ground& at, std::vector<View>* keys = nullptr);

/// Whether the name, labels and taints of a node allow a pod: quicker than an empty list of refusals.
[[nodiscard]] bool allows(const PodSpec& spec, const Ground& at);
/// The same, and ports and volumes.
[[nodiscard]] bool allows(const PodSpec& spec, const std::vector<Within>& within, const Ground& at);
[[nodiscard]] std::vector<Refusal> refusals(const PodSpec& spec, const std::vector<Within>& within, const Ground& at);

/// Whether terms distinguish nodes by name.
[[nodiscard]] bool names_nodes(const std::vector<NodeTerm>& terms);

}  // namespace stowage::k8s
