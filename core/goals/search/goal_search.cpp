#include "core/goals/search/goal_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/asked_nodes.h"

namespace stowage {
namespace {

/// Temperatures, in usual changes of the level.
constexpr double kHottestOfGoals = 0.05;
constexpr double kColdestOfGoals = 0.001;
/// So often in a cooling, largest contributions are compared with the present one.
constexpr std::uint64_t kScalesOfCooling = 400;
/// What a usual change of the next level counts, in usual changes of the level.
constexpr double kWeightOfNextGoal = 1e-3;
/// What a usual change of a level before counts where places are compared. A step beyond a ceiling is undone in any case.
constexpr double kPriceOfGoalsBefore = 2;
/// Tries by which the usual change is found.
constexpr std::uint32_t kTriedChanges = 400;
/// Two values are equal within this share.
constexpr double kSameOfGoals = 1e-9;

bool is_less_by_goal(double a, double b) { return a < b - kSameOfGoals * (1 + std::abs(b)); }

}  // namespace

template <class Unit>
std::uint64_t GoalSearch<Unit>::steps_of_answer() const {
  const Instance& instance = goals_->instance();
  const std::uint64_t nodes = std::max<std::uint64_t>(1, goals_->state().used().size());
  const std::uint64_t tenants = std::min<std::uint64_t>(instance.apps(), 1 + instance.total_replicas() / nodes);
  return goals_->goals().terms.size() * instance.dims() * tenants;
}

template <class Unit>
bool GoalSearch<Unit>::measure(Run& run) {
  LooksBetween looks(run.clock);
  const std::uint64_t steps = steps_of_answer();
  static_cast<void>(site_.take_work());
  goals_->rescale(true);
  const std::size_t levels = goals_->goals().levels.size();
  std::vector<double> before(levels);
  std::vector<double> sum(levels, 0);
  std::vector<double> changes(levels, 0);
  for (std::size_t j = 0; j < levels; ++j) before[j] = goals_->slope(j);
  for (std::uint32_t k = 0; k < kTriedChanges; ++k) {
    goals_->begin();
    site_.forget_waiting();
    site_.set_temperature(1e30);  // any place is as good
    const bool done = shares_[k % 3].neighbourhood(site_);
    for (std::size_t j = 0; done && j < levels; ++j) {
      const double change = std::abs(goals_->slope(j) - before[j]);
      if (!(change > kSameOfGoals * (1 + std::abs(before[j])))) continue;
      sum[j] += change;
      ++changes[j];
    }
    goals_->roll_back();
    if (looks.count((1 + site_.take_work()) * steps) && run.clock.stop() != Stop::kNo) return false;
  }
  goals_->rescale();
  usual_.assign(levels, 1);
  for (std::size_t j = 0; j < levels; ++j) {
    // Where no try changes anything, such as a cost: what a node has of it.
    const double nodes = std::max<double>(1, static_cast<double>(goals_->state().used().size()));
    const double usual = changes[j] > 0 ? sum[j] / changes[j] : std::abs(before[j]) / nodes;
    if (usual > 0) usual_[j] = usual;
  }
  return true;
}

template <class Unit>
void GoalSearch<Unit>::set_prices() {
  std::vector<double> prices(usual_.size(), 0);
  for (std::size_t j = 0; j < level_; ++j) prices[j] = kPriceOfGoalsBefore / usual_[j];
  prices[level_] = 1 / usual_[level_];
  if (level_ + 1 < prices.size()) prices[level_ + 1] = kWeightOfNextGoal / usual_[level_ + 1];
  goals_->set_prices(std::move(prices));
}

template <class Unit>
typename GoalSearch<Unit>::Share& GoalSearch<Unit>::next() {
  return *std::min_element(shares_.begin(), shares_.end(),
                           [](const Share& a, const Share& b) { return a.work * b.share < b.work * a.share; });
}

template <class Unit>
bool GoalSearch<Unit>::is_allowed() const {
  const auto& state = goals_->state();
  return state.parts().hard <= hard_ + kSameOfGoals && state.state().moves() <= state.state().move_budget();
}

template <class Unit>
bool GoalSearch<Unit>::keeps_ceilings() {
  for (std::size_t j = 0; j < level_; ++j) {
    if (is_less_by_goal(ceilings_[j], goals_->value(j))) return false;
  }
  return true;
}

template <class Unit>
double GoalSearch<Unit>::energy() {
  double sum = goals_->slope(level_) / usual_[level_];
  if (level_ + 1 < usual_.size()) sum += kWeightOfNextGoal * goals_->slope(level_ + 1) / usual_[level_ + 1];
  return sum;
}

template <class Unit>
bool GoalSearch<Unit>::compare(Run& run) {
  std::vector<double> now;
  bool better = false;
  for (std::size_t j = level_; j < usual_.size(); ++j) {
    now.push_back(goals_->value(j));
    if (better) continue;
    const double kept = kept_[j - level_];
    if (is_less_by_goal(now.back(), kept)) {
      better = true;
    } else if (is_less_by_goal(kept, now.back())) {
      return false;
    }
  }
  if (!better) return false;
  kept_ = std::move(now);
  hard_ = std::min(hard_, goals_->state().parts().hard);
  goals_->state().keep();
  run.clock.improved();
  return true;
}

template <class Unit>
void GoalSearch<Unit>::step(Share& share, Run& run) {
  goals_->begin();
  site_.forget_waiting();
  const bool done = share.neighbourhood(site_);
  if (!done || !is_allowed() || !keeps_ceilings()) return goals_->roll_back();
  const double now = energy();
  if (now - energy_ > -site_.temperature() * log_.draw(site_.random())) return goals_->roll_back();
  energy_ = now;
  if (compare(run)) ++share.gains;
}

template <class Unit>
bool GoalSearch<Unit>::cool(Run& run, std::size_t level, const std::vector<double>& ceilings, std::uint64_t units) {
  level_ = level;
  ceilings_ = ceilings;
  // The state to begin with is within them but for rounding.
  for (std::size_t j = 0; j < level_; ++j) ceilings_[j] = std::max(ceilings_[j], goals_->value(j));
  if (!measure(run)) return false;
  kept_.clear();
  for (std::size_t j = level_; j < usual_.size(); ++j) kept_.push_back(goals_->value(j));
  hard_ = goals_->state().parts().hard;
  goals_->state().keep();
  set_prices();
  energy_ = energy();
  std::uint64_t work = 0;
  const std::uint64_t between_scales = std::max<std::uint64_t>(units / kScalesOfCooling, goals_->state().placement().nodes());
  std::uint64_t next_scale = between_scales;
  static_cast<void>(site_.take_work());
  while (work < units) {
    const double share = static_cast<double>(work) / static_cast<double>(units);
    if (work >= next_scale) {
      goals_->rescale();
      energy_ = energy();
      next_scale += between_scales;
    }
    site_.set_temperature(kColdestOfGoals + (kHottestOfGoals - kColdestOfGoals) * (1 - share) * (1 - share));
    Share& one = next();
    ++one.calls;
    step(one, run);
    const std::uint64_t done = 1 + site_.take_work();
    one.work += static_cast<double>(done);
    work += done;
    if (run.clock.step(done)) break;
  }
  goals_->state().return_to_kept();
  for (const Share& one : shares_) run.trace.add(one.name, one.calls, one.gains, static_cast<std::uint64_t>(one.work));
  return true;
}

template class GoalSearch<std::int16_t>;
template class GoalSearch<std::int32_t>;

}  // namespace stowage
