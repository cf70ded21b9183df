#include "core/rebuild/neighbourhoods/drain.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stowage {
namespace {

/// Nodes on which a replica of a node that is emptied is tried.
constexpr std::uint32_t kDrainTries = 128;

/// Puts all waiting replicas of the app on nodes in use but `drained`, each on the one that it leaves with least free worth.
template <class Unit>
bool put_elsewhere(RebuildState<Unit>& state, AppId app, NodeId drained, WorkClock& clock) {
  const Placement<Unit>& placement = state.placement();
  while (placement.unplaced(app) > 0) {
    NodeId best = kNone;
    double least = 0;
    std::uint32_t tries = 0;
    std::uint64_t looked = 0;
    placement.residuals().for_each_fitting(state.need(app), 0, [&](NodeId node) {
      ++looked;
      if (node == drained || !placement.used(node) || !state.state().in_play(node)) return true;
      if (state.room(app, node, 1, TagState::Asked::kHard) == 0) return true;
      if (best == kNone || state.waste(node) < least) {
        best = node;
        least = state.waste(node);
      }
      return ++tries < kDrainTries;
    });
    if (clock.step(looked) || best == kNone) return false;
    state.put(app, best, state.room(app, best, placement.unplaced(app), TagState::Asked::kHard));
  }
  return true;
}

/// Whether the node could be emptied and closed.
template <class Unit>
bool empty(RebuildState<Unit>& state, NodeId node, WorkClock& clock) {
  const auto list = state.placement().contents().at(node);
  std::vector<Tenant> tenants(list.begin(), list.end());
  for (const Tenant& tenant : tenants) {
    if (state.placement().unplaced(tenant.app) > 0) return false;
  }
  std::sort(tenants.begin(), tenants.end(), [&](const Tenant& a, const Tenant& b) {
    const double worth_of_a = state.worth(a.app);
    const double worth_of_b = state.worth(b.app);
    return worth_of_a != worth_of_b ? worth_of_a > worth_of_b : a.app < b.app;
  });
  for (const Tenant& tenant : tenants) state.take(tenant.app, node, tenant.replicas);
  return std::all_of(tenants.begin(), tenants.end(),
                     [&](const Tenant& tenant) { return put_elsewhere(state, tenant.app, node, clock); });
}

}  // namespace

template <class Unit>
double drain(RebuildState<Unit>& state, WorkClock& clock) {
  const SearchState<Unit>& search = state.state();
  const double cost_before = state.parts().nodes;
  const std::uint64_t moves_before = search.moves();
  for (bool any = true; any && clock.stop() == Stop::kNo;) {
    any = false;
    std::vector<std::pair<double, NodeId>> order;  // by cost per move, the largest first
    for (const NodeId node : state.used()) {
      if (!search.can_close(node)) continue;
      order.emplace_back(-state.cost_of(node) / static_cast<double>(std::max<std::uint64_t>(1, search.moves_to_close(node))),
                         node);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [rate, node] : order) {
      if (clock.stop() != Stop::kNo) break;
      if (!search.can_close(node) || !state.placement().used(node)) continue;
      const double before = state.energy();
      state.begin();
      if (empty(state, node, clock) && search.moves() <= search.move_budget() && state.energy() < before) {
        any = true;
      } else {
        state.roll_back();
      }
    }
  }
  const std::uint64_t moves = search.moves() - std::min(search.moves(), moves_before);
  return moves == 0 ? 0 : (cost_before - state.parts().nodes) / static_cast<double>(moves);
}

template double drain(RebuildState<std::int16_t>& state, WorkClock& clock);
template double drain(RebuildState<std::int32_t>& state, WorkClock& clock);

}  // namespace stowage
