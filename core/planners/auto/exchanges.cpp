// Exchanges between nodes, from first fit to the lower bound (docs/research/search.md).
//
// 1. First fit gives an early plan. Where it meets the bound, it is the answer.
// 2. A start fills as many nodes as the bound asks for (starts.h); replicas without a place wait.
// 3. Exchanges between nodes make room for what waits: FreeSpaceSearch where demand is constant, PeriodSearch where it changes
//    over time. Once nothing waits, the emptiest node closes. When a search is stuck, what waits gets further nodes. When
//    FreeSpaceSearch is stuck twice, it goes on from the next start. Neither search can judge uncertain demand that changes
//    over time: there, what the start leaves over is placed at the end.
//
// Everything depends on instance, request, seed and the work done alone, so that a work limit repeats a run that a deadline cut
// off.

#include "core/planners/auto/exchanges.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/annealing/period_search.h"
#include "core/bounds/bounds.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/attempt/search_size.h"
#include "core/planners/auto/attempt/starts.h"
#include "core/planners/auto/few_nodes/few_nodes.h"
#include "core/planners/notes.h"
#include "core/search/free_space_search.h"
#include "core/search/repair.h"
#include "core/search/search_state.h"
#include "core/search/used_capacity_search.h"

namespace stowage {
namespace {

template <class Unit>
class ExchangeRun : public Exchanges {
 public:
  explicit ExchangeRun(const PlannerInput& input)
      : input_(input),
        bounds_(input.bounds.get()),
        objective_(judged_by(input.instance, Objective::kNodes)),
        node_bound_(bounds_.fewest_nodes()),
        tied_(input.instance),
        random_(input.request.seed) {}

  Error go_on(std::uint64_t units, Plan& plan) override {
    has_all_ = units == WorkClock::kEndless;
    if (!starts_) {
      if (Error e = begin(); failed(e)) return e;
      if (Error e = has_ended_ ? Error{} : make_start(units); failed(e)) return e;
    }
    if (!has_ended_ && !wants_all()) {
      input_.run.clock.begin_part(units);
      search(plan);
      input_.run.clock.end_part();
    }
    if (has_ended_) plan.adopt(std::move(plan_));
    return {};
  }
  [[nodiscard]] bool has_ended() const override { return has_ended_; }
  [[nodiscard]] bool wants_all() const override { return !has_all_ && over_time_ && over_time_->awaits_long_pass(); }
  [[nodiscard]] bool plans_ahead() const override { return over_time_ && !has_all_; }
  void raise_bound(double nodes) override { node_bound_ = std::max(node_bound_, nodes); }

 private:
  /// Time reserved at the end, as shares of the time that first fit took: to place all replicas where there is less room, and
  /// to write and check a plan.
  static constexpr double kRestTime = 1.2;
  static constexpr double kCheckTime = 1;
  /// Nodes of a start beyond the bound, as a share of it, where demand changes over time: dips are filled later.
  static constexpr double kSlack = 0.012;
  /// The same for starts that peak annealing makes.
  static constexpr double kSlackForDips = 0.0005;
  /// With periods, the next node closes while what waits needs at most this share of a node.
  static constexpr double kWaiting = 0.7;
  /// Times that the search is stuck without a better plan before it gives up; after each, its patience grows by half.
  static constexpr std::uint32_t kFailures = 8;
  /// The same where there is another start to go on from.
  static constexpr std::uint32_t kFirstFailures = 2;

  // Plans by first fit.
  Error begin() {
    // Without a deadline in the request, a complete first plan is worth more than an early one.
    WorkClock& clock = input_.run.clock;
    clock.heed_deadline(input_.request.deadline_ms > 0);
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    if (Error e = run_within(input_, "ff", plan_); failed(e)) return e;
    clock.heed_deadline(true);
    state_better(input_, plan_);
    has_ended_ = true;
    if (!may_search(input_, std::max<std::uint64_t>(nodes_in_use(plan_), nodes_for_start(0)))) return {};
    broken_at_start_ = count_broken();
    starts_.emplace(input_, nodes_for_start(input_.instance.periods() > 1 ? kSlack : 0), broken_at_start_ > 0, tied_);
    best_ = worth(plan_);
    first_work_ = clock.work();
    first_fit_seconds_ = std::chrono::duration<double>(WorkClock::Time::now() - begin).count();
    // A start that is cut off leaves much to do.
    reserve_for(input_.instance.total_replicas());
    clock.look();
    has_ended_ = input_.instance.total_replicas() == 0 || reached(best_) || clock.stop() != Stop::kNo;
    return {};
  }

