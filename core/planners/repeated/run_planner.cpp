#include "core/planners/repeated/runs.h"

#include <optional>

#include "core/plan/side_effects.h"
#include "core/planners/repeated/free_domains.h"
#include "core/planners/repeated/promises.h"
#include "core/planners/single_run.h"
#include "core/terms/asked/goals.h"

namespace stowage {

Result<Plan> run_planner(const Instance& instance, const Request& requested, Control* control) {
  Request request = requested;
  if (Error e = read_goals(instance, request); failed(e)) return e;
  request = by_goals(request);
  request.all_or_nothing = request.all_or_nothing || request.objective == Objective::kAdmitted;
  const auto run = [&](const Instance& limited) {
    LazyBounds bounds(limited, request);
    const PlainRun plain = [&](const auto& other, const auto& own, LazyBounds& known) {
      return run_as_limited(other, own, known, control);
    };
    if (!request.leave_free.empty()) return run_leaving_free(limited, request, bounds, control, plain);
    if (request.keep.empty() && request.survive.empty()) return plain(limited, request, bounds);
    return run_with_promises(limited, request, bounds, control, plain);
  };
  // The request's limit on costs becomes one of the instance, so that whatever honours the latter honours the former.
  const std::optional<Instance> limited = within_max_cost(instance, request.max_cost);
  return run(limited ? *limited : instance);
}

}  // namespace stowage
