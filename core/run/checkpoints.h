// Points of a run at which a plan can be made ready, so that a run that is cancelled ends at once.
#pragma once

#include <functional>
#include <utility>

#include "core/run/work_clock.h"

namespace stowage {

/// Searches call rest() where what they have reached can be read; the planner that runs them decides what to do there.
class Checkpoints {
 public:
  explicit Checkpoints(const WorkClock& clock) : clock_(&clock) {}

  /// Sets what rest() calls; empty: nothing.
  void at_rest(std::function<void()> call) { at_rest_ = std::move(call); }
  /// For searches, right after a step() that did not end the run: what they have reached can be read, and is what they would
  /// leave if the step had ended the run. After a step that counted nothing, rest() does nothing: a run whose work limit is
  /// this work would have ended before that step.
  void rest() const {
    if (at_rest_ && clock_->counted()) at_rest_();
  }
  /// States that a plan is ready: from now on, a run that is cancelled ends with it.
  void plan_is_ready() { plan_is_ready_ = true; }
  /// Whether nothing that the run could still do is of use: it is cancelled, and a plan is ready.
  [[nodiscard]] bool is_moot() const { return plan_is_ready_ && clock_->stop() == Stop::kCancelled; }

 private:
  const WorkClock* clock_;
  std::function<void()> at_rest_;
  bool plan_is_ready_ = false;
};

}  // namespace stowage
