// How a run is watched, cancelled and cut off.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "core/plan/request.h"

namespace stowage {

class Solver;

/// Mirrors stowage_phase.
enum class Phase : std::uint32_t { kIdle, kPrepare, kPlan, kImprove, kBound, kVerify, kDone, kEnd };

/// Shared with other threads: they cancel and read, the run writes. Everything is relaxed; nothing is ordered by it.
struct Control {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint32_t> phase{0};
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
  std::atomic<std::uint64_t> best{0};
  std::atomic<std::uint64_t> work{0};
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Phase::kEnd)> nanoseconds{};
  Solver* solver = nullptr;  ///< what planners that need one use; changed only while no run goes on
};

/// kPart: what is to end is a part of the run, and not the run.
enum class Stop : std::uint8_t { kNo, kCancelled, kDeadline, kPart };

/// No search plans for more work.
inline constexpr std::uint64_t kMostPace = 1'000'000'000'000'000;

/// What runs of the same request by different seeds share (portfolio.h).
struct Race {
  explicit Race(Control* of_all) : control(of_all) {
    if (control != nullptr) control->best.store(0, std::memory_order_relaxed);
  }
  /// One of the runs has proven after so much work that its plan is optimal.
  void finished(std::uint64_t work) { lower(finish, work); }
  void best(std::uint64_t nodes) const {
    if (control == nullptr) return;
    // 0 stands for none.
    std::uint64_t none = 0;
    if (!control->best.compare_exchange_strong(none, nodes, std::memory_order_relaxed)) lower(control->best, nodes);
  }

  Control* control;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  /// Work beyond which no run needs to go on. Whether a run passes it does not depend on which run was faster: the one that
  /// finishes with least work never does.
  std::atomic<std::uint64_t> finish{std::numeric_limits<std::uint64_t>::max()};

 private:
  static void lower(std::atomic<std::uint64_t>& value, std::uint64_t to) {
    std::uint64_t known = value.load(std::memory_order_relaxed);
    while (to < known && !value.compare_exchange_weak(known, to, std::memory_order_relaxed)) {
    }
  }
};

/// The run's own view: counts work and says when to end.
///
/// Work is counted in units that do not depend on the machine, and a run can only end between two calls of step(). So a run
/// that a deadline ended after `work` units is repeated exactly by a request with that work limit (and the same pace).
class Run {
 public:
  using Clock = std::chrono::steady_clock;
  /// Of work.
  static constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

  Run(const Request& request, Control* control)
      : control_(control), watched_(control), work_limit_(limit_of(request)), end_(work_limit_), start_(Clock::now()) {
    begin(request);
  }
  /// One of several runs; `control` only where its progress stands for all.
  Run(const Request& request, Control* control, Race& race)
      : control_(control),
        watched_(race.control),
        race_(&race),
        work_limit_(limit_of(request)),
        end_(work_limit_),
        start_(race.start) {
    begin(request);
  }

