// The values that a label's key has on nodes, such as the racks of a cluster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/instance.h"

namespace stowage {

/// Calls see(value) for each value that the label's key has on a listed node or, where `listed` is kNone, on a new one of the
/// class.
template <class See>
void visit_values(const Instance& instance, NodeId listed, ClassId node_class, std::string_view key, See&& see) {
  const InstanceData& data = instance.data();
  const auto look = [&](std::string_view label) {
    if (label.size() <= key.size() || label[key.size()] != '=' || label.substr(0, key.size()) != key) return;
    see(label.substr(key.size() + 1));
  };
  for (const std::string& label : data.classes[node_class].labels) look(label);
  if (listed == kNone || data.node_tags.empty()) return;
  for (std::uint32_t k = data.node_tags.begin[listed]; k < data.node_tags.begin[listed + 1]; ++k) {
    look(data.tags[data.node_tags.index[k]]);
  }
}

/// Whether some node has a label with the key.
inline bool has_label(const Instance& instance, std::string_view key) {
  bool found = false;
  const auto see = [&](std::string_view) { found = true; };
  for (ClassId c = 0; c < instance.classes(); ++c) visit_values(instance, kNone, c, key, see);
  for (NodeId n = 0; n < instance.listed_nodes() && !found; ++n)
    visit_values(instance, n, instance.data().node_class[n], key, see);
  return found;
}

}  // namespace stowage
