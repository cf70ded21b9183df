// The progress that a run reports to its caller.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/run/control.h"
#include "core/run/race.h"
#include "core/run/work_clock.h"

namespace stowage {

/// Writes a run's phase, the units done and the nodes of its best plan to the caller's control, if there is one.
class Progress {
 public:
  Progress(const WorkClock& clock, Control* control) : clock_(&clock), control_(control) {}
  /// For one run of a portfolio, see WorkClock.
  Progress(const WorkClock& clock, Control* control, Race& race)
      : clock_(&clock), control_(control), race_(&race), phase_start_(race.start) {}

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
    }
    phase_ = phase;
    phase_start_ = now;
  }
  /// States that `units` of the phase's total are done.
  void done(std::uint64_t units) {
    if (control_ != nullptr) control_->done.store(units, std::memory_order_relaxed);
  }
  /// States that the best complete plan has `nodes` nodes.
  void best(std::uint64_t nodes) {
    if (race_ != nullptr) return race_->best(nodes);
    if (control_ != nullptr) control_->best.store(nodes, std::memory_order_relaxed);
  }

 private:
  const WorkClock* clock_;
  Control* control_;
  const Race* race_ = nullptr;
  Phase phase_ = Phase::kIdle;
  WorkClock::Time::time_point phase_start_ = WorkClock::Time::now();
};

}  // namespace stowage
