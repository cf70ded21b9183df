// Whether an app fits on any node at all.
#pragma once

#include "core/placement/residuals.h"

namespace stowage {

/// Whether an empty node of the class, listed or new, takes a replica of the app, and the app is eligible there. Rules and
/// other apps are not asked.
/// @param need of the app, by residuals.prepare()
template <class Unit>
[[nodiscard]] bool fits_empty(const Instance& instance, const Residuals<Unit>& residuals,
                              const typename Residuals<Unit>::Need& need, AppId app, ClassId node_class) {
  if (!instance.eligibility().reaches(app, node_class)) return false;
  if (residuals.copies_on_empty(need, node_class, 1) > 0) return true;
  // A listed node may carry less daemon load than new ones do.
  const InstanceData& data = instance.data();
  for (NodeId n = 0; n < instance.listed_nodes() && !data.daemon.empty(); ++n) {
    if (data.node_class[n] != node_class) continue;
    if (residuals.copies_beside(need, node_class, instance.scaled_standing(n, node_class), 1) > 0) return true;
  }
  return false;
}

}  // namespace stowage
