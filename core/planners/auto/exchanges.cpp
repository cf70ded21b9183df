// Exchanges between nodes, from first fit to the lower bound: what `auto` does where nothing else is better (docs/auto.md).
//
// 1. First fit, so that there is a plan early. Where it meets the bound, it is the answer.
// 2. As many nodes as the bound asks for (of several classes, those that carry the demand at least cost), and replicas spread
//    over them; what finds no place waits. Where much waits, they are spread in other ways, and apps are matched with nodes;
//    the best start goes on. Where limits are dense, first fit's plan for so many nodes takes their place.
// 3. Exchanges between nodes until nothing waits: FreeSpaceSearch where demand is constant, PeriodSearch where it changes over
// time.
//    When they are stuck, what waits gets further nodes, and the search goes on to empty nodes one by one. When FreeSpaceSearch
//    was stuck twice, it goes on from another start. Where uncertain demand changes over time, neither knows enough: what the
//    starts left over is placed at the end.
//
// Everything depends on instance, request and seed alone, and on the work done: a run that a deadline cut off is repeated by a
// work limit.

#include "core/planners/auto/exchanges.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/annealing/period_search.h"
#include "core/bounds/bounds.h"
#include "core/measures/size.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/search/free_space_search.h"
#include "core/search/node_choice.h"
#include "core/search/repair.h"
#include "core/search/search_state.h"
#include "core/search/spread_start.h"
#include "core/search/used_capacity_search.h"

namespace stowage {
namespace {

/// A placement and the nodes in play.
template <class Unit>
struct Attempt {
  /// What is broken at the start mended as far as the move budget goes; so many nodes, or as many more as carry the demand.
  Attempt(const PlannerInput& input, std::uint32_t nodes)
      : placement(input.instance, input.request), state(placement, input.request), classes(classes_by_value(input.instance)) {
    if (input.request.move_budget > 0) Repair<Unit>(state).run();
    choose_nodes(state, nodes);
  }
  /// What a plan has.
  Attempt(const PlannerInput& input, const Plan& plan)
      : placement(input.instance, input.request), state(placement, input.request), classes(classes_by_value(input.instance)) {
    std::vector<NodeId> node_of;
    for (const PlannedNode& node : plan.nodes) {
      node_of.push_back(node.listed != kNone ? node.listed : placement.open(node.node_class));
      if (node.listed == kNone) state.add(node_of.back());
    }
    for (const Placed& placed : plan.placed) {
      const std::uint32_t there = placement.contents().count(placed.app, node_of[placed.node]);
      if (placed.replicas > there) placement.place(placed.app, node_of[placed.node], placed.replicas - there);
    }
    for (NodeId node = 0; node < input.instance.listed_nodes(); ++node) {
      if (!placement.used(node) && state.in_play(node)) state.set_aside(node);
    }
    state.collect_pool();
  }

  /// A copy of another's placement, to be brought to its end on its own.
  Attempt(const Placement<Unit>& copied, const SearchState<Unit>& of_it, const std::vector<ClassId>& by_value)
      : placement(copied), state(of_it.copy_on(placement)), classes(by_value) {}

  /// A spare node, or else a new one, that takes the app, now in play; kNone where there is none.
  NodeId further_node(AppId app) {
    typename Placement<Unit>::Candidate candidate(placement);
    candidate.start(placement, app);
    for (const ClassId c : classes) {
      const std::vector<NodeId>& spare = state.spare();
      for (std::size_t k = spare.size(); k-- > 0;) {
        const NodeId node = spare[k];
        if (placement.class_of(node) != c || placement.allowed(app, node, 1) == 0 ||
            placement.residuals().copies_on_empty(candidate.need(), c, 1) == 0) {
          continue;
        }
        state.reopen(node);
        return node;
      }
    }
    const NodeId node = placement.open_for(candidate, classes);
    if (node != kNone) state.add(node);
    return node;
  }

