#include "core/colocation/assignment/load_start.h"

#include <algorithm>
#include <limits>

namespace stowage {

bool LoadStart::find_sets(WatchRef watch) {
  std::vector<std::uint8_t> has(state_->kinds());
  // Most nodes hold the same kinds as the one before: none.
  std::uint32_t set = kNone;
  for (std::uint32_t node = 0; node < state_->nodes(); ++node) {
    if (watch.step(kStepsPerReplica)) return false;
    bool is_other = set == kNone;
    for (std::uint32_t t = 0; t < state_->kinds(); ++t) {
      const std::uint8_t there = state_->counts(node)[t] > 0 ? 1 : 0;
      is_other = is_other || there != has[t];
      has[t] = there;
    }
    if (is_other) set = set_with(has);
    sets_[set].heap.push_back({state_->value(node), node});
  }
  for (Set& of : sets_) std::make_heap(of.heap.begin(), of.heap.end());
  return true;
}

bool LoadStart::run(WorkClock& clock) {
  stowage::Watch watch = clock.watch();
  bool goes_on = find_sets(watch);
  for (std::uint32_t i = 0; goes_on && i < state_->replicas(); ++i) {
    goes_on = !watch.step(kStepsPerReplica);
    if (goes_on) place_next(i, clock);
  }
  if (!goes_on) clock.cut();
  return goes_on;
}

bool LoadStart::run_unless_over(WorkClock& clock) {
  stowage::Watch watch = clock.watch();
  if (!find_sets(watch)) {
    clock.cut();
    return false;
  }
  for (std::uint32_t i = 0; i < state_->replicas(); ++i) {
    if (clock.is_over()) return false;
    place_next(i, clock);
  }
  return true;
}

void LoadStart::place_next(std::uint32_t i, WorkClock& clock) {
  if (state_->replica(i).node != kNone) return;
  const bool goes_on = clock.stop() == Stop::kNo && !clock.step(kUnitsPerReplica);
  place(i, choose(i, goes_on ? kMostSets : 1));
}

std::uint32_t LoadStart::set_with(const std::vector<std::uint8_t>& has) {
  const auto [at, is_new] = number_.try_emplace(has, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back({has, std::vector<std::uint32_t>(has.size(), kNone), {}});
  return at->second;
}

std::uint32_t LoadStart::beside(std::uint32_t set, std::uint32_t kind) {
  if (sets_[set].beside[kind] == kNone) {
    std::vector<std::uint8_t> has = sets_[set].has;
    has[kind] = 1;
    const std::uint32_t number = set_with(has);
    sets_[set].beside[kind] = number;
  }
  return sets_[set].beside[kind];
}

// Where there are more sets than it looks at, the replica's number decides where it begins.
std::uint32_t LoadStart::choose(std::uint32_t i, std::uint32_t most) const {
  const ColocationState::Replica& replica = state_->replica(i);
  const auto sets = static_cast<std::uint32_t>(sets_.size());
  const bool is_sum = state_->goal() == ColocationGoal::kTotal;
  std::uint32_t chosen = kNone;
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t set = sets > most ? i % sets : 0;
  for (std::uint32_t k = 0; k < sets && most > 0; ++k, set = set + 1 == sets ? 0 : set + 1) {
    if (sets_[set].heap.empty()) continue;
    --most;
    const Entry& top = sets_[set].heap.front();
    const double value = state_->with(top.node, replica.kind, replica.load) - (is_sum ? top.value : 0);
    if (chosen == kNone || value < least) {
      chosen = set;
      least = value;
    }
  }
  return chosen;
}

void LoadStart::place(std::uint32_t i, std::uint32_t set) {
  std::vector<Entry>& heap = sets_[set].heap;
  std::pop_heap(heap.begin(), heap.end());
  const std::uint32_t node = heap.back().node;
  heap.pop_back();
  state_->move(i, node);
  std::vector<Entry>& into = sets_[beside(set, state_->replica(i).kind)].heap;
  into.push_back({state_->value(node), node});
  std::push_heap(into.begin(), into.end());
}

}  // namespace stowage
