// The part of `auto` that searches for fewest nodes, or least cost (docs/understand/auto.md).
#pragma once

#include <cstdint>
#include <memory>

#include "core/planners/auto/order/rounds.h"
#include "core/planners/planner.h"

namespace stowage {

/// Rebuilding, exchanges and columns in turns. Errors: those of the searches.
Error take_turns(const PlannerInput& input, Plan& plan);

/// The same in rounds.
/// @param input outlives the result
std::unique_ptr<Rounds> make_turns(const PlannerInput& input);

/// Whether take_turns() begins with exchanges, which begin with first fit.
bool begins_with_exchanges(const PlannerInput& input);

}  // namespace stowage
