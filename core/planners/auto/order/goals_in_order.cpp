#include "core/planners/auto/order/goals_in_order.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/goals/goal_state.h"
#include "core/goals/search/goal_search.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/attempt/search_size.h"
#include "core/planners/judging.h"
#include "core/rebuild/worth.h"
#include "core/terms/asked/goals.h"
#include "core/verify/checker.h"

namespace stowage {
namespace {

/// Work of the first turn of a later goal, at least.
constexpr std::uint64_t kFirstTurnOfGoal = 20'000;
/// While the first goals are sought, a turn of a later one has one unit of so many.
constexpr std::uint64_t kShareOfLaterGoals = 4;
/// Share of the time after which it is known how much work the rest allows.
constexpr double kTimeToPlanGoals = 0.125;

/// A search that begins anew each time, with four times the work. The best plan counts.
class RepeatedRounds : public Rounds {
 public:
  RepeatedRounds(const PlannerInput& input, const FirstGoals& first) : input_(input), first_(first) {
    portion_ = std::max<std::uint64_t>(kFirstTurnOfGoal, 32 * input.instance.total_replicas());
  }
  Error round(Plan& plan) override {
    Plan next;
    input_.run.clock.begin_part(portion_);
    Error e = first_.search(input_, next);
    has_ended_ = input_.run.clock.stop() != Stop::kPart;
    input_.run.clock.end_part();
    portion_ *= 4;
    if (failed(e) || (has_best_ && input_.run.checkpoints.is_moot())) return e;
    next.inherited_violations =
        static_cast<std::uint32_t>(check_plan(input_.instance, next, CheckScope::kViolations).inherited_count);
    if (!has_best_ || better(input_.instance, input_.request.judgement(), next, best_)) best_ = std::move(next);
    has_best_ = true;
    plan = best_;
    return {};
  }
  [[nodiscard]] bool has_ended() const override { return has_ended_; }

 private:
  const PlannerInput& input_;
  const FirstGoals& first_;
  std::uint64_t portion_;
  Plan best_;
  bool has_best_ = false;
  bool has_ended_ = false;
};

/// The goals of a request as levels of terms. Where soft rules come first because no goal names them, they are the first level.
struct OrderOfGoals {
  explicit OrderOfGoals(const PlannerInput& input) {
    const std::vector<PlanGoal>& goals = input.request.goals;
    const bool named =
        std::any_of(goals.begin(), goals.end(), [](const PlanGoal& goal) { return goal.what == GoalKind::kSoftRules; });
    by_objective = levels_by_objective(input.instance, input.request);
    if (!named && input.instance.tag_model().has_soft()) {
      first_goal.push_back(goals.size());
      add(input.instance, {{.what = GoalKind::kSoftRules}});
      ++by_objective;
    }
    for (const GoalLevel& level : levels_of(goals)) {
      first_goal.push_back(level.begin);
      add(input.instance,
          {goals.begin() + static_cast<std::ptrdiff_t>(level.begin), goals.begin() + static_cast<std::ptrdiff_t>(level.end)});
    }
  }
  void add(const Instance& instance, std::vector<PlanGoal> level) {
    terms.levels.push_back({terms.terms.size(), terms.terms.size() + level.size(), level[0].tolerance});
    for (const PlanGoal& goal : level) {
      terms.terms.push_back(make_term(instance, goal));
      terms.weight.push_back(goal.weight);
    }
    of_level.push_back(std::move(level));
  }

  std::vector<std::vector<PlanGoal>> of_level;
  std::vector<std::size_t>
      first_goal;  // per level: its position in the request; beyond the end for soft rules that no goal names
  GoalTerms terms;
  std::size_t by_objective;  // levels, from the first one on, that the objective and the soft policy stand for
};

/// For the first goals: their searches plan for no end of their own, as the pace of the run says when they end.
PlannerInput without_pace(PlannerInput input) {
  Request endless;
  endless.options = {{"pace", static_cast<double>(kMostPace), {}}};
  input.options = Options(input.info.options, endless);
  return input;
}

/// A plan as later goals improve it.
template <class Unit>
struct ImprovedByGoals {
  ImprovedByGoals(const PlannerInput& input, const Plan& plan, const std::vector<double>& worth, const GoalTerms& terms)
      : placement(input.instance, input.request, &input.run.clock),
        state(placement, input.request),
        rebuilt(load(input, plan), no_prices(input.instance), worth),
        goals(rebuilt, terms) {}

