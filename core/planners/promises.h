// Plans that keep room for more replicas, and that survive losses, by any planner.
#pragma once

#include <functional>

#include "core/base/status.h"
#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/control.h"
#include "core/run/request.h"

namespace stowage {

/// Plans with run(), which knows nothing of `keep` and `survive`, and makes the plan keep what the request asks for:
/// - room for more replicas: a plan of an instance with these replicas, of which they are reserved. Where they do not all have
/// a
///   place beside the others, a plan of the instance, with what room there is;
/// - places after losses: spare nodes (add_spares()).
/// Errors: those of run(); kInvalid and kUnsupported with the path `keep` or `survive`.
/// @param bounds of the instance and the request; run() gets those of the instance and the request that it plans
Result<Plan> run_with_promises(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control,
                               const std::function<Result<Plan>(const Instance&, const Request&, LazyBounds&)>& run);

}  // namespace stowage
