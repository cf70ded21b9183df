// Who suffers most from side effects, from which kinds, and one move that would help.

#include <algorithm>
#include <limits>
#include <vector>

#include "core/explain/explain_parts.h"

namespace stowage {
namespace {

/// Loads and replicas of one node by kind.
class NodeLoads {
 public:
  NodeLoads(const OpenedPlan& opened, NodeId node)
      : instance_(&opened.instance()), load_(instance_->kinds(), 0), replicas_(instance_->kinds(), 0) {
    for (const OpenedPlan::Tenant& tenant : opened.tenants(node)) change(tenant.app, tenant.replicas);
  }
  /// Adds replicas of the app, or takes them away.
  void change(AppId app, std::int64_t replicas) {
    load_[instance_->kind(app)] += static_cast<double>(replicas) * instance_->interfering_load(app);
    replicas_[instance_->kind(app)] += replicas;
  }
  [[nodiscard]] double part(std::uint32_t kind, std::uint32_t from) const {
    return replicas_[from] > 0 ? instance_->coefficient(kind, from) * load_[from] : 0;
  }
  [[nodiscard]] double cost(std::uint32_t kind) const {
    double sum = 0;
    for (std::uint32_t u = 0; u < instance_->kinds(); ++u) sum += part(kind, u);
    return sum;
  }
  /// The cost of the kind that suffers most; kNone where the node is empty.
  [[nodiscard]] double worst(std::uint32_t& kind) const {
    double most = 0;
    kind = kNone;
    for (std::uint32_t t = 0; t < instance_->kinds(); ++t) {
      if (replicas_[t] <= 0) continue;
      const double own = cost(t);
      if (kind != kNone && own <= most) continue;
      most = own;
      kind = t;
    }
    return most;
  }

 private:
  const Instance* instance_;
  std::vector<double> load_;
  std::vector<std::int64_t> replicas_;
};

/// The apps that are pinned to a listed node, in ascending order.
std::vector<AppId> pinned_to(const InstanceData& data, NodeId listed) {
  std::vector<AppId> apps;
  for (const Residence& pin : data.pinned) {
    if (pin.node == listed) apps.push_back(pin.app);
  }
  std::sort(apps.begin(), apps.end());
  return apps;
}

/// Apps and nodes that are looked at for a move.
constexpr std::size_t kMostMovable = 16;
constexpr NodeId kMostTargets = 4096;

// The move of one replica from the node that makes the worse of the two nodes it changes suffer least. Not sought to the end
// where the watch ends it.
void find_move(const OpenedPlan& opened, WorstOff& suffering) {
  const Instance& instance = opened.instance();
  const std::vector<AppId> pinned = pinned_to(instance.data(), opened.plan().nodes[suffering.node].listed);
  std::vector<OpenedPlan::Tenant> movable;
  for (const OpenedPlan::Tenant& tenant : opened.tenants(suffering.node)) {
    if (!std::binary_search(pinned.begin(), pinned.end(), tenant.app)) movable.push_back(tenant);
  }
  const auto contribution = [&](const OpenedPlan::Tenant& tenant) {
    return instance.coefficient(instance.kind(suffering.app), instance.kind(tenant.app)) *
           instance.interfering_load(tenant.app);
  };
  std::stable_sort(movable.begin(), movable.end(),
                   [&](const auto& a, const auto& b) { return contribution(a) > contribution(b); });
  if (movable.size() > kMostMovable) movable.resize(kMostMovable);
  double least = suffering.cost;
  std::uint32_t kind = kNone;
  std::vector<double> used;
  for (const OpenedPlan::Tenant& tenant : movable) {
    NodeLoads left(opened, suffering.node);
    left.change(tenant.app, -1);
    const double after = left.worst(kind);
    for (NodeId node = 0; node < std::min(opened.nodes(), kMostTargets) && after < least; ++node) {
      if (node == suffering.node) continue;
      // A node has a cost for each kind that is on it, which adds up those of all kinds.
      const std::uint64_t tenants = 1 + opened.tenants(node).size();
      const std::uint64_t kinds = instance.kinds() * (1 + std::min<std::uint64_t>(instance.kinds(), tenants));
      if (opened.watch().step(kinds + instance.dims() * tenants + opened.steps_to_ask(tenant.app))) return;
      NodeLoads target(opened, node);
      target.change(tenant.app, 1);
      const double there = target.worst(kind);
      if (std::max(after, there) >= least) continue;
      opened.use(node, used);
      if (!takes_one(opened, tenant.app, node, used)) continue;
      least = std::max(after, there);
      suffering.moving = tenant.app;
      suffering.to = node;
      suffering.cost_after = after;
      suffering.cost_there = there;
    }
  }
}

}  // namespace

std::optional<WorstOff> find_suffering(const OpenedPlan& opened, Run& run) {
  const Instance& instance = opened.instance();
  if (!instance.has_interference()) return std::nullopt;
  WorstOff worst;
  std::uint32_t suffering_kind = kNone;
  for (NodeId node = 0; node < opened.nodes(); ++node) {
    if (run.clock.step(1)) return std::nullopt;
    std::uint32_t kind = kNone;
    const double cost = NodeLoads(opened, node).worst(kind);
    if (kind == kNone || (worst.node != kNone && cost <= worst.cost)) continue;
    worst.node = node;
    worst.cost = cost;
    suffering_kind = kind;
  }
  if (worst.node == kNone) return std::nullopt;
  for (const OpenedPlan::Tenant& tenant : opened.tenants(worst.node)) {
    if (instance.kind(tenant.app) != suffering_kind) continue;
    worst.app = tenant.app;
    break;
  }
  const NodeLoads loads(opened, worst.node);
  for (std::uint32_t u = 0; u < instance.kinds(); ++u) worst.from_kind.push_back(loads.part(suffering_kind, u));
  find_move(opened, worst);
  if (opened.watch().ended()) return std::nullopt;
  return worst;
}

}  // namespace stowage
