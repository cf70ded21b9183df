// Counts the work of a run, and decides when the run has to end.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/run/control.h"
#include "core/run/race.h"
#include "core/run/request.h"

namespace stowage {

/// Why a run ends. kDeadline: at its deadline or its work limit. kPatience: nothing better has come up for long. kPart: only
/// the part that begin_part() began has to end.
enum class Stop : std::uint8_t { kNo, kCancelled, kDeadline, kPatience, kPart };

/// Upper limit of a pace, in units of work.
inline constexpr std::uint64_t kMostPace = 1'000'000'000'000'000;

/// Counts work and says when to end.
///
/// Units of work do not depend on the machine, and a run ends only between two calls of step(). A request with the work limit
/// `work()` (and the same pace) therefore repeats a run that its deadline, or its patience, ended.
class WorkClock {
 public:
  using Time = std::chrono::steady_clock;
  /// As units of work: no limit.
  static constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

  WorkClock(const Request& request, Control* control)
      : control_(control),
        watched_(control),
        work_limit_(request.work_limit == 0 ? kEndless : request.work_limit),
        end_(work_limit_),
        start_(Time::now()),
        patience_(limited(request.patience_ms)) {
    set_deadline(request);
  }
  /// For one run of a portfolio. `control` is null except for the run whose progress stands for all.
  WorkClock(const Request& request, Control* control, Race& race) : WorkClock(request, control) {
    watched_ = race.control;
    race_ = &race;
    start_ = race.start;
    set_deadline(request);
  }

  /// For a run within another one that watches the control. Nothing is written to it.
  struct Watch {
    const Control* control;  ///< may be null
  };
  WorkClock(const Request& request, Watch watch) : WorkClock(request, static_cast<Control*>(nullptr)) {
    watched_ = watch.control;
    set_deadline(request);
  }

  /// Adds `units` of work. Returns true if the run has to end. Looks at the time and the cancel flag every kCheckEvery units,
  /// for the first time with the first units: a run that ends has counted something, because a work limit of 0 is none and
  /// would not repeat it. Once a call with units above 0 has returned true, the run has ended: further calls count nothing, so
  /// that work() is the work at which it ended. They look at the cancel flag.
  bool step(std::uint64_t units) {
    if (ended_) {
      if (cancelled()) stop_ = Stop::kCancelled;
      return true;
    }
    work_ += units;
    counted_ = units > 0;
    if (work_ >= end_) stop_at_most(work_ >= work_limit_ ? Stop::kDeadline : Stop::kPart);
    if (work_ >= next_check_ && work_ > 0) {
      next_check_ = work_ + kCheckEvery;
      check();
    }
    if (stop_ == Stop::kNo) return false;
    ended_ = stop_ != Stop::kPart && units > 0;
    return true;
  }
  /// Counts one final unit unless the run has ended, so that a replay with this work limit stops at the same point.
  void conclude() {
    if (stop_ == Stop::kNo) step(1);
  }
  [[nodiscard]] Stop stop() const { return stop_; }
  /// Whether the run has ended, and not just a part of it.
  [[nodiscard]] bool is_over() const { return stop_ != Stop::kNo && stop_ != Stop::kPart; }
  [[nodiscard]] std::uint64_t work() const { return work_; }
  /// Whether the last step() counted work.
  [[nodiscard]] bool counted() const { return counted_; }
  /// Sets work() back to `work`, for a run that ends with the plan that it had at that work; to 1 where that is 0, since a work
  /// limit of 0 is none.
  void drop_since(std::uint64_t work) { work_ = std::max<std::uint64_t>(work, 1); }

  /// States that there is a better plan than before. The request's patience begins anew, for the first time with the first
  /// plan: without one, it never ends a run.
  void improved() {
    ++improvements_;
    if (patience_ != Time::duration{}) out_of_patience_ = Time::now() + patience_;
  }

