#include "core/traffic/traffic_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace stowage {
namespace {

/// Temperatures, as multiples of the traffic of a mean replica.
constexpr double kHottestTraffic = 10;
constexpr double kWarm = 2;
constexpr double kRefining = 0.4;
constexpr double kColdestTraffic = 0.06;
/// Steps of a pass of the first cycle, and passes of a cycle that start hot.
constexpr std::uint64_t kFirstPass = 10'000;
constexpr int kHotPasses = 6;
/// Steps of the first pass after a rebuild, and by how much each is longer than the one before.
constexpr double kFirstRefining = 40'000;
constexpr double kRefiningGrowth = 1.2;
/// Steps between two temperatures.
constexpr std::uint64_t kStepsPerTemperature = 64;
/// Shares of the kinds of steps, out of 64.
constexpr std::uint32_t kFollow = 30;
constexpr std::uint32_t kGather = 40;
constexpr std::uint32_t kStrip = 42;
/// Of the others: steps that send something home, within a move budget.
constexpr std::uint32_t kGoHome = 60;
/// The most parts of a pair of apps, one of which gathers on a node.
constexpr std::uint32_t kMostPartsOfTraffic = 6;
/// Nodes, holders and tenants that are looked at for one choice.
constexpr std::uint32_t kNodesTried = 4;
constexpr std::uint32_t kNodesTriedOfOthers = 6;
constexpr std::uint32_t kPeersTried = 3;
constexpr std::uint32_t kHoldersTried = 5;
constexpr std::uint32_t kHomesTried = 8;
constexpr std::uint32_t kTenantsTried = 8;
/// Nodes on which room is made for a replica that waits, before the next app has its turn.
constexpr std::uint32_t kTriesToPlace = 200;
/// Choices in a row after which a step gives up.
constexpr std::uint32_t kMostChoices = 40;
/// What evicting costs at least, so that of tenants without traffic the larger one goes; in the traffic of a mean replica.
constexpr double kLeastTrafficLoss = 1e-3;
/// Cells that are looked at per unit of work.
constexpr std::uint64_t kCellsPerUnit = 64;
/// By how much the prices of a move at two temperatures differ.
constexpr double kPriceFactor = 1.15;
/// The least share of the move budget at which a move keeps its price.
constexpr double kWellUsed = 0.97;
/// The most price of a move: all traffic.
constexpr double kMostPrice = 1;
/// The least price of a move, as a share of the lowest temperature.
constexpr double kLeastPrice = 1e-3;
/// Better by less than this is not better: sums of doubles.
constexpr double kBetter = 1e-12;

/// x to the power of `share`, in [0, 1], by halving logarithms: sqrt and multiplication alone, so that platforms agree.
double portable_power(double x, double share) {
  double power = 1;
  double root = x;
  for (int k = 0; k < 30; ++k) {
    root = std::sqrt(root);
    share *= 2;
    if (share < 1) continue;
    share -= 1;
    power *= root;
  }
  return power;
}

}  // namespace

template <class Unit>
TrafficSearch<Unit>::TrafficSearch(TrafficState<Unit>& state, std::uint64_t move_budget, std::uint64_t seed)
    : state_(&state), budget_(move_budget), random_(seed) {
  const double mean = 1 / static_cast<double>(std::max<std::uint64_t>(1, state.graph().total_replicas()));
  hottest_ = kHottestTraffic * mean;
  coldest_ = kColdestTraffic * mean;
  double sum = 0;
  for (const TrafficGraph::Pair& pair : state.graph().pairs()) {
    sum += std::sqrt(std::sqrt(pair.share));
    chance_.push_back(sum);
  }
  least_loss_ = kLeastTrafficLoss * mean;
  if (state.counts_moves()) price_ = mean;
  local_ = state.local();
  keep_best();
}

template <class Unit>
void TrafficSearch<Unit>::place_waiting(WorkClock& clock) {
  if (state_->nodes() == 0) return;
  const Instance& instance = state_->placement().instance();
  std::vector<AppId> order(instance.apps());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](AppId a, AppId b) { return instance.priority(a) > instance.priority(b); });
  bool any = false;
  for (const AppId app : order) {
    std::uint32_t tries = 0;
    while (state_->placement().unplaced(app) > 0 && tries++ < kTriesToPlace && clock.stop() == Stop::kNo) {
      state_->begin();
      const NodeId node = random_.below(state_->nodes());
      if (make_room(app, node, 1, kNone)) {
        state_->change(app, node, 1);
        if (within_budget()) {
          any = true;
          tries = 0;
          state_->begin();
        }
      }
      state_->undo();
      clock.step(1 + state_->take_cells() / kCellsPerUnit);
    }
  }
  if (!any) return;
  local_ = state_->local();
  best_local_ = -1;
  keep_best();
}

