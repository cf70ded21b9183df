// What a caller shares with a run, to cancel it and to read its progress from any thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/watch.h"

namespace stowage {

class Solver;

/// Mirrors stowage_phase.
enum class Phase : std::uint32_t { kIdle, kPrepare, kPlan, kImprove, kBound, kVerify, kDone, kEnd };

/// Other threads set `cancelled` and read the rest; the run writes the rest. All accesses are relaxed: no field orders another.
struct Control {
  std::atomic<bool> cancelled{false};
  std::atomic<std::uint32_t> phase{0};
  std::atomic<std::uint64_t> done{0};       ///< of `total`, in units of the phase
  std::atomic<std::uint64_t> total{0};      ///< 0: unknown
  std::atomic<std::uint64_t> best{0};       ///< nodes of the best plan so far; 0: there is none
  std::atomic<double> value{-1};            ///< what the objective minimizes, in that plan; negative: not known
  std::atomic<std::uint64_t> left_over{0};  ///< replicas that this plan leaves over
  std::atomic<std::uint64_t> work{0};
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Phase::kEnd)> nanoseconds{};  ///< spent per phase
  /// While `total` is unknown: when the run began and the milliseconds it has, or the work; 0: no such limit.
  std::atomic<std::uint64_t> began_ms{0};
  std::atomic<std::uint64_t> deadline_ms{0};
  std::atomic<std::uint64_t> work_limit{0};
  /// When the present call has to end, by the steady clock in nanoseconds; 0: no such time. Set before the call begins.
  std::atomic<std::int64_t> ends_at{0};
  Solver* solver = nullptr;  ///< for planners that need one; may change only while no run is active
};

/// When the present call has to end; nothing if there is no such time.
inline std::optional<Watch::Time::time_point> end_of_call(const Control& control) {
  const std::int64_t end = control.ends_at.load(std::memory_order_relaxed);
  if (end == 0) return std::nullopt;
  return Watch::Time::time_point(std::chrono::duration_cast<Watch::Time::duration>(std::chrono::nanoseconds(end)));
}

/// The watch of a call under the control, which may be null.
inline Watch watch_of(const Control* control) {
  return control == nullptr ? Watch() : Watch(&control->cancelled, end_of_call(*control));
}

/// The best plan of a run so far, as its caller sees it.
struct BestSoFar {
  std::uint64_t nodes = 0;
  double value = -1;            ///< what the objective minimizes; negative: not known
  std::uint64_t left_over = 0;  ///< replicas

  void show(Control& control) const {
    control.best.store(nodes, std::memory_order_relaxed);
    control.value.store(value, std::memory_order_relaxed);
    control.left_over.store(left_over, std::memory_order_relaxed);
  }
};

/// Sets everything but `solver` and `ends_at` back for the next run.
inline void reset(Control& control) {
  control.cancelled.store(false, std::memory_order_relaxed);
  control.phase.store(0, std::memory_order_relaxed);
  for (auto* counter : {&control.done, &control.total, &control.best, &control.left_over, &control.work, &control.began_ms,
                        &control.deadline_ms, &control.work_limit}) {
    counter->store(0, std::memory_order_relaxed);
  }
  control.value.store(-1, std::memory_order_relaxed);
  for (auto& spent : control.nanoseconds) spent.store(0, std::memory_order_relaxed);
}

/// Milliseconds of the steady clock, at least 1.
inline std::uint64_t steady_ms(std::chrono::steady_clock::time_point at) {
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
  return static_cast<std::uint64_t>(std::max<decltype(since)>(1, since));
}

/// How far a phase has come.
struct PhaseShare {
  std::uint64_t done;
  std::uint64_t total;  ///< 0: unknown
};

/// Of the present phase, in its units. Where a search could go on for ever: of the run's work limit, in units of work, or else
/// of its deadline, in milliseconds.
inline PhaseShare share_done(const Control& control) {
  const auto read = [](const std::atomic<std::uint64_t>& field) { return field.load(std::memory_order_relaxed); };
  if (read(control.total) > 0) return {read(control.done), read(control.total)};
  if (const std::uint64_t limit = read(control.work_limit); limit > 0) return {std::min(read(control.work), limit), limit};
  const std::uint64_t limit = read(control.deadline_ms);
  if (limit == 0) return {read(control.done), 0};
  const std::uint64_t now = steady_ms(std::chrono::steady_clock::now());
  return {std::min(now - std::min(now, read(control.began_ms)), limit), limit};
}

}  // namespace stowage