  /// How often improved() was called.
  [[nodiscard]] std::uint64_t improvements() const { return improvements_; }

  /// Begins a part of the run, or of the part that is under way. After `units` units, step() returns true with Stop::kPart;
  /// end_part() then lets the run, or the part around this one, go on.
  void begin_part(std::uint64_t units) {
    parts_.push_back(end_);
    end_ = std::min(end_, work_ + std::min(units, kEndless - work_));
  }
  void end_part() {
    end_ = parts_.back();
    parts_.pop_back();
    if (stop_ == Stop::kPart && work_ < end_) stop_ = Stop::kNo;
    reserved_ = {};
  }

  /// Sets whether the request's deadline may end the run; initially it may. Cancelling, the control's deadline and the work
  /// limit always may. It takes effect at the next step(), as reserve() does.
  void heed_deadline(bool heed) {
    heeds_deadline_ = heed;
    if (heed) next_check_ = 0;
  }
  /// Brings the deadline forward by `seconds`, the time that ending the run takes. It takes effect at the next step(): a run
  /// that ended between two steps could not be repeated by its work.
  void reserve(double seconds) {
    reserved_ = std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
  }
  /// The same for the time that it takes to write and check the largest plan that the run has made so far. Adds to reserve().
  void reserve_for_plan(double seconds) {
    for_plan_ = std::max(for_plan_, std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds)));
  }
  [[nodiscard]] double reserved_for_plan() const { return std::chrono::duration<double>(for_plan_).count(); }
  /// Whether `seconds` are left before the deadline, less what is reserved. If not, the run ends. For use where a plan is ready
  /// that a work limit of work() repeats, before what has no looks at the clock of its own.
  bool affords(double seconds) {
    if (work_ == 0) return true;
    check();
    const auto end = end_of_run();
    const auto needed =
        reserved_ + for_plan_ + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
    if (end && Time::now() + needed >= *end) stop_at_most(Stop::kDeadline);
    return stop_ == Stop::kNo;
  }
  /// Whether the caller has cancelled, or the deadline itself is over. A run that has a plan ready then ends with it at once.
  [[nodiscard]] bool is_overdue() const {
    if (cancelled()) return true;
    const auto end = end_of_run();
    return end && Time::now() >= *end + kGrace;
  }
  /// For work without units of its own, such as bounds: ends where the run is overdue.
  [[nodiscard]] stowage::Watch watch() const {
    const std::optional<Time::time_point> end = has_deadline_ ? std::optional(deadline_ + kGrace) : std::nullopt;
    return {watched_ == nullptr ? nullptr : &watched_->cancelled, end};
  }
  /// Looks at the time and the cancel flag at once. For use after calls that take long.
  void look() { check(); }
  /// For use where a watch() has ended a call early: looks, and a run that is over counts nothing more. What was cut short has
  /// to leave what the last counted step left, because a run with this work as its limit does not begin it.
  void cut() {
    check();
    ended_ = ended_ || (is_over() && work_ > 0);
  }
  /// Whether the caller has cancelled, even if no step() has seen it yet: to skip work that a cancelled run does not need.
  [[nodiscard]] bool cancelled() const { return watched_ != nullptr && watched_->cancelled.load(std::memory_order_relaxed); }
  /// Seconds until the deadline, less the reserved ones, at least 0; nothing if there is no deadline.
  [[nodiscard]] std::optional<double> seconds_left() const {
    if (!has_deadline_) return std::nullopt;
    return std::max(0.0, std::chrono::duration<double>(deadline_ - reserved_ - for_plan_ - Time::now()).count());
  }
  [[nodiscard]] std::optional<std::uint64_t> work_limit() const {
    if (work_limit_ == kEndless) return std::nullopt;
    return work_limit_;
  }
  struct TimeLimit {
    Time::time_point begin;
    std::uint64_t milliseconds;
  };
  /// When the run began, and how long it may take; nothing if there is no deadline.
  [[nodiscard]] std::optional<TimeLimit> time_limit() const {
    if (!has_deadline_) return std::nullopt;
    const auto span = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - start_).count();
    return TimeLimit{start_, static_cast<std::uint64_t>(span)};
  }
  /// Units until the work limit; nothing if there is no limit.
  [[nodiscard]] std::optional<std::uint64_t> work_left() const {
    if (work_limit_ == kEndless) return std::nullopt;
    return work_limit_ > work_ ? work_limit_ - work_ : 0;
  }

  /// Sets the work that a search plans for, if it depends on the time left: see Plan::pace.
  void plan_for(std::uint64_t work) { pace_ = work; }
  [[nodiscard]] std::uint64_t pace() const { return pace_; }

 private:
  static constexpr std::uint64_t kCheckEvery = 256;
  /// How long the end of a run may take beyond its deadline before a plan that was ready earlier is its result.
  static constexpr std::chrono::milliseconds kGrace{10};

  // A year is as good as no limit, and cannot overflow the clock.
  static std::chrono::milliseconds limited(std::uint64_t milliseconds) {
    constexpr std::uint64_t kYear = 365ull * 24 * 3600 * 1000;
    return std::chrono::milliseconds(std::min(milliseconds, kYear));
  }
  void set_deadline(const Request& request) {
    has_deadline_ = false;
    if (request.deadline_ms != 0) end_by(start_ + limited(request.deadline_ms));
    if (watched_ == nullptr) return;
    end_of_call_ = end_of_call(*watched_);
    if (end_of_call_) end_by(*end_of_call_);
  }
  /// The deadline that may end the run now.
  [[nodiscard]] std::optional<Time::time_point> end_of_run() const {
    if (!heeds_deadline_) return end_of_call_;
    return has_deadline_ ? std::optional(deadline_) : std::nullopt;
  }
  void end_by(Time::time_point deadline) {
    deadline_ = has_deadline_ ? std::min(deadline_, deadline) : deadline;
    has_deadline_ = true;
  }
  void check() {
    if (control_ != nullptr) control_->work.store(work_, std::memory_order_relaxed);
    if (work_ == 0) return;
    if (cancelled()) stop_ = Stop::kCancelled;
    if (race_ != nullptr && work_ > race_->finish.load(std::memory_order_relaxed)) stop_at_most(Stop::kDeadline);
    const auto end = end_of_run();
    if (end && Time::now() + reserved_ + for_plan_ >= *end) stop_at_most(Stop::kDeadline);
    if (out_of_patience_ && Time::now() >= *out_of_patience_) stop_at_most(Stop::kPatience);
  }
  // Precedence: cancelled, what came first of deadline and patience, end of a part.
  void stop_at_most(Stop reason) {
    if (stop_ == Stop::kNo || (stop_ == Stop::kPart && reason != Stop::kPart)) stop_ = reason;
  }

  Control* control_;        // where the work is written; may be null
  const Control* watched_;  // the control whose cancel flag counts; may be null
  const Race* race_ = nullptr;
  std::uint64_t work_limit_;
  std::uint64_t end_;                 // the work at which the run, or the present part of it, ends
  std::vector<std::uint64_t> parts_;  // ends of the run and of the parts around the present one
  std::uint64_t work_ = 0;
  std::uint64_t next_check_ = 0;
  std::uint64_t pace_ = 0;
  std::uint64_t improvements_ = 0;
  Stop stop_ = Stop::kNo;
  bool ended_ = false;
  bool counted_ = false;
  bool has_deadline_ = false;
  bool heeds_deadline_ = true;
  Time::time_point start_;
  Time::time_point deadline_;
  std::optional<Time::time_point> end_of_call_;  // by the control
  Time::duration patience_;
  std::optional<Time::time_point> out_of_patience_;
  Time::duration reserved_{};
  Time::duration for_plan_{};
};

}  // namespace stowage
