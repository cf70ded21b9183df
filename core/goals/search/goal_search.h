// Seeks one level of goals while the levels before it hold: an annealing over all neighbourhoods (docs/understand/goals.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/numbers/random.h"
#include "core/goals/goal_state.h"
#include "core/goals/neighbourhoods/neighbourhood.h"
#include "core/run/run.h"

namespace stowage {

template <class Unit>
class GoalSearch {
 public:
  GoalSearch(GoalState<Unit>& goals, std::uint64_t seed) : goals_(&goals), site_(goals, seed) {}

  /// Cools once, over `units` units of work, and ends with the best state: the one it began with, or one that is better by the
  /// level and then by those after it, while no level before is above its ceiling and no hard rule is broken further.
  /// The goals' values are then those of the state that was tried last: nobody uses them. False: the run has ended before it
  /// could begin.
  /// @param ceilings of the levels before `level`
  bool cool(Run& run, std::size_t level, const std::vector<double>& ceilings, std::uint64_t units);

 private:
  struct Share {
    Neighbourhood<Unit> neighbourhood;
    double share;  // of the work
    std::string_view name;
    double work = 0;
    std::uint64_t calls = 0;
    std::uint64_t gains = 0;
  };

  /// Finds what a usual change of each level's slope is. False: the run has ended, and the state is what it was.
  [[nodiscard]] bool measure(Run& run);
  /// Steps of a watch that an answer about a node takes, about.
  [[nodiscard]] std::uint64_t steps_of_answer() const;
  void set_prices();
  [[nodiscard]] Share& next();
  [[nodiscard]] double energy();
  [[nodiscard]] bool keeps_ceilings();
  void step(Share& share, Run& run);
  [[nodiscard]] bool is_allowed() const;
  /// Keeps the state if it is the best. Returns whether it is.
  bool compare(Run& run);

  GoalState<Unit>* goals_;
  Site<Unit> site_;
  LogTable log_;
  std::array<Share, 6> shares_ = {{{try_shift<Unit>, 0.10, "goals: shift"},
                                   {try_swap<Unit>, 0.20, "goals: swap"},
                                   {try_scan<Unit>, 0.20, "goals: scan"},
                                   {try_pull<Unit>, 0.25, "goals: pull"},
                                   {try_ruin<Unit>, 0.15, "goals: ruin"},
                                   {try_contents<Unit>, 0.10, "goals: contents"}}};
  std::size_t level_ = 0;
  std::vector<double> ceilings_;
  std::vector<double> usual_;  // per level
  double energy_ = 0;
  double hard_ = 0;           // extent of violated hard rules in the kept state
  std::vector<double> kept_;  // values of the level and those after it
};

extern template class GoalSearch<std::int16_t>;
extern template class GoalSearch<std::int32_t>;

}  // namespace stowage
