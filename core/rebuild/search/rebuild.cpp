#include "core/rebuild/search/rebuild.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace stowage {
namespace {

/// Apps among which a new node chooses while a plan is built up.
constexpr std::size_t kWindow = 48;
/// Orders in which they are tried on a node in use, at most.
constexpr std::size_t kMostTrials = 48;
/// The same on new nodes, over all kinds of these.
constexpr std::size_t kMostTrialsOfNew = 192;
/// A node with less waste than this share of its cost is full.
constexpr double kLeastWaste = 0.02;
/// Nodes that a step takes apart at most; each is the best of some draws, one more for so many nodes in use: in a small plan,
/// many draws would find the same nodes in every step. Nodes to put replicas on are drawn less choosily.
constexpr std::uint32_t kMostNodes = 7;
constexpr std::uint32_t kMostDraws = 20;
constexpr std::uint32_t kNodesPerDraw = 8;
constexpr std::uint32_t kPartnerDraws = 2;
/// A move budget allows a step one node for so many moves.
constexpr std::uint64_t kMovesPerNode = 16;
/// Share of steps that also take out an app with a rule.
constexpr double kShareOfApps = 0.3;
/// Share of steps that move a gang, where there are any, and of these that take nothing else apart.
constexpr double kShareOfGangs = 0.15;
constexpr double kGangAlone = 0.5;
/// Fruitless tries in a row after which an app's broken rules are left to the steps that follow.
constexpr std::uint32_t kTriesToMend = 32;
/// Share of steps that place an application anew which violates rules: of the first number, more of them the more apps are
/// known to do so.
constexpr double kShareOfReseats = 0.1;
constexpr double kSharePerViolator = 0.02;
constexpr double kMostReseats = 0.6;
/// Of apps that an app needs near by one condition, or of nodes that hold them, so many at a time.
constexpr std::uint32_t kMostNeeded = 4;
/// Apps of a condition that a step takes out at most, beside the one that it began with.
constexpr std::size_t kMostTaken = 16;
/// Nodes of an app that a step takes it from at most, and apps that it looks at for one that violates a soft rule.
constexpr std::size_t kMostHolders = 24;
constexpr std::uint32_t kLooksForViolators = 8;
/// Share of steps that first place without violating soft rules, where there are any.
constexpr double kGently = 0.8;
/// By how much the rank of a waiting app may differ from its worth.
constexpr double kNoise = 0.3;
/// The same in one of so many steps.
constexpr double kWildNoise = 1;
constexpr std::uint32_t kWildEvery = 4;
/// A plan of fewer nodes is small: the kind of one node may decide its cost. The cost per worth by which a new node's kind is
/// chosen then varies by up to this share, so that the second-best kind is tried as well.
constexpr std::size_t kSmallPlan = 64;
constexpr double kKindNoise = 0.3;
/// Prices by which steps compare nodes where these are scarce, in prices of a scarce node: of one step after the other at
/// random.
constexpr std::array<double, 7> kNodePrices = {0, 0.06, 0.25, 1, 4, 16, 1000};
/// One of so many steps spreads the replicas of an app over nodes.
constexpr std::uint32_t kSharedEvery = 4;
/// Share of what draining saves per move that a move costs afterwards.
constexpr double kMovePrice = 0.7;
/// After a round, moves cost this share of what they did, unless this share of the budget is used.
constexpr double kCheaperMoves = 0.25;
constexpr double kSpent = 0.95;

}  // namespace

template <class Unit>
Rebuild<Unit>::Rebuild(RebuildState<Unit>& state, SoftPolicy soft, std::uint64_t seed)
    : state_(&state), soft_(soft), recreate_(state), gangs_(state), reseat_(state), random_(seed) {
  // First everything is to find a place; what nodes cost, steps lower.
  recreate_.price_nodes(kNodePrices.back() * state.scarce().price);
  double sum = 0;
  for (const NodeId node : state.used()) sum += state.cost_of(node);
  if (sum > 0) scale_ = sum / static_cast<double>(state.used().size());
}

template <class Unit>
void Rebuild<Unit>::sort_waiting() {
  std::sort(waiting_.begin(), waiting_.end(),
            [](const WaitingApp& a, const WaitingApp& b) { return a.rank != b.rank ? a.rank > b.rank : a.app < b.app; });
}

