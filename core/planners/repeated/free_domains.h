// Plans that leave whole domains of nodes free, such as racks, by any planner.
#pragma once

#include "core/planners/repeated/runs.h"

namespace stowage {

/// Plans with run(), which knows nothing of `leave_free`, on instances that keep out of some domains: as few domains as found
/// hold a replica or load. Fewer domains do not cost a replica its place, but come before soft rules, nodes and their cost.
/// Errors: those of run(); kInvalid and kUnsupported with the path `leave_free`.
/// @param bounds of the instance and the request; run() gets those of the instance and the request that it plans
Result<Plan> run_leaving_free(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control,
                              const PlainRun& run);

}  // namespace stowage