  // Makes the first start, from which the search goes on, or all of the search, of so many units, where no start is needed.
  Error make_start(std::uint64_t units) {
    // Where classes differ in cost, or many apps are tied, rebuilding compares what else counts.
    const bool counts_replicas_alone = (input_.instance.classes() == 1 || !input_.instance.has_prices()) && tied_.are_few();
    if (!best_.left_over.empty() && counts_replicas_alone && lacks_nodes(input_)) {
      has_ended_ = true;
      input_.run.progress.enter(Phase::kImprove);
      input_.run.clock.begin_part(units);
      place_most(input_, first_fit_seconds_, best_, plan_);
      input_.run.clock.end_part();
      return {};
    }
    input_.run.progress.enter(Phase::kImprove);
    // With constant demand, the start takes no longer than making this plan ready, unless equal nodes are listed once.
    const bool is_quick = plan_.nodes.size() < nodes_in_use(plan_) / 2;
    if (input_.checkpoint && (input_.instance.periods() > 1 || is_quick)) input_.checkpoint(plan_);
    const bool over_time = stowage::anneals(input_.instance);
    // Peak annealing would place what varies first. Where nodes are too few for everything, priorities decide instead.
    const bool anneals = over_time && best_.left_over.empty();
    if (anneals) {
      attempt_ = std::make_unique<Attempt<Unit>>(input_, nodes_for_start(kSlackForDips), tied_);
    } else if (Error e = starts_->next(!best_.left_over.empty(), attempt_); failed(e)) {
      return e;
    }
    // A run that soon proves its plan optimal is not to be delayed by this.
    if (input_.checkpoint) check_ins_.begin(input_.instance.total_replicas());
    if (over_time) {
      const auto pace = static_cast<std::uint64_t>(input_.options.number("pace"));
      over_time_.emplace(attempt_->state, input_.run, pace, anneals, input_.request.seed);
      if (over_time_->is_cut()) {
        over_time_.reset();
        attempt_.reset();
        has_ended_ = true;
        input_.run.clock.drop_since(first_work_);
        return {};
      }
      if (!has_all_) over_time_->end_before_long_pass();
      begin_shrinking();
    }
    return {};
  }

  // One portion of the search.
  void search(Plan& plan) {
    WorkClock& clock = input_.run.clock;
    input_.run.progress.enter(Phase::kImprove);
    if (input_.checkpoint) input_.run.checkpoints.at_rest([&] { check_in(); });
    reserve_for(attempt_->waiting());
    const bool cut_at_start = clock.is_over();
    if (over_time_) {
      shrink(*over_time_, kFailures);
    } else {
      gather();
    }
    input_.run.checkpoints.at_rest({});
    if (clock.stop() == Stop::kPart || wants_all()) return write_present(plan);
    has_ended_ = true;
    if (input_.run.checkpoints.is_moot()) return;
    // A caller who cancels does not wait for the rest to be placed.
    if (cut_at_start && clock.stop() == Stop::kCancelled) return clock.drop_since(first_work_);
    if (attempt_ != nullptr) complete();
  }

  // The plan that the search would end with.
  void write_present(Plan& plan) {
    std::optional<Plan> better;
    if (attempt_ != nullptr) {
      Attempt<Unit> copy(*attempt_);
      if (copy.place_rest(input_.run, true)) better = improved(copy, worth(copy));
    }
    plan.adopt(better ? std::move(*better) : Plan(plan_));
  }

  /// Reserves the time to place `waiting` replicas at the end, and to write and check the plan.
  void reserve_for(std::uint64_t waiting) {
    const auto replicas = static_cast<double>(std::max<std::uint64_t>(input_.instance.total_replicas(), 1));
    input_.run.clock.reserve(first_fit_seconds_ * (kCheckTime + kRestTime * static_cast<double>(waiting) / replicas));
  }

  /// Of a plan in which no replica has moved.
  [[nodiscard]] PlanKey worth(const Plan& plan) const {
    PlanKey worth;
    worth.left_over = LeftOver(input_.instance, plan, input_.request.fill);
    worth.inherited = broken_at_start_;
    worth.value = value(input_.instance, plan, objective_);
    return worth;
  }
  [[nodiscard]] PlanKey worth(Attempt<Unit>& attempt) const { return attempt.key(broken_at_start_ > 0, input_.request.fill); }
  /// Zero where nothing may move: then nothing can be mended.
  [[nodiscard]] std::uint64_t count_broken() const {
    if (input_.request.move_budget == 0 || input_.request.ignore_running || input_.instance.data().running.empty()) return 0;
    Placement<Unit> placement(input_.instance, input_.request);
    SearchState<Unit> state(placement, input_.request);
    return Repair<Unit>(state).broken();
  }
  [[nodiscard]] bool reached(const PlanKey& worth) const {
    if (!worth.left_over.empty() || worth.inherited > 0) return false;
    return reaches(objective_, worth.value,
                   objective_ == Objective::kNodes ? node_bound_ : bounds_.of[objective_].front().value.value);
  }