  SearchState<Unit>& load(const PlannerInput& input, const Plan& plan) {
    Watch watch = input.run.clock.watch();
    is_whole = load_plan(plan, placement, state, watch);
    placement.residuals().loosen_maxima();
    // What the plan leaves over stays so.
    for (AppId app = 0; app < input.instance.apps(); ++app) {
      if (placement.unplaced(app) > 0) placement.hold_back(app, placement.unplaced(app));
    }
    state.collect_pool();
    return state;
  }
  static EnergyPrices no_prices(const Instance& instance) {
    EnergyPrices prices;
    prices.unplaced.assign(instance.apps(), 0);
    return prices;
  }
  void write(Plan& plan) const {
    Plan now;
    placement.write(rebuilt.kept_contents(), now);
    plan.adopt(std::move(now));
  }

  bool is_whole = true;
  Placement<Unit> placement;
  SearchState<Unit> state;
  RebuildState<Unit> rebuilt;
  GoalState<Unit> goals;
};

class GoalsInOrder {
 public:
  GoalsInOrder(const PlannerInput& input, const FirstGoals& first)
      : input_(input),
        order_(input),
        first_input_(without_pace(input)),
        rounds_(input.request.objective == Objective::kNodes ? first.in_rounds(first_input_)
                                                             : std::make_unique<RepeatedRounds>(first_input_, first)),
        best_(levels()) {}

  Error run(Plan& plan) {
    WorkClock& clock = input_.run.clock;
    std::uint64_t units = kFirstTurnOfGoal;
    for (bool all_proven = false; !has_first() || (!all_proven && !is_over());) {
      const std::uint64_t before = clock.work();
      const bool begins = !has_first();
      const bool first_goes_on = begins || (!rounds_->has_ended() && before < end_of_first());
      if (first_goes_on) {
        if (Error e = first_round(); failed(e)) return e;
        if (is_over()) break;
        units = std::max(units, (clock.work() - before) / kShareOfLaterGoals);
      }
      all_proven = true;
      for (std::size_t level = order_.by_objective; later_goals_too_ && level < levels() && !is_over(); ++level) {
        const bool proven = turn(level, units);
        all_proven = all_proven && proven;
      }
      if (!first_goes_on) units *= 2;
      if (!all_proven || rounds_->has_ended() || order_.by_objective == 0) continue;
      all_proven = false;
      first_has_all_ = true;
    }
    // A repetition does not end the first goals earlier.
    clock.plan_for(end_of_first_ > 0 ? end_of_first_ : std::min(clock.work() + 1, kMostPace));
    plan.adopt(Plan(best_until(levels())));
    // What the searches have proven holds for every plan of the request.
    plan.bounds = first_.bounds;
    return {};
  }

 private:
  /// The best plan by a level and all before, and its values.
  struct Best {
    bool known = false;
    Plan plan;
    std::vector<double> values;  // per level
  };

  [[nodiscard]] std::size_t levels() const { return order_.of_level.size(); }
  [[nodiscard]] bool is_over() const { return input_.run.clock.stop() != Stop::kNo || input_.run.checkpoints.is_moot(); }

