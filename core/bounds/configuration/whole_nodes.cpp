#include <algorithm>
#include <cmath>

#include "core/bounds/configuration/configuration_bound.h"

namespace stowage {
namespace {

// A number of nodes may be rounded down from a whole one.
constexpr double kNearlyWhole = 1e-6;

/// The apps of an item, those with most replicas left first, of equals in the order of the item.
class ItemApps {
 public:
  ItemApps(const std::vector<AppId>& apps, const std::vector<std::uint32_t>& left) {
    for (std::uint32_t k = 0; k < apps.size(); ++k) heap_.push_back({left[apps[k]], k, apps[k]});
    std::make_heap(heap_.begin(), heap_.end(), comes_later);
  }
  /// Takes replicas for one node. O(apps that it takes x log apps).
  void take(const Instance& instance, std::uint32_t replicas, std::vector<std::pair<AppId, std::uint32_t>>& held) {
    std::size_t waiting = heap_.size();
    while (waiting > 0) {
      const Entry& first = heap_.front();
      const std::uint32_t taken = std::min({replicas, first.left, instance.limit_rows().self_limit(first.app)});
      if (taken == 0) break;
      held.emplace_back(first.app, taken);
      replicas -= taken;
      std::pop_heap(heap_.begin(), heap_.begin() + static_cast<std::ptrdiff_t>(waiting), comes_later);
      heap_[--waiting].left -= taken;
    }
    // An app counts once per node.
    for (; waiting < heap_.size(); ++waiting) {
      std::push_heap(heap_.begin(), heap_.begin() + static_cast<std::ptrdiff_t>(waiting) + 1, comes_later);
    }
  }

 private:
  struct Entry {
    std::uint32_t left;
    std::uint32_t place;  // in the item's list
    AppId app;
  };
  static bool comes_later(const Entry& a, const Entry& b) { return a.left != b.left ? a.left < b.left : a.place > b.place; }
  std::vector<Entry> heap_;
};

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
  std::vector<ItemApps> apps_of;
  apps_of.reserve(bound.items.size());
  for (const std::vector<AppId>& apps : bound.items) apps_of.emplace_back(apps, left);
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
      for (const auto& [item, replicas] : pattern.held) apps_of[item].take(instance, replicas, node.held);
      if (node.held.empty()) break;
      free[chosen] -= free[chosen] == kNone ? 0 : 1;
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

}  // namespace stowage