  [[nodiscard]] std::uint32_t nodes_for_start(double slack) const {
    return static_cast<std::uint32_t>(std::min<double>(node_bound_ * (1 + slack), kNone - 1));
  }

  /// Exchanges where demand is constant, from one start after the other, until the bound is reached. At the end, `plan_` is the
  /// best of all starts before the last one, and `attempt_` is the last one, or null where it was cut off.
  void gather() {
    if (input_.instance.periods() > 1) {
      note_no_exchanges(input_);
      return;
    }
    while (true) {
      if (!constant_) {
        attempt_->state.learn_pairs(input_.run.clock);
        if (input_.run.checkpoints.is_moot()) return;
        constant_.emplace(attempt_->state, attempt_->state.nodes(), input_.request.seed, &input_.run.clock);
        begin_shrinking();
      }
      shrink(*constant_, starts_->any_left() ? kFirstFailures : kFailures);
      if (reached(best_) || input_.run.clock.stop() != Stop::kNo || !starts_->any_left()) return;
      constant_.reset();
      complete();
      attempt_.reset();
      if (reached(best_)) return;
      // There is a plan: a start that is cut off, or cannot be made, is not missed.
      input_.run.clock.reserve(first_fit_seconds_ * kCheckTime);
      if (failed(starts_->next(!best_.left_over.empty(), attempt_)) || input_.run.clock.is_over()) {
        attempt_.reset();
        return;
      }
      reserve_for(attempt_->waiting());
    }
  }

  // Remembers a plan in which nothing waits. Returns false where a better one is known.
  bool keep(Attempt<Unit>& attempt) {
    const PlanKey now = worth(attempt);
    if (!(now < best_)) return false;
    best_ = now;
    kept_ = true;
    kept_contents_ = attempt.placement.contents();
    input_.run.improved({attempt.placement.nodes_in_use(), now.value}, input_.request.objective);
    return true;
  }

  // The plan of an attempt in which nothing more can be placed. If that is no better than the best plan: what was kept of the
  // attempt, if anything.
  std::optional<Plan> improved(const Attempt<Unit>& attempt, const PlanKey& worth) const {
    std::optional<Plan> better;
    if (worth < best_) {
      attempt.placement.write(better.emplace());
    } else if (kept_) {
      attempt.placement.write(kept_contents_, better.emplace());
    }
    return better;
  }
  // Places the rest. The plan is then the best of the plan before, what was kept of this attempt, and its end.
  void complete() {
    Attempt<Unit>& attempt = *attempt_;
    const Control* control = input_.run.control;
    Watch watch = input_.request.drop_late ? input_.run.clock.watch()
                                           : Watch(control == nullptr ? nullptr : &control->cancelled, std::nullopt);
    if (!attempt.place_rest(input_.run, false, watch)) {
      // A caller who cancels does not wait for the rest.
      input_.run.clock.cut();
      if (!std::exchange(kept_, false)) return;
      Plan kept;
      attempt.placement.write(kept_contents_, kept);
      return plan_.adopt(std::move(kept));
    }
    const PlanKey now = worth(attempt);
    if (std::optional<Plan> better = improved(attempt, now)) {
      plan_.adopt(std::move(*better));
      // It is made ready as soon as the search that follows rests.
      check_ins_.hurry();
    }
    if (now < best_) state_better(input_, plan_);
    best_ = std::min(best_, now);
    kept_ = false;
  }

  // Makes the plan that a cancelled run would end with ready, unless that takes more than a small share of the time.
  void check_in() {
    check_ins_.if_due([&] {
      Plan now;
      write_present(now);
      input_.checkpoint(std::move(now));
    });
  }

  void begin_shrinking() {
    random_ = Random(input_.request.seed);
    patience_ = 20 * std::uint64_t{attempt_->placement.nodes()} + 1000;
    failures_ = 0;
  }

  // Places what waits and closes nodes, in turn, until that has failed `most_failures` times in a row.
  template <class Search>
  void shrink(Search& search, std::uint32_t most_failures) {
    Attempt<Unit>& attempt = *attempt_;
    SearchState<Unit>& state = attempt.state;
    while (input_.run.clock.stop() == Stop::kNo) {
      // With periods, the next node may close before everything is placed, but not if fewer nodes than the bound would be left.
      const auto playing = static_cast<double>(state.nodes().size());
      const double enough = input_.instance.periods() > 1 && playing > node_bound_ ? kWaiting : 0;
      const bool placed = search.run(input_.run, enough, patience_);
      if (state.pool().empty() && keep(attempt)) failures_ = 0;
      reserve_for(attempt.waiting());
      if (reached(best_) || input_.run.clock.stop() != Stop::kNo) return;
      // emptiest() may take a millisecond.
      input_.run.clock.look();
      if (input_.run.clock.step(1)) return;
      input_.run.checkpoints.rest();
      if (placed) {
        const NodeId node = emptiest(state, search, failures_ == 0 ? 1 : 8, random_);
        if (node == kNone) return;
        state.close(node);
        search.forget(node);
        continue;
      }
      if constexpr (requires { search.wanted(); }) {
        if (search.wanted() >= 1) widen(attempt, search, search.wanted());
        if (wants_all()) return;
        if (search.wanted() >= 1) continue;
      }
      patience_ += patience_ / 2;
      if (++failures_ == most_failures || !widen(attempt, search, attempt.waiting_share() + 1)) return;
    }
  }

