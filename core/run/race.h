// What the runs of a portfolio share (portfolio.h).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>

#include "core/run/control.h"

namespace stowage {

struct Race {
  explicit Race(Control* of_all) : control(of_all) {
    if (control != nullptr) BestSoFar{}.show(*control);
  }
  /// States that a run has proven its plan optimal after `work` units.
  void finished(std::uint64_t work) { lower(finish, work); }
  /// States the best plan of a run. The caller sees the best of all runs: that with the fewest replicas left over, and of these
  /// the one with the least value.
  void best(const BestSoFar& one) {
    if (control == nullptr) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (best_.nodes > 0 && (one.left_over != best_.left_over ? one.left_over > best_.left_over : one.value >= best_.value))
      return;
    best_ = one;
    one.show(*control);
  }

  Control* control;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  /// Work after which a run may stop: the least work after which a run has proven its plan optimal. The run that will finish
  /// with the least work of all never passes it, so that the winner does not depend on which run is faster.
  std::atomic<std::uint64_t> finish{std::numeric_limits<std::uint64_t>::max()};

 private:
  static void lower(std::atomic<std::uint64_t>& value, std::uint64_t to) {
    std::uint64_t known = value.load(std::memory_order_relaxed);
    while (to < known && !value.compare_exchange_weak(known, to, std::memory_order_relaxed)) {
    }
  }

  std::mutex mutex_;
  BestSoFar best_;
};

}  // namespace stowage
