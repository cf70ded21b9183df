// Improvement with demand that changes over time: what varies anneals on nodes of its own, what is constant is gathered on
// the others.
//
// Replicas of constant demand lose nothing in dips, and those that vary fill each other's dips the better, the more of them
// share a node: so both are kept apart as far as it goes. The varying side has nodes for what it demands in the period that
// binds, and a little more for the dips that stay.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/annealing/peak_annealing.h"
#include "core/annealing/profile_matrix.h"
#include "core/base/sort_by.h"
#include "core/run/run.h"
#include "core/search/free_space_search.h"
#include "core/search/search_state.h"
#include "core/search/spread_start.h"

namespace stowage {

template <class Unit>
class PeriodSearch {
 public:
  /// @param pace it plans to be cold for good when the run has done so much work; 0: when the run's deadline comes, if it has
  ///             one. What it planned for, it tells the run, which the same pace repeats.
  /// @param start whether to make a start of what waits; else what is there is one
  PeriodSearch(SearchState<Unit>& state, Run& run, std::uint64_t pace, bool start, std::uint64_t seed)
      : state_(&state), rows_(state.instance()), row_(rows_.width()), annealing_(state, rows_, seed) {
    for (AppId app = 0; app < state.instance().apps(); ++app) {
      anneals_.push_back(rows_.varies(app) && annealing_.moves(app) ? 1 : 0);
    }
    not_at_first_ = anneals_;
    find_grains();
    part_nodes();
    if (start) {
      std::vector<AppId> order = start_order(state.instance(), kDemandShare);
      std::erase_if(order, [&](AppId app) { return !anneals(app); });
      annealing_.start(run, order);
      if (run.clock.stop() == Stop::kNo) {
        SpreadStart<Unit> others(state, {kDemandShare, SpreadOver::kAllButScarcest});
        others.leave_out([&](AppId app) { return not_at_first_[app] != 0; });
        others.run(run.clock);
      }
    }
    length_ = std::max(kLeastSteps, kLeastPerReplica * state.instance().total_replicas());
    most_trial_steps_ = kTrialsPerReplica * state.instance().total_replicas();
    pace_ = pace;
    begin_ = run.clock.work();
    run.clock.plan_for(pace);
    // A run that has ended does not look at any of this.
    if (run.clock.stop() != Stop::kNo) return;
    state.leave_out_of_pool(not_at_first_);
    free_space_.emplace(state, steady_, seed);
    state.leave_out_of_pool({});
  }

  /// Goes on until what waits needs at most `enough` of a node (true), the run ends, or further nodes would help. `patience` is
  /// for gathering.
  bool run(Run& run, double enough, std::uint64_t patience) {
    wanted_ = 0;
    do {
      gather(run, patience);
      if (run.clock.stop() != Stop::kNo) return false;
      if (waiting() <= enough) return true;
      if (run.clock.step(1)) return false;
      run.checkpoints.rest();
      if (!annealing_.under_way() && !begin_stretch(run)) return false;
      if (!annealing_.anneal(run, enough) || run.clock.stop() != Stop::kNo) break;
    } while (!cold_for_good_ && (stretches_ < kTrials || tried_steps_ < most_trial_steps_));
    return waiting() <= enough;
  }
  /// So many further nodes, where the last run wants more to go on with, but not for all that waits.
  [[nodiscard]] double wanted() const { return wanted_; }

  /// Share of a node that the waiting replicas need in the period in which they need most.
  [[nodiscard]] double waiting() const {
    return rows_.share([&](auto&& visit) {
      for (const AppId app : state_->pool()) visit(app, state_->placement().unplaced(app));
    });
  }
  /// Free share of the scarcest resource at its minimum over time.
  [[nodiscard]] double free_share(NodeId node) {
    rows_.read_free(state_->placement(), node, row_.data());
    const auto lanes = static_cast<std::ptrdiff_t>(rows_.lanes());
    return static_cast<double>(*std::min_element(row_.begin(), row_.begin() + lanes)) / ProfileMatrix<Unit>::kFull;
  }

  /// A node has left play.
  void forget(NodeId node) {
    if (free_space_->works_on(node)) free_space_->forget(node);
    std::erase(steady_, node);
    std::erase(annealing_.nodes(), node);
  }
  /// A node has come into play: for what varies, if such waits.
  void look_again(NodeId node) {
    const std::vector<AppId>& pool = state_->pool();
    if (std::any_of(pool.begin(), pool.end(), [&](AppId app) { return anneals(app); })) {
      annealing_.nodes().push_back(node);
    } else {
      steady_.push_back(node);
      free_space_->look_again(node);
    }
  }

