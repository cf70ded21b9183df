// Martello and Toth's bound L2 for bin packing (Knapsack Problems, Wiley 1990, section 8.3), per resource and period.
//
// Proof sketch. Fix a dimension, let C be the most that any node carries, and let a <= C / 2 be a threshold. No two items above
// C / 2 share a node, so each of these large items needs its own. A large item above C - a (first kind) shares its node with no
// item of size a or more. The other large items (second kind) leave C - size free for items from a to C / 2, the middle ones.
// The middle items need further nodes for what exceeds this free space. Each threshold is a dual feasible function; the best
// one counts. Treating every node as the largest keeps the bound valid.

#include <algorithm>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {
namespace {

struct Item {
  std::int64_t size;
  std::uint64_t count;
};

// `items` by descending size, each at most `capacity`.
std::int64_t best_threshold(const std::vector<Item>& items, std::int64_t capacity) {
  // As the threshold goes down, items of size >= a and <= C / 2 join the middle ones, and large items of size <= C - a change
  // from the first kind to the second. The number of large items stays the same.
  std::int64_t large = 0;
  for (const Item& item : items) {
    if (2 * item.size > capacity) large += static_cast<std::int64_t>(item.count);
  }
  std::int64_t best = large;
  std::int64_t middle = 0;
  std::int64_t second_count = 0;
  std::int64_t second_size = 0;
  std::size_t next_large = 0;
  while (next_large < items.size() && 2 * items[next_large].size > capacity) ++next_large;
  std::size_t next_middle = next_large;
  std::size_t first_kind_end = next_large;  // the items before it are of the first kind
  for (; next_middle < items.size(); ++next_middle) {
    const std::int64_t threshold = items[next_middle].size;
    if (threshold == 0) break;
    middle += threshold * static_cast<std::int64_t>(items[next_middle].count);
    while (first_kind_end > 0 && items[first_kind_end - 1].size <= capacity - threshold) {
      --first_kind_end;
      second_count += static_cast<std::int64_t>(items[first_kind_end].count);
      second_size += items[first_kind_end].size * static_cast<std::int64_t>(items[first_kind_end].count);
    }
    const std::int64_t excess = middle - (second_count * capacity - second_size);
    if (excess > 0) best = std::max(best, large + (excess + capacity - 1) / capacity);
  }
  return best;
}

}  // namespace

BoundValue dual_feasible_bound(const Instance& instance, const Supply& supply) {
  const std::uint32_t dims = instance.dims();
  std::vector<std::int64_t> capacity(dims);
  for (std::uint32_t h = 0; h < dims; ++h) capacity[h] = supply.largest(h);

  // Sorting the items is the costly part. One pass over the apps finds the dimensions that could improve the bound if no item
  // fitted beside large ones; most could not.
  std::vector<std::int64_t> large(dims, 0);
  std::vector<std::int64_t> small(dims, 0);
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  supply.visit_demand([&](const auto& demand_of) {
    for (AppId i = 0; i < instance.apps(); ++i) {
      const auto demand = demand_of(i);
      const std::int64_t replicas = instance.replicas(i);
      for (std::uint32_t h = 0; h < dims; ++h) {
        const std::int64_t size = demand[h];
        const bool is_large = 2 * size > capacity[h];
        large[h] += is_large && size <= capacity[h] ? replicas : 0;
        small[h] += is_large ? 0 : size * replicas;
      }
    }
    std::vector<Item> items;
    for (std::uint32_t h = 0; h < dims; ++h) {
      if (capacity[h] == 0) continue;
      const std::int64_t most = large[h] + (small[h] + capacity[h] - 1) / capacity[h];
      if (static_cast<double>(most) <= best.value || supply.ends(kStepsToSort * instance.apps())) continue;
      items.clear();
      for (AppId i = 0; i < instance.apps(); ++i) {
        const std::int64_t size = demand_of(i)[h];
        if (size > 0 && size <= capacity[h] && instance.replicas(i) > 0) items.push_back({size, instance.replicas(i)});
      }
      std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.size > b.size; });
      const auto value = static_cast<double>(best_threshold(items, capacity[h]));
      if (value > best.value) best = {value, instance.resource_of(h), instance.period_of(h), false};
    }
  });
  return best;
}

}  // namespace stowage
