// Which pods are alike, what their controllers want beside them, and what goes with nodes.
#pragma once

#include "capi/k8s/model/nodes.h"
#include "capi/k8s/pods/requests.h"

namespace stowage::k8s {

/// Adds apps.
void collect_workloads(Cluster& to, RequestReader& requests, const NodeFates& fates);
/// Adds daemons.
void collect_daemons(Cluster& to, RequestReader& requests);
/// Adds up what goes with each node, and with each new node of a kind.
void spread_daemons(Cluster& to);
/// Finds which pods may not be evicted now, and which budgets limit moves.
class Budgets {
 public:
  explicit Budgets(const Objects& from);
  /// Why a pod may not be evicted now; "" = it may.
  [[nodiscard]] std::string hold(const Pod& pod) const;
  /// Adds the budgets of apps, for what is said of moves.
  void collect(Cluster& to) const;

 private:
  [[nodiscard]] std::vector<int> of(View ns, const Labels& labels) const;
  const Objects& from_;
  std::unordered_map<View, std::vector<int>> by_namespace_;
  std::vector<std::int64_t> allowed_;
};

/// A text that is the same for specifications that decide alike where a pod may be and what it does to others; labels of `keys`
/// count, tolerations of `taints`.
std::string signature(const PodSpec& spec, const Labels& labels, const std::set<View>& keys, const std::vector<Taint>& taints);

}  // namespace stowage::k8s