template <class Unit>
void TrafficSearch<Unit>::run(WorkClock& clock, const std::function<bool(double)>& enough,
                              const std::function<void(double)>& better, const std::function<void()>& between) {
  if (state_->graph().pairs().empty() || state_->nodes() == 0) return;
  state_->placement().residuals().loosen_maxima();
  const auto over = [&] { return clock.stop() != Stop::kNo || enough(best_local_); };
  for (std::uint64_t steps = kFirstPass; !over(); steps *= 2) {
    for (int pass = 0; pass <= kHotPasses && !over(); ++pass) {
      const double before = best_local_;
      between();
      if (over()) break;
      run_pass(next_pass(steps, pass == kHotPasses), clock, enough);
      if (best_local_ > before) better(best_local_);
    }
  }
}

template <class Unit>
typename TrafficSearch<Unit>::Pass TrafficSearch<Unit>::next_pass(std::uint64_t steps, bool is_last) {
  const double mean = hottest_ / kHottestTraffic;
  if (refining_ > 0) {
    const Pass pass{static_cast<std::uint64_t>(refining_), kRefining * mean, !is_rebuilt_};
    refining_ *= kRefiningGrowth;
    is_rebuilt_ = false;
    return pass;
  }
  return is_last ? Pass{2 * steps, kWarm * mean, true} : Pass{steps, hottest_, false};
}

template <class Unit>
void TrafficSearch<Unit>::rebuild(std::span<const TrafficFill> fills, WorkClock& clock) {
  const bool is_whole = place_fills(fills, clock);
  // The best contents are known apart from the state.
  if (clock.is_over()) return;
  if (is_whole && within_budget()) {
    refining_ = kFirstRefining;
    is_rebuilt_ = true;
  } else {
    state_->restore(best_);
  }
  local_ = state_->local();
  keep_best();
}

template <class Unit>
bool TrafficSearch<Unit>::place_fills(std::span<const TrafficFill> fills, WorkClock& clock) {
  const auto is_over = [&] { return clock.step(1 + state_->take_cells() / kCellsPerUnit); };
  state_->begin();
  const TrafficGraph& graph = state_->graph();
  std::vector<std::uint32_t> left(graph.rows(), 0);
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    const std::vector<NodeId> holders = state_->holders(row);
    for (const NodeId node : holders) {
      const std::uint32_t replicas = state_->removable(graph.app(row), node);
      if (replicas > 0) state_->change(graph.app(row), node, -std::int64_t{replicas});
      left[row] += replicas;
    }
    if (is_over()) return false;
  }
  taken_.clear();
  for (const TrafficFill& fill : fills) {
    for (const auto& [row, replicas] : fill.held) {
      const std::uint32_t there = state_->count(row, fill.node);
      const std::uint32_t wanted = std::min(left[row], replicas > there ? replicas - there : 0);
      if (wanted == 0) continue;
      clear_for(graph.app(row), fill.node, wanted);
      const std::uint32_t placed = state_->headroom(graph.app(row), fill.node, wanted);
      if (placed > 0) state_->change(graph.app(row), fill.node, placed);
      left[row] -= placed;
      if (is_over()) return false;
    }
  }
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    if (left[row] > 0) taken_.push_back({graph.app(row), left[row]});
  }
  const Instance& instance = state_->placement().instance();
  const auto size = [&](AppId app) {
    const auto demand = instance.template scaled_demand<Unit>(app);
    return *std::max_element(demand.begin(), demand.end());
  };
  std::stable_sort(taken_.begin(), taken_.end(), [&](const Tenant& a, const Tenant& b) { return size(a.app) > size(b.app); });
  return std::all_of(taken_.begin(), taken_.end(),
                     [&](const Tenant& one) { return find_places(one.app, one.replicas, kNone) && !is_over(); });
}

template <class Unit>
void TrafficSearch<Unit>::clear_for(AppId app, NodeId node, std::uint32_t wanted) {
  std::vector<Tenant> others;
  for (const Tenant& tenant : state_->placement().contents().at(node)) {
    if (state_->graph().row_of(tenant.app) == kNone) others.push_back(tenant);
  }
  for (const Tenant& other : others) {
    const std::uint32_t most = state_->removable(other.app, node);
    for (std::uint32_t k = 0; k < most; ++k) {
      if (state_->headroom(app, node, wanted) >= wanted) return;
      state_->change(other.app, node, -1);
      taken_.push_back({other.app, 1});
    }
  }
}

