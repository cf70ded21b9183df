// Where all nodes are empty and alike, and few large replicas fill one: the problem as packing_search.h takes it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/packing/packing_problem.h"
#include "core/planners/patterns/layout.h"

namespace stowage {

/// Whether an instance is such a problem, as far as that can be told without looking for what fits; O(apps).
bool has_few_large_per_node(const Instance& instance);

struct AlikeNodes {
  PackingProblem problem;
  std::vector<std::vector<AppId>> apps;  ///< per item: the apps whose replicas it stands for

  /// Nothing where the instance is none, nodes differ, or a replica fits none.
  /// @param wanted replicas per app
  static std::optional<AlikeNodes> of(const Instance& instance, const std::vector<StateGroup>& groups, const Pattern& wanted);

  [[nodiscard]] Packing packing_of(const Layout& layout) const;
  /// @param wanted replicas per app, as for of()
  [[nodiscard]] Layout layout_of(const Packing& packing, Pattern wanted) const;
};

}  // namespace stowage
