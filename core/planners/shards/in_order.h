// Work on shards in threads, with the outcome of working on one after the other.
//
// Each shard's work is counted by a clock of its own. Outcomes are committed in the order of the shards: the run's clock counts
// the work of one after the other, so that a work limit cuts the same shard at the same step, on however many threads. What
// comes after the shard at which the run ends is dropped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/plan/note.h"
#include "core/plan/plan.h"
#include "core/run/portfolio.h"
#include "core/run/run.h"

namespace stowage {

/// What came of work on a shard.
struct ShardOutcome {
  Error error;
  Plan plan;
  std::uint64_t work = 0;
  Stop stop = Stop::kNo;  ///< of the shard's clock; kNo: it ended by itself
  bool settled = false;   ///< whether more work would find nothing better
  std::vector<Note> notes;
};

/// Counts the work of an outcome, which was to end after `units` at most. The run ends where time or a cancel ended it earlier.
inline void count_work(const ShardOutcome& outcome, std::uint64_t units, WorkClock& clock) {
  if (clock.step(outcome.work) || outcome.stop == Stop::kNo || outcome.work >= units) return;
  // The outcome's clock saw what the run's is about to see.
  constexpr double kForEver = 1e6;
  clock.reserve(kForEver);
  clock.look();
}

class InOrder {
 public:
  InOrder(Run& run, std::uint32_t threads) : run_(run), threads_(threads) {}

  /// Works on shards until the run ends.
  /// @param units  the most work on a shard
  /// @param work   work(shard, units) works on a shard for at most so many units, at least 1; called on any thread
  /// @param commit commit(shard, outcome) is called for one shard after the other, while the run's clock has counted the work
  /// of
  ///               the shards before it
  template <class Work, class Commit>
  Error run(std::span<const std::uint32_t> shards, std::uint64_t units, Work&& work, Commit&& commit) {
    outcomes_.clear();
    outcomes_.resize(shards.size());
    next_ = 0;
    over_ = run_.clock.stop() != Stop::kNo;
    error_ = {};
    side_by_side(static_cast<std::uint32_t>(shards.size()), threads_, [&](std::uint32_t k) {
      const std::uint64_t most = units_left(units);
      if (most == 0) return;
      ShardOutcome outcome = work(shards[k], most);
      const std::lock_guard<std::mutex> lock(mutex_);
      outcomes_[k] = std::move(outcome);
      while (!over_ && next_ < outcomes_.size() && outcomes_[next_]) {
        commit_next(shards[next_], units, work, commit);
        ++next_;
        run_.progress.done(next_);
      }
    });
    outcomes_.clear();
    return error_;
  }

 private:
  /// The most work that a shard which begins now may do; 0: none.
  std::uint64_t units_left(std::uint64_t units) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return over_ ? 0 : std::min(units, run_.clock.work_left().value_or(units));
  }

  template <class Work, class Commit>
  void commit_next(std::uint32_t shard, std::uint64_t units, Work&& work, Commit&& commit) {
    ShardOutcome& outcome = *outcomes_[next_];
    const std::uint64_t left = run_.clock.work_left().value_or(WorkClock::kEndless);
    // It began before it was known what the shards before it leave.
    if (left < units && outcome.work > left) outcome = work(shard, left);
    if (failed(outcome.error)) {
      error_ = outcome.error;
      over_ = true;
      return;
    }
    commit(shard, outcome);
    outcome.plan = {};
    count_work(outcome, std::min(units, left), run_.clock);
    over_ = run_.clock.stop() != Stop::kNo;
  }

  Run& run_;
  std::uint32_t threads_;
  std::mutex mutex_;
  std::vector<std::optional<ShardOutcome>> outcomes_;
  std::size_t next_ = 0;
  bool over_ = false;
  Error error_;
};

}  // namespace stowage
