// P0, Eq. 4, generalized to several node classes, listed nodes and mandatory nodes.
//
// Proof sketch. Fix a dimension. Any complete plan carries the total demand W on the nodes that it uses, the mandatory ones
// included. Any k further nodes carry at most what the k largest further nodes carry. So a plan needs at least k further nodes,
// for the smallest k with which the mandatory and the k largest further nodes carry W. With one endless class of capacity C,
// this is ceil(W / C). All arithmetic is exact.

#include <algorithm>
#include <vector>

#include "core/bounds/bounds.h"

namespace stowage {

BoundValue capacity_bound(const Instance& instance, const Supply& supply) {
  BoundValue best;
  best.value = static_cast<double>(supply.mandatory);
  std::vector<const Supply::Group*> order;
  for (const Supply::Group& group : supply.groups) {
    if (!group.mandatory) order.push_back(&group);
  }
  for (std::uint32_t h = 0; h < instance.dims() && !supply.ends(kStepsToSort * order.size()); ++h) {
    const Carriers further = fewest_carriers(order, h, supply.left_by_mandatory(h), supply.watch());
    const std::uint64_t nodes = supply.mandatory + further.nodes;
    const bool infeasible = further.left > 0;
    if (static_cast<double>(nodes) > best.value || best.resource == kNone || (infeasible && !best.infeasible)) {
      best = {std::max(best.value, static_cast<double>(nodes)), instance.resource_of(h), instance.period_of(h),
              best.infeasible || infeasible};
    }
  }
  return best;
}

}  // namespace stowage