  /// The work after which the first goals are left as they are. Where only a deadline ends the run, it follows from the work of
  /// some of the time, and the plan states it as its pace.
  [[nodiscard]] std::uint64_t end_of_first() {
    if (first_has_all_) return WorkClock::kEndless;
    if (end_of_first_ > 0) return end_of_first_;
    // A start is enough where the objective is none of the goals.
    if (order_.by_objective == 0) return !has_first() ? WorkClock::kEndless : 1;
    const double share = 1.0 / static_cast<double>(1 + levels() - order_.by_objective);
    WorkClock& clock = input_.run.clock;
    if (const double pace = input_.options.number("pace"); pace > 0) {
      end_of_first_ = static_cast<std::uint64_t>(pace);
    } else if (const auto limit = clock.work_limit()) {
      end_of_first_ = 1 + static_cast<std::uint64_t>(share * static_cast<double>(*limit));
    } else if (const auto time = clock.time_limit()) {
      const double all = static_cast<double>(time->milliseconds) / 1000;
      const double gone = std::chrono::duration<double>(WorkClock::Time::now() - time->begin).count();
      if (gone < kTimeToPlanGoals * all) return WorkClock::kEndless;
      // Of the rest, as much for the first goals as their share of all lacks.
      const double rate = static_cast<double>(clock.work()) / gone;
      end_of_first_ = clock.work() + 1 + static_cast<std::uint64_t>(rate * std::max(0.0, share * all - gone));
    } else {
      return WorkClock::kEndless;
    }
    return end_of_first_;
  }

  // The best plan of the first goals.
  Error first_round() {
    Plan plan;
    WorkClock& clock = input_.run.clock;
    // There has to be a plan, however little work is left.
    const std::uint64_t end = has_first() ? end_of_first() : WorkClock::kEndless;
    clock.begin_part(end - std::min(end, clock.work()));
    Error e = rounds_->round(plan);
    clock.end_part();
    if (failed(e)) return e;
    if (input_.run.checkpoints.is_moot() && has_first()) return {};
    if (!has_first()) later_goals_too_ = !is_over() && may_search_replicas(input_, nodes_in_use(plan));
    if (!later_goals_too_) {
      first_ = std::move(plan);
      has_first_ = true;
      return {};
    }
    expand(plan);
    prepare_to_compare(input_.instance, input_.request, plan);
    // Plans that place more or less are not compared by goals.
    if (has_first() && !(left_over(first_) == left_over(plan))) best_.assign(levels(), {});
    first_ = std::move(plan);
    first_values_ = values_of(first_);
    has_first_ = true;
    return {};
  }
  [[nodiscard]] bool has_first() const { return has_first_; }
  [[nodiscard]] LeftOver left_over(const Plan& plan) const {
    return left_over_of(input_.instance, plan, input_.request.judgement());
  }
  [[nodiscard]] std::vector<double> values_of(const Plan& plan) const {
    std::vector<double> values;
    for (const std::vector<PlanGoal>& level : order_.of_level) {
      double sum = 0;
      for (const PlanGoal& goal : level) sum += goal.weight * goal_value(input_.instance, goal, plan);
      values.push_back(sum);
    }
    return values;
  }

  // The best values of the levels before, which later ones may worsen by the tolerance.
  [[nodiscard]] std::vector<double> ceilings(std::size_t level) const {
    std::vector<double> of_levels;
    for (std::size_t j = 0; j < level; ++j) {
      const double value = j >= order_.by_objective && best_[j].known ? best_[j].values[j] : first_values_[j];
      of_levels.push_back(value + std::abs(value) * order_.terms.levels[j].tolerance);
    }
    return of_levels;
  }
  [[nodiscard]] bool is_within(const std::vector<double>& values, const std::vector<double>& most) const {
    for (std::size_t j = 0; j < most.size(); ++j) {
      if (values[j] > most[j] + kValueTolerance * (1 + std::abs(most[j]))) return false;
    }
    return true;
  }
  /// The plan of the last level before `end` that keeps what the levels before it have reached.
  [[nodiscard]] const Plan& best_until(std::size_t end) const {
    for (std::size_t level = end; level-- > order_.by_objective;) {
      if (best_[level].known && is_within(best_[level].values, ceilings(level))) return best_[level].plan;
    }
    return first_;
  }