  /// Places what waits on the nodes in use wherever it fits, and on further ones if need be. Once the run has ended, only so
  /// much work is spent on looking at all of them; then the last of the further ones have to do.
  /// @param at_once does what would be done if the run had just ended; false where it is cancelled meanwhile
  bool place_rest(Run& run, bool at_once = false) {
    // A start that was cut off leaves most nodes empty: they are not to be looked at one by one.
    state.set_aside_empty();
    const std::uint64_t most_late = kLittleWork + kRestWork * waiting();
    std::uint64_t looked = 0;  // work of that kind after the end
    std::uint64_t opened = 0;
    const auto spend = [&](std::uint64_t work, std::uint64_t& late) {
      if (at_once || run.clock.stop() != Stop::kNo || run.clock.step(work)) late += work;
    };
    typename Placement<Unit>::Candidate candidate(placement);
    const std::vector<AppId> pool = state.pool();
    std::vector<NodeId> further;
    for (const AppId app : pool) {
      if (at_once && run.clock.cancelled()) return false;
      candidate.start(placement, app);
      const auto place = [&](NodeId node) {
        const std::uint32_t room = placement.headroom(candidate, node, placement.unplaced(app));
        if (room > 0) placement.place(app, node, room);
        return placement.unplaced(app) > 0;
      };
      if (looked <= most_late) {
        NodeId seen = placement.nodes();
        placement.residuals().for_each_fitting(candidate.need(), 0, [&](NodeId node) {
          spend(1, looked);
          if (place(node)) return true;
          seen = node;
          return false;
        });
        spend(1 + seen / kScannedPerWork, looked);
      } else {
        for (std::size_t k = 0; k < std::min(further.size(), kLastNodes) && place(further[further.size() - 1 - k]); ++k) {
        }
      }
      while (placement.unplaced(app) > 0 && opened <= most_late) {
        spend(1 + state.spare().size() / kScannedPerWork, opened);
        const NodeId node = further_node(app);
        if (node == kNone) break;
        further.push_back(node);
        place(node);
      }
    }
    state.collect_pool();
    return true;
  }
  /// Replicas that wait.
  [[nodiscard]] std::uint64_t waiting() const {
    std::uint64_t replicas = 0;
    for (const AppId app : state.pool()) replicas += placement.unplaced(app);
    return replicas;
  }

  Placement<Unit> placement;
  SearchState<Unit> state;
  std::vector<ClassId> classes;

 private:
  // What nobody notices after the end of a run, and what there is time for per replica that waits.
  static constexpr std::uint64_t kLittleWork = 50'000;
  static constexpr std::uint64_t kRestWork = 4;
  // Nodes that are scanned for room in the time of one unit.
  static constexpr std::uint64_t kScannedPerWork = 2048;
  static constexpr std::size_t kLastNodes = 64;
};

template <class Unit>
class ExchangeRun {
 public:
  /// @param nodes what any plan is known to need
  ExchangeRun(const PlannerInput& input, double nodes)
      : input_(input),
        bounds_(input.bounds.get()),
        objective_(judged_by(input.instance, Objective::kNodes)),
        node_bound_(std::max(nodes, bounds_.fewest_nodes())) {}

