#include "core/rebuild/rebuild.h"

#include <algorithm>

namespace stowage {

template <class Unit>
Rebuild<Unit>::Rebuild(RebuildState<Unit>& state, std::uint64_t seed) : state_(&state), recreate_(state), random_(seed) {
  double sum = 0;
  for (const NodeId node : state.used()) sum += state.cost_of(node);
  if (sum > 0) scale_ = sum / static_cast<double>(state.used().size());
}

template <class Unit>
void Rebuild<Unit>::place_waiting(Run& run) {
  static const std::size_t window = knob("WINDOW", 48);
  std::vector<AppId> apps = state_->state().pool();
  std::sort(apps.begin(), apps.end());
  for (std::size_t k = apps.size(); k > 1; --k) std::swap(apps[k - 1], apps[random_.below(static_cast<std::uint32_t>(k))]);
  waiting_.clear();
  std::size_t next = 0;
  while (next < apps.size() || !waiting_.empty()) {
    while (waiting_.size() < window && next < apps.size()) {
      const AppId app = apps[next++];
      waiting_.push_back({app, state_->placement().unplaced(app), state_->worth(app)});
    }
    std::sort(waiting_.begin(), waiting_.end(), [](const WaitingApp& a, const WaitingApp& b) {
      return a.rank != b.rank ? a.rank > b.rank : a.app < b.app;
    });
    if (!recreate_.open_one(waiting_, random_)) {
      recreate_.run(waiting_, {}, false, random_);
      waiting_.clear();
    }
    if (run.clock.step(recreate_.take_work())) return;
  }
}

template <class Unit>
NodeId Rebuild<Unit>::wasteful(std::uint32_t draws) {
  const std::vector<NodeId>& used = state_->used();
  NodeId best = kNone;
  double most = 0;
  for (std::uint32_t k = 0; k < draws; ++k) {
    const NodeId node = used[random_.below(static_cast<std::uint32_t>(used.size()))];
    const double cost = state_->cost_of(node);
    const double waste = cost > 0 ? state_->waste(node) / cost : 0;
    if (best != kNone && waste <= most) continue;
    best = node;
    most = waste;
  }
  return best;
}

template <class Unit>
void Rebuild<Unit>::take_all(NodeId node) {
  const auto& contents = state_->placement().contents();
  for (std::size_t k = contents.at(node).size(); k-- > 0;) {
    const Tenant tenant = contents.at(node)[k];
    const std::uint32_t replicas = state_->removable(tenant, node);
    if (replicas > 0) state_->take(tenant.app, node, replicas);
  }
}

template <class Unit>
void Rebuild<Unit>::ruin() {
  ruined_.clear();
  if (state_->used().empty()) return;
  if (!state_->ruled_apps().empty() && random_.share() < knob("PAPP", 0.3)) ruin_app();
  static const int rn=knob("RUIN",7); const std::uint32_t nodes = 1 + random_.below(rn);
  for (std::uint32_t k = 0; k < nodes && !state_->used().empty(); ++k) {
    static const int tour=knob("TOUR",20); const NodeId node = wasteful(tour);
    if (std::find(ruined_.begin(), ruined_.end(), node) != ruined_.end()) continue;
    ruined_.push_back(node);
    take_all(node);
  }
}

template <class Unit>
void Rebuild<Unit>::ruin_app() {
  // Of some apps with soft rules, one that violates them; else any app with a rule.
  const Placement<Unit>& placement = state_->placement();
  AppId chosen = kNone;
  const std::vector<AppId>& soft = state_->soft_apps();
  for (std::uint32_t k = 0; k < 8 && chosen == kNone && !soft.empty() && state_->parts().soft > 1e-9; ++k) {
    const AppId app = soft[random_.below(static_cast<std::uint32_t>(soft.size()))];
    const std::vector<NodeId>& holders = state_->state().holders(app);
    if (holders.empty()) continue;
    const NodeId node = holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
    if (placement.tags().toll(placement.tag_view(), app, node).soft > 0) chosen = app;
  }
  const std::vector<AppId>& ruled = state_->ruled_apps();
  if (chosen == kNone) chosen = ruled[random_.below(static_cast<std::uint32_t>(ruled.size()))];
  const auto take_app = [&](AppId app, std::uint32_t most) {
    const std::vector<NodeId> holders = state_->state().holders(app);
    const auto first = holders.empty() ? 0 : random_.below(static_cast<std::uint32_t>(holders.size()));
    for (std::size_t k = 0; k < holders.size() && k < most; ++k) {
      const NodeId node = holders[(first + k) % holders.size()];
      const std::uint32_t replicas = state_->removable({app, placement.contents().count(app, node)}, node);
      if (replicas > 0) state_->take(app, node, replicas);
    }
  };
  take_app(chosen, 24);
  for (const std::uint32_t p : state_->needs_near(chosen)) {
    for (const AppId app : state_->instance().tag_model().apps_of(p)) {
      if (app != chosen && random_.below(2) == 0) take_app(app, 8);
    }
  }
}

template <class Unit>
void Rebuild<Unit>::add_needed_partners() {
  const TagModel& rules = state_->instance().tag_model();
  for (const WaitingApp& one : waiting_) {
    for (const std::uint32_t p : state_->needs_near(one.app)) {
      for (const AppId app : rules.apps_of(p)) {
        if (!rules.is_target(app, p)) continue;
        const std::vector<NodeId>& holders = state_->state().holders(app);
        for (std::uint32_t k = 0; k < 3 && !holders.empty(); ++k) {
          const NodeId node = holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
          if (std::find(partners_.begin(), partners_.end(), node) == partners_.end()) partners_.push_back(node);
        }
      }
    }
  }
}

template <class Unit>
void Rebuild<Unit>::choose_partners() {
  partners_.clear();
  if (state_->used().empty()) return;
  static const int pm=knob("PMIN",2), pv=knob("PVAR",4); const std::uint32_t nodes = pm + random_.below(pv);
  for (std::uint32_t k = 0; k < nodes; ++k) {
    static const int ptour=knob("PTOUR",2); const NodeId node = wasteful(ptour);
    if (std::find(partners_.begin(), partners_.end(), node) == partners_.end()) partners_.push_back(node);
  }
}

template <class Unit>
void Rebuild<Unit>::collect_waiting() {
  waiting_.clear();
  constexpr std::size_t kMost = 256;
  const std::vector<AppId>& pool = state_->state().pool();
  // What was taken out entered the pool last.
  const std::size_t count = std::min(pool.size(), kMost);
  for (std::size_t k = pool.size() - count; k < pool.size(); ++k) {
    const AppId app = pool[k];
    static const double nz=knob("NOISE",.3); const double rank = state_->worth(app) * (1 - nz + 2*nz * random_.share());
    waiting_.push_back({app, state_->placement().unplaced(app), rank});
  }
  std::sort(waiting_.begin(), waiting_.end(), [](const WaitingApp& a, const WaitingApp& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.app < b.app;
  });
}

template <class Unit>
void Rebuild<Unit>::step(double temperature) {
  const double before = state_->energy();
  state_->begin();
  ruin();
  choose_partners();
  collect_waiting();
  if (!state_->ruled_apps().empty()) add_needed_partners();
  const bool gently = !state_->soft_apps().empty() && random_.share() < knob("GENTLE", 0.8);
  recreate_.run(waiting_, partners_, gently, random_);
  const bool within_budget = state_->state().moves() <= state_->state().move_budget();
  if (!within_budget || state_->energy() - before > -temperature * log_.draw(random_)) state_->roll_back();
}

template <class Unit>
bool Rebuild<Unit>::is_better() const {
  const Energy& now = state_->parts();
  const Energy& kept = state_->kept();
  constexpr double kEqual = 1e-9;
  const auto less = [&](double a, double b) { return a < b - kEqual * (1 + std::abs(b)); };
  if (less(now.hard, kept.hard)) return true;
  if (less(kept.hard, now.hard)) return false;
  if (less(now.unplaced, kept.unplaced)) return true;
  if (less(kept.unplaced, now.unplaced)) return false;
  const double a = now.nodes + state_->prices().soft * now.soft;
  const double b = kept.nodes + state_->prices().soft * kept.soft;
  return less(a, b);
}

template class Rebuild<std::int16_t>;
template class Rebuild<std::int32_t>;

}  // namespace stowage
