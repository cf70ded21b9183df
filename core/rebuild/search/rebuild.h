// Ruin and recreate: nodes are taken apart, and their replicas find places anew (Schrimpf et al. 2000). A worse plan may follow
// a better one as the temperature allows; the best plan is kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/rebuild/neighbourhoods/drain.h"
#include "core/rebuild/neighbourhoods/gangs.h"
#include "core/rebuild/neighbourhoods/reseat.h"
#include "core/rebuild/rebuild_state.h"
#include "core/rebuild/recreate.h"
#include "core/run/run.h"

namespace stowage {

template <class Unit>
class Rebuild {
 public:
  Rebuild(RebuildState<Unit>& state, SoftPolicy soft, std::uint64_t seed);

  /// Puts everything that waits on new nodes, a window of apps at a time.
  /// @param orders in which the apps are tried on each new node, at least 1
  void place_waiting(Run& run, std::uint32_t orders);
  /// Mends hard rules that are broken since the start, where moves within the budget do. Those that are least broken come
  /// first.
  void mend(Run& run);
  /// Empties nodes within the move budget, if moves matter. The price of a move becomes what this saves per move.
  /// @param saved_before what was saved per move when nodes were emptied before; 0: they were not
  void drain_nodes(Run& run, double saved_before);
  /// Rebuilds `steps` times while the temperature falls from `hottest` to `coldest`, in costs of a usual node. Then goes back
  /// to the best state. False: the run has ended, or `is_good_enough()` holds for the kept state. Where only a part of the run
  /// has ended, the next call goes on with the same round.
  template <class GoodEnough>
  bool round(Run& run, std::uint64_t steps, double hottest, double coldest, GoodEnough&& is_good_enough);

 private:
  /// Sums of extents by differences are exact but for rounding.
  static constexpr double kNoExtent = 1e-9;
  /// Work of a step besides that of the recreation.
  static constexpr std::uint64_t kStepWork = 16;
  /// Where the recreation takes more, it is counted within the step, which the end of the run cuts short.
  static constexpr std::uint64_t kPieceOfStep = 8192;

  /// What a step takes apart, besides nodes.
  enum class Taken : std::uint8_t { kNodes, kApps, kGangs, kViolators };
  static constexpr std::array<std::string_view, 4> kNamesOfTaken = {"rebuilding: nodes", "rebuilding: applications with rules",
                                                                    "rebuilding: gangs", "rebuilding: broken rules"};

  void step(WorkClock& clock, double temperature);
  /// Makes moves cheaper where the best state leaves much of the budget, and dearer again where it uses nearly all.
  void adjust_move_price();
  std::vector<AppId> order_of_waiting();
  void sort_waiting();
  void ruin();
  /// Takes out an app with a rule, often one whose rules are violated, with what it needs near.
  void ruin_app();
  /// Takes out replicas of the app on some of its nodes.
  void take_app(AppId app, std::size_t most_nodes);
  /// Takes out some apps of a condition of the app, subjects and those that it counts.
  void take_some_of(std::uint32_t part, AppId app);
  /// An app that violates a soft rule, or a hard one since the start; kNone: none is known.
  [[nodiscard]] AppId known_violator();
  [[nodiscard]] bool violates(AppId app) const;
  /// Whether hard rules are broken, and running replicas may move.
  [[nodiscard]] bool may_mend() const { return state_->may_move() && state_->parts().hard > kNoExtent; }
  /// By how much a replica of the app violates soft rules and, where that may be mended, hard ones, at most.
  [[nodiscard]] TagState::Toll broken_by(AppId app) const;
  /// False: nothing has changed.
  bool try_to_mend(AppId app);
  /// Adds nodes that hold what soft rules of the app count near.
  void add_liked_partners(AppId app);
  /// Takes apart nodes that hold what some waiting app needs near.
  void ruin_needed();
  /// Apps that the app needs near: of each condition all, or some at random where there are many.
  std::vector<AppId> some_needed(AppId app);
  /// Reopens a node from which everything has moved: what ran there waits.
  void reopen_home();
  /// Adds nodes to which waiting replicas would return.
  void add_homes();
  /// A node whose emptying saves much per move: the best of some draws.
  [[nodiscard]] NodeId worth_moving(std::uint32_t draws);
  /// Adds nodes that hold what waiting apps need near.
  void add_needed_partners();
  void choose_partners();
  void collect_waiting();
  template <class Score>
  [[nodiscard]] NodeId draw(std::uint32_t draws, Score&& score_of);
  [[nodiscard]] NodeId wasteful(std::uint32_t draws);
  [[nodiscard]] bool is_partner(NodeId node) const {
    return std::find(partners_.begin(), partners_.end(), node) != partners_.end();
  }
  [[nodiscard]] bool is_better() const;

  RebuildState<Unit>* state_;
  SoftPolicy soft_;
  Recreate<Unit> recreate_;
  Gangs<Unit> gangs_;
  Reseat<Unit> reseat_;
  Random random_;
  LogTable log_;
  std::vector<NodeId> ruined_;
  std::vector<NodeId> partners_;
  std::vector<WaitingApp> waiting_;
  std::vector<AppId> violators_;  // as far as they are known
  AppId mended_ = kNone;          // the violator that the step has taken out
  double scale_ = 1;              // cost of a usual node
  double most_move_price_ = 0;
  Taken taken_ = Taken::kNodes;  // by the step
  std::uint64_t done_ = 0;       // steps of a round that the end of a part has cut off
};

template <class Unit>
template <class GoodEnough>
bool Rebuild<Unit>::round(Run& run, std::uint64_t steps, double hottest, double coldest, GoodEnough&& is_good_enough) {
  for (std::uint64_t k = std::exchange(done_, 0); k < steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps);
    const std::uint64_t before = run.clock.work();
    const auto count = [&](bool gains) {
      run.trace.add(kNamesOfTaken[static_cast<std::size_t>(taken_)], 1, gains ? 1 : 0, run.clock.work() - before);
    };
    step(run.clock, scale_ * (hottest + share * (coldest - hottest)));
    if (run.clock.step(kStepWork + recreate_.take_work() + gangs_.take_work() + reseat_.take_work())) {
      done_ = k + 1;
      count(false);
      return false;
    }
    run.checkpoints.rest();
    const bool gains = is_better();
    count(gains);
    if (!gains) continue;
    state_->keep();
    run.improved(state_->as_best(), Objective::kNodes);
    if (is_good_enough()) return false;
  }
  state_->return_to_kept();
  adjust_move_price();
  return true;
}

extern template class Rebuild<std::int16_t>;
extern template class Rebuild<std::int32_t>;

}  // namespace stowage
