// What a question assumes of the input: nodes that fail, are drained or added, and other numbers of replicas.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "capi/k8s/model/cluster.h"

namespace stowage::k8s {

struct Change {
  std::map<std::string, std::int64_t> replicas;  ///< by namespace and name
  std::vector<std::string> zones, nodes;
  std::map<std::string, std::int64_t> add;  ///< by kind or instance type
  std::vector<std::string> texts;
};

/// What becomes of the pods of nodes that are taken away.
struct Evicted {
  std::map<std::string, std::string> pods;  ///< by namespace and name: their node
  std::vector<std::string> lost;            ///< that nothing makes again
};

/// Takes all pods but daemons off nodes.
Evicted evict(Objects& from, const std::set<View>& nodes);
/// Makes the changes; `down` receives the nodes that are gone.
Evicted apply(Objects& to, const Change& change, std::set<View>& down);
/// Puts pods on nodes, by namespace and name.
void place_pods(Objects& to, const std::map<std::string, std::string>& nodes);

}  // namespace stowage::k8s
