// Two forms of a plan: compact lists equal nodes once, with a number of copies; expanded lists each node. Planners make both.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/status.h"
#include "core/model/data/types.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"

namespace stowage {

/// Number of nodes in use; each copy counts.
[[nodiscard]] std::uint64_t nodes_in_use(const Plan& plan);

/// The most nodes of a plan whose losses are looked at, or whose moves are ordered: each is held by itself, and more take too
/// much memory.
inline constexpr std::uint64_t kMostNodesHeld = 1'000'000;
/// Refuses a plan with more nodes than these, or than the limits of the instance allow. Errors: kLimitExceeded.
[[nodiscard]] Error check_nodes_held(const Instance& instance, std::uint64_t nodes);

/// Lists every copy as a node of its own, at the place of its entry. Needs valid node indices: callers check plans from outside
/// first. Afterwards `placed` is ordered by node. O(size of the expanded plan).
void expand(Plan& plan);

/// Lists anonymous nodes of a class with equal contents once, at the place of the first. Needs `placed` ordered by app within
/// each node, as planners write it. Returns the entry of each node of the plan before. O(n), n being the nodes and entries of
/// the plan.
/// @param before takes nodes, entries and figures of the plan before; null: nobody wants them
std::vector<NodeId> compact(Plan& plan, Plan* before = nullptr);

}  // namespace stowage
