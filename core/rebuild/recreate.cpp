#include "core/rebuild/recreate.h"

#include <algorithm>
#include <limits>

namespace stowage {

template <class Unit>
Recreate<Unit>::Recreate(RebuildState<Unit>& state)
    : state_(&state), scratch_(state.placement()), is_moot_(state.kinds().families().size(), 0) {}

template <class Unit>
void Recreate<Unit>::drop_placed(std::vector<WaitingApp>& waiting) {
  std::erase_if(waiting, [](const WaitingApp& one) { return one.replicas == 0; });
}

template <class Unit>
void Recreate<Unit>::fill_partners(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners) {
  if (partners.empty()) return;
  for (WaitingApp& one : waiting) {
    for (const NodeId node : partners) {
      ++work_;
      const std::uint32_t room = state_->room(one.app, node, one.replicas);
      if (room == 0) continue;
      state_->put(one.app, node, room);
      one.replicas -= room;
      if (one.replicas == 0) break;
    }
  }
  drop_placed(waiting);
}

template <class Unit>
void Recreate<Unit>::try_kind(const std::vector<WaitingApp>& waiting, std::uint32_t kind) {
  const NodeKinds::Kind& of = state_->kinds().all()[kind];
  scratch_.clear(of);
  trial_.kind = kind;
  trial_.apps.clear();
  double worth = 0;
  work_ += waiting.size();
  for (std::uint32_t k = 0; k < waiting.size(); ++k) {
    const WaitingApp& one = waiting[k];
    const std::uint32_t taken = scratch_.fill(one.app, one.replicas, state_->has_rules(one.app));
    if (taken == 0) continue;
    trial_.apps.push_back({k, taken});
    worth += taken * state_->worth(one.app);
  }
  if (trial_.apps.empty()) return;
  trial_.rate = of.cost / std::max(worth, 1e-30);
  if (best_.kind == kNone || trial_.rate < best_.rate) std::swap(best_, trial_);
}

template <class Unit>
bool Recreate<Unit>::open_one(std::vector<WaitingApp>& waiting, Random& random) {
  const NodeKinds& kinds = state_->kinds();
  best_.kind = kNone;
  for (const auto& family : kinds.families()) {
    // One of the family, at random, that has a node.
    const auto size = static_cast<std::uint32_t>(family.size());
    const std::uint32_t first = size > 1 ? random.below(size) : 0;
    for (std::uint32_t k = 0; k < size; ++k) {
      const std::uint32_t kind = family[(first + k) % size];
      if (kinds.all()[kind].listed != kNone && !kinds.any_empty(kind)) continue;
      try_kind(waiting, kind);
      break;
    }
  }
  if (best_.kind == kNone) return false;
  const NodeId node = state_->empty_node(best_.kind);
  if (node == kNone) return false;
  bool any = false;
  for (const FilledApp& filled : best_.apps) {
    WaitingApp& one = waiting[filled.index];
    const std::uint32_t room = state_->room(one.app, node, filled.replicas);
    if (room == 0) continue;
    state_->put(one.app, node, room);
    one.replicas -= room;
    any = true;
  }
  drop_placed(waiting);
  return any;
}

// The cheapest new node that takes replicas of the app.
template <class Unit>
bool Recreate<Unit>::put_on_any_kind(WaitingApp& one) {
  const NodeKinds& kinds = state_->kinds();
  std::uint32_t best = kNone;
  for (std::uint32_t kind = 0; kind < kinds.all().size(); ++kind) {
    if (kinds.all()[kind].listed != kNone && !kinds.any_empty(kind)) continue;
    ++work_;
    if (best != kNone && kinds.all()[kind].cost >= kinds.all()[best].cost) continue;
    scratch_.clear(kinds.all()[kind]);
    if (scratch_.fill(one.app, 1, state_->has_rules(one.app)) > 0) best = kind;
  }
  if (best == kNone) return false;
  const NodeId node = state_->empty_node(best);
  if (node == kNone) return false;
  const std::uint32_t room = state_->room(one.app, node, one.replicas);
  if (room == 0) return false;
  state_->put(one.app, node, room);
  one.replicas -= room;
  return true;
}

template <class Unit>
void Recreate<Unit>::run(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners, Random& random) {
  fill_partners(waiting, partners);
  while (!waiting.empty() && open_one(waiting, random)) {
  }
  // What is left found no node of the families' samples.
  for (WaitingApp& one : waiting) {
    while (one.replicas > 0 && put_on_any_kind(one)) {
    }
  }
  drop_placed(waiting);
}

template class Recreate<std::int16_t>;
template class Recreate<std::int32_t>;

}  // namespace stowage
