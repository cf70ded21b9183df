#include "core/planners/auto/few_nodes.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "core/annealing/period_search.h"
#include "core/base/sort_by.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt.h"
#include "core/planners/auto/selection.h"
#include "core/search/free_space_search.h"
#include "core/search/repair.h"
#include "core/search/spread_start.h"

namespace stowage {
namespace {

/// Shares of all capacity that packing is expected to lose at first: with constant demand, and with periods.
constexpr double kLoss = 0;
constexpr double kLossOverTime = 0.002;
/// A loss below this share is none.
constexpr double kLeastLoss = 1e-4;
/// Times that the search is stuck, and nothing else can be taken, before it gives up.
constexpr std::uint32_t kMostFailures = 8;
/// Time reserved for the end of a run, as a multiple of the time that first fit took.
constexpr double kEndTime = 1.5;

/// Classes by what a node of theirs is worth at these prices, dearest first.
std::vector<ClassId> classes_by_worth(const Instance& instance, const std::vector<double>& price) {
  std::vector<double> worth(instance.classes(), 0);
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const auto capacity = instance.scaled_capacity(c);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) worth[c] -= price[h] * capacity[instance.resource_of(h)];
  }
  return ids_by(worth);
}

template <class Unit>
class FewNodesRun {
 public:
  FewNodesRun(const PlannerInput& input, double seconds, const PlanKey& key, Plan& plan)
      : input_(input),
        bound_(input.bounds.left_over()),
        seconds_(seconds),
        plan_(plan),
        any_broken_(key.inherited > 0),
        attempt_(input, kNone - 1, classes_by_worth(input.instance, bound_.price)),
        selection_(attempt_, bound_.price),
        best_(key) {}

  void run() {
    input_.run.clock.reserve(seconds_ * kEndTime);
    if (input_.checkpoint) {
      next_check_in_ = WorkClock::Time::now() + kCheckInAfter * input_.instance.total_replicas();
      input_.run.checkpoints.at_rest([this] { check_in(); });
    }
    const Instance& instance = input_.instance;
    if (instance.periods() == 1) {
      selection_.take(loss_);
      SpreadStart<Unit>(attempt_.state, {}).run(input_.run.clock);
      if (input_.run.clock.stop() == Stop::kNo) {
        FreeSpaceSearch<Unit> search(attempt_.state, attempt_.state.nodes(), input_.request.seed);
        improve(search);
      }
    } else {
      loss_ = kLossOverTime;
      selection_.take(loss_);
      const auto pace = static_cast<std::uint64_t>(input_.options.number("pace"));
      PeriodSearch<Unit> search(attempt_.state, input_.run, pace, true, input_.request.seed);
      improve(search);
    }
    input_.run.checkpoints.at_rest({});
    if (input_.run.checkpoints.is_moot()) return;
    look_at(attempt_);
  }

 private:
  static constexpr std::chrono::nanoseconds kCheckInAfter{500};
  static constexpr int kCheckInEvery = 25;

  [[nodiscard]] bool reached() const { return best_.left_over == bound_.fewest; }

  /// Places what is left over wherever it fits, and keeps the plan if it is better. Returns false where the run is cancelled.
  bool look_at(Attempt<Unit>& attempt) {
    if (!attempt.place_rest(input_.run, true, selection_.let_go(attempt))) return false;
    const PlanKey key = attempt.key(any_broken_);
    if (!(key < best_)) return true;
    best_ = key;
    Plan better;
    attempt.placement.write(better);
    plan_.adopt(std::move(better));
    return true;
  }

  void check_in() {
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    if (begin < next_check_in_) return;
    Attempt<Unit> copy(attempt_);
    if (!look_at(copy)) return;
    input_.checkpoint(plan_);
    const WorkClock::Time::time_point end = WorkClock::Time::now();
    next_check_in_ = end + kCheckInEvery * (end - begin);
  }

  template <class Search>
  void improve(Search& search) {
    std::uint64_t patience = 20 * std::uint64_t{attempt_.placement.nodes()} + 1000;
    std::uint32_t failures = 0;
    while (input_.run.clock.stop() == Stop::kNo) {
      const bool placed = search.run(input_.run, 0, patience);
      if (input_.run.clock.stop() != Stop::kNo) return;
      Attempt<Unit> copy(attempt_);
      look_at(copy);
      if (reached() || input_.run.clock.step(1)) return;
      input_.run.checkpoints.rest();
      if (!placed) selection_.pass_over();
      if (placed) loss_ = loss_ / 2 > kLeastLoss ? loss_ / 2 : 0;
      if (selection_.take(loss_) > 0) continue;
      if (placed && loss_ > 0) continue;
      selection_.pass_over_none();
      if (selection_.take(loss_) == 0) return;
      patience += patience / 2;
      if (++failures == kMostFailures) return;
    }
  }

  const PlannerInput& input_;
  const LeftOverBound& bound_;
  const double seconds_;
  Plan& plan_;
  const bool any_broken_;
  Attempt<Unit> attempt_;
  Selection<Unit> selection_;
  PlanKey best_;
  double loss_ = kLoss;
  WorkClock::Time::time_point next_check_in_{};
};

}  // namespace

bool lacks_nodes(const PlannerInput& input) {
  const std::vector<NodeClass>& classes = input.instance.data().classes;
  const bool finite = input.request.node_limit > 0 ||
                      std::all_of(classes.begin(), classes.end(), [](const NodeClass& c) { return c.count > 0; });
  return finite && !input.bounds.left_over().price.empty();
}

void place_most(const PlannerInput& input, double seconds, const PlanKey& key, Plan& plan) {
  input.instance.visit_unit([&](auto unit) { FewNodesRun<decltype(unit)>(input, seconds, key, plan).run(); });
}

}  // namespace stowage
