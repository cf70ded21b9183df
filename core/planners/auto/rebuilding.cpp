#include "core/planners/auto/rebuilding.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/bounds/configuration/configuration_bound.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/exchanges.h"
#include "core/planners/auto/most_admitted.h"
#include "core/rebuild/drain.h"
#include "core/rebuild/rebuild.h"
#include "core/rebuild/worth.h"
#include "core/search/repair.h"

namespace stowage {
namespace {

/// An unplaced replica costs this many times as much as the dearest node, and as one of the next lower priority.
constexpr double kUnplacedPrice = 4;
constexpr double kPriorityStep = 1000;
constexpr double kHighestPriority = 1e12;
constexpr double kMostRuleWeights = 1e6;
/// Where soft rules count last, a unit of their violation costs this share of the dearest node.
constexpr double kTieBreakPrice = 1e-4;

/// A plan as the search works on it.
template <class Unit>
struct Rebuilding {
  Rebuilding(const PlannerInput& input, const Plan& plan, const EnergyPrices& prices, const std::vector<double>& worth,
             const ScarceNodes& scarce)
      : placement(input.instance, input.request, &input.run.clock),
        state(placement, input.request),
        rebuilt(load(plan, input.run.clock), prices, worth, scarce) {}

  SearchState<Unit>& load(const Plan& plan, WorkClock& clock) {
    if (!plan.nodes.empty()) {
      Watch watch = clock.watch();
      is_whole = load_plan(plan, placement, state, watch);
    } else if (state.moves_matter() && state.move_budget() > 0) {
      Repair<Unit>(state).run(clock);
    }
    placement.residuals().loosen_maxima();
    return state;
  }

  /// Opens nodes of patterns and puts on them what limits and rules allow. Of the classes that differ in labels alone, each
  /// node is of the one that takes most. Of the apps of an item, those with most replicas left come first.
  void fill(const ConfigurationBound& found, WatchRef watch) {
    constexpr std::uint64_t kStepsToFill = 16 * kStepsToOpen;
    std::uint32_t turn = 0;
    std::vector<Wanted> wanted;
    whole_nodes(rebuilt.instance(), found, [&](const FilledNode& filled) {
      wanted.clear();
      for (const auto& [item, replicas] : filled.held) wanted.push_back({replicas, most_left(found.items[item])});
      const auto& family = rebuilt.kinds().family_of(rebuilt.kinds().kind_of(kNone, filled.node_class));
      NodeId best = kNone;
      double most = 0;
      const auto size = static_cast<std::uint32_t>(family.size());
      ++turn;
      for (std::uint32_t k = 0; k < size; ++k) {
        const NodeId node = rebuilt.empty_node(family[(turn + k) % size]);
        if (node == kNone) continue;
        double worth = 0;
        for_each_room(wanted, node, [&](AppId app, std::uint32_t room) { worth += room * rebuilt.worth(app); });
        if (worth <= most * (1 + 1e-12)) continue;
        best = node;
        most = worth;
      }
      if (best != kNone) for_each_room(wanted, best, [&](AppId app, std::uint32_t room) { rebuilt.put(app, best, room); });
      return !watch.step(kStepsToFill);
    });
  }

  /// Replicas of any of some apps.
  struct Wanted {
    std::uint32_t replicas;
    std::vector<AppId> apps;
  };
  /// Some of the apps: those of which most replicas wait, in this order.
  [[nodiscard]] std::vector<AppId> most_left(const std::vector<AppId>& of) const {
    constexpr std::size_t kMost = 12;
    std::vector<AppId> apps(std::min(kMost, of.size()));
    std::partial_sort_copy(of.begin(), of.end(), apps.begin(), apps.end(), [&](AppId a, AppId b) {
      return placement.unplaced(a) != placement.unplaced(b) ? placement.unplaced(a) > placement.unplaced(b) : a < b;
    });
    return apps;
  }
  /// Calls work(app, replicas) for what the node takes.
  template <class Work>
  void for_each_room(const std::vector<Wanted>& wanted, NodeId node, Work&& work) const {
    for (const Wanted& one : wanted) {
      std::uint32_t left = one.replicas;
      for (const AppId app : one.apps) {
        const std::uint32_t room = room_for(app, node, left);
        if (room > 0) work(app, room);
        left -= room;
        if (left == 0) break;
      }
    }
  }
  [[nodiscard]] std::uint32_t room_for(AppId app, NodeId node, std::uint32_t wanted) const {
    wanted = std::min(wanted, placement.unplaced(app));
    return wanted == 0 ? 0 : rebuilt.room(app, node, wanted, TagState::Asked::kAll);
  }

