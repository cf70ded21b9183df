// What side effects of colocation cost the replicas of a plan (P4, section 2).
#pragma once

#include <optional>
#include <vector>

#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

struct SideEffects {
  double worst = 0;                ///< cost of the replica that suffers most; 0 without replicas
  double total = 0;                ///< sum over all replicas
  std::vector<double> node_worst;  ///< per node of the plan, of one copy: cost of the replica there that suffers most
};

/// A replica of kind t costs the sum over all kinds u of coefficient(t, u) x the load of kind u on its node, its own load
/// included. For instances with interference. O(placed + nodes x kinds of a node x kinds).
[[nodiscard]] SideEffects side_effects(const Instance& instance, const Plan& plan);

/// Fills max_cost, total_cost and node_max_cost of a plan for an instance with interference.
void measure_side_effects(const Instance& instance, Plan& plan);

/// The instance within a limit on costs that a request or plan sets for all replicas; nothing where that limits nothing.
[[nodiscard]] std::optional<Instance> within_max_cost(const Instance& instance, double max_cost);

/// The most nodes that a plan of a request with this node_limit (0: none) may use, if the instance or the request limits them;
/// else kNone. At most kNone - 1 otherwise. Nodes in use at the start count even beyond the node_limit.
[[nodiscard]] std::uint32_t most_nodes(const Instance& instance, std::uint32_t node_limit);

}  // namespace stowage
