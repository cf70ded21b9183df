// A run of a planner: its work clock, its progress, and the checkpoints at which it makes a plan ready.
#pragma once

#include <string_view>

#include "core/plan/note.h"
#include "core/run/checkpoints.h"
#include "core/run/control.h"
#include "core/run/progress.h"
#include "core/run/race.h"
#include "core/run/request.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Cannot be copied or moved, because its members refer to each other.
struct Run {
  Run(const Request& request, Control* of_caller)
      : clock(request, of_caller), progress(clock, request.objective, of_caller), checkpoints(clock), control(of_caller) {}
  /// One run of a portfolio. `of_caller` is null except for the run whose progress stands for all.
  Run(const Request& request, Control* of_caller, Race& race)
      : clock(request, of_caller, race),
        progress(clock, request.objective, of_caller, race),
        checkpoints(clock),
        control(race.control) {}
  /// A run within another one, perhaps on a thread of its own: the caller's cancel ends it, and it shows the caller nothing.
  struct Within {
    const Run& run;
  };
  Run(const Request& request, Within within)
      : clock(request, WorkClock::Watch{within.run.control}),
        progress(clock, request.objective, nullptr),
        checkpoints(clock),
        control(within.run.control) {}
  Run(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(const Run&) = delete;
  Run& operator=(Run&&) = delete;
  ~Run() = default;

  /// States that there is a better plan than before, for the caller and for the request's patience.
  void improved(const BestSoFar& best, Objective of) {
    clock.improved();
    progress.best(best, of);
  }

  WorkClock clock;
  Progress progress;
  Checkpoints checkpoints;
  Notes notes;             ///< for the plan, from the planner and from all planners that it runs
  Trace trace;             ///< for the plan, if the request wants it
  const Control* control;  ///< the caller's, for the cancel flag and the solver; may be null
};

/// Counts a call of a part of the run, from here to the end of its life.
class Traced {
 public:
  /// @param name lives as long as this object
  Traced(Run& run, std::string_view name)
      : run_(run), name_(name), work_(run.clock.work()), improvements_(run.clock.improvements()) {
    run_.trace.add(name_, 0, 0, 0);  // before the parts that it asks
  }
  Traced(const Traced&) = delete;
  Traced(Traced&&) = delete;
  Traced& operator=(const Traced&) = delete;
  Traced& operator=(Traced&&) = delete;
  ~Traced() { run_.trace.add(name_, 1, run_.clock.improvements() > improvements_ ? 1 : 0, run_.clock.work() - work_); }

 private:
  Run& run_;
  std::string_view name_;
  std::uint64_t work_;
  std::uint64_t improvements_;
};

}  // namespace stowage
