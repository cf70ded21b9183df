// The nodes and kinds of nodes that a test accepts.
#pragma once

#include "capi/k8s/instance/model.h"
#include "capi/k8s/read/ranges.h"

namespace stowage::k8s {

template <class Accepts>
Place Model::placed(const PodSpec& spec, bool single, bool conditions, Accepts&& accepts) const {
  Place made;
  for (const NodeKind& kind : cluster.kinds) made.kinds.push_back(accepts(kind.ground()) ? 1 : 0);
  for (const PresentNode& node : cluster.nodes) {
    bool in = single ? accepts(node.ground()) : made.kinds[static_cast<std::size_t>(node.kind)] != 0;
    if (in && conditions && !node.closed) {
      in = ranges::all_of(node.closing,
                          [&](const Taint& one) { return one.effect == Effect::kPreferNoSchedule || tolerates(spec, one); });
    }
    made.nodes.push_back(in ? 1 : 0);
  }
  return made;
}

}  // namespace stowage::k8s
