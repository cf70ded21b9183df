#include "core/rebuild/neighbourhoods/gangs.h"

#include <algorithm>
#include <numeric>

namespace stowage {
namespace {

/// Nodes in use of a set that a gang looks at, and kinds of empty ones.
constexpr std::size_t kMostOfGangLookedAt = 48;
/// Replicas of a gang that move at once; larger ones are left to other steps.
constexpr std::uint64_t kMostOfGangMoved = 256;
/// Sets of nodes that are tried for a gang where there are more, and nodes of a set that make room for it.
constexpr std::uint32_t kSetsTriedForGang = 12;
constexpr std::uint32_t kMostEmptiedForGang = 6;

}  // namespace

template <class Unit>
Gangs<Unit>::Gangs(RebuildState<Unit>& state) : state_(&state) {
  const TagModel& rules = state.instance().tag_model();
  for (std::uint32_t p = 0; p < rules.parts(); ++p) {
    const TagPart& part = rules.part(p);
    if (!part.hard || !part.alone || part.kind != CardinalityKind::kNodeSets || part.max == kNone) continue;
    Gang gang{part.group, {}};
    std::uint64_t replicas = 0;
    for (const AppId app : rules.apps_of(p)) {
      if (!rules.is_subject(app, p) || (!gang.apps.empty() && gang.apps.back() == app)) continue;
      gang.apps.push_back(app);
      gang.worth += state.worth(app) * state.instance().replicas(app);
      replicas += state.instance().replicas(app);
    }
    // One replica is anywhere on its own.
    if (replicas > 1 && replicas <= kMostOfGangMoved && sets(gang) > 1) add(std::move(gang));
  }
}

template <class Unit>
void Gangs<Unit>::add(Gang gang) {
  of_app_.resize(state_->instance().apps());
  for (const AppId app : gang.apps) of_app_[app].push_back(static_cast<std::uint32_t>(gangs_.size()));
  gangs_.push_back(std::move(gang));
}

template <class Unit>
std::uint32_t Gangs<Unit>::sets(const Gang& gang) const {
  return gang.group == kNone ? state_->placement().nodes() : state_->instance().tag_model().sets(gang.group);
}

template <class Unit>
bool Gangs<Unit>::waits(const Gang& gang) const {
  return std::any_of(gang.apps.begin(), gang.apps.end(), [&](AppId app) { return state_->placement().unplaced(app) > 0; });
}

template <class Unit>
std::uint32_t Gangs<Unit>::choose(Random& random) const {
  const std::vector<AppId>& pool = state_->state().pool();
  for (std::uint32_t k = 0; k < 4 && !pool.empty(); ++k) {
    const std::vector<std::uint32_t>& of = of_app_[pool[random.below(static_cast<std::uint32_t>(pool.size()))]];
    if (!of.empty()) return of[random.below(static_cast<std::uint32_t>(of.size()))];
  }
  return random.below(static_cast<std::uint32_t>(gangs_.size()));
}

template <class Unit>
void Gangs<Unit>::take_out(const Gang& gang) {
  for (const AppId app : gang.apps) {
    const std::vector<NodeId> holders = state_->state().holders(app);
    for (const NodeId node : holders) {
      const std::uint32_t replicas = state_->state().removable(app, node);
      if (replicas > 0) state_->take(app, node, replicas);
    }
  }
}

template <class Unit>
typename Gangs<Unit>::Site Gangs<Unit>::site_of(const Gang& gang, std::uint32_t set, Random& random) {
  Site site;
  const Instance& instance = state_->instance();
  const auto shuffled = [&](auto& list) {
    for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[random.below(static_cast<std::uint32_t>(k))]);
    if (list.size() > kMostOfGangLookedAt) list.resize(kMostOfGangLookedAt);
  };
  const auto is_in = [&](NodeId listed, ClassId node_class) {
    const auto of = instance.tag_model().sets_of(gang.group, listed, node_class);
    return std::find(of.begin(), of.end(), set) != of.end();
  };
  if (gang.group == kNone) {
    if (state_->state().in_play(set)) site.used.push_back(set);
    return site;
  }
  work_ += (state_->used().size() + state_->kinds().all().size()) / 8;
  for (const NodeId node : state_->used()) {
    if (is_in(node < instance.listed_nodes() ? node : kNone, state_->placement().class_of(node))) site.used.push_back(node);
  }
  for (std::uint32_t kind = 0; kind < state_->kinds().all().size(); ++kind) {
    const SpareNodes::Kind& of = state_->kinds().all()[kind];
    if (is_in(of.listed, of.node_class) && state_->kinds().may_have_node(kind, state_->placement())) site.kinds.push_back(kind);
  }
  shuffled(site.used);
  shuffled(site.kinds);
  return site;
}