template <class Unit>
void TrafficSearch<Unit>::run_pass(const Pass& pass, WorkClock& clock, const std::function<bool(double)>& enough) {
  if (pass.from_best) state_->restore(best_);
  local_ = state_->local();
  double temperature = pass.hot;
  for (std::uint64_t k = 0; k < pass.steps; ++k) {
    if (k % kStepsPerTemperature == 0) {
      const double way = static_cast<double>(k) / static_cast<double>(pass.steps);
      temperature = pass.hot * portable_power(coldest_ / pass.hot, way);
      state_->placement().residuals().settle();
      state_->placement().residuals().loosen_maxima();
      keep_best();
      if (state_->counts_moves()) steer_price();
      if (enough(best_local_)) return;
    }
    state_->begin();
    const std::int64_t moves = state_->moves();
    const bool is_whole = step();
    const std::int64_t moved = state_->moves() - moves;
    const double energy = state_->gained() - price_ * static_cast<double>(moved);
    const bool strict = 2 * k > pass.steps && moved > 0 && !within_budget();
    if (is_whole && !strict && energy >= temperature * draws_.draw(random_)) {
      local_ += state_->gained();
    } else {
      state_->undo();
    }
    if (clock.step(1 + state_->take_cells() / kCellsPerUnit)) break;
  }
  keep_best();
}

template <class Unit>
void TrafficSearch<Unit>::keep_best() {
  if (!within_budget() || !(local_ > best_local_ + kBetter)) return;
  best_local_ = local_;
  best_ = state_->placement().contents();
}

template <class Unit>
void TrafficSearch<Unit>::steer_price() {
  if (!within_budget()) {
    price_ = std::min(price_ * kPriceFactor, kMostPrice);
  } else if (static_cast<double>(state_->moves()) < kWellUsed * static_cast<double>(budget_)) {
    price_ = std::max(price_ / kPriceFactor, kLeastPrice * coldest_);
  }
}

template <class Unit>
double TrafficSearch<Unit>::worth(AppId app, NodeId node, std::int64_t change) {
  const double gain = state_->gain(app, node, change);
  return state_->counts_moves() ? gain - price_ * static_cast<double>(state_->moves_for(app, node, change)) : gain;
}

template <class Unit>
NodeId TrafficSearch<Unit>::random_holder(std::uint32_t row) {
  const std::vector<NodeId>& holders = state_->holders(row);
  return holders.empty() ? kNone : holders[random_.below(static_cast<std::uint32_t>(holders.size()))];
}

template <class Unit>
bool TrafficSearch<Unit>::step() {
  const auto& pairs = state_->graph().pairs();
  const auto drawn = std::upper_bound(chance_.begin(), chance_.end(), random_.share() * chance_.back());
  const auto& pair = pairs[std::min<std::size_t>(static_cast<std::size_t>(drawn - chance_.begin()), pairs.size() - 1)];
  const std::uint64_t bits = random_.next();
  const bool turned = (bits & 64) != 0;
  const std::uint32_t row = turned ? pair.peer : pair.row;
  const std::uint32_t peer = turned ? pair.row : pair.peer;
  const std::uint32_t kind = bits & 63;
  if (kind < kFollow) return follow(row, peer);
  if (kind < kGather) return gather(row, peer);
  if (kind < kStrip) return strip(row, peer);
  return kind >= kGoHome && state_->counts_moves() ? go_home() : relocate(row);
}

// A group of one app comes to a node that holds the other: often as many as keep up with it.
template <class Unit>
bool TrafficSearch<Unit>::follow(std::uint32_t row, std::uint32_t peer) {
  const NodeId node = random_holder(peer);
  if (node == kNone) return false;
  const std::uint32_t there = state_->count(row, node);
  const std::uint32_t all = state_->graph().replicas(row);
  if (there == all) return false;
  const std::uint64_t of_peer = state_->graph().replicas(peer);
  const std::uint64_t level = (std::uint64_t{state_->count(peer, node)} * all + of_peer - 1) / of_peer;
  auto wanted = static_cast<std::uint32_t>(level > there ? std::min<std::uint64_t>(level, all) - there : 1);
  const std::uint64_t bits = random_.next();
  if ((bits & 3) == 0) wanted = 1;
  if ((bits >> 2 & 3) == 0) wanted = 1 + random_.below(wanted);
  return bring(row, node, wanted, peer);
}

