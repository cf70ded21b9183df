// The progress that a run reports to its caller.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/run/control.h"
#include "core/run/race.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Writes a run's phase, the units done and its best plan to the caller's control, if there is one.
class Progress {
 public:
  Progress(const WorkClock& clock, Objective objective, Control* control)
      : clock_(&clock), objective_(objective), control_(control) {
    if (control_ != nullptr) BestSoFar{}.show(*control_);
  }
  /// For one run of a portfolio, see WorkClock.
  Progress(const WorkClock& clock, Objective objective, Control* control, Race& race)
      : clock_(&clock), objective_(objective), control_(control), race_(&race), phase_start_(race.start) {}

  /// Begins a phase of `total` units; 0: unknown.
  void enter(Phase phase, std::uint64_t total = 0) {
    const WorkClock::Time::time_point now = WorkClock::Time::now();
    if (control_ != nullptr) {
      control_->nanoseconds[static_cast<std::size_t>(phase_)].fetch_add(
          static_cast<std::uint64_t>(std::chrono::nanoseconds(now - phase_start_).count()), std::memory_order_relaxed);
      // A run of a portfolio that is done waits for the others.
      if (race_ == nullptr || phase != Phase::kDone) {
        control_->phase.store(static_cast<std::uint32_t>(phase), std::memory_order_relaxed);
      }
      control_->done.store(0, std::memory_order_relaxed);
      control_->work.store(clock_->work(), std::memory_order_relaxed);
      control_->total.store(total, std::memory_order_relaxed);
      show_budget(phase == Phase::kImprove && total == 0);
    }
    phase_ = phase;
    phase_start_ = now;
  }
  /// States that `units` of the phase's total are done.
  void done(std::uint64_t units) {
    if (control_ != nullptr) control_->done.store(units, std::memory_order_relaxed);
  }
  /// Whether anybody would see a plan that is stated now.
  [[nodiscard]] bool shows_best() const { return silent_ == 0 && (race_ != nullptr ? race_->control : control_) != nullptr; }
  /// States the best plan so far. Planners that run within another one are silent once that one has a plan.
  /// @param of the objective whose value it has; one of another objective than the request's is not shown
  void best(BestSoFar best, Objective of) {
    if (!shows_best()) return;
    if (of != objective_) best.value = -1;
    knows_best_ = true;
    if (race_ != nullptr) return race_->best(best);
    best.show(*control_);
  }

  /// While it exists, plans of a planner that runs within another one are not stated, if that one has stated a plan.
  class Within {
   public:
    explicit Within(Progress& progress) : progress_(progress.knows_best_ ? &progress : nullptr) {
      if (progress_ != nullptr) ++progress_->silent_;
    }
    ~Within() {
      if (progress_ != nullptr) --progress_->silent_;
    }
    Within(const Within&) = delete;
    Within(Within&&) = delete;
    Within& operator=(const Within&) = delete;
    Within& operator=(Within&&) = delete;

   private:
    Progress* progress_;
  };

 private:
  void show_budget(bool show) {
    const std::uint64_t work = show ? clock_->work_limit().value_or(0) : 0;
    const auto time = show && work == 0 ? clock_->time_limit() : std::nullopt;
    control_->work_limit.store(work, std::memory_order_relaxed);
    control_->began_ms.store(time ? steady_ms(time->begin) : 0, std::memory_order_relaxed);
    control_->deadline_ms.store(time ? time->milliseconds : 0, std::memory_order_relaxed);
  }

  const WorkClock* clock_;
  Objective objective_;
  Control* control_;
  Race* race_ = nullptr;
  int silent_ = 0;
  bool knows_best_ = false;
  Phase phase_ = Phase::kIdle;
  WorkClock::Time::time_point phase_start_ = WorkClock::Time::now();
};

}  // namespace stowage
