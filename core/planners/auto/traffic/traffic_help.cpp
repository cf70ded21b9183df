#include "core/planners/auto/traffic/traffic_help.h"

#include <algorithm>
#include <string>
#include <utility>

namespace stowage {
namespace {

/// Steps of the bound whose prices are good enough to dive by.
constexpr std::uint64_t kStepsBeforeDive = 40;
/// The dive begins once the run has done a share of the work that the dive takes.
constexpr std::uint64_t kDiveShare = 4;
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
  if (has_dived_ || proof_.prices() == nullptr || dive_.evaluations() == 0) return false;
  if (steps_ == 0 && (proof_.work_of_step() > clock.work() || !step(clock))) return false;
  const std::uint64_t work = work_ / steps_ * (kStepsBeforeDive + dive_.evaluations());
  if (clock.work() < work / kDiveShare) return false;
  while (steps_ < kStepsBeforeDive && !proof_.is_over()) {
    if (!step(clock)) return false;
  }
  has_dived_ = true;
  return dive_.run(*proof_.prices(), clock);
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