 private:
  // After each time in vain there is half as much patience: what waits then is for other nodes.
  void gather(Run& run, std::uint64_t patience) {
    if (annealing_.nodes().size() >= 2) patience = patience / kLessPatience >> std::min(in_vain_, 63u);
    const double before = waiting();
    state_->leave_out_of_pool(not_at_first_);
    if (!state_->pool().empty()) free_space_->run(run, 0, patience);
    state_->leave_out_of_pool(anneals_);
    if (run.clock.stop() == Stop::kNo) {
      free_space_->fill(run.clock);
      if (run.clock.stop() == Stop::kNo && !state_->pool().empty()) free_space_->run(run, 0, patience);
    }
    state_->leave_out_of_pool({});
    in_vain_ = waiting() < before ? 0 : in_vain_ + 1;
  }
  // At first each stretch is as long as all before together: whenever the run ends, one of a quarter of its length at least has
  // come to its end. Once it is known how much can be done, a long one is to end cold just then; those that follow begin less
  // hot. Not begun where the long one is better begun with further nodes.
  bool begin_stretch(Run& run) {
    if (!cold_for_good_ && stretches_ > 0 && (asked_ || knows_pace(run))) {
      const double units = pace_ > run.clock.work() ? kPaced * static_cast<double>(pace_ - run.clock.work()) : 0;
      const std::uint64_t steps =
          std::min(std::max(annealing_.steps_for(static_cast<std::uint64_t>(units)), length_), most_steps());
      // What a stretch loses, as what is free and what waits at its end, falls with the fourth root of its length.
      if (!asked_) {
        asked_ = true;
        const double times = static_cast<double>(steps) / static_cast<double>(last_steps_);
        loss_ = (annealing_.spare() + waiting()) / std::sqrt(std::sqrt(times));
        wanted_ = kMostSpareOfLoss * loss_ - annealing_.spare();
        if (wanted_ >= 1) return false;
      }
      annealing_.begin(steps, false, kSpareOfLoss * loss_);
      length_ = std::max(static_cast<std::uint64_t>(static_cast<double>(steps) * kFirstLater), kLeastSteps);
      cold_for_good_ = true;
    } else {
      annealing_.begin(cold_for_good_ ? fitting(run, length_) : length_, cold_for_good_);
      last_steps_ = length_;
      tried_steps_ += length_;
      length_ = std::min(length_ + (cold_for_good_ ? length_ / 2 : length_), most_steps());
    }
    ++stretches_;
    return true;
  }
  // So many steps, or what there is time for where they would not come to their end, or leave too little for others.
  [[nodiscard]] std::uint64_t fitting(const Run& run, std::uint64_t steps) const {
    if (pace_ <= run.clock.work()) return steps;
    const std::uint64_t rest =
        annealing_.steps_for(static_cast<std::uint64_t>(kFilled * static_cast<double>(pace_ - run.clock.work())));
    return rest < steps + steps / 4 ? std::max(rest, kLeastSteps) : steps;
  }
  // Whoever has tried every replica on every node so often, finds nothing new by cooling more slowly.
  [[nodiscard]] std::uint64_t most_steps() const {
    return std::max(kLeastSteps, kMostPerPair * state_->instance().total_replicas() * annealing_.nodes().size());
  }
  // Once a share of all work is done. Where the pace is a guess by how fast the last stretch went, it is one for which that was
  // not so any sooner: who repeats the run with the pace, decides the same.
  bool knows_pace(Run& run) {
    const std::uint64_t done = run.clock.work() - begin_;
    const auto early = [&] { return pace_ > run.clock.work() && done < (pace_ - begin_) / kGuessAfter; };
    if (!guesses_) {
      if (pace_ > 0) return !early();
      if (!run.clock.seconds_left()) return false;
    }
    const double most = static_cast<double>(run.clock.work_left().value_or(kMostPace));
    const double left = *run.clock.seconds_left() / std::max(annealing_.seconds_per_work(), 1e-12);
    guesses_ = true;
    pace_ = std::max(run.clock.work() + static_cast<std::uint64_t>(std::min(left, most)), not_before_);
    if (early()) {
      not_before_ = begin_ + (done + 1) * kGuessAfter;
      return false;
    }
    run.clock.plan_for(pace_);
    return true;
  }

