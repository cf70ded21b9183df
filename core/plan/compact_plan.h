// Plans in which nodes that hold the same are listed once, and plans in which each stands for itself. Planners make both.
#pragma once

#include <cstdint>

#include "core/plan/plan.h"

namespace stowage {

/// Nodes in use, each copy counted.
[[nodiscard]] std::uint64_t nodes_in_use(const Plan& plan);

/// Lists every copy by itself, where its first one was. Needs nodes that exist: callers check
/// plans from outside first. Entries come out by node. O(what comes out).
void expand(Plan& plan);

/// Lists anonymous nodes of a class that hold the same once, where the first one was. Needs entries by node and by app, as
/// planners write them. O(n log n) of what is there.
void compact(Plan& plan);

}  // namespace stowage
