// Planners that place one app after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "core/planners/planner.h"

namespace stowage {

/// Calls run.take(app) for each app with replicas that wait, in this order, until the run has to end, and writes the plan.
/// Errors: kLimitExceeded where the placement needs more nodes than max_nodes.
template <class Run>
Error place_app_by_app(const PlannerInput& input, const std::vector<AppId>& order, Run& run, Plan& plan) {
  input.run.progress.enter(Phase::kPlan, input.instance.total_replicas());
  std::uint64_t done = 0;
  for (const AppId app : order) {
    if (run.placement().unplaced(app) == 0) continue;
    if (input.run.clock.stop() != Stop::kNo) break;
    run.take(app);
    done += input.instance.replicas(app);
    input.run.progress.done(done);
  }
  if (run.placement().hit_ceiling()) {
    return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
  }
  run.placement().finish(plan);
  return {};
}

}  // namespace stowage