template <class Unit>
void Gangs<Unit>::put(AppId app, NodeId node) {
  ++work_;
  const std::uint32_t wanted = state_->placement().unplaced(app);
  const std::uint32_t room = wanted == 0 ? 0 : state_->room(app, node, wanted, TagState::Asked::kHard);
  if (room > 0) state_->put(app, node, room);
}

template <class Unit>
void Gangs<Unit>::place(const Gang& gang, const Site& site, Random& random) {
  std::vector<std::pair<double, AppId>> order;
  for (const AppId app : gang.apps) {
    if (state_->placement().unplaced(app) > 0) order.emplace_back(state_->worth(app) * (0.8 + 0.4 * random.share()), app);
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a > b; });
  for (const auto& [rank, app] : order) {
    for (const NodeId node : site.used) put(app, node);
  }
  // New nodes: of each kind, the node that holds most of what is left for its cost.
  for (const auto& [rank, app] : order) {
    while (state_->placement().unplaced(app) > 0) {
      NodeId best = kNone;
      double least = 0;
      for (const std::uint32_t kind : site.kinds) {
        if (!state_->kinds().may_have_node(kind, state_->placement())) continue;
        const NodeId node = state_->empty_node(kind);
        if (node == kNone) continue;
        ++work_;
        const std::uint32_t room = state_->room(app, node, state_->placement().unplaced(app), TagState::Asked::kHard);
        const double rate = room == 0 ? 0 : state_->price_of(node) / room;
        if (room == 0 || (best != kNone && rate >= least)) continue;
        best = node;
        least = rate;
      }
      if (best == kNone) break;
      for (const auto& [other_rank, other] : order) {
        if (other == app || state_->worth(other) <= state_->worth(app)) put(other, best);
      }
    }
  }
}

template <class Unit>
void Gangs<Unit>::place_waiting(bool spread, WorkClock& clock, Random& random) {
  std::vector<std::uint32_t> order(gangs_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return gangs_[a].worth > gangs_[b].worth; });
  for (const std::uint32_t g : order) {
    const Gang& gang = gangs_[g];
    if (!waits(gang)) continue;
    const std::uint32_t all = sets(gang);
    const std::uint32_t first = random.below(all);
    std::uint32_t best = kNone;
    double least = 0;
    for (std::uint32_t k = 0; k < std::min(all, kSetsTriedForGang); ++k) {
      const std::uint32_t set = (first + k) % all;
      const Site site = site_of(gang, set, random);
      state_->begin();
      place(gang, site, random);
      const double energy = spread ? state_->parts().unplaced : state_->energy();
      state_->roll_back();
      if (clock.step(1 + take_work())) return;
      if (best != kNone && energy >= least) continue;
      best = set;
      least = energy;
    }
    place(gang, site_of(gang, best, random), random);
  }
}

template <class Unit>
void Gangs<Unit>::move_one(Random& random, std::vector<NodeId>& ruined) {
  const Gang& gang = gangs_[choose(random)];
  take_out(gang);
  const std::uint32_t set = random.below(sets(gang));
  const Site site = site_of(gang, set, random);
  const std::uint32_t emptied = random.below(kMostEmptiedForGang + 1);
  for (std::uint32_t k = 0; k < std::min<std::size_t>(emptied, site.used.size()); ++k) {
    ruined.push_back(site.used[k]);
    state_->take_all(site.used[k]);
  }
  place(gang, site, random);
}

template class Gangs<std::int16_t>;
template class Gangs<std::int32_t>;

}  // namespace stowage
