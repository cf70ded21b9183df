#include "core/colocation/search/target_walk.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/watched.h"

namespace stowage {

Colocation renamed_after(const ColocationState& state, const Colocation& target, WatchRef watch) {
  // A node of the target, and one of the state.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes(state.replicas());
  for (std::uint32_t i = 0; i < state.replicas(); ++i) nodes[i] = {target[i], state.replica(i).node};
  watched_sort(nodes, watch);
  if (watch.ended()) return target;
  struct Pair {
    std::uint32_t common;
    std::uint32_t of_target;
    std::uint32_t of_state;
  };
  std::vector<Pair> pairs;
  for (std::size_t first = 0, end = 0; first < nodes.size(); first = end) {
    while (end < nodes.size() && nodes[end] == nodes[first]) ++end;
    pairs.push_back({static_cast<std::uint32_t>(end - first), nodes[first].first, nodes[first].second});
  }
  watched_sort(pairs, watch, [](const Pair& a, const Pair& b) {
    return std::tuple(b.common, a.of_target, a.of_state) < std::tuple(a.common, b.of_target, b.of_state);
  });
  if (watch.ended()) return target;
  std::vector<std::uint32_t> name(state.nodes(), kNone);
  std::vector<std::uint8_t> is_taken(state.nodes(), 0);
  for (const Pair& pair : pairs) {
    if (name[pair.of_target] != kNone || is_taken[pair.of_state] != 0) continue;
    name[pair.of_target] = pair.of_state;
    is_taken[pair.of_state] = 1;
  }
  std::uint32_t next = 0;
  for (std::uint32_t& node : name) {
    if (node != kNone) continue;
    while (is_taken[next] != 0) ++next;
    node = next++;
  }
  Colocation renamed = target;
  for (std::uint32_t& node : renamed) node = name[node];
  return renamed;
}

TargetWalk::TargetWalk(ColocationState& state, Colocation target, ColocationGate& gate)
    : state_(&state), target_(std::move(target)), gate_(&gate), has_kind_(std::size_t{state.nodes()} * state.kinds(), 0) {
  for (std::uint32_t i = 0; i < state.replicas(); ++i) {
    has_kind_[std::size_t{target_[i]} * state.kinds() + state.replica(i).kind] = 1;
  }
}

// Later sweeps find room that earlier ones have made.
void TargetWalk::run(WorkClock& clock) {
  bool any = true;
  for (std::uint32_t sweep = 0; sweep < kMostSweeps && any; ++sweep) {
    any = false;
    for (std::uint32_t i = 0; i < state_->replicas() && clock.stop() == Stop::kNo; ++i) {
      if (!is_misplaced(i)) continue;
      if (go(i, target_[i], clock) || (!belongs(i, state_->replica(i).node) && go_among_own(i, clock))) any = true;
    }
  }
}

bool TargetWalk::go(std::uint32_t i, std::uint32_t node, WorkClock& clock) {
  if (exchange(i, node, state_->nothing(), clock)) return true;
  const std::vector<std::uint32_t> there(state_->members(node).begin(), state_->members(node).end());
  return std::any_of(there.begin(), there.end(),
                     [&](std::uint32_t j) { return is_misplaced(j) && !belongs(j, node) && exchange(i, node, j, clock); }) ||
         std::any_of(there.begin(), there.end(), [&](std::uint32_t j) {
           return is_misplaced(j) && belongs(j, node) && belongs(j, state_->replica(i).node) && exchange(i, node, j, clock);
         });
}

bool TargetWalk::go_among_own(std::uint32_t i, WorkClock& clock) {
  std::uint32_t node = i % state_->nodes();
  for (std::uint32_t k = 0; k < state_->nodes() && clock.stop() == Stop::kNo; ++k) {
    if (belongs(i, node) && go(i, node, clock)) return true;
    node = node + 1 == state_->nodes() ? 0 : node + 1;
  }
  return false;
}

bool TargetWalk::exchange(std::uint32_t i, std::uint32_t node, std::uint32_t j, WorkClock& clock) {
  if (clock.stop() != Stop::kNo || clock.step(kUnitsPerQuestion) || !gate_->may_exchange(i, node, j)) return false;
  gate_->exchanging(i, node, j);
  if (j == state_->nothing()) {
    state_->move(i, node);
  } else {
    state_->exchange(i, j);
  }
  return true;
}

}  // namespace stowage
