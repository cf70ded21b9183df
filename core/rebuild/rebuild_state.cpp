#include "core/rebuild/rebuild_state.h"

#include <algorithm>
#include <cassert>

namespace stowage {

template <class Unit>
RebuildState<Unit>::RebuildState(SearchState<Unit>& state, EnergyPrices prices, std::vector<double> worth,
                                 const ScarceNodes& scarce)
    : state_(&state), prices_(std::move(prices)), kinds_(state.instance()), scarce_(scarce), worth_(std::move(worth)) {
  const Instance& in = instance();
  for (AppId app = 0; app < scarce_.worth.size(); ++app) worth_[app] += scarce_.price * scarce_.worth[app];
  need_.resize(in.apps());
  for (AppId app = 0; app < in.apps(); ++app) {
    placement().residuals().prepare(app, need_[app]);
    energy_.unplaced += prices_.unplaced[app] * placement().unplaced(app);
    waiting_ += placement().unplaced(app);
  }
  read_rules();
  if (!ruled_apps_.empty() || state.moves_matter()) state.track_holders(state.nodes());
  if (state.moves_matter()) read_homes();
  used_at_.assign(placement().nodes(), kNone);
  held_worth_.assign(placement().nodes(), 0);
  for (NodeId node = 0; node < placement().nodes(); ++node) {
    for (const Tenant& tenant : placement().contents().at(node)) held_worth_[node] += tenant.replicas * worth_[tenant.app];
    if (placement().used(node)) {
      energy_.nodes += cost_of(node);
      ++energy_.in_use;
    }
    if (!state.in_play(node)) continue;
    if (placement().used(node)) {
      list_used(node);
    } else {
      kinds_.add_empty(node, kinds_.kind_of(node, placement().class_of(node)));
    }
  }
  const TagState::Toll toll = placement().all_tolls();
  energy_.hard = toll.hard;
  energy_.soft = toll.soft;
  for (NodeId node = 0; node < placement().nodes(); ++node) mark(node);
  keep();
}

template <class Unit>
void RebuildState<Unit>::read_rules() {
  has_rules_.assign(instance().apps(), 0);
  const TagModel& rules = instance().tag_model();
  if (rules.empty()) return;
  near_begin_.push_back(0);
  liked_begin_.push_back(0);
  for (AppId app = 0; app < instance().apps(); ++app) {
    bool soft = false;
    for (const TagModel::Role& role : rules.subject_of(app)) {
      const TagPart& part = rules.part(role.part);
      if (part.alone && part.kind == CardinalityKind::kReplicas && part.min > 0) {
        (part.hard ? near_ : liked_).push_back(role.part);
      }
      soft = soft || (part.alone && !part.hard);
    }
    for (const TagModel::Role& role : rules.target_of(app)) {
      soft = soft || (rules.part(role.part).alone && !rules.part(role.part).hard);
    }
    for (const std::uint32_t choice : rules.choices_of(app)) soft = soft || !rules.choices()[choice].hard;
    near_begin_.push_back(near_.size());
    liked_begin_.push_back(liked_.size());
    has_rules_[app] = rules.popularity(app) > 0 || !rules.choices_of(app).empty() ? 1 : 0;
    if (has_rules_[app] != 0) ruled_apps_.push_back(app);
    if (soft) soft_apps_.push_back(app);
  }
  if (!near_.empty()) read_needs();
}

// O(apps + sum of the parts' apps), however many apps share a part.
template <class Unit>
void RebuildState<Unit>::read_needs() {
  const TagModel& rules = instance().tag_model();
  near_targets_.resize(*std::max_element(near_.begin(), near_.end()) + std::size_t{1});
  // Per part: the app of the largest worth, and the largest worth of the others.
  struct Most {
    AppId app = kNone;
    double worth = 0;
    double others = 0;
  };
  std::vector<Most> most(near_targets_.size());
  std::vector<std::uint8_t> known(near_targets_.size(), 0);
  for (const std::uint32_t p : near_) {
    if (known[p]++ != 0) {
      known[p] = 1;
      continue;
    }
    for (const AppId app : rules.apps_of(p)) {
      if (!rules.is_target(app, p)) continue;
      near_targets_[p].push_back(app);
      if (most[p].app == kNone || worth_[app] > most[p].worth) {
        most[p] = {app, worth_[app], most[p].worth};
      } else {
        most[p].others = std::max(most[p].others, worth_[app]);
      }
    }
  }
  together_ = worth_;
  for (AppId app = 0; app < instance().apps(); ++app) {
    double needed = 0;
    for (const std::uint32_t p : needs_near(app))
      needed = std::max(needed, most[p].app == app ? most[p].others : most[p].worth);
    together_[app] += needed;
  }
}

template <class Unit>
void RebuildState<Unit>::read_homes() {
  homes_.resize(instance().apps());
  for (const Residence& one : instance().data().running) {
    if (state_->in_play(one.node)) homes_[one.app].push_back(one.node);
  }
}

template <class Unit>
double RebuildState<Unit>::usable_share(NodeId node) const {
  const auto capacity = instance().scaled_capacity(placement().class_of(node));
  double least = 1;
  for (std::uint32_t h = 0; h < instance().dims(); ++h) {
    const double of = capacity[instance().resource_of(h)];
    if (of > 0) least = std::min(least, static_cast<double>(placement().residuals().residual(node, h)) / of);
  }
  return std::max(0.0, least);
}

template <class Unit>
void RebuildState<Unit>::list_used(NodeId node) {
  used_at_[node] = static_cast<std::uint32_t>(used_.size());
  used_.push_back(node);
}

template <class Unit>
void RebuildState<Unit>::mark(NodeId node) {
  if (is_marked_.size() <= node) is_marked_.resize(std::size_t{node} + 1, 0);
  if (is_marked_[node] != 0) return;
  is_marked_[node] = 1;
  marked_.push_back(node);
}

template <class Unit>
template <class Do>
void RebuildState<Unit>::change(AppId app, NodeId node, std::int32_t replicas, Do&& apply) {
  know_all_nodes();
  const bool was_used = placement().used(node);
  const bool rules = has_rules(app);
  TagState::Toll before;
  if (rules) before = placement().toll(app, node);
  apply();
  if (rules) {
    const TagState::Toll after = placement().toll(app, node);
    energy_.hard += after.hard - before.hard;
    energy_.soft += after.soft - before.soft;
  }
  energy_.unplaced -= prices_.unplaced[app] * replicas;
  // In two's complement, for replicas of both signs.
  waiting_ -= static_cast<std::uint64_t>(std::int64_t{replicas});
  // What rounding leaves of the sum is no reason to look further.
  if (waiting_ == 0) energy_.unplaced = 0;
  held_worth_[node] += worth_[app] * replicas;
  mark(node);
  const bool is_used = placement().used(node);
  if (is_used == was_used) return;
  const std::uint32_t kind = kinds_.kind_of(node, placement().class_of(node));
  if (is_used) {
    energy_.nodes += cost_of(node);
    ++energy_.in_use;
    kinds_.remove_empty(node, kind);
    list_used(node);
  } else {
    energy_.nodes -= cost_of(node);
    --energy_.in_use;
    held_worth_[node] = 0;
    kinds_.add_empty(node, kind);
    const std::uint32_t at = used_at_[node];
    used_[at] = used_.back();
    used_at_[used_[at]] = at;
    used_.pop_back();
    used_at_[node] = kNone;
  }
}

template <class Unit>
void RebuildState<Unit>::put(AppId app, NodeId node, std::uint32_t replicas) {
  const auto count = static_cast<std::int32_t>(replicas);
  change(app, node, count, [&] { state_->place_waiting(app, node, replicas); });
  journal_.push_back({app, node, count});
}

template <class Unit>
void RebuildState<Unit>::take(AppId app, NodeId node, std::uint32_t replicas) {
  assert(replicas <= state_->removable(app, node));
  take_any(app, node, replicas);
}

template <class Unit>
void RebuildState<Unit>::take_all(NodeId node) {
  const NodeContents& contents = placement().contents();
  for (std::size_t k = contents.at(node).size(); k-- > 0;) {
    const Tenant tenant = contents.at(node)[k];
    const std::uint32_t replicas = state_->removable(tenant.app, node);
    if (replicas > 0) take(tenant.app, node, replicas);
  }
}

template <class Unit>
void RebuildState<Unit>::take_any(AppId app, NodeId node, std::uint32_t replicas) {
  const auto count = -static_cast<std::int32_t>(replicas);
  change(app, node, count, [&] { state_->evict(app, node, replicas); });
  journal_.push_back({app, node, count});
}

template <class Unit>
void RebuildState<Unit>::begin() {
  journal_.clear();
  energy_at_begin_ = energy_;
}

template <class Unit>
void RebuildState<Unit>::roll_back() {
  for (std::size_t k = journal_.size(); k-- > 0;) {
    const Change& one = journal_[k];
    const auto replicas = static_cast<std::uint32_t>(std::abs(one.replicas));
    change(one.app, one.node, -one.replicas, [&] {
      if (one.replicas > 0) {
        state_->evict(one.app, one.node, replicas);
      } else {
        state_->place_waiting(one.app, one.node, replicas);
      }
    });
  }
  journal_.clear();
  energy_ = energy_at_begin_;
}

template <class Unit>
void RebuildState<Unit>::keep() {
  kept_contents_.resize(placement().nodes());
  for (const NodeId node : marked_) {
    const auto tenants = placement().contents().at(node);
    kept_contents_[node].assign(tenants.begin(), tenants.end());
    is_marked_[node] = 0;
  }
  marked_.clear();
  kept_energy_ = energy_;
}

template <class Unit>
NodeContents RebuildState<Unit>::kept_contents() const {
  NodeContents contents;
  for (NodeId node = 0; node < placement().nodes(); ++node) {
    contents.add_node();
    if (node >= kept_contents_.size()) continue;
    for (const Tenant& tenant : kept_contents_[node]) contents.add(tenant.app, node, tenant.replicas);
  }
  return contents;
}

template <class Unit>
void RebuildState<Unit>::return_to_kept() {
  kept_contents_.resize(placement().nodes());
  const std::vector<NodeId> changed = marked_;
  std::vector<Tenant> tenants;
  for (const NodeId node : changed) {
    const auto list = placement().contents().at(node);
    tenants.assign(list.begin(), list.end());
    for (const Tenant& tenant : tenants) take_any(tenant.app, node, tenant.replicas);
  }
  for (const NodeId node : changed) {
    for (const Tenant& tenant : kept_contents_[node]) put(tenant.app, node, tenant.replicas);
    is_marked_[node] = 0;
  }
  marked_.clear();
  journal_.clear();
  energy_ = kept_energy_;
}

template class RebuildState<std::int16_t>;
template class RebuildState<std::int32_t>;

}  // namespace stowage
