#include "core/colocation/search/colocation_annealing.h"

#include <algorithm>
#include <limits>
#include <span>

namespace stowage {
namespace {

/// A greatest value is worth noting where it is better by this share of the gap to the bound, or, if that is less, by this
/// share of itself.
constexpr double kNotedGap = 1.0 / 64;
constexpr double kNotedWorst = 1e-3;
/// The same of a sum.
constexpr double kNotedTotal = 1e-5;
/// Nodes are high that are within this share of the gap from the greatest value.
constexpr double kHighGap = 0.25;

/// Maps the upper half of a draw to 0 .. n - 1, and its lower half.
std::uint32_t upper(std::uint64_t draw, std::uint32_t n) { return static_cast<std::uint32_t>(((draw >> 32) * n) >> 32); }
std::uint32_t lower(std::uint64_t draw, std::uint32_t n) {
  return static_cast<std::uint32_t>(((draw & 0xFFFFFFFFu) * n) >> 32);
}

}  // namespace

Cooling Cooling::of_pass(std::uint32_t pass, const ColocationState& state) {
  constexpr std::uint64_t kLeastSteps = 1u << 14;
  constexpr std::uint64_t kStepsPerReplica = 64;
  constexpr std::uint32_t kMostDoublings = 8;
  constexpr double kCold = 1e-3;
  constexpr double kFocus = 4;
  const bool is_hot = pass % 2 == 1;
  const bool goes_far = pass % 4 == 3;
  const double reach = pass % 8 == 7 ? 1024 : 32;  // small problems have assignments far apart that are about as good
  const std::uint64_t steps = std::max<std::uint64_t>(kLeastSteps, kStepsPerReplica * state.replicas());
  const std::uint64_t length = steps << std::min(pass / 2, kMostDoublings);
  if (state.goal() == ColocationGoal::kTotal) return {goes_far ? 1 : is_hot ? 0.1 : kCold, length, kFocus};
  return {is_hot ? 1 : kCold, length, goes_far ? kFocus / reach : kFocus};
}

void BestColocation::take() {
  objective_ = state_->objective();
  if (all_stale_) {
    colocation_ = state_->colocation();
    all_stale_ = false;
  }
  for (const std::uint32_t i : stale_) {
    colocation_[i] = state_->replica(i).node;
    is_stale_[i] = 0;
  }
  stale_.clear();
}

void BestColocation::offer(const Colocation& colocation, double objective) {
  if (!(objective < objective_)) return;
  colocation_ = colocation;
  objective_ = objective;
  all_stale_ = true;
}

ColocationAnnealing::ColocationAnnealing(ColocationState& state, BestColocation& best, std::uint64_t seed)
    : state_(&state), best_(&best), random_(seed), energy_(state.nodes(), 0), high_at_(state.nodes(), kNone) {}

void ColocationAnnealing::begin(const Cooling& cooling) {
  cooling_ = cooling;
  steps_ = 0;
}

template <class Gate>
bool ColocationAnnealing::run(double enough, Gate& gate, WorkClock& clock) {
  const auto run_for = [&]<ColocationGoal kGoal>() {
    const std::uint32_t width = state_->width();
    if (width == 2) return run_as<2, kGoal>(enough, gate, clock);
    if (width == 4) return run_as<4, kGoal>(enough, gate, clock);
    if (width == 8) return run_as<8, kGoal>(enough, gate, clock);
    return run_as<0, kGoal>(enough, gate, clock);
  };
  if (state_->goal() == ColocationGoal::kTotal) {
    run_for.template operator()<ColocationGoal::kTotal>();
  } else {
    run_for.template operator()<ColocationGoal::kWorst>();
  }
  return steps_ >= cooling_.steps || best_->objective() <= enough;
}

template <ColocationGoal kGoal>
double ColocationAnnealing::energy(double value) const {
  double x = value * per_reference_;
  if constexpr (kGoal == ColocationGoal::kWorst) {
    for (std::uint32_t k = 0; k < squarings_; ++k) x *= x;
  }
  return x;
}

template <ColocationGoal kGoal>
void ColocationAnnealing::refer(double objective, double enough) {
  constexpr std::uint32_t kFewest = 2;
  constexpr std::uint32_t kMost = 20;
  const double reference = std::max(objective, std::numeric_limits<double>::min());
  per_reference_ = kGoal == ColocationGoal::kWorst ? 1 / reference : state_->nodes() / reference;
  if constexpr (kGoal == ColocationGoal::kWorst) {
    const double gap = 1 - enough * per_reference_;
    squarings_ = kFewest;
    while (squarings_ < kMost && static_cast<double>(1u << squarings_) * gap < cooling_.focus) ++squarings_;
  }
  sum_ = 0;
  for (std::uint32_t node = 0; node < state_->nodes(); ++node) {
    energy_[node] = energy<kGoal>(state_->value(node));
    sum_ += energy_[node];
  }
}

void ColocationAnnealing::watch(double enough) {
  const double best = best_->objective();
  limit_ = best - std::min(kNotedGap * std::max(best - enough, 0.0), kNotedWorst * best);
  above_ = 0;
  for (std::uint32_t node = 0; node < state_->nodes(); ++node) above_ += state_->value(node) >= limit_ ? 1 : 0;
  high_limit_ = best - kHighGap * std::max(best - enough, 0.0);
  for (std::uint32_t node = 0; node < state_->nodes(); ++node) watch(node);
}

void ColocationAnnealing::watch(std::uint32_t node) {
  const bool is_high = state_->value(node) > high_limit_;
  const std::uint32_t at = high_at_[node];
  if (is_high == (at != kNone)) return;
  if (is_high) {
    high_at_[node] = static_cast<std::uint32_t>(high_.size());
    high_.push_back(node);
  } else {
    high_at_[high_.back()] = at;
    high_[at] = high_.back();
    high_.pop_back();
    high_at_[node] = kNone;
  }
}

std::uint32_t ColocationAnnealing::draw_replica(std::uint64_t draw) {
  if ((draw & 2) != 0 || high_.empty()) return upper(draw, state_->replicas());
  const std::span<const std::uint32_t> members = state_->members(high_[upper(draw, static_cast<std::uint32_t>(high_.size()))]);
  return members[random_.below(static_cast<std::uint32_t>(members.size()))];
}

template <ColocationGoal kGoal>
bool ColocationAnnealing::look(double enough) {
  if constexpr (kGoal == ColocationGoal::kWorst) {
    if (above_ > 0) return false;
  } else {
    if (sum_ >= best_->objective() * per_reference_ * (1 - kNotedTotal)) return false;
  }
  best_->offer();
  watch(enough);
  return true;
}

template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
void ColocationAnnealing::run_as(double enough, Gate& gate, WorkClock& clock) {
  refer<kGoal>(steps_ == 0 ? state_->objective() : best_->objective(), enough);
  watch(enough);
  while (steps_ < cooling_.steps && best_->objective() > enough) {
    const double left = 1 - static_cast<double>(steps_) / static_cast<double>(cooling_.steps);
    const double temperature = cooling_.hot * left * left * left;
    take_steps<kWidth, kGoal>(temperature, gate);
    steps_ += kStepsPerLook;
    bool refers = look<kGoal>(enough);
    if (changes_ >= kChangesPerRefresh) {
      changes_ = 0;
      state_->refresh();
      refers = true;
    }
    if (refers) {
      refer<kGoal>(best_->objective(), enough);
      watch(enough);
    }
    if (clock.step(kStepsPerLook)) break;
  }
  best_->offer();
}

void ColocationAnnealing::draw() {
  draws_.resize(kStepsPerLook);
  for (Draw& draw : draws_) {
    const std::uint64_t bits = random_.next();
    draw.i = draw_replica(bits);
    const bool is_move = (bits & 1) == 0;
    draw.j = is_move ? state_->nothing() : lower(bits, state_->replicas());
    draw.node = is_move ? lower(bits, state_->nodes()) : 0;
  }
}

// Large problems exceed the cache. Replicas are read some steps ahead, and where they are somewhat later.
template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
void ColocationAnnealing::take_steps(double temperature, Gate& gate) {
  constexpr std::size_t kAhead = 16;
  constexpr std::size_t kNodesAhead = 8;
  draw();
  for (std::size_t k = 0; k < draws_.size(); ++k) {
    if (k + kAhead < draws_.size()) {
      state_->prefetch_replica(draws_[k + kAhead].i);
      state_->prefetch_replica(draws_[k + kAhead].j);
    }
    if (k + kNodesAhead < draws_.size()) {
      const Draw& next = draws_[k + kNodesAhead];
      state_->prefetch(state_->replica(next.i).node);
      state_->prefetch(next.j == state_->nothing() ? next.node : state_->replica(next.j).node);
    }
    step<kWidth, kGoal>(draws_[k], temperature, gate);
  }
}

template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
void ColocationAnnealing::step(const Draw& draw, double temperature, Gate& gate) {
  const std::uint32_t i = draw.i;
  const std::uint32_t j = draw.j;
  const std::uint32_t from = state_->replica(i).node;
  const std::uint32_t node = j == state_->nothing() ? draw.node : state_->replica(j).node;
  if (node == from) return;
  const auto values = state_->after_of<kWidth, kGoal>(state_->replica(i), node, state_->replica(j));
  const double first = energy<kGoal>(values.first);
  const double second = energy<kGoal>(values.second);
  const double loss = first + second - energy_[from] - energy_[node];
  if (loss > 0 && -loss < temperature * logs_.draw(random_)) return;
  if (!gate.may_exchange(i, node, j)) return;
  gate.exchanging(i, node, j);
  if constexpr (kGoal == ColocationGoal::kWorst) {
    above_ -= (state_->value(from) >= limit_ ? 1u : 0u) + (state_->value(node) >= limit_ ? 1u : 0u);
  }
  apply(i, node, j);
  if constexpr (kGoal == ColocationGoal::kWorst) {
    above_ += (state_->value(from) >= limit_ ? 1u : 0u) + (state_->value(node) >= limit_ ? 1u : 0u);
  }
  watch(from);
  watch(node);
  energy_[from] = energy<kGoal>(state_->value(from));
  energy_[node] = energy<kGoal>(state_->value(node));
  sum_ += loss;
}

void ColocationAnnealing::apply(std::uint32_t i, std::uint32_t node, std::uint32_t j) {
  if (j == state_->nothing()) {
    state_->move(i, node);
  } else {
    state_->exchange(i, j);
    best_->moved(j);
  }
  best_->moved(i);
  ++changes_;
}

template bool ColocationAnnealing::run(double enough, FreeColocation& gate, WorkClock& clock);
template bool ColocationAnnealing::run(double enough, ColocationGate& gate, WorkClock& clock);

}  // namespace stowage
