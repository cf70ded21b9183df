#include "core/planners/auto/traffic/traffic_help.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace stowage {
namespace {

/// Steps of the bound whose prices are good enough to dive by.
constexpr std::uint64_t kStepsBeforeDive = 40;
/// The first dive begins once the run has done a share of the work that the dive takes, and others after a multiple each.
constexpr std::uint64_t kDiveShare = 4;
constexpr std::uint64_t kDivesApart = 3;
/// Dives that end in different contents.
constexpr TrafficDive::Way kWays[] = {{6, 0.95}, {12, 0.95}, {6, 0.93}, {12, 0.97}};
/// The bound takes a share of the run's work.
constexpr std::uint64_t kProofShare = 4;

}  // namespace

TrafficHelp::TrafficHelp(const PlannerInput& input, const TrafficGraph& graph, std::vector<std::uint64_t> carries)
    : known_(input.bounds.get().of[Objective::kTraffic].front().value.value),
      proof_(input.instance, Supply(input.instance), graph),
      dive_(graph, proof_.demand(), carries) {}

bool TrafficHelp::step(WorkClock& clock) {
  const std::uint64_t before = clock.work();
  const bool goes_on = proof_.step(clock);
  work_ += clock.work() - before;
  ++steps_;
  return goes_on;
}

bool TrafficHelp::dive(WorkClock& clock) {
  if (dives_ == std::size(kWays) || proof_.prices() == nullptr || dive_.evaluations(kWays[0]) == 0) return false;
  if (steps_ == 0 && (proof_.work_of_step() > clock.work() || !step(clock))) return false;
  const TrafficDive::Way& way = kWays[dives_];
  const std::uint64_t work = work_ / steps_ * (kStepsBeforeDive + dive_.evaluations(way));
  if (clock.work() < (dives_ == 0 ? work / kDiveShare : dives_ * work * kDivesApart)) return false;
  while (steps_ < kStepsBeforeDive && !proof_.is_over()) {
    if (!step(clock)) return false;
  }
  ++dives_;
  return dive_.run(*proof_.prices(), way, clock);
}

void TrafficHelp::prove(WorkClock& clock) {
  // The first step takes its turn once the run has done as much.
  if (proof_.prices() == nullptr || (steps_ == 0 && proof_.work_of_step() > clock.work())) return;
  while (!proof_.is_over() && work_ < clock.work() / kProofShare) {
    if (!step(clock)) return;
  }
}

double TrafficHelp::bound() const { return std::max(known_, proof_.remote()); }

void TrafficHelp::state_bound(Plan& plan) const {
  if (!(proof_.remote() > known_)) return;
  plan.bounds[Objective::kTraffic] = Bound{std::string(traffic_forest_bound_info().name), proof_.remote(), kNone, kNone};
}

}  // namespace stowage