template <class Unit>
std::vector<AppId> Rebuild<Unit>::some_needed(AppId app) {
  std::vector<AppId> some;
  for (const std::uint32_t p : state_->needs_near(app)) {
    const std::span<const AppId> targets = state_->targets_of(p);
    const bool all = targets.size() <= kMostNeeded;
    for (std::size_t k = 0; k < std::min<std::size_t>(targets.size(), kMostNeeded); ++k) {
      const AppId other = targets[all ? k : random_.below(static_cast<std::uint32_t>(targets.size()))];
      if (other != app) some.push_back(other);
    }
  }
  return some;
}

// Apps come in random order, those of high priority first. Where an app needs one of few others near, these come after it: they
// would otherwise be spread over nodes that have no room for the app.
template <class Unit>
std::vector<AppId> Rebuild<Unit>::order_of_waiting() {
  std::vector<AppId> apps = state_->state().pool();
  std::sort(apps.begin(), apps.end());
  for (std::size_t k = apps.size(); k > 1; --k) std::swap(apps[k - 1], apps[random_.below(static_cast<std::uint32_t>(k))]);
  const Instance& instance = state_->instance();
  std::stable_sort(apps.begin(), apps.end(), [&](AppId a, AppId b) { return instance.priority(a) > instance.priority(b); });
  // An app that alone needs itself near need not wait for others. The first app that asks leaves itself out, the second no one.
  std::vector<std::uint8_t> is_needed(instance.apps(), 0);
  std::map<std::uint32_t, std::uint32_t> asked;  // per part
  for (const AppId app : apps) {
    for (const std::uint32_t p : state_->needs_near(app)) {
      if (!state_->counts_few(p) || ++asked[p] > 2) continue;
      for (const AppId other : state_->targets_of(p)) is_needed[other] |= other != app ? 1 : 0;
    }
  }
  std::vector<std::uint8_t> listed(instance.apps(), 0);
  std::vector<AppId> order;
  const auto list = [&](AppId app) {
    if (listed[app] == 0 && state_->placement().unplaced(app) > 0) order.push_back(app);
    listed[app] = 1;
  };
  for (const AppId app : apps) {
    if (is_needed[app] != 0) continue;
    list(app);
    for (const AppId other : some_needed(app)) {
      if (is_needed[other] != 0) list(other);
    }
  }
  for (const AppId app : apps) list(app);
  return order;
}

template <class Unit>
void Rebuild<Unit>::place_waiting(Run& run, std::uint32_t orders) {
  if (run.clock.stop() != Stop::kNo) return;
  const std::vector<AppId> apps = order_of_waiting();
  std::size_t next = 0;
  waiting_.clear();
  const auto fill_window = [&] {
    while (waiting_.size() < kWindow && next < apps.size()) {
      const AppId app = apps[next++];
      waiting_.push_back({app, state_->placement().unplaced(app), state_->worth_together(app)});
    }
    sort_waiting();
  };
  // Room on nodes in use costs nothing. Such a node gets about as many trials as a new one, which is tried as each kind.
  const std::size_t trials = std::clamp<std::size_t>(orders * state_->kinds().choice().size(), 1, kMostTrials);
  recreate_.vary_order(static_cast<std::uint32_t>(trials) - 1);
  const std::vector<NodeId> used = state_->used();
  for (const NodeId node : used) {
    fill_window();
    if (recreate_.has_asked_long()) run.clock.look();
    if (waiting_.empty() || run.clock.step(1 + recreate_.take_work())) return;
    if (state_->waste(node) > kLeastWaste * state_->price_of(node)) recreate_.fill(waiting_, node, random_);
  }
  // A node that many apps share leaves less of each resource unused.
  recreate_.share_nodes(1);
  const std::size_t kinds = std::max<std::size_t>(1, state_->kinds().choice().size());
  recreate_.vary_order(static_cast<std::uint32_t>(std::clamp<std::size_t>(kMostTrialsOfNew / kinds, 1, orders)) - 1);
  for (fill_window(); !waiting_.empty(); fill_window()) {
    if (!recreate_.open_gently(waiting_, random_)) {
      recreate_.run(waiting_, {}, true, random_, run.clock);
      waiting_.clear();
    }
    if (recreate_.has_asked_long()) run.clock.look();
    if (run.clock.step(recreate_.take_work())) return;
  }
  recreate_.share_nodes(kNone);
  recreate_.vary_order(0);
}