  Error run(std::uint64_t units, Plan& plan) {
    // Whoever gave no deadline is better served by a first plan that is complete than by one that is early.
    const bool own_deadline = input_.request.deadline_ms > 0;
    input_.run.clock.heed_deadline(own_deadline);
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    if (Error e = run_within(input_, "ff", plan); failed(e)) return e;
    input_.run.clock.heed_deadline(true);
    input_.run.clock.begin_part(units);
    if (plan.unplaced.empty()) input_.run.progress.best(plan.nodes.size());
    broken_at_start_ = count_broken();
    best_ = worth(plan);
    const std::uint64_t first_work = input_.run.clock.work();
    const std::uint64_t replicas = input_.instance.total_replicas();
    first_fit_seconds_ = std::chrono::duration<double>(WorkClock::Time::now() - begin).count();
    // A start that is cut off leaves much to do.
    reserve_for(replicas);
    input_.run.clock.look();
    if (replicas == 0 || reached(best_) || input_.run.clock.stop() != Stop::kNo) return {};
    // With constant demand, the start takes no longer than this.
    if (input_.checkpoint && input_.instance.periods() > 1) input_.checkpoint(plan);
    input_.run.progress.enter(Phase::kImprove);
    std::unique_ptr<Attempt<Unit>> attempt;
    const bool over_time = input_.instance.periods() > 1 && !input_.instance.uncertain();
    // Where nodes are too few for everything, what is placed first counts, and what varies has no preference.
    const bool anneals = over_time && best_.left_over.empty();
    if (anneals) {
      attempt = std::make_unique<Attempt<Unit>>(input_, nodes_for_start(kSlackForDips));
    } else if (Error e = next_start(attempt); failed(e)) {
      return e;
    }
    bool cut_at_start = false;
    if (input_.checkpoint) {
      // What is proven optimal soon is not to take longer for this.
      next_check_in_ = WorkClock::Time::now() + kCheckInAfter * input_.instance.total_replicas();
      input_.run.checkpoints.at_rest([&] { check_in(*attempt, plan); });
    }
    const auto begin_search = [&] {
      reserve_for(attempt->waiting());
      cut_at_start = input_.run.clock.stop() != Stop::kNo;
    };
    if (over_time) {
      const auto pace = static_cast<std::uint64_t>(input_.options.number("pace"));
      PeriodSearch<Unit> search(attempt->state, input_.run, pace, anneals, input_.request.seed);
      begin_search();
      shrink(*attempt, search, kFailures);
    } else {
      begin_search();
      gather(attempt, plan);
    }
    input_.run.checkpoints.at_rest({});
    if (input_.run.checkpoints.is_moot()) return {};
    if (cut_at_start && input_.run.clock.stop() == Stop::kCancelled) {
      // Whoever cancels does not wait for the rest.
      input_.run.clock.drop_since(first_work);
      return {};
    }
    if (attempt != nullptr) complete(*attempt, plan);
    return {};
  }

 private:
  /// Of the time that first fit took: to place as much as it did where there is less room, and to write and check a plan.
  static constexpr double kRestTime = 1.2;
  static constexpr double kCheckTime = 1;
  /// With demand that changes over time, the start has so much more than the bound asks for: dips are filled later.
  static constexpr double kSlack = 0.012;
  /// The same where it anneals.
  static constexpr double kSlackForDips = 0.0005;
  /// A start that leaves at most this share of the nodes' worth waiting is good enough.
  static constexpr double kGoodStart = 0.003;
  /// Limits, as a share of all pairs of apps, from which on replicas are not spread.
  static constexpr double kDense = 0.15;
  /// What waits may need so much of a node when, with periods, the next node is closed.
  static constexpr double kWaiting = 0.7;
  /// The search gives up when it was stuck so often without a better plan, each time half as long again.
  static constexpr std::uint32_t kFailures = 8;
  /// So often where there is another start to go on from.
  static constexpr std::uint32_t kFirstFailures = 2;
  /// A plan is made ready on the way once a search has lasted so long per replica: twice as long as that takes.
  static constexpr std::chrono::nanoseconds kCheckInAfter{500};
  /// Of what it took: how long until the next one.
  static constexpr int kCheckInEvery = 25;

  /// Keeps the time that is needed at the end to place so many replicas, and for what comes then.
  void reserve_for(std::uint64_t waiting) {
    const auto replicas = static_cast<double>(std::max<std::uint64_t>(input_.instance.total_replicas(), 1));
    input_.run.clock.reserve(first_fit_seconds_ * (kCheckTime + kRestTime * static_cast<double>(waiting) / replicas));
  }