  bool is_whole = true;  // false: the run is cancelled or late, and this is of no use
  Placement<Unit> placement;
  SearchState<Unit> state;
  RebuildState<Unit> rebuilt;
};

template <class Unit>
class RebuildRun {
 public:
  explicit RebuildRun(const PlannerInput& input)
      : input_(input),
        objective_(judged_by(input.instance, Objective::kNodes)),
        bound_(input.bounds.get().of[objective_].front().value.value),
        worth_(worth_of_apps(input.instance)) {
    find_prices();
  }

  Error run(std::vector<Plan> starts, Plan& plan) {
    std::unique_ptr<Rebuilding<Unit>> best;
    begins_here_ = starts.empty();
    for (Plan& start : starts) consider(std::move(start), best);
    if (begins_here_) consider({}, best);
    if (best == nullptr) return {};
    input_.run.progress.enter(Phase::kImprove);
    build_up(*best, 1);
    heed_scarce_nodes(best);
    empty_nodes(best);
    if (Error e = try_fragments(best); failed(e)) return e;
    if (begins_here_) build_up_carefully(best);
    if (Error e = try_other_planners(best); failed(e)) return e;
    if (input_.checkpoint) {
      check_ins_.begin(input_.instance.total_replicas());
      input_.run.checkpoints.at_rest([&] { check_in(*best); });
    }
    if (Error e = search(best); failed(e)) return e;
    input_.run.checkpoints.at_rest({});
    if (input_.run.checkpoints.is_moot()) return {};
    best->rebuilt.return_to_kept();
    if (proven_) plan.bounds[objective_] = proven_;
    Plan rebuilt;
    best->placement.finish(rebuilt);
    if (starts.empty() || !better(input_.instance, input_.request.judgement(), plan, rebuilt)) plan.adopt(std::move(rebuilt));
    return {};
  }

