#include "core/colocation/assignment/group_start.h"

#include <algorithm>

namespace stowage {

GroupStart::GroupStart(ColocationState& state, const KindGroups& groups) : state_(&state), groups_(&groups) {
  const ColocationProblem& problem = state.problem();
  lack_.assign(std::size_t{problem.nodes} * problem.kinds, 0);
  std::uint32_t node = 0;
  for (const KindGroup& group : groups) {
    first_.push_back(node);
    double worst = 0;
    for (std::uint32_t t = 0; t < problem.kinds; ++t) {
      double cost = 0;
      for (std::uint32_t u = 0; u < problem.kinds; ++u) cost += problem.suffers(t, u) * group.load[u];
      if (group.load[t] > 0) worst = std::max(worst, cost);
    }
    cost_.push_back(worst);
    for (const std::uint32_t end = node + group.nodes; node < end; ++node) {
      std::copy(group.load.begin(), group.load.end(), lack_.begin() + std::ptrdiff_t{node} * problem.kinds);
    }
  }
  first_.push_back(node);
}

void GroupStart::run(WorkClock& clock) {
  if (!place_large(clock)) return;
  make_heaps();
  for (std::uint32_t i = 0; i < state_->replicas(); ++i) {
    const ColocationState::Replica& replica = state_->replica(i);
    Heap& heap = heaps_[replica.kind];
    if (replica.node != kNone || heap.empty()) continue;
    if (clock.step(kUnitsPerReplica)) return;
    std::pop_heap(heap.begin(), heap.end());
    Entry& entry = heap.back();
    entry.key -= replica.load;
    state_->move(i, entry.node);
    std::push_heap(heap.begin(), heap.end());
  }
}

// Per kind, the large replicas come largest first; the top of a group's heap is its node of the least value.
bool GroupStart::place_large(WorkClock& clock) {
  const ColocationProblem& problem = state_->problem();
  std::vector<Heap> heaps(groups_->size());
  for (std::size_t g = 0; g < groups_->size(); ++g) {
    for (std::uint32_t node = first_[g]; node < first_[g + 1]; ++node) heaps[g].push_back({0, node});
  }
  for (std::uint32_t i = 0; i < state_->replicas(); ++i) {
    const ColocationState::Replica& replica = state_->replica(i);
    const double own = problem.suffers(replica.kind, replica.kind) * replica.load;
    std::size_t chosen = groups_->size();
    double least = 0;
    for (std::size_t g = 0; g < groups_->size(); ++g) {
      if ((*groups_)[g].load[replica.kind] <= 0 || own <= kLargeShare * cost_[g]) continue;
      const double value = state_->with(heaps[g].front().node, replica.kind, replica.load);
      if (chosen < groups_->size() && value >= least) continue;
      chosen = g;
      least = value;
    }
    if (chosen == groups_->size()) continue;
    if (clock.step(kUnitsPerReplica)) return false;
    Heap& heap = heaps[chosen];
    std::pop_heap(heap.begin(), heap.end());
    settle(i, heap.back().node);
    heap.back().key = -state_->value(heap.back().node);
    std::push_heap(heap.begin(), heap.end());
  }
  return true;
}

// What a large replica exceeds its target by is at the expense of the other kinds, in proportion.
void GroupStart::settle(std::uint32_t i, std::uint32_t node) {
  const ColocationProblem& problem = state_->problem();
  const ColocationState::Replica& replica = state_->replica(i);
  state_->move(i, node);
  double& own = lack(node, replica.kind);
  const double excess = replica.load - std::max(own, 0.0);
  own -= replica.load;
  if (excess <= 0) return;
  const auto g = static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), node) - first_.begin() - 1);
  double harm = 0;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if ((*groups_)[g].load[t] > 0) harm = std::max(harm, problem.suffers(t, replica.kind) * excess);
  }
  const double rest = std::max(0.0, 1 - harm / cost_[g]);
  for (std::uint32_t t = 0; t < problem.kinds; ++t) {
    if (t != replica.kind && lack(node, t) > 0) lack(node, t) *= rest;
  }
}

void GroupStart::make_heaps() {
  heaps_.resize(state_->kinds());
  for (std::size_t g = 0; g < groups_->size(); ++g) {
    for (std::uint32_t t = 0; t < state_->kinds(); ++t) {
      if ((*groups_)[g].load[t] <= 0) continue;
      for (std::uint32_t node = first_[g]; node < first_[g + 1]; ++node) heaps_[t].push_back({lack(node, t), node});
    }
  }
  for (Heap& heap : heaps_) std::make_heap(heap.begin(), heap.end());
}

}  // namespace stowage
