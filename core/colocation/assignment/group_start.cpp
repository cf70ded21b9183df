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
      std::copy(group.load.begin(), group.load.end(),
                lack_.begin() + static_cast<std::ptrdiff_t>(std::size_t{node} * problem.kinds));
    }
  }
  first_.push_back(node);
}

void GroupStart::run(WorkClock& clock) {
  make_heaps();
  for (std::uint32_t i = 0; i < state_->replicas(); ++i) {
    const std::uint32_t kind = state_->replica(i).kind;
    if (state_->replica(i).node != kNone || by_lack_[kind].empty()) continue;
    if (clock.step(kUnitsPerReplica)) return;
    const std::uint32_t node = top(by_lack_[kind], [&](std::uint32_t v) { return lack(v, kind); });
    settle(i, exceeds(i, node) ? least_costly(i) : node);
  }
}

template <class KeyOf>
std::uint32_t GroupStart::top(Heap& heap, KeyOf&& key_of) {
  for (;;) {
    const double key = key_of(heap.front().node);
    if (key == heap.front().key) return heap.front().node;
    std::pop_heap(heap.begin(), heap.end());
    heap.back().key = key;
    std::push_heap(heap.begin(), heap.end());
  }
}

bool GroupStart::exceeds(std::uint32_t i, std::uint32_t node) {
  const ColocationState::Replica& replica = state_->replica(i);
  const double own = state_->problem().suffers(replica.kind, replica.kind) * replica.load;
  return replica.load > lack(node, replica.kind) && own > kLargeShare * cost_[group_of(node)];
}

std::uint32_t GroupStart::least_costly(std::uint32_t i) {
  const ColocationState::Replica& replica = state_->replica(i);
  std::uint32_t chosen = kNone;
  double least = 0;
  for (std::size_t g = 0; g < groups_->size(); ++g) {
    if ((*groups_)[g].load[replica.kind] <= 0) continue;
    const std::uint32_t node = top(by_value_[g], [&](std::uint32_t v) { return -state_->value(v); });
    const double value = state_->with(node, replica.kind, replica.load);
    if (chosen != kNone && value >= least) continue;
    chosen = node;
    least = value;
  }
  return chosen;
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
  const std::size_t g = group_of(node);
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
  by_lack_.resize(state_->kinds());
  by_value_.resize(groups_->size());
  for (std::size_t g = 0; g < groups_->size(); ++g) {
    for (std::uint32_t node = first_[g]; node < first_[g + 1]; ++node) {
      by_value_[g].push_back({0, node});
      for (std::uint32_t t = 0; t < state_->kinds(); ++t) {
        if ((*groups_)[g].load[t] > 0) by_lack_[t].push_back({lack(node, t), node});
      }
    }
  }
  for (Heap& heap : by_lack_) std::make_heap(heap.begin(), heap.end());
}

std::size_t GroupStart::group_of(std::uint32_t node) const {
  return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), node) - first_.begin() - 1);
}

}  // namespace stowage
