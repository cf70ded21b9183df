#include "core/annealing/peak_annealing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/prefetch.h"
#include "core/base/sort_by.h"

namespace stowage {

// Schedule.

void AnnealingSchedule::begin(std::uint64_t steps, bool reheated) {
  steps_ = std::max(steps, kBatch);
  done_ = 0;
  reheated_ = reheated;
  moment_ = -1;
}

bool AnnealingSchedule::cool() {
  const double done = share_done();
  const double first = reheated_ ? kReheated : 0;
  const double halvings = first + done * (kHalvings - first);
  const auto whole = static_cast<std::uint32_t>(halvings);
  // Linear between two halvings.
  temperature_ = kHottest * periods_ / (1u << whole) * (1 - (halvings - whole) / 2);
  const int turn = std::max(0, static_cast<int>((done - kRootFrom) / (1 - kRootFrom) * kTurns));
  if (turn == turn_) return false;
  turn_ = turn;
  const double share = static_cast<double>(turn) / kTurns;
  cost_ = {static_cast<float>(1 - share), static_cast<float>(share * std::sqrt(kRootOf * periods_))};
  return true;
}

bool AnnealingSchedule::time_to_open() {
  const double done = share_done();
  const int moment = static_cast<int>((done - kOpenFrom) / (kOpenUntil - kOpenFrom) * kMoments);
  if (done < kOpenFrom || moment >= kMoments || moment == moment_) return false;
  moment_ = moment;
  return true;
}

std::size_t AnnealingSchedule::nodes_to_open(std::uint32_t open, double exceeded) const {
  const double usual = kExcessOfHeat * temperature_ / periods_ / ProfileMatrix::kFull * static_cast<double>(open);
  return static_cast<std::size_t>(std::max(0.0, (exceeded - usual) / kExcessPerNode));
}

// Passes.

PeakAnnealing::PeakAnnealing(AnnealedPlacement& placement, const ProfileMatrix& rows, std::uint64_t seed)
    : placement_(&placement),
      rows_(&rows),
      kernels_(&best_kernels<std::int16_t>()),
      random_(seed),
      state_(placement.instance(), rows),
      schedule_(static_cast<std::uint32_t>(rows.periods())),
      draws_(state_, rows, neighbours_, random_),
      seating_(state_, rows, random_),
      own_(rows.lanes()),
      demand_of_several_(rows.width()) {}

bool PeakAnnealing::load(Run& run) {
  if (!state_.load(*placement_, nodes_, run.clock)) return false;
  state_.keep_in_reserve(spare_at_first_);
  return true;
}

void PeakAnnealing::place_first(Run& run, const std::vector<AppId>& order) {
  if (!load(run)) return;
  std::vector<std::uint32_t> rank(placement_->instance().apps(), kNone);
  for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  std::vector<std::uint32_t> items;
  std::vector<double> rank_of(state_.items());
  for (const std::uint32_t item : state_.waiting()) {
    rank_of[item] = rank[state_.app(item)];
    if (rank[state_.app(item)] != kNone) items.push_back(item);
  }
  sort_by(items, rank_of);
  seating_.place(items, run.clock);
  if (!run.checkpoints.is_moot()) state_.store(*placement_, nodes_);
}

void PeakAnnealing::begin(std::uint64_t steps, bool reheated, double spare) {
  schedule_.begin(steps, reheated);
  spare_at_first_ = spare;
  seconds_ = 0;
}

std::uint64_t PeakAnnealing::steps_for(std::uint64_t work) const {
  if (!neighbours_.empty()) return work / kNeighbourStepWork;
  const std::uint64_t to_find = ProfileNeighbours::work(state_.ranks_in_play().size());
  const std::uint64_t steps = (work - std::min(work, to_find)) / kNeighbourStepWork;
  return neighbours_pay(steps) ? steps : std::min(work, kNeighboursPay * to_find) / kStepWork;
}

bool PeakAnnealing::neighbours_pay(std::uint64_t steps) const {
  return steps * kStepWork > kNeighboursPay * ProfileNeighbours::work(state_.ranks_in_play().size());
}

// Returns false where the run ended meanwhile.
bool PeakAnnealing::find_neighbours(WorkClock& clock) {
  if (!neighbours_.empty() || !neighbours_pay(schedule_.steps_left())) return true;
  std::vector<double> free(rows_->lanes(), 0);
  const std::vector<std::int64_t> all = state_.free_less_waiting();
  for (std::size_t t = 0; t < all.size(); ++t) free[t] = static_cast<double>(all[t]) / static_cast<double>(state_.open());
  return neighbours_.find(*rows_, state_.ranks_in_play(), free, clock);
}

bool PeakAnnealing::anneal(Run& run, double enough) {
  if (!load(run)) return false;
  double before = state_.waiting_share();
  seating_.place(state_.waiting_largest_first(), run.clock);
  if (state_.waiting_share() < before && !run.checkpoints.is_moot()) state_.store(*placement_, nodes_);
  before = state_.waiting_share();
  const bool short_of_room = state_.short_of_room();
  const LeftOver left_before = short_of_room ? state_.left_over() : LeftOver();
  if (nodes_.size() < 2 || state_.items() == 0) return false;
  if (run.clock.stop() != Stop::kNo) return true;
  if (short_of_room) seating_.shed();
  if (!find_neighbours(run.clock)) return true;
  seating_.place_beyond_capacity(run.clock);
  take_steps(run.clock, enough);
  // A pass that is cut off while it is hot has nothing to offer.
  if (run.checkpoints.is_moot() || (!short_of_room && state_.waiting_share() + state_.exceeded() >= before)) return true;
  seating_.relieve(run.clock);
  spare_at_first_ = std::numeric_limits<double>::infinity();
  state_.open_further(state_.slots() - state_.open());
  // A run that has ended counts no more work, and places the rest on its own.
  if (run.clock.stop() == Stop::kNo) {
    seating_.place(short_of_room ? state_.waiting_smallest_first() : state_.waiting_largest_first(), run.clock);
  }
  // Where there is not room for everything, replicas count, however large.
  if (short_of_room ? state_.left_over() < left_before : state_.waiting_share() < before) {
    state_.store(*placement_, nodes_);
  }
  return true;
}

void PeakAnnealing::take_steps(WorkClock& clock, double enough) {
  bool stopped = clock.stop() != Stop::kNo;
  const auto placed = [&] { return state_.all_within() && state_.waiting_share() <= enough; };
  const WorkClock::Time::time_point start = WorkClock::Time::now();
  draws_.restart();
  while (schedule_.under_way() && !stopped && !placed()) {
    if (schedule_.cool()) state_.set_cost(schedule_.cost());
    if (state_.open() < state_.slots() && schedule_.time_to_open()) {
      const std::size_t further = schedule_.nodes_to_open(state_.open(), state_.exceeded());
      state_.open_further(static_cast<std::uint32_t>(std::min<std::size_t>(state_.slots() - state_.open(), further)));
    }
    for (std::uint64_t k = 0; k < AnnealingSchedule::kBatch; ++k) step(draws_.next());
    schedule_.advance(AnnealingSchedule::kBatch);
    stopped = clock.step(AnnealingSchedule::kBatch * work_per_step());
  }
  seconds_ += std::chrono::duration<double>(WorkClock::Time::now() - start).count();
}

// Steps. In the names, item x is on slot a and goes to slot b.

void PeakAnnealing::step(const StepDraw& draw) {
  const std::uint32_t x = draw.item;
  if (x == kNone || state_.item(x).slot == kNone) return;
  if (draw.kind == PartnerKind::kSeveral) return exchange_for_several(x, draw.slot);
  const std::uint32_t a = state_.item(x).slot;
  const std::int16_t* demand = state_.demand(x);
  const std::int16_t* free = state_.row(a);
  const ExcessCost& cost = state_.cost();
  const float most = state_.cost_of(a) + draw_luck();
  for (std::size_t t = 0; t < rows_->lanes(); ++t) own_[t] = static_cast<std::int16_t>(free[t] + demand[t]);
  const bool slots = draw.kind == PartnerKind::kSlots;
  const std::vector<std::uint32_t>& slot_of = slots ? state_.slot_of_slot() : state_.slot_of_item();
  std::size_t count = 0;
  for (const StepDraw::Range& range : std::span(draw.partners).first(draw.ranges)) {
    const std::uint32_t end = range.first + range.count;
    for (std::uint32_t id = range.first; id < end;) {
      // Partners of equal demand are side by side: the excess on slot a is computed once for all of them.
      const std::uint32_t rank = slots ? 0 : state_.item(id).rank;
      const std::int16_t* row = slots ? rows_->nothing() : rows_->row(rank);
      const std::uint32_t equal_end = slots ? end : std::min(end, state_.first(rank + 1));
      if (row == demand) {
        id = equal_end;
        continue;
      }
      const std::int32_t here = kernels_->excess(own_.data(), rows_->nothing(), row, AnnealingState::kNoLimit, rows_->lanes());
      const float cost_here = cost(here);
      for (; id < equal_end; ++id) {
        const std::uint32_t b = slot_of[id];
        const float affordable = most + state_.cost_of(b);
        if (affordable < cost_here || a == b) continue;
        partners_[count++] = {row, state_.row(b), affordable - cost_here, here, id};
        prefetch(state_.row(b), 1);
      }
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::int32_t there = 0;
    k += kernels_->first_exchange(demand, partners_.data() + k, count - k, rows_->lanes(), cost, &there);
    if (k == count) return;
    const Partner<std::int16_t>& partner = partners_[k];
    const std::span<const std::uint32_t> from_b(&partner.id, slots ? 0 : 1);
    if (exchange(x, slot_of[partner.id], from_b, partner.leaving, partner.affordable + cost(partner.here), partner.here, there))
      return;
  }
}

void PeakAnnealing::exchange_for_several(std::uint32_t x, std::uint32_t b) {
  const std::uint32_t a = state_.item(x).slot;
  if (a == b || state_.frozen(b)) return;
  choose_several(x, b);
  if (several_.empty()) return;
  const ExcessCost& cost = state_.cost();
  const std::int16_t* demand = state_.demand(x);
  const std::int16_t* several = demand_of_several_.data();
  const float affordable = state_.cost_of(a) + state_.cost_of(b) + draw_luck();
  const std::int32_t most_at_b = cost.largest(affordable);
  const std::int32_t at_b = kernels_->excess(state_.row(b), several, demand, most_at_b, rows_->lanes());
  if (at_b > most_at_b) return;
  const std::int32_t most_at_a = cost.largest(affordable - cost(at_b));
  const std::int32_t at_a = kernels_->excess(state_.row(a), demand, several, most_at_a, rows_->lanes());
  if (at_a <= most_at_a) exchange(x, b, several_, several, affordable, at_a, at_b);
}

// Draws items of slot b until they demand about as much as x in the scarcest period.
void PeakAnnealing::choose_several(std::uint32_t x, std::uint32_t b) {
  constexpr std::int32_t kFull = ProfileMatrix::kFull;
  const std::int32_t wanted = state_.demand(x)[0];
  std::int32_t sum = 0;
  // Upper bounds of their demand over time, which has to fit a row.
  std::int32_t most = 0;
  std::int32_t others = 0;
  several_.clear();
  std::fill(demand_of_several_.begin(), demand_of_several_.end(), std::int16_t{0});
  candidates_ = state_.guests(b);
  for (std::size_t left = candidates_.size(); left > 0 && sum <= wanted - kSeveralLess; --left) {
    const std::uint32_t k = random_.below(static_cast<std::uint32_t>(left));
    const std::uint32_t y = candidates_[k].item;
    candidates_[k] = candidates_[left - 1];
    if (y == kNone) continue;
    const std::int32_t demand = state_.demand(y)[0];
    const std::int32_t most_of_y = rows_->most(state_.app(y));
    const std::int32_t others_of_y = state_.item(y).others;
    if (sum + demand > wanted + kSeveralMore || most + most_of_y > kFull || others + others_of_y > kFull) continue;
    sum += demand;
    most += most_of_y;
    others += others_of_y;
    several_.push_back(y);
    kernels_->subtract(demand_of_several_.data(), state_.demand(y), -1, rows_->width());
  }
}

bool PeakAnnealing::exchange(std::uint32_t x, std::uint32_t b, std::span<const std::uint32_t> from_b, const std::int16_t* to_a,
                             float affordable, std::int32_t at_a, std::int32_t at_b) {
  const std::uint32_t a = state_.item(x).slot;
  if (!state_.try_exchange(x, b, from_b, to_a, affordable, at_a, at_b)) return false;
  seating_.place_on(a);
  seating_.place_on(b);
  return true;
}

}  // namespace stowage