 private:
  /// Exchanges are tried as a start where the first one is more than this share above the bound. Their work grows with the
  /// replicas: fast at first, then slowly up to a limit. It does not depend on the work limit, as a work limit repeats a run
  /// that a deadline ended.
  static constexpr double kFarFromBound = 0.04;
  static constexpr std::uint64_t kFirstExchangePerReplica = 250;
  static constexpr std::uint64_t kMostFirstExchange = 500'000;
  static constexpr std::uint64_t kExchangePerReplica = 150;
  static constexpr std::uint64_t kMostExchangeWork = 6'000'000;
  /// Orders in which apps are tried on each new node while a plan is built up: this number divided by the replicas, at least
  /// and at most.
  static constexpr std::uint64_t kOrdersTimesReplicas = 24'000;
  static constexpr std::uint64_t kFewestOrders = 4;
  static constexpr std::uint64_t kMostOrders = 12;
  /// Work after which the search for soft rules alone is tried, where some are still violated.
  static constexpr std::array<std::uint64_t, 2> kTagSearchAfter = {200'000, 3'000'000};

  /// Steps of the first round; each next one has twice as many. Temperatures in costs of a usual node.
  static constexpr std::uint64_t kFirstRound = 1000;
  static constexpr double kHottest = 0.13;
  static constexpr double kColdest = 0.026;
  /// The same after a start from patterns, which heat would destroy.
  static constexpr double kHottestOfPatterns = 0.04;
  static constexpr double kColdestOfPatterns = 0.013;
  /// Steps that such a start gets before it is compared with the best plan.
  static constexpr std::uint64_t kRoundOfPatterns = 2000;
  /// A start counts as one from patterns if it is at most this share above the bound.
  static constexpr double kNearBound = 0.006;
  /// Work before patterns are looked for, per replica, and at most. They get one unit of so many, in portions that grow with
  /// the work.
  static constexpr std::uint64_t kBeforePatternsPerReplica = 1'000;
  static constexpr std::uint64_t kMostBeforePatterns = 1'500'000;
  static constexpr std::uint64_t kShareOfPatterns = 3;

  /// Sums by differences are exact but for rounding.
  static constexpr double kNothing = 1e-9;

  [[nodiscard]] bool reached(const RebuildState<Unit>& state) const {
    const Energy& kept = state.kept();
    return kept.unplaced <= kNothing && kept.soft <= kNothing && kept.hard <= kNothing &&
           reaches(objective_, kept.nodes, bound_);
  }

  // Rounds of rebuilding, from the best start known so far. Patterns are looked for in between, while they are not final.
  Error search(std::unique_ptr<Rebuilding<Unit>>& best) {
    auto rebuild = std::make_unique<Rebuild<Unit>>(best->rebuilt, input_.request.soft, input_.request.seed);
    rebuild->drain_nodes(input_.run, saved_per_move_);
    const auto good_enough = [&] { return reached(best->rebuilt); };
    bool cool = false;
    std::size_t tag_trials = input_.request.soft == SoftPolicy::kLast ? kTagSearchAfter.size() : 0;
    bool more_patterns = true;
    std::uint64_t next_patterns =
        std::min(kMostBeforePatterns, kBeforePatternsPerReplica * std::max<std::uint64_t>(1, input_.instance.total_replicas()));
    for (std::uint64_t steps = kFirstRound; !good_enough() && input_.run.clock.stop() == Stop::kNo; steps *= 2) {
      if (more_patterns && input_.run.clock.work() >= next_patterns) {
        const std::uint64_t units = input_.run.clock.work() / (kShareOfPatterns - 1);
        const bool better = look_for_patterns(units, best, more_patterns);
        if (better) {
          rebuild = std::make_unique<Rebuild<Unit>>(best->rebuilt, input_.request.soft, input_.request.seed);
          cool = best->rebuilt.energy() <= bound_ * (1 + kNearBound);
          steps = kFirstRound;
        }
        next_patterns = 2 * input_.run.clock.work();
        if (good_enough()) return {};
      }
      if (tag_trials < kTagSearchAfter.size() && best->rebuilt.kept().soft > 0 &&
          input_.run.clock.work() >= kTagSearchAfter[tag_trials]) {
        ++tag_trials;
        best->rebuilt.return_to_kept();
        const auto* before = best.get();
        if (Error e = try_planner("tag-search", input_.run.clock.work() / 2, best); failed(e)) return e;
        if (best.get() != before) {
          rebuild = std::make_unique<Rebuild<Unit>>(best->rebuilt, input_.request.soft, input_.request.seed);
          input_.run.improved(best->rebuilt.as_best(), Objective::kNodes);
        }
      }
      if (!rebuild->round(input_.run, steps, cool ? kHottestOfPatterns : kHottest, cool ? kColdestOfPatterns : kColdest,
                          good_enough)) {
        return {};
      }
    }
    return {};
  }

  // Raises the bound by patterns, for at most so many units of work, and takes a start from them if it is better. Sets whether
  // there is more to find.
  bool look_for_patterns(std::uint64_t units, std::unique_ptr<Rebuilding<Unit>>& best, bool& more) {
    const Instance& instance = input_.instance;
    if (patterns_ == nullptr) patterns_ = std::make_unique<Patterns>(instance);
    input_.run.clock.begin_part(units);
    more = patterns_->search.run(input_.run.clock);
    input_.run.clock.end_part();
    const ConfigurationBound found = patterns_->search.result();
    if (found.bound > bound_) {
      bound_ = found.bound;
      proven_ = Bound{std::string(configuration_bound_info(instance).name), found.bound, kNone, kNone};
    }
    if (found.patterns.empty() || input_.run.clock.stop() != Stop::kNo || instance.listed_nodes() > 0) return false;
    auto next = make({});
    Watch watch = input_.run.clock.watch();
    next->fill(found, watch);
    if (watch.ended()) {
      input_.run.clock.look();
      return false;
    }
    build_up(*next, orders());
    Rebuild<Unit>(next->rebuilt, input_.request.soft, input_.request.seed)
        .round(input_.run, kRoundOfPatterns, kHottestOfPatterns, kColdestOfPatterns, [&] { return reached(next->rebuilt); });
    next->rebuilt.return_to_kept();
    best->rebuilt.return_to_kept();
    if (next->rebuilt.energy() >= best->rebuilt.energy()) return false;
    best = std::move(next);
    input_.run.improved(best->rebuilt.as_best(), Objective::kNodes);
    return true;
  }

  // Places what waits.
  void build_up(Rebuilding<Unit>& start, std::uint32_t orders) const {
    Rebuild<Unit>(start.rebuilt, input_.request.soft, input_.request.seed).place_waiting(input_.run, orders);
    start.rebuilt.keep();
  }

  // Where the cheapest kinds of nodes use up all nodes that the request allows, other kinds may hold more, or the same on
  // fewer.
  void heed_scarce_nodes(std::unique_ptr<Rebuilding<Unit>>& best) {
    const Instance& instance = input_.instance;
    if (!instance.has_prices() || input_.request.node_limit == 0 || best->placement.may_still_use() > 0) return;
    double least = instance.node_cost(0);
    double most = least;
    for (ClassId c = 1; c < instance.classes(); ++c) {
      least = std::min(least, instance.node_cost(c));
      most = std::max(most, instance.node_cost(c));
    }
    if (!(least < most) || input_.run.clock.stop() != Stop::kNo) return;
    scarce_ = {most, worth_of_apps(instance, NodeCost::kOne)};
    best->rebuilt.return_to_kept();
    Plan cheapest;
    best->placement.write(cheapest);
    auto next = make({});
    build_up(*next, 1);
    best = std::move(next);
    consider(std::move(cheapest), best);
  }

  // Spends moves where they save most, before anything else does. A start of other methods may have spent them already.
  void empty_nodes(std::unique_ptr<Rebuilding<Unit>>& best) {
    if (!best->rebuilt.may_move() || input_.run.clock.stop() != Stop::kNo) return;
    std::unique_ptr<Rebuilding<Unit>> own;
    if (!begins_here_) {
      own = make({});
      build_up(*own, 1);
    }
    RebuildState<Unit>& emptied = own ? own->rebuilt : best->rebuilt;
    saved_per_move_ = drain(emptied, input_.run.clock);
    emptied.keep();
    if (own && own->rebuilt.energy() < best->rebuilt.energy()) best = std::move(own);
  }

  // Makes a better plan than the first one, with much more work.
  void build_up_carefully(std::unique_ptr<Rebuilding<Unit>>& best) const {
    if (reached(best->rebuilt) || input_.run.clock.stop() != Stop::kNo) return;
    auto next = make({});
    build_up(*next, orders());
    if (next->rebuilt.energy() < best->rebuilt.energy()) best = std::move(next);
  }

  [[nodiscard]] std::uint32_t orders() const {
    const std::uint64_t replicas = std::max<std::uint64_t>(1, input_.instance.total_replicas());
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kOrdersTimesReplicas / replicas, kFewestOrders, kMostOrders));
  }