  /// Adds work; true where the run has to end. The clock and the cancel flag are looked at every kCheckEvery units. Whoever has
  /// been told, and still has something to do, adds no more: the work is to be that at which the run ended.
  bool step(std::uint64_t units) {
    work_ += units;
    counted_ = units > 0;
    if (work_ >= end_) stop_at_most(work_ >= work_limit_ ? Stop::kDeadline : Stop::kPart);
    if (work_ >= next_check_) {
      next_check_ = work_ + kCheckEvery;
      check();
    }
    return stop_ != Stop::kNo;
  }
  /// One more unit, unless the run has ended: whoever is cut off after as much work has come as far.
  void conclude() {
    if (stop_ == Stop::kNo) step(1);
  }
  /// Until end_part(), the run does a part of what it is to do, which so many more units end as a work limit would.
  void begin_part(std::uint64_t units) { end_ = std::min(work_limit_, work_ + std::min(units, kEndless - work_)); }
  void end_part() {
    end_ = work_limit_;
    if (stop_ == Stop::kPart) stop_ = Stop::kNo;
    reserved_ = {};
  }
  /// Whether the deadline may end the run, as it may at first; cancel and the work limit may always.
  void heed_deadline(bool heed) {
    heeds_deadline_ = heed;
    if (heed) check();
  }
  /// From now on, the deadline comes so much earlier: what is left to do at the end takes that long. The next step() heeds it:
  /// a run that is told to end between two steps would not be repeated by its work.
  void reserve(double seconds) {
    reserved_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  [[nodiscard]] Stop stop() const { return stop_; }
  /// Whom rest() calls.
  void tell_at_rest(std::function<void()> whom) { at_rest_ = std::move(whom); }
  /// For searches, right after a step() that did not end the run: what they have reached can be read, and is what they would
  /// leave if it had. A step that counted nothing does not matter here: it would not have ended a run with this work as limit.
  void rest() const {
    if (at_rest_ && counted_) at_rest_();
  }
  /// Whether the caller wants it to end, whatever the run knows of it yet: for work that is only of use where it does not.
  [[nodiscard]] bool cancelled() const { return watched_ != nullptr && watched_->cancelled.load(std::memory_order_relaxed); }
  /// From now on, whoever cancels gets a plan that is ready.
  void plan_is_ready() { plan_is_ready_ = true; }
  /// Whether nothing that the run could still do is of use: it is cancelled, and a plan is ready.
  [[nodiscard]] bool is_moot() const { return plan_is_ready_ && stop_ == Stop::kCancelled; }
  /// Looks at the clock and the cancel flag now: after calls that took long.
  void look() { check(); }
  /// Until the deadline, as early as it comes, at least 0; nothing where there is none.
  [[nodiscard]] std::optional<double> seconds_left() const {
    if (!has_deadline_) return std::nullopt;
    return std::max(0.0, std::chrono::duration<double>(deadline_ - reserved_ - Clock::now()).count());
  }
  /// Work units until the work limit; nothing where there is none.
  [[nodiscard]] std::optional<std::uint64_t> work_left() const {
    if (work_limit_ == kEndless) return std::nullopt;
    return work_limit_ > work_ ? work_limit_ - work_ : 0;
  }
  [[nodiscard]] Solver* solver() const { return watched_ == nullptr ? nullptr : watched_->solver; }
  [[nodiscard]] const Control* control() const { return watched_; }
  [[nodiscard]] std::uint64_t work() const { return work_; }
  /// The plan is that of so much work: what was done since is of no use to it. For a run that has ended.
  void drop_since(std::uint64_t work) { work_ = work; }

  /// What a run that plans its search for the time that it has depends on besides its request: see Plan::pace.
  void plan_for(std::uint64_t work) { pace_ = work; }
  [[nodiscard]] std::uint64_t pace() const { return pace_; }

  void enter(Phase phase, std::uint64_t total = 0) {
    const Clock::time_point now = Clock::now();
    if (control_ != nullptr) {
      control_->nanoseconds[static_cast<std::size_t>(phase_)].fetch_add(
          static_cast<std::uint64_t>(std::chrono::nanoseconds(now - phase_start_).count()), std::memory_order_relaxed);
      // One of several runs that is done waits for the others.
      if (race_ == nullptr || phase != Phase::kDone) {
        control_->phase.store(static_cast<std::uint32_t>(phase), std::memory_order_relaxed);
      }
      control_->done.store(0, std::memory_order_relaxed);
      control_->work.store(work_, std::memory_order_relaxed);
      control_->total.store(total, std::memory_order_relaxed);
    }
    phase_ = phase;
    phase_start_ = now;
  }
  void progress(std::uint64_t done) {
    if (control_ != nullptr) control_->done.store(done, std::memory_order_relaxed);
  }
  void best(std::uint64_t nodes) {
    if (race_ != nullptr) return race_->best(nodes);
    if (control_ != nullptr) control_->best.store(nodes, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kCheckEvery = 256;

  static std::uint64_t limit_of(const Request& request) { return request.work_limit == 0 ? kEndless : request.work_limit; }
  void begin(const Request& request) {
    if (request.deadline_ms > 0) {
      // A year is as good as no deadline, and stays far from the clock's overflow.
      constexpr std::uint64_t kYear = 365ull * 24 * 3600 * 1000;
      deadline_ = start_ + std::chrono::milliseconds(request.deadline_ms < kYear ? request.deadline_ms : kYear);
      has_deadline_ = true;
    }
    phase_start_ = start_;
  }

  void check() {
    if (control_ != nullptr) control_->work.store(work_, std::memory_order_relaxed);
    if (cancelled()) stop_ = Stop::kCancelled;
    if (race_ != nullptr && work_ > race_->finish.load(std::memory_order_relaxed)) stop_at_most(Stop::kDeadline);
    if (has_deadline_ && heeds_deadline_ && Clock::now() + reserved_ >= deadline_) stop_at_most(Stop::kDeadline);
  }
  // Cancelled goes before deadline, and both before the end of a part.
  void stop_at_most(Stop reason) {
    if (stop_ == Stop::kNo || (stop_ == Stop::kPart && reason != Stop::kPart)) stop_ = reason;
  }

  Control* control_;        // whose progress is written
  const Control* watched_;  // that may cancel
  Race* race_ = nullptr;
  std::uint64_t work_limit_;
  std::uint64_t end_;  // of the run, or of a part of it
  std::uint64_t work_ = 0;
  std::uint64_t next_check_ = 0;
  std::uint64_t pace_ = 0;
  std::function<void()> at_rest_;
  Stop stop_ = Stop::kNo;
  bool counted_ = false;  // by the last step
  bool plan_is_ready_ = false;
  bool has_deadline_ = false;
  bool heeds_deadline_ = true;
  Clock::time_point start_;
  Clock::time_point deadline_;
  Clock::duration reserved_{};
  Phase phase_ = Phase::kIdle;
  Clock::time_point phase_start_;
};

}  // namespace stowage
