#include "core/annealing/period_search.h"

#include <algorithm>
#include <cmath>

#include "core/base/sort_by.h"
#include "core/search/starts/spread_start.h"

namespace stowage {

bool anneals(const Instance& instance) {
  return instance.periods() > 1 && !instance.uncertain() && instance.total_replicas() <= kMostAnnealed;
}

template <class Unit>
PeriodSearch<Unit>::PeriodSearch(SearchState<Unit>& state, Run& run, std::uint64_t pace, bool start, std::uint64_t seed)
    : state_(&state),
      placement_(state),
      rows_(state.instance()),
      row_(rows_.width()),
      annealing_(placement_, rows_, seed),
      length_(std::max(kLeastSteps, kLeastPerReplica * state.instance().total_replicas())),
      pace_(pace),
      most_trial_steps_(kTrialsPerReplica * state.instance().total_replicas()) {
  for (AppId app = 0; app < state.instance().apps(); ++app) {
    anneals_.push_back(rows_.varies(app) && annealing_.moves(app) ? 1 : 0);
  }
  not_at_first_ = anneals_;
  find_grains();
  Watch watch = run.clock.watch();
  if (!part_nodes(watch)) {
    run.clock.cut();
    is_cut_ = true;
    return;
  }
  if (start) make_start(run);
  begin_ = run.clock.work();
  run.clock.plan_for(pace);
  // A run that has ended does not look at any of this.
  if (run.clock.stop() != Stop::kNo) return;
  state.leave_out_of_pool(not_at_first_);
  free_space_.emplace(state, steady_, seed);
  state.leave_out_of_pool({});
}

template <class Unit>
void PeriodSearch<Unit>::make_start(Run& run) {
  std::vector<AppId> order = start_order(state_->instance(), kDemandShare);
  std::erase_if(order, [&](AppId app) { return !anneals(app); });
  annealing_.place_first(run, order);
  if (run.clock.stop() != Stop::kNo) return;
  SpreadStart<Unit> others(*state_, {kDemandShare, SpreadOver::kAllButScarcest});
  others.leave_out([&](AppId app) { return not_at_first_[app] != 0; });
  others.run(run.clock);
}

template <class Unit>
bool PeriodSearch<Unit>::run(Run& run, double enough, std::uint64_t patience) {
  wanted_ = 0;
  do {
    search_free_space(run, patience);
    if (run.clock.stop() != Stop::kNo) return false;
    if (waiting() <= enough) return true;
    if (run.clock.step(1)) return false;
    run.checkpoints.rest();
    if (!annealing_.under_way() && !begin_pass(run)) return false;
    if (!annealing_.anneal(run, enough) || run.clock.stop() != Stop::kNo) break;
  } while (!cold_for_good_ && (passes_ < kTrials || tried_steps_ < most_trial_steps_));
  return waiting() <= enough;
}

template <class Unit>
double PeriodSearch<Unit>::waiting() const {
  return rows_.share([&](auto&& visit) {
    for (const AppId app : state_->pool()) visit(app, state_->placement().unplaced(app));
  });
}

template <class Unit>
void PeriodSearch<Unit>::read_free(NodeId node) {
  rows_.read_free(node, placement_.class_of(node), placement_.tenants(node), row_.data());
}

template <class Unit>
double PeriodSearch<Unit>::free_share(NodeId node) {
  read_free(node);
  const auto lanes = static_cast<std::ptrdiff_t>(rows_.lanes());
  return static_cast<double>(*std::min_element(row_.begin(), row_.begin() + lanes)) / ProfileMatrix::kFull;
}

template <class Unit>
void PeriodSearch<Unit>::forget(NodeId node) {
  if (free_space_->works_on(node)) free_space_->forget(node);
  std::erase(steady_, node);
  std::erase(annealing_.nodes(), node);
}

template <class Unit>
void PeriodSearch<Unit>::look_again(NodeId node) {
  const std::vector<AppId>& pool = state_->pool();
  if (std::any_of(pool.begin(), pool.end(), [&](AppId app) { return anneals(app); })) {
    annealing_.nodes().push_back(node);
  } else {
    steady_.push_back(node);
    free_space_->look_again(node);
  }
}

// Each time that nothing is placed halves the patience: what waits then is for the other side's nodes.
template <class Unit>
void PeriodSearch<Unit>::search_free_space(Run& run, std::uint64_t patience) {
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

// At first, a pass takes as many steps as all before it together: whenever the run ends, one that took at least a quarter of
// the work has ended. Returns false where further nodes are wanted first.
template <class Unit>
bool PeriodSearch<Unit>::begin_pass(Run& run) {
  if (!cold_for_good_ && passes_ > 0 && (asked_ || knows_pace(run.clock))) {
    if (!begin_long_pass(run)) return false;
  } else {
    annealing_.begin(cold_for_good_ ? fitting(run.clock, length_) : length_, cold_for_good_);
    last_steps_ = length_;
    tried_steps_ += length_;
    length_ = std::min(length_ + (cold_for_good_ ? length_ / 2 : length_), most_steps());
  }
  ++passes_;
  return true;
}

template <class Unit>
bool PeriodSearch<Unit>::begin_long_pass(Run& run) {
  const std::uint64_t work = run.clock.work();
  const double units = pace_ > work ? kPaced * static_cast<double>(pace_ - work) : 0;
  const std::uint64_t steps =
      std::min(std::max(annealing_.steps_for(static_cast<std::uint64_t>(units)), length_), most_steps());
  if (!asked_) {
    asked_ = true;
    // What is free and what waits at the end of a pass falls with the fourth root of its steps.
    const double times = static_cast<double>(steps) / static_cast<double>(last_steps_);
    loss_ = (annealing_.spare() + waiting()) / std::sqrt(std::sqrt(times));
    wanted_ = kMostSpareOfLoss * loss_ - annealing_.spare();
    if (wanted_ >= 1 || ends_before_long_pass_) return false;
  }
  annealing_.begin(steps, false, kSpareOfLoss * loss_);
  length_ = std::max(static_cast<std::uint64_t>(static_cast<double>(steps) * kFirstLater), kLeastSteps);
  cold_for_good_ = true;
  return true;
}

// `steps`, or the steps that are left where a pass of `steps` would not end, or leave too few for another one.
template <class Unit>
std::uint64_t PeriodSearch<Unit>::fitting(const WorkClock& clock, std::uint64_t steps) const {
  if (pace_ <= clock.work()) return steps;
  const std::uint64_t rest =
      annealing_.steps_for(static_cast<std::uint64_t>(kFilled * static_cast<double>(pace_ - clock.work())));
  return rest < steps + steps / 4 ? std::max(rest, kLeastSteps) : steps;
}

template <class Unit>
std::uint64_t PeriodSearch<Unit>::most_steps() const {
  return std::max(kLeastSteps, kMostPerPair * state_->instance().total_replicas() * annealing_.nodes().size());
}

// Whether the pace is known and its share 1 / kGuessAfter is done. Where it is estimated from the speed of the last pass, it is
// raised to a pace for which that was not so at an earlier call: a run that is given this pace then decides the same.
template <class Unit>
bool PeriodSearch<Unit>::knows_pace(WorkClock& clock) {
  const std::uint64_t done = clock.work() - begin_;
  const auto early = [&] { return pace_ > clock.work() && done < (pace_ - begin_) / kGuessAfter; };
  if (!guesses_) {
    if (pace_ > 0) return !early();
    if (!clock.seconds_left()) return false;
  }
  const double most = static_cast<double>(clock.work_left().value_or(kMostPace));
  const double left = *clock.seconds_left() / std::max(annealing_.seconds_per_work(), 1e-12);
  guesses_ = true;
  pace_ = std::max(clock.work() + static_cast<std::uint64_t>(std::min(left, most)), not_before_);
  if (early()) {
    not_before_ = begin_ + (done + 1) * kGuessAfter;
    return false;
  }
  clock.plan_for(pace_);
  return true;
}

template <class Unit>
void PeriodSearch<Unit>::find_grains() {
  const Instance& instance = state_->instance();
  std::vector<AppId> small;
  std::vector<double> most;
  for (AppId app = 0; app < instance.apps(); ++app) {
    most.push_back(rows_.most(app));
    if (!anneals(app) && rows_.most(app) <= kGrain) small.push_back(app);
  }
  sort_by(small, most);
  double left = kGrains * static_cast<double>(state_->nodes().size()) * ProfileMatrix::kFull;
  for (const AppId app : small) {
    left -= static_cast<double>(rows_.most(app)) * state_->placement().unplaced(app);
    if (left < 0) return;
    not_at_first_[app] = 1;
  }
}

// For constant demand, nodes on which nothing varies yet, as many as it fills; all others for what varies and the rest of the
// constant demand. Returns false where the watch has ended it.
template <class Unit>
bool PeriodSearch<Unit>::part_nodes(WatchRef watch) {
  const auto lanes = static_cast<std::ptrdiff_t>(rows_.lanes());
  const bool none = std::none_of(anneals_.begin(), anneals_.end(), [](std::uint8_t anneals) { return anneals != 0; });
  const bool parted = state_->nodes().size() >= kFewNodes;
  double filled = rows_.share([&](auto&& visit) {
    for (const AppId app : state_->pool()) {
      if (not_at_first_[app] == 0) visit(app, state_->placement().unplaced(app));
    }
  });
  filled -= kLeft * static_cast<double>(state_->nodes().size());
  for (const NodeId node : state_->nodes()) {
    if (watch.step(row_.size())) return false;
    read_free(node);
    const auto [least, most] = std::minmax_element(row_.begin(), row_.begin() + lanes);
    const double free = static_cast<double>(*least) / ProfileMatrix::kFull;
    const bool steady = none || (parted && *least == *most && filled >= free);
    (steady ? steady_ : annealing_.nodes()).push_back(node);
    if (steady) filled -= free;
  }
  // Exchanges take two.
  while (!none && annealing_.nodes().size() < 2 && !steady_.empty()) {
    annealing_.nodes().push_back(steady_.back());
    steady_.pop_back();
  }
  return true;
}

template class PeriodSearch<std::int16_t>;
template class PeriodSearch<std::int32_t>;

}  // namespace stowage
