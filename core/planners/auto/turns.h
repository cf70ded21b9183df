// The part of `auto` that searches for fewest nodes, or least cost (docs/auto.md).
#pragma once

#include <cstdint>
#include <memory>

#include "core/planners/auto/order/rounds.h"
#include "core/planners/planner.h"

namespace stowage {

/// Cutting stock comes first for uncertain demand of so many apps at most.
inline constexpr std::uint32_t kMostAppsOfStock = 64;

/// Rebuilding, exchanges and, for few apps, cutting stock in turns. Errors: those of the searches.
Error take_turns(const PlannerInput& input, Plan& plan);

/// The same in rounds.
/// @param input outlives the result
std::unique_ptr<Rounds> make_turns(const PlannerInput& input);

/// Whether take_turns() begins with exchanges, which begin with first fit.
bool begins_with_exchanges(const PlannerInput& input);

}  // namespace stowage
