// Annealing that brings replicas together that exchange traffic (docs/research/search.md).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/model/node_contents.h"
#include "core/run/work_clock.h"
#include "core/traffic/traffic_state.h"

namespace stowage {

/// Steps take replicas of two apps that exchange traffic to one node. What is in the way goes where it keeps most. A step stays
/// if it is better, or worse by no more than the temperature allows (Metropolis et al. 1953); else it is undone. The search
/// goes on for ever, in cycles: some passes from hot to cold, and one that starts warm from the best contents. Each cycle is
/// twice as long as the one before. After rebuild(), no pass is hot: each starts warm from the best contents, and is longer
/// than the one before.
///
/// Within a move budget, a move has a price, which rises while there are too many moves and falls while there are too few. Only
/// contents within the budget count as best.
template <class Unit>
class TrafficSearch {
 public:
  TrafficSearch(TrafficState<Unit>& state, std::uint64_t move_budget, std::uint64_t seed);

  /// Before run(): looks for room for what waits, by making others give way. Each replica gets a number of tries.
  void place_waiting(WorkClock& clock);
  /// Searches until the clock says so, or `enough` says so of the best share. Calls `better` with each best share that lasts,
  /// and `between` before each pass: there rebuild() may be called.
  void run(WorkClock& clock, const std::function<bool(double)>& enough, const std::function<void(double)>& better,
           const std::function<void()>& between);
  /// Empties the nodes of apps that exchange traffic, fills some as given as far as there is room, and places the rest. The
  /// next pass starts there. Where not all have a place, or too many have moved, everything stays as it was.
  void rebuild(std::span<const TrafficFill> fills, WorkClock& clock);
  /// The best contents so far, and the share of traffic that stays on nodes there.
  [[nodiscard]] const NodeContents& best() const { return best_; }
  [[nodiscard]] double best_local() const { return best_local_; }

 private:
  /// A pass: steps from one temperature to another.
  struct Pass {
    std::uint64_t steps;
    double hot;
    bool from_best;
  };
  [[nodiscard]] Pass next_pass(std::uint64_t steps, bool is_last);
  [[nodiscard]] bool place_fills(std::span<const TrafficFill> fills, WorkClock& clock);
  /// Takes replicas that exchange no traffic off the node until it has room.
  void clear_for(AppId app, NodeId node, std::uint32_t wanted);
  void run_pass(const Pass& pass, WorkClock& clock, const std::function<bool(double)>& enough);
  /// Remembers the present contents if they are the best so far within the move budget.
  void keep_best();
  [[nodiscard]] bool within_budget() const {
    return !state_->counts_moves() || state_->moves() <= static_cast<std::int64_t>(budget_);
  }
  void steer_price();

  // The steps. Each returns whether all replicas have a place.
  [[nodiscard]] bool step();
  [[nodiscard]] bool follow(std::uint32_t row, std::uint32_t peer);
  [[nodiscard]] bool gather(std::uint32_t row, std::uint32_t peer);
  [[nodiscard]] bool strip(std::uint32_t row, std::uint32_t peer);
  [[nodiscard]] bool relocate(std::uint32_t row);
  [[nodiscard]] bool go_home();
  /// Takes replicas of the row from other nodes to this one.
  [[nodiscard]] bool bring(std::uint32_t row, NodeId node, std::uint32_t wanted, std::uint32_t stays);
  /// Evicts what keeps least until the node has room.
  [[nodiscard]] bool make_room(AppId app, NodeId node, std::uint32_t wanted, AppId stays);
  /// Finds places for replicas that have none.
  [[nodiscard]] bool find_places(AppId app, std::uint32_t replicas, NodeId not_here);
  /// What the node lacks for `wanted` replicas of the app, in the dimension in which it lacks room for most of them.
  struct Lack {
    std::uint32_t dim = kNone;  ///< kNone: capacity has room
    std::int64_t amount = 0;
  };
  [[nodiscard]] Lack lack(AppId app, NodeId node, std::uint32_t wanted) const;
  /// What placing or removing costs or gains.
  [[nodiscard]] double worth(AppId app, NodeId node, std::int64_t change);
  [[nodiscard]] NodeId random_holder(std::uint32_t row);

  TrafficState<Unit>* state_;
  std::uint64_t budget_;
  Random random_;
  LogTable draws_;
  std::vector<double> chance_;  // per pair, summed up
  double coldest_;
  double least_loss_;
  double hottest_;
  double price_ = 0;  // of a move
  double local_ = 0;  // share that stays on nodes now
  NodeContents best_;
  double best_local_ = -1;
  std::vector<Tenant> taken_;
  double refining_ = 0;      // steps of the next pass, once there has been a rebuild(); else 0
  bool is_rebuilt_ = false;  // since the last pass
};

extern template class TrafficSearch<std::int16_t>;
extern template class TrafficSearch<std::int32_t>;

}  // namespace stowage
