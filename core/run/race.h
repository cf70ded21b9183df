// What the runs of a portfolio share (portfolio.h).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "core/run/control.h"

namespace stowage {

struct Race {
  explicit Race(Control* of_all) : control(of_all) {
    if (control != nullptr) control->best.store(0, std::memory_order_relaxed);
  }
  /// States that a run has proven its plan optimal after `work` units.
  void finished(std::uint64_t work) { lower(finish, work); }
  /// States that a run has a complete plan of `nodes` nodes.
  void best(std::uint64_t nodes) const {
    if (control == nullptr) return;
    std::uint64_t none = 0;
    if (!control->best.compare_exchange_strong(none, nodes, std::memory_order_relaxed)) lower(control->best, nodes);
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
};

}  // namespace stowage