// One of a few equal parts of both apps comes to a node.
template <class Unit>
bool TrafficSearch<Unit>::gather(std::uint32_t row, std::uint32_t peer) {
  const std::uint32_t all = state_->graph().replicas(row);
  const std::uint32_t of_peer = state_->graph().replicas(peer);
  const std::uint32_t parts = 1 + random_.below(std::min({all, of_peer, kMostPartsOfTraffic}));
  const NodeId node = (random_.next() & 1) != 0 ? random_.below(state_->nodes()) : random_holder(row);
  if (node == kNone) return false;
  const auto missing = [&](std::uint32_t of, std::uint32_t there) {
    const std::uint32_t part = (of + parts - 1) / parts;
    return part > there ? part - there : 0;
  };
  const std::uint32_t first = missing(all, state_->count(row, node));
  const std::uint32_t second = missing(of_peer, state_->count(peer, node));
  if (first == 0 && second == 0) return false;
  return bring(row, node, first, peer) && bring(peer, node, second, row);
}

// All replicas with traffic leave one or two nodes and find places anew, in random order.
template <class Unit>
bool TrafficSearch<Unit>::strip(std::uint32_t row, std::uint32_t peer) {
  taken_.clear();
  const bool both = random_.below(2) == 1;
  for (const std::uint32_t one : {row, both ? peer : row}) {
    const NodeId node = random_holder(one);
    if (node == kNone) continue;
    const std::size_t from = taken_.size();
    for (const Tenant& tenant : state_->placement().contents().at(node)) {
      if (state_->graph().row_of(tenant.app) == kNone) continue;
      const std::uint32_t replicas = state_->removable(tenant.app, node);
      if (replicas > 0) taken_.push_back({tenant.app, replicas});
    }
    for (std::size_t k = from; k < taken_.size(); ++k) {
      state_->change(taken_[k].app, node, -std::int64_t{taken_[k].replicas});
    }
  }
  for (std::size_t k = taken_.size(); k > 1; --k) {
    std::swap(taken_[k - 1], taken_[random_.below(static_cast<std::uint32_t>(k))]);
  }
  for (const Tenant& tenant : taken_) {
    if (!find_places(tenant.app, tenant.replicas, kNone)) return false;
  }
  return true;
}

template <class Unit>
bool TrafficSearch<Unit>::relocate(std::uint32_t row) {
  const NodeId node = random_holder(row);
  if (node == kNone) return false;
  const AppId app = state_->graph().app(row);
  const std::uint32_t most = state_->removable(app, node);
  if (most == 0) return false;
  const std::uint32_t replicas = (random_.next() & 1) != 0 ? 1 : 1 + random_.below(most);
  state_->change(app, node, -std::int64_t{replicas});
  return find_places(app, replicas, node);
}

// Replicas that have moved go back to a node that they ran on.
template <class Unit>
bool TrafficSearch<Unit>::go_home() {
  const auto& guests = state_->guests();
  if (guests.empty()) return false;
  const auto [app, node] = guests[random_.below(static_cast<std::uint32_t>(guests.size()))];
  NodeId home = kNone;
  for (std::uint32_t k = 0; k < kHomesTried && (home == kNone || state_->missing(app, home) == 0); ++k) {
    home = state_->some_home(app, random_);
  }
  if (home == kNone || home == node) return false;
  const std::uint32_t missing = state_->missing(app, home);
  const std::uint32_t replicas = std::min(missing, state_->removable(app, node));
  if (replicas == 0 || state_->moves_for(app, node, -std::int64_t{replicas}) > 0) return false;
  state_->change(app, node, -std::int64_t{replicas});
  if (!make_room(app, home, replicas, kNone)) return false;
  state_->change(app, home, replicas);
  return true;
}

template <class Unit>
bool TrafficSearch<Unit>::bring(std::uint32_t row, NodeId node, std::uint32_t wanted, std::uint32_t stays) {
  if (wanted == 0) return true;
  const AppId app = state_->graph().app(row);
  if (!make_room(app, node, wanted, state_->graph().app(stays))) return false;
  for (std::uint32_t choice = 0; wanted > 0 && choice < kMostChoices; ++choice) {
    const std::vector<NodeId>& holders = state_->holders(row);
    if (holders.empty() || (holders.size() == 1 && holders[0] == node)) return false;
    NodeId from = kNone;
    std::uint32_t replicas = 0;
    double best = 0;
    for (std::uint32_t k = 0; k < std::min<std::size_t>(kHoldersTried, holders.size()); ++k) {
      const NodeId other = random_holder(row);
      if (other == node) continue;
      const std::uint32_t some = std::min(wanted, state_->removable(app, other));
      if (some == 0) continue;
      const double each = worth(app, other, -std::int64_t{some}) / some;
      if (from != kNone && each <= best) continue;
      from = other;
      replicas = some;
      best = each;
    }
    if (from == kNone) continue;
    state_->change(app, from, -std::int64_t{replicas});
    if (state_->headroom(app, node, replicas) < replicas) return false;
    state_->change(app, node, replicas);
    wanted -= replicas;
  }
  return wanted == 0;
}

