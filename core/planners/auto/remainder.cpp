#include "core/planners/auto/remainder.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/placement/placement.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"

namespace stowage {
namespace {

/// Loading a plan with more replicas takes longer than a caller wants to wait after a deadline.
constexpr std::uint64_t kMostReplicas = 200'000;
/// Looks at single nodes, and nodes whose room is compared in the time of one.
constexpr std::uint64_t kMostRemainderLooks = 60'000;
constexpr std::uint64_t kScannedPerLook = 64;

/// Apps with replicas left over that run nowhere, those that count most first.
std::vector<AppId> apps_left_over(const PlannerInput& input, const Plan& plan) {
  const Instance& instance = input.instance;
  std::vector<std::uint8_t> runs(instance.apps(), 0);
  if (!input.request.ignore_running) {
    for (const Residence& r : instance.data().running) runs[r.app] = 1;
  }
  std::vector<AppId> apps;
  for (const Unplaced& left : plan.unplaced) {
    if (runs[left.app] == 0) apps.push_back(left.app);
  }
  std::stable_sort(apps.begin(), apps.end(), [&](AppId a, AppId b) {
    if (instance.priority(a) != instance.priority(b)) return instance.priority(a) > instance.priority(b);
    return replica_worth(instance, a, input.request.fill) > replica_worth(instance, b, input.request.fill);
  });
  return apps;
}

template <class Unit>
void place_on(const PlannerInput& input, const std::vector<AppId>& apps, Plan& plan) {
  Request request = input.request;
  request.ignore_running = true;  // what runs is where the plan has it
  Placement<Unit> placement(input.instance, request);
  placement.add(plan);
  typename Placement<Unit>::Candidate candidate(placement);
  std::vector<ClassId> classes(input.instance.classes());
  std::iota(classes.begin(), classes.end(), 0);
  std::uint64_t looks = kMostRemainderLooks;
  const auto look = [&](std::uint64_t times) {
    looks -= std::min(looks, times);
    return looks > 0;
  };
  bool any = false;
  std::vector<NodeId> nodes;
  for (const AppId app : apps) {
    if (!look(1 + placement.nodes() / kScannedPerLook)) break;
    candidate.start(placement, app);
    const auto put = [&](NodeId node) {
      const std::uint32_t takes = placement.headroom(candidate, node, placement.unplaced(app));
      if (takes > 0) placement.place(app, node, takes);
      any = any || takes > 0;
      return takes > 0;
    };
    nodes.clear();
    placement.residuals().for_each_fitting(candidate.need(), 0, [&](NodeId node) {
      nodes.push_back(node);
      return nodes.size() < looks;
    });
    for (const NodeId node : nodes) {
      if (placement.unplaced(app) == 0 || !look(1)) break;
      put(node);
    }
    while (placement.unplaced(app) > 0 && look(1)) {
      const NodeId node = placement.open_for(candidate, classes);
      if (node == kNone || !put(node)) break;
    }
  }
  if (!any) return;
  Plan more;
  placement.write(more);
  plan.adopt(std::move(more));
}

}  // namespace

void place_remainder(const PlannerInput& input, Plan& plan) {
  if (plan.unplaced.empty() || input.request.all_or_nothing || input.instance.total_replicas() > kMostReplicas) return;
  const std::vector<AppId> apps = apps_left_over(input, plan);
  if (apps.empty()) return;
  expand(plan);
  input.instance.visit_unit([&](auto unit) { place_on<decltype(unit)>(input, apps, plan); });
}

}  // namespace stowage
