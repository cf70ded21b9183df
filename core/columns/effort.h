// Counts operations of column generation as work of a run.
#pragma once

#include <cstdint>

#include "core/run/work_clock.h"

namespace stowage {

class Effort {
 public:
  explicit Effort(WorkClock& clock) : clock_(clock) {}

  /// Counts operations of some nanoseconds. True: the run, or its part, ends. What was begun then need not be finished.
  bool add(std::uint64_t operations) {
    operations_ += operations;
    total_ += operations;
    if (operations_ < kPerLook || is_over_) return is_over_;
    is_over_ = clock_.step(operations_ / kPerUnit);
    operations_ %= kPerUnit;
    return is_over_;
  }
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] std::uint64_t total() const { return total_; }

 private:
  static constexpr std::uint64_t kPerUnit = 60;
  /// Operations between two looks at the clock.
  static constexpr std::uint64_t kPerLook = 60'000;

  WorkClock& clock_;
  std::uint64_t total_ = 0;
  std::uint64_t operations_ = 0;  // that the clock has not counted
  bool is_over_ = false;
};

}  // namespace stowage