  // Improves one level. Returns whether it is proven that nothing is better.
  // A turn counts a unit of its own: a run that ends at its beginning is not one that ends within the turn before.
  bool turn(std::size_t level, std::uint64_t units) {
    if (input_.run.clock.step(1) || !may_search_replicas(input_, nodes_in_use(first_))) return false;
    const Plan& start = best_until(level + 1);
    if (is_proven(level, start)) {
      best_[level] = {true, start, values_of(start)};
      return true;
    }
    Best found;
    found.known = input_.instance.visit_unit([&](auto unit) {
      using Unit = decltype(unit);
      if (worth_.empty()) worth_ = worth_of_apps(input_.instance);
      ImprovedByGoals<Unit> improving(input_, start, worth_, order_.terms);
      if (!improving.is_whole) return false;
      GoalSearch<Unit> search(improving.goals, input_.request.seed + level + units);
      if (!search.cool(input_.run, level, ceilings(level), units)) return false;
      found.plan = start;
      improving.write(found.plan);
      return true;
    });
    input_.run.clock.look();
    if (!found.known || input_.run.checkpoints.is_moot()) return false;
    // Where a hard minimum is not reached, replicas are withdrawn.
    if (left_over(start) < left_over(found.plan)) return false;
    prepare_to_compare(input_.instance, input_.request, found.plan);
    found.values = values_of(found.plan);
    best_[level] = std::move(found);
    return !is_over() && is_proven(level, best_[level].plan);
  }
  [[nodiscard]] bool is_proven(std::size_t level, const Plan& plan) const {
    Plan measured = plan;
    measure_goals(input_.instance, input_.request, measured);
    return measured.goals[order_.first_goal[level]].proven;
  }

  const PlannerInput& input_;
  OrderOfGoals order_;
  PlannerInput first_input_;
  std::unique_ptr<Rounds> rounds_;
  std::uint64_t end_of_first_ = 0;  // 0: not known yet
  bool later_goals_too_ = true;     // false: the instance is too large for them, or the run ends with the first plan
  bool first_has_all_ = false;      // what the later goals do not need
  std::vector<double> worth_;       // per app; empty: not computed yet
  bool has_first_ = false;
  Plan first_;                        // of the first goals
  std::vector<double> first_values_;  // per level; empty where there are no later goals
  std::vector<Best> best_;            // per level; those of the first goals are not used
};

/// The request without its first goal, moves, where nothing has to move; nothing where something may have to.
std::optional<Request> without_moves(const PlannerInput& input) {
  const Request& request = input.request;
  if (request.goals[0].what != GoalKind::kMoves || levels_of(request.goals)[0].end != 1) return std::nullopt;
  Request still = request;
  still.goals.erase(still.goals.begin());
  still.objective = Objective::kNodes;
  still.soft = SoftPolicy::kFirst;
  still = by_goals(still);
  still.move_budget = 0;
  return still;
}

PlannerInput with_request(const PlannerInput& input, const Request& request) {
  return {input.instance, request, input.info, input.options, input.run, input.bounds, input.checkpoint};
}

/// Whether first fit places everything, and breaks no constraint, while what runs stays where it is.
/// @param plan becomes that of first fit
Result<bool> may_stay(const PlannerInput& input, Plan& plan) {
  if (Error e = run_within(input, "ff", plan); failed(e)) return e;
  return plan.unplaced.empty() && check_plan(input.instance, plan, CheckScope::kViolations).inherited_count == 0;
}

}  // namespace

bool has_later_goals(const PlannerInput& input) {
  return levels_by_objective(input.instance, input.request) < levels_of(input.request.goals).size();
}

Error seek_goals(const PlannerInput& input, const FirstGoals& first, Plan& plan) {
  if (const std::optional<Request> still = without_moves(input)) {
    const PlannerInput staying = with_request(input, *still);
    Plan first_fit;
    Result<bool> stays = may_stay(staying, first_fit);
    if (!stays.ok()) return stays.error();
    // No search begins after the end.
    if (input.run.clock.stop() != Stop::kNo) {
      plan.adopt(std::move(first_fit));
      return {};
    }
    if (*stays) return has_later_goals(staying) ? GoalsInOrder(staying, first).run(plan) : first.search(staying, plan);
  }
  return GoalsInOrder(input, first).run(plan);
}

}  // namespace stowage