  /// Of a plan in which no replica has moved.
  [[nodiscard]] PlanKey worth(const Plan& plan) const {
    PlanKey worth;
    worth.left_over = LeftOver(input_.instance, plan);
    worth.inherited = broken_at_start_;
    worth.value = value(input_.instance, plan, objective_);
    return worth;
  }
  [[nodiscard]] PlanKey worth(Attempt<Unit>& attempt) const {
    PlanKey worth;
    if (broken_at_start_ > 0) worth.inherited = Repair<Unit>(attempt.state).broken();
    for (AppId app = 0; app < input_.instance.apps(); ++app) {
      worth.left_over.add(input_.instance.priority(app), attempt.placement.unplaced(app));
    }
    for (NodeId node = 0; node < attempt.placement.nodes(); ++node) {
      if (attempt.placement.used(node)) worth.value += input_.instance.node_cost(attempt.placement.class_of(node));
    }
    return worth;
  }
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
  static void leave_out(const Placement<Unit>& placement, AppId app, Plan& plan) {
    if (placement.unplaced(app) > 0) plan.unplaced.push_back({app, placement.unplaced(app)});
  }

  [[nodiscard]] std::uint32_t nodes_for_start(double slack) const {
    return static_cast<std::uint32_t>(std::min<double>(node_bound_ * (1 + slack), kNone - 1));
  }

  /// Exchanges where demand is constant: from one start after the other, until the bound is reached. `plan` is the best of
  /// those before the last one, which `attempt` is; nothing where that was cut off before it was made.
  void gather(std::unique_ptr<Attempt<Unit>>& attempt, Plan& plan) {
    if (input_.instance.periods() > 1) return;
    while (true) {
      {
        FreeSpaceSearch<Unit> search(attempt->state, attempt->state.nodes(), input_.request.seed);
        shrink(*attempt, search, any_start_left() ? kFirstFailures : kFailures);
      }
      if (reached(best_) || input_.run.clock.stop() != Stop::kNo || !any_start_left()) return;
      complete(*attempt, plan);
      attempt.reset();
      if (reached(best_)) return;
      // There is a plan: a start that is cut off, or cannot be made, is not missed.
      input_.run.clock.reserve(first_fit_seconds_ * kCheckTime);
      if (failed(next_start(attempt)) || input_.run.clock.stop() != Stop::kNo) {
        attempt.reset();
        return;
      }
      reserve_for(attempt->waiting());
    }
  }