template <class Unit>
typename TrafficSearch<Unit>::Lack TrafficSearch<Unit>::lack(AppId app, NodeId node, std::uint32_t wanted) const {
  const auto demand = state_->placement().instance().template scaled_demand<Unit>(app);
  const auto& residuals = state_->placement().residuals();
  Lack worst;
  double most = 0;
  for (std::uint32_t h = 0; h < demand.size(); ++h) {
    const std::int64_t amount = std::int64_t{wanted} * demand[h] - residuals.residual(node, h);
    if (amount <= 0 || demand[h] == 0) continue;
    // Counted in replicas of the app.
    const double share = static_cast<double>(amount) / static_cast<double>(demand[h]);
    if (share <= most) continue;
    most = share;
    worst = {h, amount};
  }
  return worst;
}

template <class Unit>
bool TrafficSearch<Unit>::make_room(AppId app, NodeId node, std::uint32_t wanted, AppId stays) {
  for (std::uint32_t choice = 0; choice < kMostChoices; ++choice) {
    if (state_->headroom(app, node, wanted) >= wanted) return true;
    const auto tenants = state_->placement().contents().at(node);
    if (tenants.empty()) return false;
    const Lack lacking = lack(app, node, wanted);
    AppId victim = kNone;
    std::uint32_t replicas = 0;
    double least = 0;
    for (std::uint32_t k = 0; k < std::min<std::size_t>(kTenantsTried, tenants.size()); ++k) {
      const AppId other = tenants[random_.below(static_cast<std::uint32_t>(tenants.size()))].app;
      if (other == app || other == stays) continue;
      const auto size = lacking.dim == kNone
                            ? std::int64_t{1}
                            : std::int64_t{state_->placement().instance().template scaled_demand<Unit>(other)[lacking.dim]};
      if (size == 0) continue;
      const std::int64_t need = lacking.dim == kNone ? 1 : (lacking.amount + size - 1) / size;
      const auto some = static_cast<std::uint32_t>(std::min<std::int64_t>(need, state_->removable(other, node)));
      if (some == 0) continue;
      const double freed = static_cast<double>(std::min(lacking.dim == kNone ? 1 : lacking.amount, some * size));
      const double loss = (least_loss_ - worth(other, node, -std::int64_t{some})) / freed;
      if (victim != kNone && loss >= least) continue;
      victim = other;
      replicas = some;
      least = loss;
    }
    if (victim == kNone) continue;
    state_->change(victim, node, -std::int64_t{replicas});
    if (!find_places(victim, replicas, node)) return false;
  }
  return false;
}

template <class Unit>
bool TrafficSearch<Unit>::find_places(AppId app, std::uint32_t replicas, NodeId not_here) {
  const std::uint32_t row = state_->graph().row_of(app);
  while (replicas > 0) {
    NodeId best = kNone;
    std::uint32_t best_number = 0;
    double most = 0;
    const auto consider = [&](NodeId node) {
      if (node == kNone || node == not_here || node == best) return;
      const std::uint32_t some = state_->headroom(app, node, replicas);
      if (some == 0) return;
      const double each = worth(app, node, some) / some;
      if (best != kNone && (each < most || (each == most && some <= best_number))) return;
      best = node;
      best_number = some;
      most = each;
    };
    if (row != kNone) {
      const auto arcs = state_->graph().arcs(row);
      for (std::uint32_t k = 0; k < kPeersTried; ++k) {
        consider(random_holder(arcs[random_.below(static_cast<std::uint32_t>(arcs.size()))].peer));
      }
    }
    if (state_->counts_moves()) consider(state_->some_home(app, random_));
    for (std::uint32_t k = 0; k < (row == kNone ? kNodesTriedOfOthers : kNodesTried); ++k) {
      consider(random_.below(state_->nodes()));
    }
    if (best == kNone) {
      const NodeId first = random_.below(state_->nodes());
      for (NodeId k = 0; k < state_->nodes() && best == kNone; ++k) consider((first + k) % state_->nodes());
      if (best == kNone) return false;
    }
    state_->change(app, best, best_number);
    replicas -= best_number;
  }
  return true;
}

template class TrafficSearch<std::int16_t>;
template class TrafficSearch<std::int32_t>;

}  // namespace stowage
