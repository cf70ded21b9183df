#include "core/rebuild/recreate.h"

#include <algorithm>
#include <numeric>

namespace stowage {

template <class Unit>
Recreate<Unit>::Recreate(RebuildState<Unit>& state) : state_(&state), scratch_(state.placement()) {}

template <class Unit>
void Recreate<Unit>::drop_placed(std::vector<WaitingApp>& waiting) {
  std::erase_if(waiting, [](const WaitingApp& one) { return one.replicas == 0; });
}

template <class Unit>
bool Recreate<Unit>::bring_needed(std::vector<WaitingApp>& waiting, AppId app, NodeId node) {
  // Apps that need each other come together; long chains are left to later steps.
  constexpr std::size_t kLongestChain = 4;
  if (arriving_.size() >= kLongestChain) return false;
  const TagModel& rules = state_->instance().tag_model();
  const Placement<Unit>& placement = state_->placement();
  arriving_.push_back(app);
  const auto arrives = [&](AppId other) { return std::find(arriving_.begin(), arriving_.end(), other) != arriving_.end(); };
  bool complete = true;
  for (const std::uint32_t p : state_->needs_near(app)) {
    const TagPart& of = rules.part(p);
    const TagSite site = placement.tag_view().site(node);
    const auto there = [&] {
      if (of.group == kNone) return placement.tags().count_on(p, site, placement.contents().at(node));
      const auto sets = rules.sets_of(of.group, site.listed, site.node_class);
      return sets.empty() ? 0u : placement.tags().in_set(p, sets[0]).count;
    };
    for (std::uint32_t k = 0; k < waiting.size() && there() < of.min; ++k) {
      if (waiting[k].replicas > 0 && !arrives(waiting[k].app) && rules.is_target(waiting[k].app, p)) {
        put(waiting, k, node, of.min - there());
      }
    }
    const bool will_be = std::any_of(arriving_.begin(), arriving_.end(), [&](AppId one) { return rules.is_target(one, p); });
    complete = complete && (there() >= of.min || will_be);
  }
  arriving_.pop_back();
  return complete;
}

template <class Unit>
std::uint32_t Recreate<Unit>::put(std::vector<WaitingApp>& waiting, std::uint32_t index, NodeId node, std::uint32_t wanted) {
  WaitingApp& one = waiting[index];
  ++work_;
  note_question(one.app);
  std::uint32_t room = state_->room(one.app, node, std::min(wanted, one.replicas), asked_);
  if (room == 0) return 0;
  if (!state_->needs_near(one.app).empty()) {
    if (!bring_needed(waiting, one.app, node)) return 0;
    room = state_->room(one.app, node, std::min(wanted, one.replicas), asked_);
    if (room == 0) return 0;
  }
  state_->put(one.app, node, room);
  one.replicas -= room;
  return room;
}

template <class Unit>
void Recreate<Unit>::find_needed(const std::vector<WaitingApp>& waiting) {
  needed_.clear();
  asked_parts_.clear();
  const TagModel& rules = state_->instance().tag_model();
  for (const WaitingApp& one : waiting) {
    for (const std::uint32_t p : state_->needs_near(one.app)) {
      if (!state_->counts_few(p)) continue;
      needed_.resize(waiting.size(), 0);
      // The first app that asks leaves itself out, the second no one.
      if (std::count(asked_parts_.begin(), asked_parts_.end(), p) == 2) continue;
      asked_parts_.push_back(p);
      for (std::size_t k = 0; k < waiting.size(); ++k) {
        if (waiting[k].app != one.app && rules.is_target(waiting[k].app, p)) needed_[k] = 1;
      }
    }
  }
}

template <class Unit>
void Recreate<Unit>::fill_partners(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners) {
  if (partners.empty()) return;
  find_needed(waiting);
  take_turns([&](std::uint32_t most) {
    for (std::uint32_t k = 0; k < waiting.size(); ++k) {
      for (const NodeId node : partners) {
        if (waiting[k].replicas == 0) break;
        const std::uint32_t there = needed_.empty() ? 0 : state_->placement().contents().count(waiting[k].app, node);
        put(waiting, k, node, at_once(k, most, there));
      }
    }
  });
  drop_placed(waiting);
}

template <class Unit>
double Recreate<Unit>::try_app(const std::vector<WaitingApp>& waiting, std::uint32_t index, std::uint32_t most) {
  const WaitingApp& one = waiting[index];
  double worth = 0;
  const TagModel& rules = state_->instance().tag_model();
  for (const std::uint32_t p : state_->needs_near(one.app)) {
    for (std::uint32_t k = 0; k < waiting.size() && scratch_.lacking(p) > 0; ++k) {
      if (waiting[k].app == one.app || !rules.is_target(waiting[k].app, p)) continue;
      const std::uint32_t taken =
          scratch_.fill(waiting[k].app, std::min(waiting[k].replicas - tried_[k], scratch_.lacking(p)), true, asked_);
      if (taken == 0) continue;
      tried_[k] += taken;
      trial_.apps.push_back({k, taken});
      worth += taken * state_->worth(waiting[k].app);
    }
    if (scratch_.lacking(p) > 0 && !rules.is_target(one.app, p)) return worth;
  }
  const std::uint32_t wanted = std::min(most, one.replicas - tried_[index]);
  if (wanted == 0) return worth;
  note_question(one.app);
  const std::uint32_t taken = scratch_.fill(one.app, wanted, state_->has_rules(one.app), asked_);
  if (taken == 0) return worth;
  tried_[index] += taken;
  trial_.apps.push_back({index, taken});
  return worth + taken * state_->worth(one.app);
}

template <class Unit>
void Recreate<Unit>::fill_trial(const std::vector<WaitingApp>& waiting, std::uint32_t kind, double cost) {
  trial_.kind = kind;
  trial_.apps.clear();
  double worth = 0;
  work_ += waiting.size();
  tried_.assign(waiting.size(), 0);
  take_turns([&](std::uint32_t most) {
    for (const std::uint32_t k : order_) {
      if (!scratch_.covers(demand_[k])) continue;
      const double added = try_app(waiting, k, at_once(k, most, tried_[k]));
      worth += added;
      if (added > 0 && scratch_.is_full()) return;
    }
  });
  if (trial_.apps.empty()) return;
  trial_.rate = rate_of(waiting, cost, worth);
  if (best_.kind == kNone || trial_.rate < best_.rate) std::swap(best_, trial_);
}

template <class Unit>
double Recreate<Unit>::rate_of(const std::vector<WaitingApp>& waiting, double cost, double worth) const {
  const ScarceNodes& scarce = state_->scarce();
  if (scarce.price > 0) {
    double nodes = 0;
    for (const FilledApp& filled : trial_.apps) nodes += filled.replicas * scarce.worth[waiting[filled.index].app];
    worth += (node_price_ - scarce.price) * nodes;
  }
  return cost / std::max(worth, 1e-30);
}

template <class Unit>
void Recreate<Unit>::try_kind(const std::vector<WaitingApp>& waiting, std::uint32_t kind, double weight) {
  const SpareNodes::Kind& of = state_->kinds().all()[kind];
  scratch_.clear(of);
  fill_trial(waiting, kind, weight * (of.cost + node_price_));
}

template <class Unit>
void Recreate<Unit>::try_kinds(const std::vector<WaitingApp>& waiting, Random& random) {
  const SpareNodes& kinds = state_->kinds();
  for (const std::uint32_t number : kinds.choice()) {
    const std::vector<std::uint32_t>& family = kinds.families()[number];
    // One of the family, at random, that has a node.
    const auto size = static_cast<std::uint32_t>(family.size());
    const std::uint32_t first = size > 1 ? random.below(size) : 0;
    for (std::uint32_t k = 0; k < size; ++k) {
      const std::uint32_t kind = family[(first + k) % size];
      if (!kinds.may_have_node(kind, state_->placement())) continue;
      try_kind(waiting, kind, kind_noise_ > 0 ? 1 + kind_noise_ * random.share() : 1);
      break;
    }
  }
}

template <class Unit>
template <class TryAll>
void Recreate<Unit>::try_orders(const std::vector<WaitingApp>& waiting, Random& random, TryAll&& try_all) {
  best_.kind = kNone;
  find_needed(waiting);
  scratch_.expect_none();
  demand_.clear();
  for (const WaitingApp& one : waiting) {
    scratch_.expect(one.app);
    demand_.push_back(state_->instance().template scaled_demand<Unit>(one.app).data());
  }
  order_.resize(waiting.size());
  std::iota(order_.begin(), order_.end(), 0u);
  try_all();
  for (std::uint32_t k = 0; k < further_orders_; ++k) {
    drawn_.clear();
    for (std::uint32_t at = 0; at < waiting.size(); ++at) drawn_.emplace_back(waiting[at].rank * random.share(), at);
    std::sort(drawn_.begin(), drawn_.end(), [](const auto& a, const auto& b) { return a > b; });
    for (std::size_t at = 0; at < drawn_.size(); ++at) order_[at] = drawn_[at].second;
    try_all();
  }
}

template <class Unit>
std::uint32_t Recreate<Unit>::put_best(std::vector<WaitingApp>& waiting, NodeId node) {
  std::uint32_t placed = 0;
  for (const FilledApp& filled : best_.apps) placed += put(waiting, filled.index, node, filled.replicas);
  drop_placed(waiting);
  return placed;
}

template <class Unit>
void Recreate<Unit>::fill(std::vector<WaitingApp>& waiting, NodeId node, Random& random) {
  asked_ = TagState::Asked::kAll;
  try_orders(waiting, random, [&] {
    scratch_.copy(node);
    fill_trial(waiting, 0, 1);
  });
  if (best_.kind != kNone) put_best(waiting, node);
  fill_partners(waiting, {&node, 1});
}

template <class Unit>
bool Recreate<Unit>::open_one(std::vector<WaitingApp>& waiting, Random& random) {
  try_orders(waiting, random, [&] { try_kinds(waiting, random); });
  if (best_.kind == kNone) return false;
  const NodeId node = best_empty_node(waiting, random);
  return node != kNone && put_best(waiting, node) > 0;
}

template <class Unit>
NodeId Recreate<Unit>::best_empty_node(const std::vector<WaitingApp>& waiting, Random& random) {
  constexpr std::uint32_t kSampled = 6;
  const NodeId any = state_->empty_node(best_.kind);
  if (!state_->state().moves_matter() || state_->kinds().all()[best_.kind].listed == kNone) return any;
  const std::vector<NodeId>& empty = state_->kinds().empty(best_.kind);
  NodeId best = any;
  std::uint32_t most = 0;
  for (std::uint32_t k = 0; k < kSampled; ++k) {
    // The nodes that were emptied last, then others.
    const auto size = static_cast<std::uint32_t>(empty.size());
    const NodeId node = k < kSampled / 2 && k < size ? empty[size - 1 - k] : empty[random.below(size)];
    std::uint32_t home = 0;
    for (const FilledApp& filled : best_.apps) {
      home += std::min(filled.replicas, state_->state().away(waiting[filled.index].app, node));
    }
    if (home <= most) continue;
    best = node;
    most = home;
  }
  return best;
}

// The cheapest new node that takes replicas of the app.
template <class Unit>
bool Recreate<Unit>::put_on_any_kind(std::vector<WaitingApp>& waiting, std::uint32_t index) {
  const WaitingApp& one = waiting[index];
  const SpareNodes& kinds = state_->kinds();
  std::uint32_t best = kNone;
  for (std::uint32_t kind = 0; kind < kinds.all().size(); ++kind) {
    if (!kinds.may_have_node(kind, state_->placement())) continue;
    ++work_;
    if (best != kNone && kinds.all()[kind].cost >= kinds.all()[best].cost) continue;
    scratch_.clear(kinds.all()[kind]);
    note_question(one.app);
    if (scratch_.fill(one.app, 1, state_->has_rules(one.app), asked_) > 0) best = kind;
  }
  if (best == kNone) return false;
  const NodeId node = state_->empty_node(best);
  return node != kNone && put(waiting, index, node, kNone) > 0;
}

template <class Unit>
void Recreate<Unit>::place_all(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners, Random& random,
                               WorkClock& clock, std::uint64_t piece) {
  const auto ends = [&] {
    if (has_asked_long()) {
      clock.look();
      return clock.step(1 + take_work());
    }
    return work_ >= piece && clock.step(take_work());
  };
  fill_partners(waiting, partners);
  while (!waiting.empty() && !ends() && open_one(waiting, random)) {
  }
  // What is left found no node of the families' samples.
  for (std::uint32_t k = 0; k < waiting.size(); ++k) {
    while (waiting[k].replicas > 0 && !ends() && put_on_any_kind(waiting, k)) {
    }
  }
  drop_placed(waiting);
}

template <class Unit>
void Recreate<Unit>::run(std::vector<WaitingApp>& waiting, std::span<const NodeId> partners, bool gently, Random& random,
                         WorkClock& clock, std::uint64_t piece) {
  asked_ = gently ? TagState::Asked::kAll : TagState::Asked::kHard;
  place_all(waiting, partners, random, clock, piece);
  if (!gently || waiting.empty() || (piece > 0 && clock.stop() != Stop::kNo)) return;
  asked_ = TagState::Asked::kHard;
  place_all(waiting, partners, random, clock, piece);
}

template class Recreate<std::int16_t>;
template class Recreate<std::int32_t>;

}  // namespace stowage
