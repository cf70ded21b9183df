// A run of a planner: its work, its progress, and the plans that it makes ready on the way.
#pragma once

#include "core/plan/request.h"
#include "core/run/checkpoints.h"
#include "core/run/control.h"
#include "core/run/progress.h"
#include "core/run/race.h"
#include "core/run/work_clock.h"

namespace stowage {

/// The parts refer to each other, so that a run stays where it is.
struct Run {
  Run(const Request& request, Control* of_caller)
      : clock(request, of_caller), progress(clock, of_caller), checkpoints(clock), control(of_caller) {}
  /// One of several runs; `of_caller` is given only to the run whose progress stands for all.
  Run(const Request& request, Control* of_caller, Race& race)
      : clock(request, of_caller, race), progress(clock, of_caller, race), checkpoints(clock), control(race.control) {}
  Run(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;
  ~Run() = default;

  WorkClock clock;
  Progress progress;
  Checkpoints checkpoints;
  const Control* control;  ///< the caller's; for what solvers need of it; or nothing
};

}  // namespace stowage
