#include "core/colocation/search/colocation_search.h"

#include <algorithm>

#include "core/colocation/assignment/group_start.h"
#include "core/colocation/assignment/load_start.h"

namespace stowage {

ColocationSearch::ColocationSearch(const ColocationProblem& problem, ColocationGoal goal, std::uint64_t seed)
    : state_(problem, goal), best_(state_), annealing_(state_, best_, seed) {}

bool ColocationSearch::start(WorkClock& clock) { return go_on(LoadStart(state_).run(clock), clock); }

bool ColocationSearch::start_unless_over(WorkClock& clock) { return go_on(LoadStart(state_).run_unless_over(clock), clock); }

bool ColocationSearch::go_on(bool is_assigned, WorkClock& clock) {
  if (!is_assigned) return false;
  take_start(state_);
  offer(fluid_groups(state_.problem()), clock);
  return true;
}

void ColocationSearch::offer(const Colocation& colocation) {
  ColocationState state(state_.problem(), state_.goal());
  state.assign(colocation);
  take_start(state);
}

void ColocationSearch::offer(const KindGroups& groups, WorkClock& clock) {
  if (groups.empty() || clock.stop() != Stop::kNo) return;
  ColocationState state(state_.problem(), state_.goal());
  GroupStart(state, groups).run(clock);
  if (clock.stop() != Stop::kNo) return;
  if (LoadStart(state).run(clock)) take_start(state);
}

void ColocationSearch::take_start(const ColocationState& state) {
  const double objective = state.objective();
  if (objective == last_start_) return;
  last_start_ = objective;
  starts_.push_back(state.colocation());
  best_.offer(starts_.back(), objective);
}

void ColocationSearch::run(double enough, WorkClock& clock) {
  FreeColocation free;
  enough = std::max(enough, 0.0);
  while (best_.objective() > enough && clock.stop() == Stop::kNo) {
    if (is_over_) begin_pass();
    is_over_ = annealing_.run(enough, free, clock);
  }
}

void ColocationSearch::begin_pass() {
  if (starts_.empty()) {
    state_.assign(best_.colocation());
    annealing_.begin(Cooling::of_pass(passes_++, state_));
  } else {
    state_.assign(starts_.back());
    starts_.pop_back();
    annealing_.begin(Cooling::of_pass(0, state_));
  }
  best_.reassigned();
}

}  // namespace stowage
