#include <algorithm>
#include <cmath>

#include "core/bounds/configuration/configuration_bound.h"

namespace stowage {
namespace {

// A number of nodes may be rounded down from a whole one.
constexpr double kNearlyWhole = 1e-6;

/// Takes replicas of an item's apps for one node.
void take(const Instance& instance, const std::vector<AppId>& apps, std::uint32_t replicas, std::vector<std::uint32_t>& left,
          std::vector<std::pair<AppId, std::uint32_t>>& held) {
  std::vector<AppId> order(apps);
  std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return left[a] > left[b]; });
  for (const AppId app : order) {
    const std::uint32_t taken = std::min({replicas, left[app], instance.limit_rows().self_limit(app)});
    if (taken == 0) break;
    held.emplace_back(app, taken);
    left[app] -= taken;
    replicas -= taken;
  }
}

}  // namespace

std::vector<FilledNode> whole_nodes(const Instance& instance, const ConfigurationBound& bound) {
  const InstanceData& data = instance.data();
  std::vector<std::uint32_t> left(data.replicas);
  for (const std::vector<Residence>* list : {&data.running, &data.pinned}) {
    for (const Residence& at : *list) left[at.app] -= std::min(left[at.app], at.replicas);
  }
  std::vector<std::uint32_t> free(instance.classes());
  for (ClassId c = 0; c < instance.classes(); ++c) free[c] = data.classes[c].count == 0 ? kNone : data.classes[c].count;
  for (const ClassId c : data.node_class) free[c] -= free[c] == kNone ? 0 : 1;
  std::vector<FilledNode> nodes;
  std::size_t turn = 0;  // of the classes
  for (const ConfigurationBound::Pattern& pattern : bound.patterns) {
    for (double k = 1; k <= pattern.nodes + kNearlyWhole; ++k) {
      ClassId chosen = kNone;
      for (std::size_t c = 0; c < pattern.classes.size() && chosen == kNone; ++c) {
        const ClassId next = pattern.classes[(turn + c) % pattern.classes.size()];
        if (free[next] > 0) chosen = next;
      }
      ++turn;
      if (chosen == kNone) break;
      FilledNode node{chosen, {}};
      for (const auto& [item, replicas] : pattern.held) take(instance, bound.items[item], replicas, left, node.held);
      if (node.held.empty()) break;
      free[chosen] -= free[chosen] == kNone ? 0 : 1;
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

}  // namespace stowage