  /// Gathering has so much less patience where there is something to anneal.
  static constexpr std::uint64_t kLessPatience = 12;
  /// So many stretches come before whoever has further nodes may use them.
  static constexpr std::size_t kTrials = 5;
  static constexpr std::uint64_t kTrialsPerReplica = 1000;  // steps, which they take at least together
  /// What the long stretch is to have free at its beginning, and what it may have in the end, of what it will lose.
  static constexpr double kSpareOfLoss = 0.4;
  static constexpr double kMostSpareOfLoss = 1;
  /// The pace is what is expected once one in so many units of work is done; the long stretch takes so much of what is left
  /// then, and the one after it so much of its steps.
  static constexpr std::uint64_t kGuessAfter = 10;
  static constexpr double kPaced = 0.86;
  static constexpr double kFirstLater = 0.12;
  static constexpr double kFilled = 0.97;  // of what is left, by the last stretch
  static constexpr std::uint64_t kLeastSteps = 4000;
  static constexpr std::uint64_t kMostPerPair = 100;
  static constexpr std::uint64_t kLeastPerReplica = 1;  // steps

  static constexpr std::size_t kFewNodes = 64;
  /// Of all nodes, so much constant demand goes to those of what varies: nothing is lost by it, and the rest is packed sooner.
  static constexpr double kLeft = 0.0025;
  /// Of a node: no grain is larger; and all nodes' worth of grains.
  static constexpr std::int16_t kGrain = ProfileMatrix<Unit>::kFull / 64;
  static constexpr double kGrains = 0.002;

  [[nodiscard]] bool anneals(AppId app) const { return anneals_[app] != 0; }

  // The smallest of what is constant fills what others leave free.
  void find_grains() {
    const Instance& instance = state_->instance();
    std::vector<AppId> small;
    std::vector<double> most;
    for (AppId app = 0; app < instance.apps(); ++app) {
      most.push_back(rows_.most(app));
      if (anneals_[app] == 0 && rows_.most(app) <= kGrain) small.push_back(app);
    }
    sort_by(small, most);
    double left = kGrains * static_cast<double>(state_->nodes().size()) * ProfileMatrix<Unit>::kFull;
    for (const AppId app : small) {
      left -= static_cast<double>(rows_.most(app)) * state_->placement().unplaced(app);
      if (left < 0) return;
      not_at_first_[app] = 1;
    }
  }
  // For what is constant, nodes on which nothing varies yet, as many as it fills; all others for what varies and for what is
  // left of the constant demand. Few nodes are not parted: every one counts.
  void part_nodes() {
    const Placement<Unit>& placement = state_->placement();
    const auto lanes = static_cast<std::ptrdiff_t>(rows_.lanes());
    const bool none = std::none_of(anneals_.begin(), anneals_.end(), [](std::uint8_t anneals) { return anneals != 0; });
    const bool parted = state_->nodes().size() >= kFewNodes;
    double filled = rows_.share([&](auto&& visit) {
      for (const AppId app : state_->pool()) {
        if (not_at_first_[app] == 0) visit(app, placement.unplaced(app));
      }
    });
    filled -= kLeft * static_cast<double>(state_->nodes().size());
    for (const NodeId node : state_->nodes()) {
      rows_.read_free(placement, node, row_.data());
      const auto [least, most] = std::minmax_element(row_.begin(), row_.begin() + lanes);
      const double free = static_cast<double>(*least) / ProfileMatrix<Unit>::kFull;
      const bool steady = none || (parted && *least == *most && filled >= free);
      (steady ? steady_ : annealing_.nodes()).push_back(node);
      if (steady) filled -= free;
    }
    // Exchanges take two.
    while (!none && annealing_.nodes().size() < 2 && !steady_.empty()) {
      annealing_.nodes().push_back(steady_.back());
      steady_.pop_back();
    }
  }

  SearchState<Unit>* state_;
  ProfileMatrix<Unit> rows_;
  std::vector<std::int16_t> row_;
  PeakAnnealing<Unit> annealing_;
  std::vector<std::uint8_t> anneals_;       // per app: it varies, and may move
  std::vector<std::uint8_t> not_at_first_;  // per app: that, or a grain
  std::vector<NodeId> steady_;              // nodes for what is constant
  std::optional<FreeSpaceSearch<Unit>> free_space_;
  std::uint64_t length_ = 0;      // steps of the next stretch
  std::uint64_t begin_ = 0;       // work before this search
  std::uint64_t pace_ = 0;        // work at which it is to be cold for good; 0: not known
  std::uint64_t not_before_ = 0;  // a guess is at least that
  std::uint64_t last_steps_ = 1;  // of the last stretch but the long one
  std::uint64_t tried_steps_ = 0;
  std::uint64_t most_trial_steps_ = 0;
  double wanted_ = 0;
  double loss_ = 0;  // expected of the long stretch, in shares of a node
  bool asked_ = false;
  bool guesses_ = false;
  bool cold_for_good_ = false;  // the long stretch has begun
  std::size_t stretches_ = 0;
  std::uint32_t in_vain_ = 0;  // times in a row that nothing was gathered
};

}  // namespace stowage
