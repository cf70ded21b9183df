#include "core/colocation/search/colocation_search.h"

#include <algorithm>

#include "core/colocation/assignment/group_start.h"
#include "core/colocation/assignment/load_start.h"

#ifdef TUNE
#include <cstdlib>
static double tune(const char* n, double d) {
  const char* e = getenv(n);
  return e ? atof(e) : d;
}
#endif
namespace stowage {

ColocationSearch::ColocationSearch(const ColocationProblem& problem, ColocationGoal goal, std::uint64_t seed)
    : state_(problem, goal), best_(state_), annealing_(state_, best_, seed) {}

void ColocationSearch::start(WorkClock& clock) {
  LoadStart(state_).run(clock);
  best_.reassigned();
  best_.offer();
  offer(fluid_groups(state_.problem()), clock);
}

void ColocationSearch::offer(const Colocation& colocation) {
  state_.assign(colocation);
  best_.reassigned();
  best_.offer();
}

void ColocationSearch::offer(const KindGroups& groups, WorkClock& clock) {
  if (groups.empty() || clock.stop() != Stop::kNo) return;
  state_.assign(Colocation(state_.replicas(), kNone));
  best_.reassigned();
  GroupStart(state_, groups).run(clock);
  if (clock.stop() != Stop::kNo) return;
  LoadStart(state_).run(clock);
  best_.offer();
}

void ColocationSearch::run(double enough, WorkClock& clock) {
  FreeColocation free;
  while (best_.objective() > enough && clock.stop() == Stop::kNo) {
    state_.assign(best_.colocation());
    best_.reassigned();
    annealing_.run(next_pass(), enough, free, clock);
  }
}

Cooling ColocationSearch::next_pass() {
  const std::uint64_t steps = std::max<std::uint64_t>(kLeastSteps, kStepsPerReplica * state_.replicas())
                              << std::min(passes_ / 2, kMostDoublings);
  const double hot = passes_ % 2 == 0 ? kHot : kWarm;
  ++passes_;
#ifdef TUNE
  static double h = tune("HOT", .3), w = tune("WARM", .03), c = tune("COLD", .001), l = tune("LEN", 64), g = tune("DOUBLE", 2),
                mx = tune("MOST", 8);
  return {passes_ % 2 == 1 ? h : w, c,
          std::max<std::uint64_t>(kLeastSteps, (std::uint64_t)(l * state_.replicas()))
              << std::min((std::uint32_t)(passes_ / g), (std::uint32_t)mx)};
#endif
  return {hot, kCold, steps};
}

}  // namespace stowage