  Error try_planner(const char* name, std::uint64_t units, std::unique_ptr<Rebuilding<Unit>>& best) const {
    Plan other;
    input_.run.clock.begin_part(units);
    Error e = run_within(input_, name, other);
    input_.run.clock.end_part();
    if (failed(e)) return e;
    consider(std::move(other), best);
    return {};
  }

  // Where devices are short, what stays free has to be of use.
  Error try_fragments(std::unique_ptr<Rebuilding<Unit>>& best) const {
    const bool pays = !input_.instance.devices().empty() && best->rebuilt.parts().unplaced > 0;
    return pays && input_.run.clock.stop() == Stop::kNo ? try_planner("fgd", WorkClock::kEndless, best) : Error{};
  }

  // Where something waits or violates rules, other planners may have found a better start. So may have a search for room, where
  // nodes that cost nothing should hold as much as they can.
  Error try_other_planners(std::unique_ptr<Rebuilding<Unit>>& best) const {
    const auto waits = [&] { return best->rebuilt.parts().unplaced > 0 || best->rebuilt.parts().hard > kNothing; };
    for (const char* name : {"ff", "ffd-avg", "bfd-avg", "bfd-max", "spread-wfd-avg-binsearch", "match-dotproduct"}) {
      if (!waits() || input_.run.clock.stop() != Stop::kNo) break;
      if (Error e = try_planner(name, WorkClock::kEndless, best); failed(e)) return e;
    }
    if (adds_to_free_nodes(input_) && !reached(best->rebuilt) && input_.run.clock.stop() == Stop::kNo) {
      Plan other;
      if (Error e = add_few_nodes(input_, other); failed(e)) return e;
      consider(std::move(other), best);
    }
    // Where limits are many, exchanges may be better than building up.
    const bool far = best->rebuilt.energy() > bound_ * (1 + kFarFromBound);
    if (!far || !begins_here_ || TiedApps(input_.instance).share() > 0 || input_.run.clock.stop() != Stop::kNo) return {};
    Plan other;
    const std::uint64_t replicas = input_.instance.total_replicas();
    const std::uint64_t units = std::min(
        kMostExchangeWork, std::min(kMostFirstExchange, kFirstExchangePerReplica * replicas) + kExchangePerReplica * replicas);
    const std::uint64_t before = input_.run.clock.work();
    Error e = exchange(input_, 0, units, other);
    input_.run.clock.end_part();
    if (failed(e)) return e;
    // A run that ends without work of this is repeated by one that does not come here.
    const bool counts = input_.run.clock.stop() == Stop::kNo || input_.run.clock.work() > before;
    if (counts) consider(std::move(other), best);
    return {};
  }