// The node in use of the largest score among some draws.
template <class Unit>
template <class Score>
NodeId Rebuild<Unit>::draw(std::uint32_t draws, Score&& score_of) {
  const std::vector<NodeId>& used = state_->used();
  NodeId best = kNone;
  double most = 0;
  for (std::uint32_t k = 0; k < draws; ++k) {
    const NodeId node = used[random_.below(static_cast<std::uint32_t>(used.size()))];
    const double score = score_of(node);
    if (best != kNone && score <= most) continue;
    best = node;
    most = score;
  }
  return best;
}

template <class Unit>
NodeId Rebuild<Unit>::wasteful(std::uint32_t draws) {
  return draw(draws, [&](NodeId node) {
    const double price = state_->price_of(node);
    return price > 0 ? state_->waste(node) / price : 0;
  });
}

template <class Unit>
NodeId Rebuild<Unit>::worth_moving(std::uint32_t draws) {
  return draw(draws, [&](NodeId node) {
    return state_->cost_of(node) / (1 + static_cast<double>(state_->state().moves_to_close(node)));
  });
}

template <class Unit>
void Rebuild<Unit>::reopen_home() {
  // A listed node, empty now, where something ran.
  const SpareNodes& kinds = state_->kinds();
  for (std::uint32_t k = 0; k < 8; ++k) {
    const std::uint32_t kind = random_.below(static_cast<std::uint32_t>(kinds.all().size()));
    const std::vector<NodeId>& empty = kinds.empty(kind);
    if (kinds.all()[kind].listed == kNone || empty.empty()) continue;
    const NodeId node = empty[random_.below(static_cast<std::uint32_t>(empty.size()))];
    std::vector<Tenant> away;
    state_->state().for_each_away(node, [&](AppId app, std::uint32_t replicas) { away.push_back({app, replicas}); });
    if (away.empty()) continue;
    for (const Tenant& tenant : away) {
      // Those that are where they did not run at the start.
      std::uint32_t wanted = tenant.replicas;
      const std::vector<NodeId> holders = state_->state().holders(tenant.app);
      for (const NodeId holder : holders) {
        const std::uint32_t there = state_->placement().contents().count(tenant.app, holder);
        const std::uint32_t guests = there - std::min(there, state_->state().running(tenant.app, holder));
        const std::uint32_t taken = std::min({wanted, guests, state_->state().removable(tenant.app, holder)});
        if (taken == 0) continue;
        state_->take(tenant.app, holder, taken);
        wanted -= taken;
        if (wanted == 0) break;
      }
    }
    return;
  }
}

template <class Unit>
void Rebuild<Unit>::add_homes() {
  for (const WaitingApp& one : waiting_) {
    const auto homes = state_->homes(one.app);
    if (homes.empty()) continue;
    const auto first = random_.below(static_cast<std::uint32_t>(homes.size()));
    std::uint32_t added = 0;
    for (std::size_t k = 0; k < homes.size() && added < 3; ++k) {
      const NodeId node = homes[(first + k) % homes.size()];
      if (!state_->placement().used(node) || state_->state().away(one.app, node) == 0) continue;
      ++added;
      if (!is_partner(node)) partners_.insert(partners_.begin(), node);
    }
  }
}