  /// A way to make a start: by a planner or, where it names none, by spreading.
  struct Way {
    const char* planner = nullptr;
    SpreadRule spread;
  };
  /// A start that has not been gone on from.
  struct Start {
    const Way* way;
    std::unique_ptr<Attempt<Unit>> attempt;
    double waiting;  // in shares of a node
  };
  /// Matching often leaves less waiting where limits are many, but is slow with periods; where limits are very many, there is
  /// first fit alone.
  [[nodiscard]] std::span<const Way> ways() const {
    static constexpr std::array<Way, 4> kWays = {{{nullptr, {}},
                                                  {nullptr, {kDemandShare, SpreadOver::kAllButScarcest}},
                                                  {nullptr, {kDemandShare, SpreadOver::kAllResources}},
                                                  {"match-dotproduct", {}}}};
    static constexpr std::array<Way, 1> kDenseLimits = {{{"ff", {}}}};
    if (dense()) return kDenseLimits;
    return std::span(kWays).first(input_.instance.periods() > 1 ? kWays.size() - 1 : kWays.size());
  }
  [[nodiscard]] bool any_start_left() const { return tried_ < ways().size() || !starts_.empty(); }
  /// The best of the starts that are left, on as many nodes as the bound asks for. Where none is good, more are made.
  Error next_start(std::unique_ptr<Attempt<Unit>>& next) {
    const std::uint32_t nodes = nodes_for_start(input_.instance.periods() > 1 ? kSlack : 0);
    // Where nodes are too few for everything, it counts what is placed.
    const bool short_of_nodes = !best_.left_over.empty();
    const double good = kGoodStart * nodes;
    const auto better = [&](const Start& a, const Start& b) {
      if (short_of_nodes) return worth(*a.attempt) < worth(*b.attempt);
      // What matching leaves waiting where limits are many is placed sooner than what spreading leaves.
      const bool matched = a.way->planner != nullptr;
      if (matched != (b.way->planner != nullptr) && a.waiting > good && b.waiting > good) return matched;
      return a.waiting < b.waiting;
    };
    const auto best = [&] { return std::min_element(starts_.begin(), starts_.end(), better); };
    while (tried_ < ways().size()) {
      if (!starts_.empty() && (best()->waiting <= good || input_.run.clock.stop() != Stop::kNo)) break;
      const Way& way = ways()[tried_++];
      std::unique_ptr<Attempt<Unit>> attempt;
      if (Error e = make_start(way, nodes, attempt); failed(e)) return e;
      const double waiting = waiting_share(*attempt);
      starts_.push_back({&way, std::move(attempt), waiting});
    }
    const auto chosen = best();
    next = std::move(chosen->attempt);
    starts_.erase(chosen);
    // With periods, no other is gone on from.
    if (input_.instance.periods() > 1) starts_.clear();
    return {};
  }
  Error make_start(const Way& way, std::uint32_t nodes, std::unique_ptr<Attempt<Unit>>& attempt) {
    if (way.planner == nullptr) {
      attempt = std::make_unique<Attempt<Unit>>(input_, nodes);
      SpreadStart<Unit>(attempt->state, way.spread).run(input_.run.clock);
      return {};
    }
    Request request = input_.request;
    request.node_limit = request.node_limit == 0 ? nodes : std::min(request.node_limit, nodes);
    Plan plan;
    if (Error e = run_within(input_, way.planner, request, plan); failed(e)) return e;
    input_.run.progress.enter(Phase::kImprove);
    attempt = std::make_unique<Attempt<Unit>>(input_, plan);
    return {};
  }
  /// Whether so many apps limit each other that the replicas of an app are best kept together, as first fit does: the fewer
  /// apps a node holds, the more there are that it could take.
  [[nodiscard]] bool dense() const {
    const double apps = input_.instance.apps();
    return static_cast<double>(input_.instance.limit_rows().arc_count()) >= kDense * apps * apps;
  }
  /// What waits, in shares of a node of its scarcest resource and period.
  [[nodiscard]] double waiting_share(const Attempt<Unit>& attempt) const {
    const std::vector<double> share = unit_shares(input_.instance);
    std::vector<double> sum(share.size(), 0);
    for (const AppId app : attempt.state.pool()) {
      const auto demand = input_.instance.template scaled_demand<Unit>(app);
      for (std::size_t h = 0; h < sum.size(); ++h) sum[h] += share[h] * demand[h] * attempt.placement.unplaced(app);
    }
    return sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end());
  }

  // Remembers a plan in which nothing waits; false where a better one is known.
  bool keep(Attempt<Unit>& attempt) {
    const PlanKey now = worth(attempt);
    if (!(now < best_)) return false;
    best_ = now;
    kept_ = true;
    kept_contents_ = attempt.placement.contents();
    input_.run.progress.best(attempt.placement.nodes_in_use());
    return true;
  }

  // Of an attempt in which nothing more can be placed: what came of it or, if that is no better, what was kept of it. Nothing
  // where both are no better than the plan.
  std::optional<Plan> better_plan(const Attempt<Unit>& attempt, const PlanKey& worth) const {
    std::optional<Plan> better;
    if (worth < best_) {
      attempt.placement.write(better.emplace());
    } else if (kept_) {
      attempt.placement.write(kept_contents_, better.emplace());
      for (AppId app = 0; app < input_.instance.apps(); ++app) {
        if (!attempt.state.placeable(app)) leave_out(attempt.placement, app, *better);
      }
    }
    return better;
  }
  // Places the rest; the plan is then the best of what it was, what was kept of this attempt, and what came of it.
  void complete(Attempt<Unit>& attempt, Plan& plan) {
    attempt.place_rest(input_.run);
    const PlanKey now = worth(attempt);
    if (std::optional<Plan> better = better_plan(attempt, now)) {
      plan.adopt(std::move(*better));
      // It is made ready as soon as the search that follows rests.
      next_check_in_ = WorkClock::Time::now();
    }
    best_ = std::min(best_, now);
    kept_ = false;
  }

