// Where all nodes are empty and alike, and few large replicas fill one: an instance as a packing problem.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/model/instance.h"
#include "core/packing/packing_problem.h"

namespace stowage {

/// Whether an instance is such a problem, as far as that can be told without looking for what fits; O(apps).
bool has_few_large_per_node(const Instance& instance);

struct AlikeNodes {
  PackingProblem problem;
  std::vector<std::vector<AppId>> apps;  ///< per item: the apps whose replicas it stands for

  /// Nothing where has_few_large_per_node() says no, or a replica fits no node.
  /// @param capacity of a node, per resource, scaled
  /// @param at_most  per app: replicas that may share a node, kNone = any; or empty
  /// @param wanted   replicas per app
  static std::optional<AlikeNodes> of(const Instance& instance, std::span<const std::int64_t> capacity,
                                      std::span<const std::uint32_t> at_most, std::span<const std::uint32_t> wanted);

  /// @param replicas per app
  [[nodiscard]] Content content_of(std::span<const std::uint32_t> replicas) const;
  /// Replicas per app, of every node.
  /// @param wanted as for of()
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> replicas_of(const Packing& packing,
                                                                    std::vector<std::uint32_t> wanted) const;
};

}  // namespace stowage
