#include "core/colocation/search/colocation_annealing.h"

#include <algorithm>
#include <limits>

namespace stowage {
namespace {

/// Of a better objective worth noting: this share of the way to the bound, or of the objective where the bound is far.
constexpr double kNotedShare = 1.0 / 64;
constexpr double kMostNoted = 1e-3;
/// The same of the sum.
constexpr double kTotalNoted = 1e-5;

/// Maps the upper half of a draw to 0 .. n - 1, and its lower half.
std::uint32_t upper(std::uint64_t draw, std::uint32_t n) { return static_cast<std::uint32_t>(((draw >> 32) * n) >> 32); }
std::uint32_t lower(std::uint64_t draw, std::uint32_t n) {
  return static_cast<std::uint32_t>(((draw & 0xFFFFFFFFu) * n) >> 32);
}

}  // namespace

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

ColocationAnnealing::ColocationAnnealing(ColocationState& state, BestColocation& best, std::uint64_t seed)
    : state_(&state), best_(&best), random_(seed), energy_(state.nodes(), 0) {}

template <class Gate>
void ColocationAnnealing::run(const Cooling& cooling, double enough, Gate& gate, WorkClock& clock) {
  if (state_->goal() == ColocationGoal::kTotal) {
    switch (state_->width()) {
      case 2:
        return run_as<2, ColocationGoal::kTotal>(cooling, enough, gate, clock);
      case 4:
        return run_as<4, ColocationGoal::kTotal>(cooling, enough, gate, clock);
      case 8:
        return run_as<8, ColocationGoal::kTotal>(cooling, enough, gate, clock);
      default:
        return run_as<0, ColocationGoal::kTotal>(cooling, enough, gate, clock);
    }
  }
  switch (state_->width()) {
    case 2:
      return run_as<2, ColocationGoal::kWorst>(cooling, enough, gate, clock);
    case 4:
      return run_as<4, ColocationGoal::kWorst>(cooling, enough, gate, clock);
    case 8:
      return run_as<8, ColocationGoal::kWorst>(cooling, enough, gate, clock);
    default:
      return run_as<0, ColocationGoal::kWorst>(cooling, enough, gate, clock);
  }
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
void ColocationAnnealing::refer(double objective, double enough, double focus) {
  constexpr std::uint32_t kFewest = 5;
  constexpr std::uint32_t kMost = 20;
  const double reference = std::max(objective, std::numeric_limits<double>::min());
  per_reference_ = kGoal == ColocationGoal::kWorst ? 1 / reference : state_->nodes() / reference;
  if constexpr (kGoal == ColocationGoal::kWorst) {
    const double gap = 1 - enough * per_reference_;
    squarings_ = kFewest;
    while (squarings_ < kMost && static_cast<double>(1u << squarings_) * gap < focus) ++squarings_;
  }
  sum_ = 0;
  for (std::uint32_t node = 0; node < state_->nodes(); ++node) {
    energy_[node] = energy<kGoal>(state_->value(node));
    sum_ += energy_[node];
  }
}

void ColocationAnnealing::watch(double enough) {
  const double best = best_->objective();
  limit_ = best - std::min(kNotedShare * std::max(best - enough, 0.0), kMostNoted * best);
  above_ = 0;
  for (std::uint32_t node = 0; node < state_->nodes(); ++node) above_ += state_->value(node) >= limit_ ? 1 : 0;
}

template <ColocationGoal kGoal>
bool ColocationAnnealing::look(double enough) {
  if constexpr (kGoal == ColocationGoal::kWorst) {
    if (above_ > 0) return false;
  } else {
    if (sum_ >= best_->objective() * per_reference_ * (1 - kTotalNoted)) return false;
  }
  best_->offer();
  watch(enough);
  return true;
}

template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
void ColocationAnnealing::run_as(const Cooling& cooling, double enough, Gate& gate, WorkClock& clock) {
  refer<kGoal>(state_->objective(), enough, cooling.focus);
  watch(enough);
  for (std::uint64_t done = 0; done < cooling.steps && best_->objective() > enough; done += kStepsPerLook) {
    const double left = 1 - static_cast<double>(done) / static_cast<double>(cooling.steps);
    const double temperature = cooling.hot * left * left * left;
    for (std::uint32_t k = 0; k < kStepsPerLook; ++k) step<kWidth, kGoal>(temperature, gate);
    bool refers = look<kGoal>(enough);
    if (changes_ >= kChangesPerRefresh) {
      changes_ = 0;
      state_->refresh();
      refers = true;
    }
    if (refers) {
      refer<kGoal>(best_->objective(), enough, cooling.focus);
      watch(enough);
    }
    if (clock.step(kStepsPerLook)) break;
  }
  best_->offer();
}

template <std::uint32_t kWidth, ColocationGoal kGoal, class Gate>
void ColocationAnnealing::step(double temperature, Gate& gate) {
  const std::uint64_t draw = random_.next();
  const std::uint32_t i = upper(draw, state_->replicas());
  std::uint32_t j = state_->nothing();
  std::uint32_t node = 0;
  if ((draw & 1) == 0) {
    node = lower(draw, state_->nodes());
  } else {
    j = lower(draw, state_->replicas());
    node = state_->replica(j).node;
  }
  const std::uint32_t from = state_->replica(i).node;
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

template void ColocationAnnealing::run(const Cooling& cooling, double enough, FreeColocation& gate, WorkClock& clock);
template void ColocationAnnealing::run(const Cooling& cooling, double enough, ColocationGate& gate, WorkClock& clock);

}  // namespace stowage
