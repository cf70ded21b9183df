#include "core/search/free_space_search.h"

#include <algorithm>

#include "core/measures/scarcity.h"
#include "core/measures/size.h"

namespace stowage {
namespace {

/// Trials in a row that place nothing before replicas are ejected, and trials per ejection from then on.
constexpr std::uint64_t kTrialsBeforeEjection = 1024;
constexpr std::uint64_t kTrialsPerEjection = 64;
constexpr std::uint32_t kTrialsPerStep = 4;
/// Exchanges that a trial looks at, and apps that it draws for them.
constexpr std::uint32_t kExchangesPerTrial = 64;
constexpr std::uint32_t kDrawsPerTrial = 1024;
/// If at most this many apps are not excluded, a trial lists them and draws among them.
constexpr std::size_t kMostListedApps = 512;
/// What one tenant less is worth, in squared shares, and how many more an exchange adds at most.
constexpr double kWorthOfTenant = 1e-4;
constexpr int kMostAddedTenants = 2;
/// Below this, two sums of the same numbers may differ in rounding alone.
constexpr double kRounding = 1e-12;
// Units of work, each the time in which a start visits a node.
constexpr std::uint64_t kInsertWork = 8;
constexpr std::uint64_t kInsertedBetweenLooks = 1u << 13;  // replicas
constexpr std::uint64_t kManyInsertedWork = 256;           // as many on one node
constexpr std::uint64_t kTrialWork = 32;
constexpr std::uint64_t kStepsPerResource = 8;  // of a watch, for the free space of a node
constexpr std::uint64_t kExchangeWork = 4;

}  // namespace

template <class Unit>
FreeSpaceSearch<Unit>::FreeSpaceSearch(SearchState<Unit>& state, const std::vector<NodeId>& nodes, std::uint64_t seed,
                                       WorkClock* clock)
    : state_(&state),
      nodes_(&nodes),
      random_(seed),
      ejection_(state, nodes, is_mine_, seed),
      resources_(state.instance().resources()),
      over_time_(state.instance().periods() > 1 && !state.instance().uncertain()),
      share_(state.instance().resources()),
      free_(std::size_t{state.placement().nodes()} * resources_),
      after_(2 * resources_) {
  if (state.instance().uncertain()) {
    needs_.resize(state.instance().apps());
    for (AppId app = 0; app < state.instance().apps(); ++app) state.placement().residuals().prepare(app, needs_[app]);
  }
  measure_resources();
  roomy_slot_.assign(state.placement().nodes(), kNone);
  is_mine_.assign(state.placement().nodes(), 0);
  Watch watch = clock != nullptr ? clock->watch() : Watch();
  for (const NodeId node : nodes) {
    if (watch.step(kStepsPerResource * resources_)) break;
    is_mine_[node] = 1;
    refresh(node);
  }
  if (clock == nullptr) return;
  if (watch.ended()) clock->look();
  clock->step(1);
}

template <class Unit>
void FreeSpaceSearch<Unit>::measure_resources() {
  const Instance& instance = state_->instance();
  scarcity_ = resource_scarcity(instance);
  scarcest_ = scarcest_resource(scarcity_);
  const std::vector<double> share = unit_shares(instance);
  const std::uint32_t periods = instance.periods();
  const auto total = instance.total_demand();
  for (ResourceId r = 0; r < resources_; ++r) {
    const auto first = total.begin() + static_cast<std::ptrdiff_t>(std::size_t{r} * periods);
    peak_dim_.push_back(static_cast<std::uint32_t>(std::max_element(first, first + periods) - total.begin()));
    share_[r] = share[peak_dim_[r]];
  }
  const auto wanted = [&](ResourceId r) { return static_cast<double>(total[peak_dim_[r]]) * share_[r]; };
  for (ResourceId r = 0; r < resources_; ++r) scarcest_per_.push_back(wanted(r) > 0 ? wanted(scarcest_) / wanted(r) : 0);
  for (AppId app = 0; app < instance.apps(); ++app) {
    for (const std::uint32_t h : peak_dim_) peak_demand_.push_back(demand(app)[h]);
  }
}

template <class Unit>
void FreeSpaceSearch<Unit>::fill(WorkClock& clock) {
  std::uint64_t seen = 0;  // replicas since the last look
  for (const NodeId node : *nodes_) {
    if (clock.step(kInsertWork)) return;
    insert(node, &clock);
    // Some nodes take thousands of replicas.
    for (const Tenant& tenant : state_->placement().contents().at(node)) seen += tenant.replicas;
    if (seen < kInsertedBetweenLooks) continue;
    seen = 0;
    clock.look();
    if (clock.stop() == Stop::kNo) continue;
    // A work limit that this unit passes ends the run at the next node.
    clock.step(1);
    return;
  }
  filled_ = true;
}

template <class Unit>
bool FreeSpaceSearch<Unit>::run(Run& run, double, std::uint64_t patience) {
  if (!filled_) fill(run.clock);
  if (run.clock.stop() != Stop::kNo) return false;
  state_->track_holders(*nodes_);
  const bool placed = search(run, patience);
  state_->stop_tracking();
  return placed;
}

template <class Unit>
double FreeSpaceSearch<Unit>::free_share(NodeId node) const {
  double sum = 0;
  for (ResourceId r = 0; r < resources_; ++r) sum += scarcity_[r] * free_[std::size_t{node} * resources_ + r];
  return sum;
}

template <class Unit>
void FreeSpaceSearch<Unit>::forget(NodeId node) {
  set_roomy(node, false);
  is_mine_[node] = 0;
}

template <class Unit>
void FreeSpaceSearch<Unit>::look_again(NodeId node) {
  if (node >= roomy_slot_.size()) {
    roomy_slot_.resize(node + 1, kNone);
    is_mine_.resize(node + 1, 0);
    free_.resize((std::size_t{node} + 1) * resources_);
  }
  is_mine_[node] = 1;
  refresh(node);
  insert(node);
}

// Functions on the path of a trial are inline, because they are called for every app drawn or exchange tried.

// The share of the scarcest resource that demand in the mix of all replicas can use.
template <class Unit>
inline double FreeSpaceSearch<Unit>::usable(const double* free) const {
  double least = free[scarcest_];
  for (ResourceId r = 0; r < resources_; ++r) {
    if (scarcest_per_[r] > 0) least = std::min(least, free[r] * scarcest_per_[r]);
  }
  // Overload is negative; its square would count as free capacity.
  return std::max(least, 0.0);
}

template <class Unit>
inline double FreeSpaceSearch<Unit>::potential(const double* free) const {
  const double u = usable(free);
  return u * u;
}

template <class Unit>
void FreeSpaceSearch<Unit>::refresh(NodeId node) {
  double* free = free_.data() + std::size_t{node} * resources_;
  bool overloaded = false;
  for (ResourceId r = 0; r < resources_; ++r) {
    const Unit residual = state_->placement().residuals().residual(node, peak_dim_[r]);
    overloaded = overloaded || residual < 0;
    free[r] = residual * share_[r];
  }
  set_roomy(node, free[scarcest_] > 0 && !overloaded);
}

template <class Unit>
void FreeSpaceSearch<Unit>::set_roomy(NodeId node, bool roomy) {
  std::uint32_t& slot = roomy_slot_[node];
  if (roomy == (slot != kNone)) return;
  if (roomy) {
    slot = static_cast<std::uint32_t>(roomy_.size());
    roomy_.push_back(node);
  } else {
    roomy_[slot] = roomy_.back();
    roomy_slot_[roomy_[slot]] = slot;
    roomy_.pop_back();
    slot = kNone;
  }
}

template <class Unit>
bool FreeSpaceSearch<Unit>::insert(NodeId node, WorkClock* clock) {
  const auto& residuals = state_->placement().residuals();
  std::uint64_t asked = 0;
  const bool any = state_->insert(node, random_, [&](AppId app) {
    if (++asked % kInsertedBetweenLooks == 0 && clock != nullptr && clock->step(kManyInsertedWork)) return false;
    if (asked > kInsertedBetweenLooks && clock != nullptr && clock->stop() != Stop::kNo) return false;
    const Unit* needed = peak_demand(app);
    for (ResourceId r = 0; r < resources_; ++r) {
      if (needed[r] > 0 && residuals.residual(node, peak_dim_[r]) < needed[r]) return false;
    }
    if (over_time_ && !residuals.takes_exchange(demand(app), nullptr, node)) return false;
    return needs_.empty() || residuals.takes_instead(needs_[app], nullptr, node);
  });
  if (any) refresh(node);
  return any;
}

template <class Unit>
bool FreeSpaceSearch<Unit>::search(Run& run, std::uint64_t patience) {
  std::uint64_t idle = 0;
  while (!state_->pool().empty()) {
    if (idle >= patience || roomy_.empty() || nodes_->size() < 2 || run.clock.step(spent_)) return false;
    run.checkpoints.rest();
    spent_ = 0;
    idle += kTrialsPerStep;
    for (std::uint32_t k = 0; k < kTrialsPerStep && !state_->pool().empty() && !roomy_.empty(); ++k) {
      if (trial()) idle = 0;
    }
    if (idle > kTrialsBeforeEjection && idle % kTrialsPerEjection == 0) {
      ejection_.step();
      for (const NodeId node : ejection_.changed()) look_again(node);
    }
  }
  return true;
}

// True if a waiting replica was placed.
template <class Unit>
bool FreeSpaceSearch<Unit>::trial() {
  const NodeId to = roomy_[random_.below(static_cast<std::uint32_t>(roomy_.size()))];
  const auto others = state_->placement().contents().at(to);
  const std::uint32_t k = random_.below(static_cast<std::uint32_t>(others.size()) + 1);
  const AppId other = k < others.size() ? others[k].app : kNone;
  state_->pairs().around(others, other, excluded_);
  const bool listed = state_->pairs().list_not_excluded(excluded_, kMostListedApps, choices_);
  spent_ += kTrialWork;
  if (listed && choices_.empty()) return false;
  const auto choices = listed ? static_cast<std::uint32_t>(choices_.size()) : state_->instance().apps();
  std::uint32_t left = std::min(kExchangesPerTrial, choices);
  for (std::uint32_t n = 0; n < kDrawsPerTrial && left > 0; ++n) {
    AppId mover = random_.below(choices);
    if (listed) mover = choices_[mover];
    if (mover == other || (!listed && PairTable::excludes(excluded_, mover)) || !fits(mover, other, to)) continue;
    const std::vector<NodeId>& holders = state_->holders(mover);
    if (holders.empty()) continue;
    const NodeId from = holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
    if (from == to) continue;
    --left;
    spent_ += kExchangeWork;
    if (!gains(mover, from, other, to) || !allowed(mover, from, other, to)) continue;
    state_->exchange(mover, from, other, to);
    refresh(to);
    refresh(from);
    const bool placed = insert(to);
    return insert(from) || placed;
  }
  return false;
}

// Whether the node has room for one instead of the other in the peak periods.
template <class Unit>
inline bool FreeSpaceSearch<Unit>::fits(AppId mover, AppId other, NodeId to) const {
  if (!needs_.empty()) return true;
  const Unit* arriving = peak_demand(mover);
  const Unit* leaving = other == kNone ? nullptr : peak_demand(other);
  for (ResourceId r = 0; r < resources_; ++r) {
    const std::int64_t change = std::int64_t{arriving[r]} - (leaving == nullptr ? 0 : leaving[r]);
    if (state_->placement().residuals().residual(to, peak_dim_[r]) < change) return false;
  }
  return true;
}

// Whether both nodes have room for the exchange, which fits(), and the potential does not fall.
template <class Unit>
inline bool FreeSpaceSearch<Unit>::gains(AppId mover, NodeId from, AppId other, NodeId to) {
  const auto& residuals = state_->placement().residuals();
  const Unit* arriving = peak_demand(mover);
  const Unit* leaving = other == kNone ? nullptr : peak_demand(other);
  const double* free_to = free_.data() + std::size_t{to} * resources_;
  const double* free_from = free_.data() + std::size_t{from} * resources_;
  double* after_to = after_.data();
  double* after_from = after_.data() + resources_;
  for (ResourceId r = 0; r < resources_; ++r) {
    const std::int64_t change = std::int64_t{arriving[r]} - (leaving == nullptr ? 0 : leaving[r]);
    if (needs_.empty() && residuals.residual(from, peak_dim_[r]) + change < 0) return false;
    after_to[r] = free_to[r] - static_cast<double>(change) * share_[r];
    after_from[r] = free_from[r] + static_cast<double>(change) * share_[r];
  }
  if (!needs_.empty()) {
    const auto* out = other == kNone ? nullptr : &needs_[other];
    if (!residuals.takes_instead(needs_[mover], out, to)) return false;
    if (out != nullptr && !residuals.takes_instead(*out, &needs_[mover], from)) return false;
  }
  double gain = potential(after_to) + potential(after_from) - potential(free_to) - potential(free_from);
  if (state_->pairs().known() && gain < kWorthOfTenant * kMostAddedTenants) {
    gain -= kWorthOfTenant * added_tenants(mover, from, other, to);
  }
  if (gain < -kRounding) return false;
  if (!over_time_) return true;
  const Unit* in = demand(mover);
  const Unit* out = other == kNone ? nullptr : demand(other);
  return residuals.takes_exchange(in, out, to) && (out == nullptr || residuals.takes_exchange(out, in, from));
}

// Whether limits, pins, the move budget and rules let the exchange happen.
template <class Unit>
bool FreeSpaceSearch<Unit>::allowed(AppId mover, NodeId from, AppId other, NodeId to) {
  if (other != kNone && !state_->may_join(other, from, mover)) return false;
  return state_->may_join(mover, to, other) && state_->may_leave(mover, from, other, to) &&
         state_->rules_let_exchange(mover, from, other, to);
}

// How many more tenants the two nodes have together after the exchange.
template <class Unit>
inline int FreeSpaceSearch<Unit>::added_tenants(AppId mover, NodeId from, AppId other, NodeId to) const {
  const auto& contents = state_->placement().contents();
  const auto added = [&](AppId app, NodeId leaves, NodeId enters) {
    return (contents.count(app, enters) == 0 ? 1 : 0) - (contents.count(app, leaves) == 1 ? 1 : 0);
  };
  return added(mover, from, to) + (other == kNone ? 0 : added(other, to, from));
}

template class FreeSpaceSearch<std::int16_t>;
template class FreeSpaceSearch<std::int32_t>;

}  // namespace stowage
