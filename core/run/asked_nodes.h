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

  /// Counts steps of questions (Placement::steps_to_ask()). True: it has looked.
  bool count(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ < kStepsToLook) return false;
    steps_ = 0;
    clock_->look();
    return true;
  }
  void begin_anew() { steps_ = 0; }

 private:
  /// Above what 4,096 questions take, unless rules have a choice.
  static constexpr std::uint64_t kStepsToLook = std::uint64_t{4'096} * 64;

  WorkClock* clock_;
  std::uint64_t steps_ = 0;
};

/// Counts nodes as work, many at once. Where the questions about fewer nodes take long, as those of rules with a choice do,
/// they are counted sooner, after a look at the clock.
class AskedNodes {
 public:
  explicit AskedNodes(WorkClock& clock) : clock_(&clock), looks_(clock) {}

  /// Counts nodes, a question about each of which takes so many steps (Placement::steps_to_ask()). True: the run has to end.
  bool count(std::uint64_t nodes, std::uint64_t steps) {
    nodes_ += nodes;
    if (!looks_.count(nodes * steps) && nodes_ < kNodesAtOnce) return false;
    looks_.begin_anew();
    return clock_->step(std::exchange(nodes_, 0));
  }
  /// The nodes that are not yet work.
  [[nodiscard]] std::uint64_t left() const { return nodes_; }

 private:
  static constexpr std::uint64_t kNodesAtOnce = 4'096;

  WorkClock* clock_;
  LooksBetween looks_;
  std::uint64_t nodes_ = 0;
};

}  // namespace stowage
