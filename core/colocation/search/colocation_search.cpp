#include "core/colocation/search/colocation_search.h"

#include <algorithm>

#include "core/colocation/assignment/group_start.h"
#include "core/colocation/assignment/load_start.h"

namespace stowage {

ColocationSearch::ColocationSearch(const ColocationProblem& problem, ColocationGoal goal, std::uint64_t seed)
    : state_(problem, goal), best_(state_), annealing_(state_, best_, seed) {}

void ColocationSearch::start(WorkClock& clock) {
  LoadStart(state_).run(clock);
  take_start();
  offer(fluid_groups(state_.problem()), clock);
}

void ColocationSearch::offer(const Colocation& colocation) {
  state_.assign(colocation);
  take_start();
}

void ColocationSearch::offer(const KindGroups& groups, WorkClock& clock) {
  if (groups.empty() || clock.stop() != Stop::kNo) return;
  state_.assign(Colocation(state_.replicas(), kNone));
  GroupStart(state_, groups).run(clock);
  if (clock.stop() != Stop::kNo) return;
  LoadStart(state_).run(clock);
  take_start();
}

void ColocationSearch::take_start() {
  best_.reassigned();
  best_.offer();
  starts_.push_back(state_.colocation());
}

void ColocationSearch::run(double enough, WorkClock& clock) {
  FreeColocation free;
  while (best_.objective() > enough && clock.stop() == Stop::kNo) {
    state_.assign(passes_ < starts_.size() ? starts_[passes_] : best_.colocation());
    best_.reassigned();
    annealing_.run(Cooling::of_pass(passes_++, state_), enough, free, clock);
  }
}

}  // namespace stowage
