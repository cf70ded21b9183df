// Points of a run at which a plan can be made ready, so that a cancelled run ends at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/run/work_clock.h"

namespace stowage {

/// A search calls rest() whenever its best solution can be read. The planner that runs the search decides what happens then.
class Checkpoints {
 public:
  explicit Checkpoints(const WorkClock& clock) : clock_(&clock) {}

  /// Sets the function that rest() calls; empty: none.
  void at_rest(std::function<void()> call) { at_rest_ = std::move(call); }
  /// For searches, right after a step() that did not end the run. The search's solution has to be readable, and to be the one
  /// with which it would have ended if the step had ended the run. After a step that counted no work, rest() does nothing: a
  /// run with this work as its limit would have ended before that step.
  void rest() const {
    if (at_rest_ && clock_->counted()) at_rest_();
  }
  /// States that a plan is ready: if the run is cancelled later, or its end takes too long, it ends with this plan.
  void plan_is_ready() { plan_is_ready_ = true; }
  /// Whether further work of the run is useless: it is cancelled or its deadline is over, and a plan is ready.
  [[nodiscard]] bool is_moot() const {
    if (!plan_is_ready_) return false;
    return clock_->stop() == Stop::kCancelled || (clock_->stop() == Stop::kDeadline && clock_->is_overdue());
  }

 private:
  const WorkClock* clock_;
  std::function<void()> at_rest_;
  bool plan_is_ready_ = false;
};

/// When plans are made ready on the way: first when the search has lasted about twice as long as that takes, then so seldom
/// that it takes a small share of the time.
class CheckIns {
 public:
  void begin(std::uint64_t replicas) { next_ = WorkClock::Time::now() + kAfter * replicas; }
  /// The next one is due at once.
  void hurry() { next_ = WorkClock::Time::now(); }
  /// Calls make_ready() if it is due.
  template <class MakeReady>
  void if_due(MakeReady&& make_ready) {
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    if (begin < next_) return;
    make_ready();
    const WorkClock::Time::time_point end = WorkClock::Time::now();
    next_ = end + kEvery * (end - begin);
  }

 private:
  /// Time per replica until the first one.
  static constexpr std::chrono::nanoseconds kAfter{500};
  /// Time until the next one, as a multiple of the time that the last one took.
  static constexpr int kEvery = 25;

  WorkClock::Time::time_point next_{};
};

}  // namespace stowage