  // The node whose closing gains most for what it costs to place its replicas elsewhere: one of the best `choices`.
  template <class Search>
  NodeId emptiest(const SearchState<Unit>& state, Search& search, std::uint32_t choices, Random& random) {
    std::vector<std::pair<double, NodeId>> best;
    for (const NodeId node : state.nodes()) {
      if (!state.can_close(node)) continue;
      const std::pair<double, NodeId> entry = {
          -search.free_share(node) * input_.instance.node_cost(state.placement().class_of(node)), node};
      if (best.size() == choices && !(entry < best.back())) continue;
      best.insert(std::lower_bound(best.begin(), best.end(), entry), entry);
      if (best.size() > choices) best.pop_back();
    }
    return best.empty() ? kNone : best[random.below(static_cast<std::uint32_t>(best.size()))].second;
  }

  // Gives what waits up to `nodes` further nodes. Returns false where there is none for any of it. Ends early where the run is
  // cancelled or late.
  template <class Search>
  bool widen(Attempt<Unit>& attempt, Search& search, double nodes) {
    constexpr std::uint64_t kStepsToWiden = 8 * kStepsToOpen;
    bool any = false;
    Watch watch = input_.run.clock.watch();
    auto left = static_cast<std::uint64_t>(nodes);
    while (left > 0 && !attempt.state.pool().empty()) {
      if (watch.step(kStepsToWiden)) {
        input_.run.clock.cut();
        return any;
      }
      NodeId node = kNone;
      for (std::size_t k = 0; k < attempt.state.pool().size() && node == kNone; ++k) {
        typename Attempt<Unit>::Asking asking;
        node = attempt.further_node(attempt.state.pool()[k], asking);
        if (watch.step(asking.steps)) break;
      }
      if (node == kNone) {
        if (watch.ended()) input_.run.clock.cut();
        return any;
      }
      search.look_again(node);
      any = true;
      --left;
    }
    return any;
  }

  const PlannerInput& input_;
  const ComputedBounds& bounds_;
  const Objective objective_;
  double node_bound_;
  std::uint64_t broken_at_start_ = 0;
  const TiedApps tied_;
  bool has_all_ = false;  // the present portion has all that is left of the run
  bool has_ended_ = false;
  Plan plan_;  // the best of first fit and of the attempts before the present one
  std::uint64_t first_work_ = 0;
  std::optional<Starts<Unit>> starts_;  // once there is a plan
  double first_fit_seconds_ = 0;
  PlanKey best_;
  bool kept_ = false;
  NodeContents kept_contents_;
  CheckIns check_ins_;
  // The present attempt, and what improves it.
  std::unique_ptr<Attempt<Unit>> attempt_;
  std::optional<PeriodSearch<Unit>> over_time_;
  std::optional<FreeSpaceSearch<Unit>> constant_;
  Random random_;
  std::uint64_t patience_ = 0;
  std::uint32_t failures_ = 0;
};

template <class Unit>
void improve_used_capacity(const PlannerInput& input, Plan& plan) {
  if (!may_search(input, nodes_in_use(plan))) return;
  expand(plan);
  const TiedApps tied(input.instance);
  Watch watch = input.run.clock.watch();
  Attempt<Unit> attempt(input, plan, tied, watch);
  if (!attempt.is_whole) return;
  UsedCapacitySearch<Unit> search(attempt.state, input.request.seed);
  if (!search.run(input.run.clock)) return;
  Plan better;
  attempt.placement.write(search.contents(), better);
  plan.adopt(std::move(better));
}

}  // namespace

std::unique_ptr<Exchanges> make_exchanges(const PlannerInput& input) {
  return input.instance.visit_unit(
      [&](auto unit) -> std::unique_ptr<Exchanges> { return std::make_unique<ExchangeRun<decltype(unit)>>(input); });
}

void exchange_for_used_capacity(const PlannerInput& input, Plan& plan) {
  input.instance.visit_unit([&](auto unit) { improve_used_capacity<decltype(unit)>(input, plan); });
}

}  // namespace stowage
