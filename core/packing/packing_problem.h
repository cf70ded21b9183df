// Items that are packed onto nodes which are all alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

/// Replicas of equal demand are an item. Nodes are empty and alike, and there are as many as needed.
struct PackingProblem {
  std::uint32_t resources = 0;
  std::vector<std::int32_t> capacity;  ///< per resource
  std::vector<std::int32_t> demand;    ///< item x resources, at least 0; one replica of each item fits an empty node
  std::vector<std::uint32_t> count;    ///< replicas per item, at least 1
  std::vector<std::uint32_t> at_most;  ///< per item: replicas that may share a node, at least 1

  [[nodiscard]] std::uint32_t items() const { return static_cast<std::uint32_t>(count.size()); }
  [[nodiscard]] std::span<const std::int32_t> demand_of(std::uint32_t item) const {
    return {demand.data() + std::size_t{item} * resources, resources};
  }
};

/// Replicas of an item on a node.
struct PackedItem {
  std::uint32_t item;
  std::uint32_t replicas;
  friend bool operator==(const PackedItem&, const PackedItem&) = default;
};

/// What a node holds, by ascending item.
using Content = std::vector<PackedItem>;

/// What each node holds.
using Packing = std::vector<Content>;

}  // namespace stowage
