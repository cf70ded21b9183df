// Plans that keep room for more replicas, and that survive losses, by any planner.
#pragma once

#include "core/planners/repeated/runs.h"

namespace stowage {

/// Plans with run(), which knows nothing of `keep` and `survive`, and makes the plan keep what the request asks for:
/// - room for more replicas: a plan of an instance with these replicas, of which they are reserved. Where they do not all have
///   a place beside the others, a plan of the instance, with what room there is;
/// - places after losses: spare nodes (add_spares()).
/// Errors: those of run(); kInvalid and kUnsupported with the path `keep` or `survive`.
/// @param bounds of the instance and the request; run() gets those of the instance and the request that it plans
Result<Plan> run_with_promises(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control,
                               const PlainRun& run);

}  // namespace stowage
