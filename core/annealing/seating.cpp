#include "core/annealing/seating.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/sort_by.h"

namespace stowage {

void Seating::place(const std::vector<std::uint32_t>& items, WorkClock& clock) {
  // Nothing leaves meanwhile: where one replica of an app found no place, the others find none.
  std::vector<std::uint8_t> in_vain(state_->members(), 0);
  for (const std::uint32_t item : items) {
    std::uint8_t& vain = in_vain[state_->item(item).member];
    if (vain != 0) continue;
    if (!place_one(item)) vain = 1;
    if (state_->items() >= kManyItems) clock.look();
    if (clock.step(kTried)) break;
  }
  state_->erase_placed();
}

bool Seating::place_one(std::uint32_t item) {
  const std::int16_t* demand = state_->demand(item);
  const std::int16_t least_demand = rows_->least(state_->app(item));
  std::uint32_t best = kNone;
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  const auto look = [&](std::uint32_t slot) {
    if (state_->lowest(slot) < least_demand) return;
    const std::int32_t low = kernels_->exchange_minimum(state_->row(slot), rows_->nothing(), demand, 0, rows_->lanes());
    // Of slots that lose the same, the fullest.
    const std::int32_t loss = (state_->lowest(slot) - low - demand[0]) * 4 + low / 128;
    if (low < 0 || loss >= least || !state_->fits(item, slot) || !state_->admits({&item, 1}, slot, {})) return;
    best = slot;
    least = loss;
  };
  if (state_->open() == 0) return false;
  for (std::uint32_t k = 0; k < kTried; ++k) look(random_->below(state_->open()));
  for (std::uint32_t slot = 0; slot < state_->open() && best == kNone; ++slot) look(slot);
  if (best == kNone) return false;
  state_->put(item, best);
  return true;
}

void Seating::place_on(std::uint32_t slot) {
  for (std::uint32_t k = 0; k < kSampled && !state_->waiting().empty(); ++k) {
    const std::uint32_t drawn = random_->below(static_cast<std::uint32_t>(state_->waiting().size()));
    const std::uint32_t item = state_->waiting()[drawn];
    if (state_->fits(item, slot) && state_->admits({&item, 1}, slot, {})) state_->put(state_->take_waiting(drawn), slot);
  }
}

bool Seating::has_room(const std::vector<std::int64_t>& free, std::uint32_t item) const {
  const std::int16_t* demand = state_->demand(item);
  for (std::size_t t = 0; t < free.size(); ++t) {
    if (free[t] < demand[t]) return false;
  }
  return true;
}

void Seating::place_beyond_capacity(WorkClock& clock) {
  std::vector<std::int64_t> free = state_->all_free();
  for (const std::uint32_t item :
       state_->short_of_room() ? state_->waiting_smallest_first() : state_->waiting_largest_first()) {
    if (!has_room(free, item)) continue;
    if (place_one_beyond_capacity(item)) {
      for (std::size_t t = 0; t < free.size(); ++t) free[t] -= state_->demand(item)[t];
    }
    if (state_->items() >= kManyItems) clock.look();
    if (clock.step(kTried)) break;
  }
  state_->erase_placed();
}

bool Seating::place_one_beyond_capacity(std::uint32_t item) {
  const std::int16_t* demand = state_->demand(item);
  std::uint32_t best = kNone;
  std::int32_t best_excess = 0;
  double least = 0;
  const auto look = [&](std::uint32_t slot) {
    if (state_->frozen(slot) || !state_->may_enter(slot)) return;
    const std::int32_t excess =
        kernels_->excess(state_->row(slot), rows_->nothing(), demand, AnnealingState::kNoLimit, rows_->width());
    if (!state_->row_holds(slot, rows_->nothing(), demand, excess)) return;
    // Of slots whose excess grows by the same, the emptiest.
    const double loss =
        excess - state_->excess(slot) - static_cast<double>(state_->row(slot)[0]) / (2.0 * ProfileMatrix::kFull);
    if ((best != kNone && loss >= least) || !state_->admits({&item, 1}, slot, {})) return;
    best = slot;
    best_excess = excess;
    least = loss;
  };
  for (std::uint32_t k = 0; k < kTried; ++k) look(random_->below(state_->open()));
  for (std::uint32_t slot = 0; slot < state_->open() && best == kNone; ++slot) look(slot);
  if (best == kNone) return false;
  state_->put(item, best, best_excess);
  return true;
}

void Seating::shed() {
  std::vector<std::int64_t> free = state_->all_free();
  const auto change = [&](std::uint32_t item, int times) {
    for (std::size_t t = 0; t < free.size(); ++t) free[t] += times * state_->demand(item)[t];
  };
  std::vector<std::uint32_t> order(state_->items());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> key;
  for (const std::uint32_t item : order) {
    if (state_->item(item).slot != kNone) change(item, 1);
    // A priority counts more than any size.
    key.push_back(rows_->most(state_->app(item)) - 65536.0 * state_->priority(item));
  }
  for (std::int64_t& left : free) left -= left / kShedShare;
  sort_by(order, key);
  for (const std::uint32_t item : order) {
    if (has_room(free, item)) {
      change(item, -1);
    } else if (state_->item(item).slot != kNone) {
      state_->evict(item);
    }
  }
}

void Seating::relieve(WorkClock& clock) {
  for (std::uint32_t slot = 0; slot < state_->slots(); ++slot) {
    // An unchanged slot is within its capacity, even where its row exceeds it by rounding.
    if (!state_->changed(slot) || state_->excess(slot) <= 0) continue;
    list_by_burden(slot);
    while (state_->excess(slot) > 0) {
      choose_leaving(slot, clock);
      // What is tied to the node exceeds its capacity by rounding.
      if (leaving_.empty()) break;
      for (const std::uint32_t item : leaving_) leave(item);
    }
  }
}

void Seating::leave(std::uint32_t item) {
  state_->evict(item);
  // Of alike items, the first leaves first.
  const auto at =
      std::find_if(alike_.begin(), alike_.end(), [&](const Alike& one) { return by_burden_[one.next].second == item; });
  if (++at->next == at->end) alike_.erase(at);
}

// The larger, the harder it is to find another place: demand at the peak, and over time.
std::int32_t Seating::burden(std::uint32_t item) const {
  return rows_->most(state_->app(item)) + rows_->mean(state_->app(item));
}

std::int32_t Seating::excess_without(std::uint32_t slot, const std::int16_t* leaving) const {
  return kernels_->excess(state_->row(slot), leaving, rows_->nothing(), state_->excess(slot), rows_->width());
}

void Seating::list_by_burden(std::uint32_t slot) {
  by_burden_.clear();
  for (const AnnealingState::Guest& guest : state_->guests(slot)) {
    if (guest.item != kNone) by_burden_.emplace_back(burden(guest.item), guest.item);
  }
  std::sort(by_burden_.begin(), by_burden_.end());
  alike_.clear();
  for (std::size_t k = 0; k < by_burden_.size(); ++k) {
    const std::int16_t* demand = state_->demand(by_burden_[k].second);
    if (alike_.empty() || alike_.back().demand != demand) alike_.push_back({demand, k, k});
    alike_.back().end = k + 1;
  }
}

// The one item or the pair with the least burden that is enough; else the item that lowers the excess most for its demand.
// Where there is not room for everything, replicas count, and one is better than two.
void Seating::choose_leaving(std::uint32_t slot, WorkClock& clock) {
  leaving_.clear();
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  std::uint32_t best = kNone;
  double least_loss = 0;
  for (const Alike& alike : alike_) {
    const auto& [of_one, item] = by_burden_[alike.next];
    const std::int32_t left = excess_without(slot, alike.demand);
    if (left == 0) {
      leaving_ = {item};
      least = of_one;
      break;
    }
    const double loss = (state_->short_of_room() ? 1 : alike.demand[0]) / (state_->excess(slot) - left + 1e-3);
    if (best != kNone && loss >= least_loss) continue;
    best = item;
    least_loss = loss;
  }
  if (!state_->short_of_room() && clock.stop() == Stop::kNo) choose_pair(slot, least, clock);
  if (leaving_.empty() && best != kNone) leaving_ = {best};
}

// The pair with the least burden that is enough, if that is below `least`.
void Seating::choose_pair(std::uint32_t slot, std::int32_t least, WorkClock& clock) {
  paired_.clear();
  for (const Alike& alike : alike_) {
    for (std::size_t k = alike.next; k < alike.end && paired_.size() < kMostInPairs; ++k) paired_.push_back(by_burden_[k]);
  }
  std::uint64_t looks = 0;
  for (std::size_t i = 0; i < paired_.size(); ++i) {
    for (std::size_t j = i + 1; j < paired_.size() && paired_[i].first + paired_[j].first < least; ++j) {
      const std::int16_t* one = state_->demand(paired_[i].second);
      const std::int16_t* other = state_->demand(paired_[j].second);
      // No overflow: both are on the node.
      for (std::size_t h = 0; h < demand_of_two_.size(); ++h) demand_of_two_[h] = static_cast<std::int16_t>(one[h] + other[h]);
      ++looks;
      if (excess_without(slot, demand_of_two_.data()) > 0) continue;
      leaving_ = {paired_[i].second, paired_[j].second};
      least = paired_[i].first + paired_[j].first;
    }
  }
  if (looks > 0) static_cast<void>(clock.step(1 + looks / kPairsPerWork));
}

}  // namespace stowage
