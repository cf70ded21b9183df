// The term of traffic between replicas that do not share a node (gained affinity: Wang et al., ICDE 2024, section 3).

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/plan/remote_traffic.h"
#include "core/terms/goal_terms.h"
#include "core/terms/term.h"

namespace stowage {
namespace {

/// All traffic, less what stays on each node.
class TrafficTerm : public Term {
 public:
  explicit TrafficTerm(const Instance& instance) : instance_(instance), all_(all_traffic(instance)), peers_(instance.apps()) {
    for (const Traffic& one : instance.data().traffic) {
      if (instance.replicas(one.app) > 0 && instance.replicas(one.peer) > 0) peers_[one.app].push_back({one.peer, one.amount});
    }
  }
  [[nodiscard]] double constant() const override { return all_; }
  [[nodiscard]] double at(const NodeView& node) const override {
    double stays = 0;
    for (const Tenant& tenant : node.tenants) {
      if (peers_[tenant.app].empty()) continue;
      const double share = static_cast<double>(tenant.replicas) / instance_.replicas(tenant.app);
      for (const Tenant& other : node.tenants) {
        for (const Peer& peer : peers_[tenant.app]) {
          if (peer.app != other.app) continue;
          stays += peer.amount * std::min(share, static_cast<double>(other.replicas) / instance_.replicas(other.app));
        }
      }
    }
    return -stays;
  }

 private:
  struct Peer {
    AppId app;
    double amount;
  };
  const Instance& instance_;
  double all_;
  std::vector<std::vector<Peer>> peers_;  // per app: of the pairs that name it first
};

}  // namespace

const GoalTerm kTrafficGoal = {
    .make = [](const Instance& instance, ResourceId) -> std::unique_ptr<Term> {
      return std::make_unique<TrafficTerm>(instance);
    },
    .objective = Objective::kTraffic,
    .refusal = [](const Instance& instance, const Request&) -> std::string {
      return instance.data().traffic.empty() ? "the instance has no traffic" : "";
    },
};

}  // namespace stowage