template <class Unit>
void Rebuild<Unit>::ruin() {
  ruined_.clear();
  mended_ = kNone;
  taken_ = Taken::kNodes;
  if (state_->used().empty()) return;
  if (gangs_.any() && random_.share() < kShareOfGangs) {
    gangs_.move_one(random_, ruined_);
    taken_ = Taken::kGangs;
    if (random_.share() < kGangAlone) return;
  }
  const double reseats = std::min(kMostReseats, kShareOfReseats + kSharePerViolator * static_cast<double>(violators_.size()));
  const bool may_break = !state_->soft_apps().empty() || may_mend();
  if (may_break && random_.share() < reseats) {
    const AppId violator = known_violator();
    if (violator != kNone) {
      taken_ = Taken::kViolators;
      const bool few = state_->may_move() && random_.below(2) == 0;
      return reseat_.move(violator, few ? Reseat<Unit>::Much::kFewReplicas : Reseat<Unit>::Much::kApplications, random_);
    }
  }
  if (!state_->ruled_apps().empty()) {
    if (random_.share() < kShareOfApps) ruin_app();
    ruin_needed();
  }
  const bool moves = state_->may_move();
  if (moves && random_.below(2) == 0) reopen_home();
  const std::uint32_t nodes = 1 + random_.below(kMostNodes);
  // A tight budget allows few nodes at a time from which something moves.
  std::uint32_t moving = nodes;
  if (moves) {
    const auto most =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(state_->state().move_budget() / kMovesPerNode, 1, kMostNodes));
    moving = 1 + (nodes - 1) * most / kMostNodes;
  }
  const std::uint32_t draws = std::min(kMostDraws, 1 + static_cast<std::uint32_t>(state_->used().size()) / kNodesPerDraw);
  const bool by_moves = moves && random_.below(2) == 0;
  for (std::uint32_t k = 0; k < nodes && !state_->used().empty(); ++k) {
    const NodeId node = by_moves ? worth_moving(draws) : wasteful(draws);
    if (std::find(ruined_.begin(), ruined_.end(), node) != ruined_.end()) continue;
    if (moves && state_->state().moves_to_close(node) > 0) {
      if (moving == 0) continue;
      --moving;
    }
    ruined_.push_back(node);
    state_->take_all(node);
  }
}

template <class Unit>
TagState::Toll Rebuild<Unit>::broken_by(AppId app) const {
  TagState::Toll most;
  const std::vector<NodeId>& holders = state_->state().holders(app);
  for (std::size_t k = 0; k < std::min(holders.size(), kMostHolders); ++k) {
    const TagState::Toll toll = state_->placement().toll(app, holders[k]);
    most.soft = std::max(most.soft, toll.soft);
    if (may_mend() && state_->state().removable(app, holders[k]) > 0) most.hard = std::max(most.hard, toll.hard);
  }
  return most;
}

template <class Unit>
bool Rebuild<Unit>::violates(AppId app) const {
  const TagState::Toll broken = broken_by(app);
  return broken.soft > 0 || broken.hard > 0;
}

template <class Unit>
void Rebuild<Unit>::mend(Run& run) {
  if (!may_mend()) return;
  std::vector<std::pair<double, AppId>> broken;
  for (const AppId app : state_->ruled_apps()) {
    if (run.clock.step(1)) return;
    const double extent = broken_by(app).hard;
    if (extent > 0) broken.emplace_back(extent, app);
  }
  std::sort(broken.begin(), broken.end());
  state_->keep();
  for (const auto& [extent, app] : broken) {
    for (std::uint32_t tries = 0; tries < kTriesToMend && broken_by(app).hard > 0; ++tries) {
      if (try_to_mend(app)) tries = 0;
      if (run.clock.step(kStepWork + reseat_.take_work())) return state_->return_to_kept();
    }
    // A rule that is less broken is broken all the same.
    broken_by(app).hard > 0 ? state_->return_to_kept() : state_->keep();
  }
}

template <class Unit>
bool Rebuild<Unit>::try_to_mend(AppId app) {
  const double before = state_->energy();
  state_->begin();
  reseat_.move(app, Reseat<Unit>::Much::kFewReplicas, random_);
  if (state_->state().moves() <= state_->state().move_budget() && state_->energy() < before) return true;
  state_->roll_back();
  return false;
}

template <class Unit>
AppId Rebuild<Unit>::known_violator() {
  const bool any_hard = may_mend();
  const std::vector<AppId>& ruled = any_hard ? state_->ruled_apps() : state_->soft_apps();
  if (ruled.empty() || (!any_hard && state_->parts().soft <= kNoExtent)) return kNone;
  for (std::uint32_t k = 0; k < kLooksForViolators; ++k) {
    const AppId app = ruled[random_.below(static_cast<std::uint32_t>(ruled.size()))];
    if (violates(app) && std::find(violators_.begin(), violators_.end(), app) == violators_.end()) violators_.push_back(app);
  }
  while (!violators_.empty()) {
    AppId& one = violators_[random_.below(static_cast<std::uint32_t>(violators_.size()))];
    if (violates(one)) return one;
    one = violators_.back();
    violators_.pop_back();
  }
  return kNone;
}

