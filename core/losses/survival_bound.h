// Lower bounds on what a plan keeps that survives the loss of any domain.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/model/instance.h"

namespace stowage {

/// How many nodes there are that may be lost together, per domain, and that no loss touches.
struct DomainSizes {
  static constexpr std::uint64_t kEndless = Supply::kEndless;
  /// Per value of the label's key. Each node by itself: one entry per node is not kept, `single` counts them.
  std::vector<std::uint64_t> sizes;
  std::uint64_t single = 0;
  std::uint64_t safe = 0;

  /// @param label            the key; empty: each node by itself
  /// @param mandatory_is_safe true: nodes that are in use in every plan count as safe
  DomainSizes(const Instance& instance, std::string_view label, bool mandatory_is_safe);
  /// The fewest nodes of the largest domain of a choice of nodes of which `nodes` remain whatever is lost. Nothing: no choice
  /// has so many. Then, nodes + level is the least number of nodes of such a choice.
  [[nodiscard]] std::optional<std::uint64_t> level(std::uint64_t nodes) const;
};

/// A bound on the nodes or, with prices, on the cost of a plan with its spare nodes. After any loss, what remains is a complete
/// plan of the instance (but for replicas that are pinned to lost nodes, which stay there in the proof). So its value is at
/// least that of `nodes` and `cost`, whichever domain is lost, and the largest domain holds its share of the plan.
struct SurvivalBound {
  double nodes = 0;
  double cost = 0;
  bool infeasible = false;  ///< no plan survives
};

/// @param nodes lower bound on the nodes of any complete plan of the instance, wherever replicas run now
/// @param cost  the same of the cost; 0 without prices
/// Nothing where a hard rule asks for a minimum, which replicas that stay may miss after a loss, and where replicas are pinned
/// and rules count them.
std::optional<SurvivalBound> survival_bound(const Instance& instance, std::string_view label, double nodes, double cost);

}  // namespace stowage