  // Makes a plan of what has been reached ready to be handed out, unless that would take more than a small share of the time.
  void check_in(const Attempt<Unit>& attempt, const Plan& plan) {
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    if (begin < next_check_in_) return;
    Attempt<Unit> copy(attempt.placement, attempt.state, attempt.classes);
    if (!copy.place_rest(input_.run, true)) return;
    Plan now = plan;
    if (std::optional<Plan> better = better_plan(copy, worth(copy))) now.adopt(std::move(*better));
    input_.checkpoint(std::move(now));
    const WorkClock::Time::time_point end = WorkClock::Time::now();
    next_check_in_ = end + kCheckInEvery * (end - begin);
  }

  // Places what waits and closes nodes, in turn, until that failed so often.
  template <class Search>
  void shrink(Attempt<Unit>& attempt, Search& search, std::uint32_t most_failures) {
    SearchState<Unit>& state = attempt.state;
    Random random(input_.request.seed);
    std::uint64_t patience = 20 * std::uint64_t{attempt.placement.nodes()} + 1000;
    std::uint32_t failures = 0;
    while (input_.run.clock.stop() == Stop::kNo) {
      // With periods, the next node may close before everything is placed; not where too few would be left.
      const auto playing = static_cast<double>(state.nodes().size());
      const double enough = input_.instance.periods() > 1 && playing > node_bound_ ? kWaiting : 0;
      const bool placed = search.run(input_.run, enough, patience);
      if (state.pool().empty() && keep(attempt)) failures = 0;
      reserve_for(attempt.waiting());
      if (reached(best_) || input_.run.clock.stop() != Stop::kNo || input_.run.clock.step(1)) return;
      input_.run.checkpoints.rest();
      if (placed) {
        const NodeId node = emptiest(state, search, failures == 0 ? 1 : 8, random);
        if (node == kNone) return;
        state.close(node);
        search.forget(node);
        continue;
      }
      if constexpr (requires { search.wanted(); }) {
        if (search.wanted() >= 1) {
          widen(attempt, search, search.wanted());
          continue;
        }
      }
      patience += patience / 2;
      if (++failures == most_failures || !widen(attempt, search, waiting_share(attempt) + 1)) return;
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

  // Gives what waits so many further nodes, or as many as there are; false where there is none for any of it.
  template <class Search>
  bool widen(Attempt<Unit>& attempt, Search& search, double nodes) {
    bool any = false;
    auto left = static_cast<std::uint64_t>(nodes);
    while (left > 0 && !attempt.state.pool().empty()) {
      NodeId node = kNone;
      for (std::size_t k = 0; k < attempt.state.pool().size() && node == kNone; ++k)
        node = attempt.further_node(attempt.state.pool()[k]);
      if (node == kNone) return any;
      search.look_again(node);
      any = true;
      --left;
    }
    return any;
  }

  const PlannerInput& input_;
  const ComputedBounds& bounds_;
  const Objective objective_;
  const double node_bound_;
  std::uint64_t broken_at_start_ = 0;
  double first_fit_seconds_ = 0;
  std::size_t tried_ = 0;  // ways to make a start
  std::vector<Start> starts_;
  PlanKey best_;
  bool kept_ = false;
  NodeContents kept_contents_;
  WorkClock::Time::time_point next_check_in_{};
};

template <class Unit>
void improve_used_capacity(const PlannerInput& input, Plan& plan) {
  expand(plan);
  Attempt<Unit> attempt(input, plan);
  UsedCapacitySearch<Unit> search(attempt.state, input.request.seed);
  if (!search.run(input.run.clock)) return;
  Plan better;
  attempt.placement.write(search.contents(), better);
  better.unplaced = plan.unplaced;
  if (!better.unplaced.empty()) {
    // There may be room now.
    Attempt<Unit> rest(input, better);
    rest.place_rest(input.run);
    better = {};
    rest.placement.write(better);
  }
  plan.adopt(std::move(better));
}

}  // namespace

Error exchange(const PlannerInput& input, double nodes, std::uint64_t units, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return ExchangeRun<decltype(unit)>(input, nodes).run(units, plan); });
}

void exchange_for_used_capacity(const PlannerInput& input, Plan& plan) {
  input.instance.visit_unit([&](auto unit) { improve_used_capacity<decltype(unit)>(input, plan); });
}

}  // namespace stowage
