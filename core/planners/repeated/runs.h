// What the runs of one request share: the time, and the way a planner is run.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "core/base/status.h"
#include "core/base/watch.h"
#include "core/bounds/bounds.h"
#include "core/model/build_time.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/planners/planner.h"
#include "core/run/control.h"
#include "core/run/request.h"

namespace stowage {

/// Runs the planner of a request once.
using PlainRun = std::function<Result<Plan>(const Instance&, const Request&, LazyBounds&)>;

/// The time that a request has for all runs together.
class TotalTime {
 public:
  TotalTime(const Request& request, const Control* control) : control_(control) {
    const PlannerInfo* info = find_planner(request.planner);
    if (info != nullptr) deadline_ms_ = deadline_of(request, *info);
    const auto end = control == nullptr ? std::nullopt : end_of_call(*control);
    if (!end) return;
    const auto of_call = std::chrono::ceil<std::chrono::milliseconds>(*end - start_).count();
    const auto most = static_cast<std::uint64_t>(std::max<decltype(of_call)>(1, of_call));
    deadline_ms_ = deadline_ms_ == 0 ? most : std::min(deadline_ms_, most);
  }
  [[nodiscard]] bool has_deadline() const { return deadline_ms_ > 0; }
  /// Ends what follows runs where the time is over or the caller has cancelled.
  [[nodiscard]] Watch watch() const {
    const std::atomic<bool>* cancelled = control_ == nullptr ? nullptr : &control_->cancelled;
    if (!has_deadline()) return {cancelled, std::nullopt};
    return {cancelled, start_ + std::chrono::milliseconds(std::min(deadline_ms_, kYear))};
  }
  /// Milliseconds until the deadline; 0 where there is none.
  [[nodiscard]] std::uint64_t left() const {
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_).count();
    return deadline_ms_ - std::min(deadline_ms_, static_cast<std::uint64_t>(time));
  }
  /// Whether the deadline is over, or the caller has cancelled.
  [[nodiscard]] bool is_over() const {
    if (control_ != nullptr && control_->cancelled.load(std::memory_order_relaxed)) return true;
    return has_deadline() && left() == 0;
  }
  /// Sets the deadline of a run, at least 1 ms; nothing where there is no deadline.
  void limit(Request& run, std::uint64_t milliseconds) const {
    if (has_deadline()) run.deadline_ms = std::max<std::uint64_t>(1, milliseconds);
  }
  /// Whether an eighth of the time is left, or there is no deadline. A run takes some time before its first look at the clock
  /// and after its deadline.
  [[nodiscard]] bool has_time_for_a_run() const {
    return !is_over() && (!has_deadline() || left() >= deadline_ms_ / kLeastPart);
  }
  /// Whether as many seconds are left, or there is no deadline.
  [[nodiscard]] bool affords(double seconds) const {
    return !is_over() && (!has_deadline() || static_cast<double>(left()) > 1000 * seconds);
  }
  /// Whether there is time to make an instance like this one, and to plan it.
  [[nodiscard]] bool has_time_to_build(const Instance& instance) const { return affords(2 * seconds_to_build(instance)); }

 private:
  static constexpr std::uint64_t kLeastPart = 8;
  static constexpr std::uint64_t kYear = 365ull * 24 * 3600 * 1000;
  using Clock = std::chrono::steady_clock;
  const Control* control_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t deadline_ms_ = 0;
};

}  // namespace stowage
