// Devices that all replicas need, on the nodes that have most of them.
//
// Proof sketch. In a complete plan whose devices suffice on every node, replicas take W whole devices, and their parts are
// packed into others, of which they need at least L2 (Martello and Toth 1990, section 8.3): bins are devices, whatever their
// nodes. Load is left out. The nodes in use have that many devices together, the mandatory ones included, and no k further
// nodes have more than the k that have most.

#include <algorithm>
#include <vector>

#include "core/base/watched.h"
#include "core/bounds/bounds.h"
#include "core/devices/device_headroom.h"
#include "core/devices/packing.h"
#include "core/model/resident_rows.h"

namespace stowage {
namespace {

/// Steps that a question about a node may take, for Supply::ends().
constexpr std::uint64_t kStepsToAsk = 4'096;

/// Whether the start needs more devices than some listed node has: a plan may keep that.
bool start_lacks_devices(const Instance& instance, const Supply& supply) {
  const ResidentRows start(instance.listed_nodes(), {&instance.data().running, &instance.data().pinned}, supply.watch());
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
    if (supply.ends(start.at(n).empty() ? 1 : kStepsToAsk)) return true;
    if (start.at(n).empty()) continue;
    if (devices_lacking(instance, {n, instance.data().node_class[n]}, start.at(n)) > 0) return true;
  }
  return false;
}

/// Devices that the replicas of all apps need, those left out that fit on no node.
std::uint64_t devices_needed(const Instance& instance, std::size_t k) {
  const DeviceTable& table = instance.devices();
  DevicePacking parts(table.size(k));
  std::uint64_t whole = 0;
  for (AppId app = 0; app < instance.apps(); ++app) {
    const DeviceDemand& demand = table.demand(app, k);
    whole += std::uint64_t{demand.whole} * instance.replicas(app);
    if (demand.part > 0 && demand.part <= table.size(k)) parts.add(demand.part, instance.replicas(app));
  }
  return whole + parts.least_needed();
}

}  // namespace

BoundValue device_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  if (start_lacks_devices(instance, supply)) return best;
  const DeviceTable& table = instance.devices();
  for (std::size_t k = 0; k < table.resources().size(); ++k) {
    const ResourceId r = table.resources()[k];
    // Rounded units could need a device too many.
    if (!instance.scale(r).exact()) continue;
    auto left = static_cast<std::int64_t>(devices_needed(instance, k));
    std::vector<const Supply::Group*> further;
    for (const Supply::Group& group : supply.groups) {
      if (supply.ends(1)) return best;
      if (group.mandatory) {
        left = left_after(left, table.devices(group.node_class, k), group.count);
      } else {
        further.push_back(&group);
      }
    }
    watched_sort(further, supply.watch(), [&](const auto* a, const auto* b) {
      return table.devices(a->node_class, k) > table.devices(b->node_class, k);
    });
    if (supply.watch().ended()) return best;
    std::uint64_t nodes = supply.mandatory;
    for (const Supply::Group* group : further) {
      const std::int64_t each = table.devices(group->node_class, k);
      if (left <= 0 || each == 0) break;
      nodes += std::min(static_cast<std::uint64_t>((left + each - 1) / each), group->count);
      left = left_after(left, each, group->count);
    }
    best.infeasible = best.infeasible || left > 0;
    if (static_cast<double>(nodes) > best.value) best = {static_cast<double>(nodes), r, 0, best.infeasible};
  }
  return best;
}

}  // namespace stowage