template <class Unit>
void Rebuild<Unit>::take_app(AppId app, std::size_t most_nodes) {
  const std::vector<NodeId> holders = state_->state().holders(app);
  const auto first = holders.empty() ? 0 : random_.below(static_cast<std::uint32_t>(holders.size()));
  for (std::size_t k = 0; k < std::min(holders.size(), most_nodes); ++k) {
    const NodeId node = holders[(first + k) % holders.size()];
    const std::uint32_t replicas = state_->state().removable(app, node);
    if (replicas > 0) state_->take(app, node, replicas);
  }
}

template <class Unit>
void Rebuild<Unit>::take_some_of(std::uint32_t part, AppId app) {
  // Of many apps, some: a step has to stay small.
  const std::span<const AppId> apps = state_->instance().tag_model().apps_of(part);
  const bool all = apps.size() <= kMostTaken;
  for (std::size_t k = 0; k < std::min<std::size_t>(apps.size(), kMostTaken); ++k) {
    const AppId other = apps[all ? k : random_.below(static_cast<std::uint32_t>(apps.size()))];
    if (other != app && random_.below(2) == 0) take_app(other, 8);
  }
}

template <class Unit>
void Rebuild<Unit>::ruin_app() {
  // One that violates a rule, if one is known; else any app with a rule.
  taken_ = Taken::kApps;
  const AppId violator = known_violator();
  const std::vector<AppId>& ruled = state_->ruled_apps();
  const AppId chosen = violator != kNone ? violator : ruled[random_.below(static_cast<std::uint32_t>(ruled.size()))];
  take_app(chosen, kMostHolders);
  for (const std::uint32_t p : state_->needs_near(chosen)) take_some_of(p, chosen);
  if (violator == kNone) return;
  mended_ = violator;
  if (random_.below(2) != 0) return;
  for (const std::uint32_t p : state_->likes_near(chosen)) take_some_of(p, chosen);
}

template <class Unit>
void Rebuild<Unit>::add_liked_partners(AppId app) {
  const TagModel& rules = state_->instance().tag_model();
  for (const std::uint32_t p : state_->likes_near(app)) {
    const std::span<const AppId> apps = rules.apps_of(p);
    for (std::uint32_t k = 0; k < kMostNeeded; ++k) {
      const AppId other = apps[random_.below(static_cast<std::uint32_t>(apps.size()))];
      const std::vector<NodeId>& holders = state_->state().holders(other);
      if (holders.empty() || !rules.is_target(other, p)) continue;
      const NodeId node = holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
      if (!is_partner(node)) partners_.push_back(node);
    }
  }
}

template <class Unit>
void Rebuild<Unit>::ruin_needed() {
  const std::vector<AppId>& pool = state_->state().pool();
  if (pool.empty()) return;
  const std::vector<AppId> needed = some_needed(pool[random_.below(static_cast<std::uint32_t>(pool.size()))]);
  if (needed.empty()) return;
  const AppId other = needed[random_.below(static_cast<std::uint32_t>(needed.size()))];
  for (std::uint32_t k = 1 + random_.below(kMostNeeded); k > 0; --k) {
    const std::vector<NodeId>& holders = state_->state().holders(other);
    if (holders.empty()) return;
    const NodeId node = holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
    ruined_.push_back(node);
    state_->take_all(node);
  }
}

template <class Unit>
void Rebuild<Unit>::add_needed_partners() {
  for (const WaitingApp& one : waiting_) {
    for (const AppId other : some_needed(one.app)) {
      const std::vector<NodeId>& holders = state_->state().holders(other);
      for (std::uint32_t k = 0; k < 3 && !holders.empty(); ++k) {
        const NodeId node = holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
        if (!is_partner(node)) partners_.push_back(node);
      }
    }
  }
}

template <class Unit>
void Rebuild<Unit>::choose_partners() {
  partners_.clear();
  if (state_->used().empty()) return;
  const std::uint32_t nodes = 2 + random_.below(4);
  for (std::uint32_t k = 0; k < nodes; ++k) {
    const NodeId node = wasteful(kPartnerDraws);
    if (!is_partner(node)) partners_.push_back(node);
  }
}

