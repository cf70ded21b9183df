#include "core/colocation/search/colocation_search.h"

#include <algorithm>

#include "core/colocation/assignment/group_start.h"
#include "core/colocation/assignment/load_start.h"

#ifdef TUNE
#include <cstdio>
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
#ifdef TUNE
    static int only = tune("ONLY", -1);
    if (only >= 0 && passes_ == 0) {
      auto st = starts_[std::min<std::size_t>(only, starts_.size() - 1)];
      starts_.clear();
      starts_.push_back(st);
    }
#endif
    const std::uint32_t pass = passes_;
    state_.assign(pass < starts_.size() ? starts_[pass] : best_.colocation());
    best_.reassigned();
#ifdef TUNE
    static double verb = tune("VERB", 0);
    double from = state_.objective();
#endif
    annealing_.run(next_pass(enough), enough, free, clock);
#ifdef TUNE
    if (verb)
      printf("\n   pass %u from %.6f to %.6f best %.6f ", passes_, from / enough, state_.objective() / enough,
             best_.objective() / enough);
#endif
  }
}

static std::uint32_t squarings(double gap, double c) {
  std::uint32_t q = 3;
  while (q < 16 && (1u << q) * gap < c) ++q;
  return q;
}
Cooling ColocationSearch::next_pass(double enough) {
  const std::uint64_t steps = std::max<std::uint64_t>(kLeastSteps, kStepsPerReplica * state_.replicas())
                              << std::min(passes_ / 2, kMostDoublings);
  const double hot = passes_ % 2 == 0 ? kHot : kWarm;
  ++passes_;
#ifdef TUNE
  static double h = tune("HOT", .3), w = tune("WARM", .03), c = tune("COLD", .001), l = tune("LEN", 64), g = tune("DOUBLE", 2),
                mx = tune("MOST", 8), q = tune("QUAD", 5), q2 = tune("QUADW", 5);
  return {passes_ % 2 == 1 ? h : w, c,
          std::max<std::uint64_t>(kLeastSteps, (std::uint64_t)(l * state_.replicas()))
              << std::min((std::uint32_t)(passes_ / g), (std::uint32_t)mx),
          squarings(best_.objective() / enough - 1, passes_ % 2 == 1 ? q : q2)};
#endif
  return {hot, kCold, steps};
}

}  // namespace stowage