  void find_prices() {
    const Instance& instance = input_.instance;
    double dearest = 0;
    for (ClassId c = 0; c < instance.classes(); ++c) dearest = std::max(dearest, instance.node_cost(c));
    if (dearest <= 0) {
      // Where nodes cost nothing, they are compared by what they hold.
      dearest = 1;
      scarce_ = {1, worth_of_apps(instance, NodeCost::kOne)};
    }
    std::map<std::int32_t, double> of_priority;
    for (AppId app = 0; app < instance.apps(); ++app) of_priority[instance.priority(app)] = 0;
    // No violation of soft rules is worth leaving a replica out.
    double weights = 0;
    for (const PlacementRule& rule : instance.rules()) weights += rule.hard ? 0 : rule.weight;
    double price = kUnplacedPrice * dearest * (1 + kUnplacedPrice * std::min(weights, kMostRuleWeights));
    for (auto& [priority, cost] : of_priority) {
      cost = price;
      price = std::max(price, std::min(price * kPriorityStep, kHighestPriority * dearest));
    }
    // A replica that is worth little is not cheaper to leave over than a node. Worths of one priority stay within its step.
    std::vector<double> worth;
    for (AppId app = 0; app < instance.apps(); ++app) worth.push_back(replica_worth(instance, app, input_.request.fill));
    double least = 1;
    for (const double one : worth) least = one > 0 ? std::min(least, one) : least;
    const double scale = std::min(1 / least, kPriorityStep);
    for (AppId app = 0; app < instance.apps(); ++app) {
      prices_.unplaced.push_back(of_priority[instance.priority(app)] * std::max(1.0, worth[app] * scale));
    }
    prices_.hard = kUnplacedPrice * dearest;
    const Request& request = input_.request;
    prices_.soft = request.soft == SoftPolicy::kPrice  ? request.soft_price
                   : request.soft == SoftPolicy::kLast ? kTieBreakPrice * dearest
                                                       : kUnplacedPrice * dearest;
  }

  [[nodiscard]] std::unique_ptr<Rebuilding<Unit>> make(const Plan& plan) const {
    return std::make_unique<Rebuilding<Unit>>(input_, plan, prices_, worth_, scarce_);
  }
  // Takes the start if it is the best so far. A run that is cancelled or late does not need it.
  void consider(Plan start, std::unique_ptr<Rebuilding<Unit>>& best) const {
    if (input_.run.checkpoints.is_moot()) return;
    expand(start);
    auto next = make(start);
    if (!next->is_whole) return;
    if (best == nullptr || next->rebuilt.energy() < best->rebuilt.energy()) best = std::move(next);
  }

  // Makes the plan that a cancelled run would end with ready, unless that takes more than a small share of the time.
  void check_in(const Rebuilding<Unit>& best) {
    const Energy& kept = best.rebuilt.kept();
    if (kept.unplaced > 0 || kept.hard > 0) return;
    check_ins_.if_due([&] {
      Plan plan;
      best.placement.write(best.rebuilt.kept_contents(), plan);
      input_.checkpoint(std::move(plan));
    });
  }

  /// A search for patterns that goes on from time to time.
  struct Patterns {
    explicit Patterns(const Instance& instance)
        : supply(instance),
          groups(instance),
          search(instance, supply, groups, instance.has_prices() ? NodeCost::kPrice : NodeCost::kOne) {}
    Supply supply;
    EligibleGroups groups;
    ConfigurationSearch search;
  };

  CheckIns check_ins_;
  std::unique_ptr<Patterns> patterns_;
  const PlannerInput& input_;
  const Objective objective_;
  double bound_;
  bool begins_here_ = true;      // no other method has made a start
  std::optional<Bound> proven_;  // by patterns
  double saved_per_move_ = 0;    // by emptying nodes
  std::vector<double> worth_;
  EnergyPrices prices_;
  ScarceNodes scarce_;
};

}  // namespace

Error rebuild(const PlannerInput& input, std::vector<Plan> starts, Plan& plan) {
  return input.instance.visit_unit([&](auto unit) { return RebuildRun<decltype(unit)>(input).run(std::move(starts), plan); });
}

}  // namespace stowage
