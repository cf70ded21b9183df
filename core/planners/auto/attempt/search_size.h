// Whether a search may begin on an instance of this size.
#pragma once

#include <cstdint>

#include "core/planners/planner.h"

namespace stowage {

/// Whether a search that holds each of about `nodes` nodes by itself may begin; it may unless the instance is_large(). More
/// than a million nodes take too much memory: a note says so. Where the deadline leaves no time to make
/// the search, the run ends. For use where the plan so far is the one that a work limit of the run's work repeats.
[[nodiscard]] bool may_search(const PlannerInput& input, std::uint64_t nodes);
/// The same of a search that also holds each replica by itself.
[[nodiscard]] bool may_search_replicas(const PlannerInput& input, std::uint64_t nodes);

}  // namespace stowage
