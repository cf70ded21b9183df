// What a pod asks for: amounts, where its volumes are, and its specification with what admission adds.
#pragma once

#include <unordered_map>

#include "capi/k8s/model/cluster.h"

namespace stowage::k8s {

struct Asked {
  std::shared_ptr<const PodSpec> spec;
  Amounts requests;
  std::vector<Within> within;
  std::vector<std::string> one_pod_claims;
  std::vector<std::string> local_data;
  std::string too_large;
};

/// What a controller's template says of pods that do not exist yet.
struct Template {
  View ns;
  const Labels& labels;
  const Labels& annotations;
  std::shared_ptr<const PodSpec> spec;
  const std::vector<Controller::ClaimTemplate>* claims = nullptr;  ///< of a stateful set
  std::string pod{};                                               ///< the name of a stateful set's pod
};

class RequestReader {
 public:
  explicit RequestReader(Cluster& to);

  /// `name` is that of the workload, for what is said. `claims` are those of its stateful set.
  Asked of_pod(const Pod& pod, const std::string& name, const std::vector<Controller::ClaimTemplate>* claims = nullptr);
  Asked of_template(const Template& from, const std::string& name);
  /// How many pods have claims of which it is not known how many a node takes.
  [[nodiscard]] int unlimited() const { return static_cast<int>(unlimited_.size()); }

 private:
  void add_class(const PodSpec& spec, Asked& to, const std::string& name);
  void add_claim(View ns, const std::string& claim, Asked& to, const std::string& name);
  void add_unbound(const Claim& claim, Asked& to, const std::string& name);
  void add_storage_class(const std::string& claim, const StorageClass& its, Asked& to);
  void add_volume(View driver, Asked& to, const std::string& name);
  void add_volumes(View ns, View pod, Asked& to, const std::string& name);
  void add_devices(View ns, const PodSpec& spec, Asked& to, const std::string& name);
  [[nodiscard]] const StorageClass* storage_class(const std::optional<View>& name) const;

  Cluster& to_;
  std::unordered_map<std::string, const Claim*> claims_;
  std::unordered_map<std::string, const DeviceClaim*> device_claims_;
  std::unordered_map<View, const Volume*> volumes_;
  std::unordered_map<View, std::vector<const LimitRange*>> limit_ranges_;
  std::unordered_map<View, bool> limited_drivers_;
  std::set<std::string> unlimited_;
};

/// The larger of the sum over containers and sidecars, and of the need of each init container at its time. What a container was
/// given counts where it is more; `defaults` where it asks for nothing.
Amounts container_requests(const PodSpec& spec, const std::vector<std::pair<View, Amounts>>& given, const Amounts* defaults);

/// The resource that counts volumes of a driver on a node, or devices of a class.
std::string volumes_resource(View driver);
std::string devices_resource(View device_class);

/// Adds what volumes and claimed devices each node takes to its capacity.
void add_node_limits(Cluster& to);

/// Gives shares of GPUs up where nodes say different things of them.
void check_devices(Cluster& to);
/// What a pod's shares of GPUs mean beyond an amount.
void take_devices(Cluster& to, const Labels& labels, const Labels& annotations, Asked& asked, const std::string& name);

}  // namespace stowage::k8s