template <class Unit>
void Rebuild<Unit>::collect_waiting() {
  waiting_.clear();
  constexpr std::size_t kMost = 256;
  const std::vector<AppId>& pool = state_->state().pool();
  // Order matters most in small plans: now and then it is nearly random.
  const double noise = random_.below(kWildEvery) == 0 ? kWildNoise : kNoise;
  // What was taken out entered the pool last.
  const std::size_t count = std::min(pool.size(), kMost);
  // Where not everything finds room, it is for what costs most to leave over. So may be what needs nothing that is scarce, and
  // is worth nothing: it may have few places all the same.
  const bool by_price = state_->kept().unplaced > 0 && random_.below(2) == 0;
  for (std::size_t k = pool.size() - count; k < pool.size(); ++k) {
    const AppId app = pool[k];
    const double worth = by_price ? state_->prices().unplaced[app] : state_->worth_together(app);
    const double rank = worth * (1 - noise + 2 * noise * random_.share());
    waiting_.push_back({app, state_->placement().unplaced(app), rank});
  }
  sort_waiting();
}

template <class Unit>
void Rebuild<Unit>::drain_nodes(Run& run, double saved_before) {
  if (!state_->may_move()) return;
  const double saved = std::max(saved_before, drain(*state_, run.clock));
  state_->set_prices(state_->prices().soft, saved * kMovePrice);
  if (is_better()) state_->keep();
}

template <class Unit>
void Rebuild<Unit>::adjust_move_price() {
  if (!state_->may_move()) return;
  const auto budget = static_cast<double>(state_->state().move_budget());
  const bool spent = static_cast<double>(state_->state().moves()) >= kSpent * budget;
  most_move_price_ = std::max(most_move_price_, state_->prices().move);
  const double price = state_->prices().move * (spent ? 1 / kCheaperMoves : kCheaperMoves);
  state_->set_prices(state_->prices().soft, std::min(price, most_move_price_));
}

template <class Unit>
void Rebuild<Unit>::step(WorkClock& clock, double temperature) {
  const double before = state_->energy();
  state_->begin();
  ruin();
  choose_partners();
  collect_waiting();
  if (!state_->ruled_apps().empty()) add_needed_partners();
  if (mended_ != kNone) add_liked_partners(mended_);
  if (state_->may_move()) add_homes();
  const bool gently = !state_->soft_apps().empty() && random_.share() < kGently;
  recreate_.share_nodes(random_.below(kSharedEvery) == 0 ? 1 : kNone);
  recreate_.blur_kinds(state_->used().size() < kSmallPlan ? kKindNoise : 0);
  if (state_->scarce().price > 0)
    recreate_.price_nodes(state_->scarce().price * kNodePrices[random_.below(kNodePrices.size())]);
  recreate_.run(waiting_, partners_, gently, random_, clock, kPieceOfStep);
  recreate_.blur_kinds(0);
  recreate_.share_nodes(kNone);
  // A run that ended within the step ends with what was kept.
  if (clock.stop() != Stop::kNo) return;
  const bool within_budget = state_->state().moves() <= state_->state().move_budget();
  if (!within_budget || state_->energy() - before > -temperature * log_.draw(random_)) state_->roll_back();
}

template <class Unit>
bool Rebuild<Unit>::is_better() const {
  const Energy& now = state_->parts();
  const Energy& kept = state_->kept();
  constexpr double kEqual = 1e-9;
  const auto less = [&](double a, double b) { return a < b - kEqual * (1 + std::abs(b)); };
  const double price = soft_ == SoftPolicy::kPrice ? state_->prices().soft : 0;
  const std::array<std::pair<double, double>, 6> order = {
      {{now.hard, kept.hard},
       {now.unplaced, kept.unplaced},
       {soft_ == SoftPolicy::kFirst ? now.soft : 0, soft_ == SoftPolicy::kFirst ? kept.soft : 0},
       {now.nodes + price * now.soft, kept.nodes + price * kept.soft},
       {now.soft, kept.soft},
       {now.in_use, kept.in_use}}};
  for (const auto& [a, b] : order) {
    if (less(a, b)) return true;
    if (less(b, a)) return false;
  }
  return false;
}

template class Rebuild<std::int16_t>;
template class Rebuild<std::int32_t>;

}  // namespace stowage
