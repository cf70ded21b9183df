// Objects of Kubernetes: of each, what decides where pods run and what it costs. Texts are views of the input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/k8s/read/amounts.h"

namespace stowage::k8s {

using View = std::string_view;

/// Sorted by key.
class Labels {
 public:
  void add(View key, View value);
  [[nodiscard]] bool has(View key) const { return find(key) != nullptr; }
  /// "" where there is none.
  [[nodiscard]] View get(View key) const {
    const View* found = find(key);
    return found == nullptr ? View() : *found;
  }
  /// nullptr where there is none.
  [[nodiscard]] const View* find(View key) const;
  void erase(View key);
  [[nodiscard]] auto begin() const { return list_.begin(); }
  [[nodiscard]] auto end() const { return list_.end(); }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  friend bool operator==(const Labels&, const Labels&) = default;

 private:
  std::vector<std::pair<View, View>> list_;
};

enum class Operator : std::uint8_t { kIn, kNotIn, kExists, kAbsent, kAbove, kBelow };

struct Requirement {
  View key;
  Operator is = Operator::kIn;
  std::vector<View> values;
  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// Labels that something selects. One that is not given selects nothing, an empty one everything.
struct Selector {
  bool given = false;
  std::vector<Requirement> all;
  friend bool operator==(const Selector&, const Selector&) = default;
};

struct NodeTerm {
  std::vector<Requirement> expressions, fields;
  std::int64_t weight = 0;  ///< of a preference
  friend bool operator==(const NodeTerm&, const NodeTerm&) = default;
};

/// Pods that a pod is to be near, or apart from.
struct PodTerm {
  View topology_key;
  Selector pods;
  Selector namespaces_by_label;
  std::vector<View> namespaces;
  std::vector<View> match_keys, mismatch_keys;
  std::int64_t weight = 0;  ///< of a preference
  friend bool operator==(const PodTerm&, const PodTerm&) = default;
};

struct Spread {
  View topology_key;
  std::int64_t max_skew = 1;
  std::int64_t min_domains = 0;  ///< 0 = not given
  bool soft = false;
  bool honors_affinity = true, honors_taints = false;
  Selector pods;
  std::vector<View> match_keys;
  friend bool operator==(const Spread&, const Spread&) = default;
};

enum class Effect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  View key, value;
  Effect effect = Effect::kNoSchedule;
  [[nodiscard]] std::string text() const;
  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  View key, value;
  bool any_value = false;
  std::optional<Effect> effect;
  bool for_a_time = false;  ///< of NoExecute: the pod goes later
  [[nodiscard]] bool tolerates(const Taint& taint) const;
};

struct Port {
  std::int64_t number = 0;
  View address, protocol;
  /// Whether two pods cannot have them on one node.
  [[nodiscard]] bool clashes(const Port& other) const;
  friend bool operator==(const Port&, const Port&) = default;
};

struct Container {
  View name;
  Amounts requests, limits;
  bool initial = false, sidecar = false;
};

/// A volume of a pod, as far as it decides something.
struct VolumeUse {
  View name;
  View claim;                  ///< of a PersistentVolumeClaim
  bool made_with_pod = false;  ///< an ephemeral volume, of this class
  View storage_class;
  View driver;  ///< of a volume within the pod's spec
  bool empty_dir = false, in_memory = false;
  View host_path;
};

/// A claim on devices.
struct DeviceUse {
  View name, claim, claim_template;
};

struct PodSpec {
  std::vector<Container> containers;
  Amounts pod_requests, pod_limits;  ///< of the pod as a whole
  Amounts overhead;
  bool has_overhead = false;
  std::vector<Port> ports;
  Labels node_selector;
  bool has_node_terms = false;
  std::vector<NodeTerm> node_terms, preferred_node_terms;
  std::vector<PodTerm> near, apart, preferred_near, preferred_apart;
  std::vector<Spread> spreads;
  std::vector<Toleration> tolerations;
  View node, scheduler, priority_class, runtime_class;
  std::optional<std::int64_t> priority;
  bool never_preempts = false;
  bool gated = false;
  std::vector<VolumeUse> volumes;
  std::vector<DeviceUse> devices;
};

struct Meta {
  View ns, name;
  Labels labels, annotations;
  View owner_kind, owner;  ///< the controller
  bool going = false;      ///< is being deleted
  std::int64_t made = 0;   ///< in seconds since 1970; 0 = not known
  [[nodiscard]] std::string path() const { return std::string(ns) + "/" + std::string(name); }
};

struct Pod : Meta {
  std::shared_ptr<const PodSpec> spec;
  View node;  ///< "" = waits
  View nominated;
  bool ended = false, ready = true;
  /// What containers were given, or use: by the name of the container.
  std::vector<std::pair<View, Amounts>> given;
};

struct Node : Meta {
  bool cordoned = false;
  bool has_status = true;
  std::vector<Taint> taints;
  Amounts allocatable;
};

/// What makes pods: a deployment, a set, a job or a rollout.
struct Controller : Meta {
  View kind;  ///< "deployment"
  Labels template_labels, template_annotations;
  std::shared_ptr<const PodSpec> spec;  ///< of the template; nullptr = it is another object's
  std::optional<std::int64_t> replicas;
  View template_of;  ///< a rollout: the deployment that has the template
  struct ClaimTemplate {
    View name, storage_class;
  };
  std::vector<ClaimTemplate> claims;  ///< a stateful set
  std::int64_t first = 0;
  bool ended = false, suspended = false;  ///< a job
  std::optional<std::int64_t> completions;
  std::int64_t succeeded = 0;
};

struct Budget : Meta {
  Selector pods;
  View min_available, max_unavailable;  ///< numbers or shares; "" = not given
  bool always_unready = false;          ///< pods that are not ready may always go
  bool observed = false;
  std::int64_t allowed = 0, healthy = 0, desired = 0;
};

struct Claim : Meta {
  View volume;
  std::optional<View> storage_class;
  bool one_pod = false;
  std::int64_t size = 0;
};

struct Volume : Meta {
  View driver, storage_class, claim_ns, claim;
  bool available = false;
  std::int64_t size = 0;
  std::vector<std::vector<NodeTerm>> within;  ///< one term of each holds
};

struct StorageClass : Meta {
  View provisioner;
  bool waits = false;  ///< for the first pod
  bool standard = false;
  std::vector<NodeTerm> within;
};

struct PriorityClass : Meta {
  std::int64_t value = 0;
  bool standard = false, never_preempts = false;
};

struct RuntimeClass : Meta {
  Amounts overhead;
  Labels node_selector;
  std::vector<Toleration> tolerations;
};

/// The most volumes of each driver on a node.
struct VolumeLimits : Meta {
  std::vector<std::pair<View, std::optional<std::int64_t>>> drivers;
};

struct LimitRange : Meta {
  Amounts requests, limits;  ///< of containers that ask for none
};

struct PodGroup : Meta {
  std::int64_t least = 0;
};

struct Autoscaler : Meta {
  View target_kind, target;
  std::int64_t least = 1, most = 0;
};

struct NodePool : Meta {
  Amounts limits, used;
  std::vector<Taint> startup_taints;
};

struct DeviceClass : Meta {
  View driver;        ///< "" = any
  bool exact = true;  ///< false: expressions that are not read narrow it
};

struct DeviceSlice : Meta {
  View driver, node;
  std::int64_t devices = 0;
};

struct DeviceRequest {
  View device_class;
  std::int64_t count = 1;
  bool exact = true;  ///< false: more is asked for than is read here
};
/// A ResourceClaim or its template.
struct DeviceClaim : Meta {
  bool is_template = false;
  std::vector<DeviceRequest> requests;
};

}  // namespace stowage::k8s
