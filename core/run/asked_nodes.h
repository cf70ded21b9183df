// Counts nodes that are asked whether they take an app, for the clock of a run.
#pragma once

#include <cstdint>
#include <utility>

#include "core/run/work_clock.h"

namespace stowage {

/// Looks at the clock after questions that take long together, whatever they count as work.
class LooksBetween {
 public:
  explicit LooksBetween(WorkClock& clock) : clock_(&clock) {}
  /// Counts steps of questions (Placement::steps_to_ask()).
  void count(std::uint64_t steps) {
    constexpr std::uint64_t kStepsToLook = std::uint64_t{1} << 18;
    steps_ += steps;
    if (steps_ < kStepsToLook) return;
    steps_ = 0;
    clock_->look();
  }

 private:
  WorkClock* clock_;
  std::uint64_t steps_ = 0;
};

/// Counts nodes as work, many at once. Where the questions about fewer nodes take long, as those of rules with a choice do,
/// they are counted sooner, after a look at the clock.
class AskedNodes {
 public:
  explicit AskedNodes(WorkClock& clock) : clock_(&clock) {}

  /// Counts nodes, a question about each of which takes so many steps (Placement::steps_to_ask()). True: the run has to end.
  bool count(std::uint64_t nodes, std::uint64_t steps) {
    nodes_ += nodes;
    steps_ += nodes * steps;
    const bool is_long = steps_ >= kStepsAtOnce;
    if (nodes_ < kNodesAtOnce && !is_long) return false;
    if (is_long) clock_->look();
    steps_ = 0;
    return clock_->step(std::exchange(nodes_, 0));
  }
  /// The nodes that are not yet work.
  [[nodiscard]] std::uint64_t left() const { return nodes_; }

 private:
  static constexpr std::uint64_t kNodesAtOnce = 4'096;
  /// Above what most questions about so many nodes take.
  static constexpr std::uint64_t kStepsAtOnce = kNodesAtOnce * 64;

  WorkClock* clock_;
  std::uint64_t nodes_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace stowage
