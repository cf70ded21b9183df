// What a placement counts and reserves on the clock of its run.
#pragma once

#include <cstdint>

#include "core/devices/packing.h"
#include "core/run/work_clock.h"

namespace stowage {

/// The clock of the run that a placement belongs to, or none. A copy of a placement has none: what is tried on it is no work of
/// the run.
class PlacementClock {
 public:
  /// @param dims of the instance: what a node holds is read in each
  PlacementClock(WorkClock* clock, std::uint32_t dims) : clock_(clock), dims_(dims) {}
  PlacementClock(const PlacementClock& other) : dims_(other.dims_), is_quick_(other.is_quick_) {}
  PlacementClock(PlacementClock&&) = default;
  PlacementClock& operator=(const PlacementClock& other) {
    if (this != &other) *this = PlacementClock(other);
    return *this;
  }
  PlacementClock& operator=(PlacementClock&&) = default;
  ~PlacementClock() = default;

  /// From now on, hard questions are answered by what is known at once, as after the end of a run.
  void be_quick() { is_quick_ = true; }
  /// What a question of devices may take now.
  [[nodiscard]] PackingEffort effort() const {
    const bool is_over = is_quick_ || (clock_ != nullptr && clock_->stop() != Stop::kNo);
    return {is_over ? 0 : DevicePacking::kMostSteps};
  }
  /// Counts what it took as work of the run. Most questions take nothing that counts.
  void count(const PackingEffort& effort) const {
    if (clock_ == nullptr || effort.steps < kStepsThatCount) return;
    clock_->step(effort.steps / kStepsThatCount * kStepsThatCount / kStepsPerUnit);
  }
  /// Whether the run is cancelled or late: a plan that nobody wants late need not be written.
  [[nodiscard]] bool is_overdue() const { return clock_ != nullptr && clock_->is_overdue(); }
  /// Reserves the time that it takes to write and check a plan.
  /// @param entries nodes that differ
  /// @param nodes   all nodes, if they will be listed one by one, else 0
  void reserve(std::uint64_t entries, std::uint64_t nodes) const {
    if (clock_ == nullptr) return;
    const double each = kSecondsPerEntry + kSecondsPerDim * dims_;
    clock_->reserve_for_plan(each * static_cast<double>(entries) + kSecondsPerNode * static_cast<double>(nodes));
  }

 private:
  static constexpr std::uint64_t kStepsThatCount = 1024;
  static constexpr std::uint64_t kStepsPerUnit = 32;
  static constexpr double kSecondsPerEntry = 400e-9;
  static constexpr double kSecondsPerDim = 6e-9;
  static constexpr double kSecondsPerNode = 50e-9;

  WorkClock* clock_ = nullptr;
  std::uint32_t dims_;
  bool is_quick_ = false;
};

}  // namespace stowage
