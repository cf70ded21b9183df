#include "core/planners/auto/rebuilding.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/most_admitted.h"
#include "core/rebuild/neighbourhoods/drain.h"
#include "core/rebuild/neighbourhoods/gangs.h"
#include "core/rebuild/neighbourhoods/homecoming.h"
#include "core/rebuild/search/rebuild.h"
#include "core/rebuild/worth.h"
#include "core/search/repair.h"

namespace stowage {
namespace {

/// An unplaced replica costs this many times as much as the dearest node, so that no step leaves one over to save nodes, and as
/// one of the next lower priority.
constexpr double kUnplacedPrice = 64;
constexpr double kPriorityStep = 1000;
constexpr double kHighestPriority = 1e12;
constexpr double kMostRuleWeights = 1e6;
/// The same for a unit of violation.
constexpr double kRulePrice = 4;
/// Where soft rules count last, a unit of their violation costs this share of the dearest node.
constexpr double kTieBreakPrice = 1e-4;

/// A plan as the search works on it.
template <class Unit>
struct Rebuilt {
  Rebuilt(const PlannerInput& input, const Plan& plan, const EnergyPrices& prices, const std::vector<double>& worth,
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

  /// Puts on a node what limits and rules allow. Of the nodes that differ in labels alone, it takes the one of the kind that
  /// holds most. Of the apps of an item, those with most replicas left come first.
  void fill(const ColumnStart::Node& filled, const std::vector<std::vector<AppId>>& items) {
    std::vector<Wanted> wanted;
    for (const auto& [item, replicas] : filled.held) wanted.push_back({replicas, most_left(items[item])});
    NodeId best = kNone;
    double most = 0;
    const auto consider = [&](NodeId node) {
      double worth = 0;
      for_each_room(wanted, node, [&](AppId app, std::uint32_t room) { worth += room * rebuilt.worth(app); });
      if (worth <= most * (1 + 1e-12)) return;
      best = node;
      most = worth;
    };
    if (filled.listed != kNone) consider(filled.listed);
    const std::uint32_t kind = rebuilt.kinds().kind_of(filled.listed, filled.node_class);
    const std::vector<std::uint32_t> family = kind == kNone ? std::vector<std::uint32_t>{} : rebuilt.kinds().family_of(kind);
    const auto size = static_cast<std::uint32_t>(family.size());
    ++turn;
    for (std::uint32_t k = 0; k < size; ++k) {
      const NodeId node = rebuilt.empty_node(family[(turn + k) % size]);
      if (node != kNone) consider(node);
    }
    if (best != kNone) for_each_room(wanted, best, [&](AppId app, std::uint32_t room) { rebuilt.put(app, best, room); });
  }

  /// Takes out everything that may move, where the budget lets all of it move.
  void take_all_out() {
    std::uint64_t all = state.moves();
    for (NodeId node = 0; node < placement.nodes(); ++node) {
      for (const Tenant& tenant : placement.contents().at(node)) all += state.running(tenant.app, node);
    }
    if (all > state.move_budget()) return;
    for (const NodeId node : std::vector<NodeId>(rebuilt.used())) rebuilt.take_all(node);
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

  std::uint32_t turn = 0;  // of the kinds of a family
  bool is_whole = true;    // false: the run is cancelled or late, and this is of no use
  Placement<Unit> placement;
  SearchState<Unit> state;
  RebuildState<Unit> rebuilt;
};

template <class Unit>
class RebuildRun : public Rebuilding {
 public:
  explicit RebuildRun(const PlannerInput& input)
      : input_(input),
        objective_(judged_by(input.instance, Objective::kNodes)),
        bound_(input.bounds.get().of[objective_].front().value.value),
        worth_(worth_of_apps(input.instance)) {
    find_prices();
  }

  Error go_on(std::uint64_t units, Plan& plan) override {
    input_.run.progress.enter(Phase::kImprove);
    if (best_ == nullptr) {
      begin();
      if (units != WorkClock::kEndless) return write(plan);
    }
    WorkClock& clock = input_.run.clock;
    clock.begin_part(units);
    Error e = search(units);
    clock.end_part();
    input_.run.checkpoints.at_rest({});
    has_ended_ = reached(best_->rebuilt);
    if (best_->rebuilt.may_move() && !input_.run.checkpoints.is_moot()) {
      best_->rebuilt.return_to_kept();
      bring_home(best_->rebuilt, kStepsHome);
      best_->rebuilt.keep();
    }
    return failed(e) ? e : write(plan);
  }
  void consider(const Plan& plan) override {
    if (best_ == nullptr) begin();
    take_if_better(plan);
  }
  void start_from(ColumnStart start) override { start_ = std::move(start); }
  void raise_bound(double bound) override { bound_ = std::max(bound_, bound); }
  [[nodiscard]] bool has_ended() const override { return has_ended_; }

 private:
  /// Orders in which apps are tried on each new node while a plan is built up: this number divided by the replicas, at least
  /// and at most.
  static constexpr std::uint64_t kOrdersTimesReplicas = 24'000;
  static constexpr std::uint64_t kFewestOrders = 4;
  static constexpr std::uint64_t kMostOrders = 12;
  /// Steps of the first round; each next one has twice as many. Temperatures in costs of a usual node.
  static constexpr std::uint64_t kFirstRound = 1000;
  static constexpr double kHottest = 0.13;
  static constexpr double kColdest = 0.026;
  /// The same after a start from columns, which heat would destroy.
  static constexpr double kHottestOfColumns = 0.04;
  static constexpr double kColdestOfColumns = 0.013;
  /// Steps that such a start gets before it is compared with the best plan.
  static constexpr std::uint64_t kRoundOfColumns = 2000;
  /// Rounds are cool where such a start is at most this share above the bound.
  static constexpr double kNearBound = 0.006;

  /// Steps for fewer moves at the same cost: a few milliseconds.
  static constexpr std::uint64_t kStepsHome = 100'000;

  /// Sums by differences are exact but for rounding.
  static constexpr double kNothing = 1e-9;

  [[nodiscard]] bool reached(const RebuildState<Unit>& state) const {
    const Energy& kept = state.kept();
    return kept.unplaced <= kNothing && kept.soft <= kNothing && kept.hard <= kNothing &&
           reaches(objective_, kept.nodes, bound_);
  }

  Error write(Plan& plan) {
    if (input_.run.checkpoints.is_moot()) return {};
    Plan rebuilt;
    if (has_ended_ || input_.run.clock.is_over()) {
      best_->rebuilt.return_to_kept();
      best_->placement.finish(rebuilt);
    } else {
      best_->placement.write(best_->rebuilt.kept_contents(), rebuilt);
    }
    plan.adopt(std::move(rebuilt));
    return {};
  }

  // Makes the plan from which everything starts.
  void begin() {
    best_ = make({});
    build_up(*best_, 1);
    try_gangs_first();
    heed_scarce_nodes();
    empty_nodes();
    if (input_.checkpoint) check_ins_.begin(input_.instance.total_replicas());
  }

  // Starts that take longer. What the end of a part cuts off is made in the next one.
  Error begin_again() {
    if (!is_careful_) {
      if (Error e = try_fragments(); failed(e)) return e;
      build_up_carefully();
      is_careful_ = input_.run.clock.stop() == Stop::kNo;
      if (!is_careful_) return {};
    }
    if (Error e = try_other_planners(); failed(e)) return e;
    begun_ = input_.run.clock.stop() == Stop::kNo;
    if (!begun_) return {};
    start_rounds();
    rebuild_->drain_nodes(input_.run, saved_per_move_);
    return {};
  }

  // Rounds of rebuilding, from the best start known so far.
  Error search(std::uint64_t units) {
    if (!begun_) {
      if (Error e = begin_again(); failed(e) || !begun_) return e;
    }
    if (input_.checkpoint) input_.run.checkpoints.at_rest([&] { check_in(); });
    try_start();
    if (Error e = try_free_nodes(units / 2); failed(e)) return e;
    if (rebuild_ == nullptr) start_rounds();
    const auto good_enough = [&] { return reached(best_->rebuilt); };
    while (!good_enough() && input_.run.clock.stop() == Stop::kNo) {
      if (!rebuild_->round(input_.run, steps_, cool_ ? kHottestOfColumns : kHottest, cool_ ? kColdestOfColumns : kColdest,
                           good_enough)) {
        return {};
      }
      steps_ *= 2;
    }
    return {};
  }
  void start_rounds() { rebuild_ = std::make_unique<Rebuild<Unit>>(best_->rebuilt, input_.request.soft, input_.request.seed); }

  // Completes the start that is given, improves it a little, and goes on from it if it is better.
  void try_start() {
    if (start_.nodes.empty() || input_.run.clock.stop() != Stop::kNo) return;
    const Traced traced(input_.run, "rebuilding: start from columns");
    auto next = make({});
    if (next->rebuilt.may_move()) next->take_all_out();
    const ColumnStart start = std::exchange(start_, {});
    for (const ColumnStart::Node& node : start.nodes) {
      for (std::uint32_t n = 0; n < node.count; ++n) {
        next->fill(node, start.items);
        if (input_.run.clock.step(node.held.size() * kStepsToOpen)) return;
      }
    }
    build_up(*next, orders());
    bring_home(next->rebuilt, kStepsHome);
    next->rebuilt.keep();
    Rebuild<Unit>(next->rebuilt, input_.request.soft, input_.request.seed)
        .round(input_.run, kRoundOfColumns, kHottestOfColumns, kColdestOfColumns, [&] { return reached(next->rebuilt); });
    next->rebuilt.return_to_kept();
    best_->rebuilt.return_to_kept();
    if (next->rebuilt.energy() >= best_->rebuilt.energy()) return;
    best_ = std::move(next);
    rebuild_.reset();
    steps_ = kFirstRound;
    cool_ = best_->rebuilt.energy() <= bound_ * (1 + kNearBound);
    input_.run.improved(best_->rebuilt.as_best(), Objective::kNodes);
  }

  // Places what waits.
  void build_up(Rebuilt<Unit>& start, std::uint32_t orders) const {
    const Traced traced(input_.run, "rebuilding: start");
    Rebuild<Unit>(start.rebuilt, input_.request.soft, input_.request.seed).place_waiting(input_.run, orders);
    start.rebuilt.keep();
  }

  // Where the cheapest kinds of nodes use up all nodes that the request allows, other kinds may hold more, or the same on
  // fewer.
  void heed_scarce_nodes() {
    const Instance& instance = input_.instance;
    if (!instance.has_prices() || input_.request.node_limit == 0 || best_->placement.may_still_use() > 0) return;
    double least = instance.node_cost(0);
    double most = least;
    for (ClassId c = 1; c < instance.classes(); ++c) {
      least = std::min(least, instance.node_cost(c));
      most = std::max(most, instance.node_cost(c));
    }
    if (!(least < most) || input_.run.clock.stop() != Stop::kNo) return;
    scarce_ = {most, worth_of_apps(instance, NodeCost::kOne)};
    best_->rebuilt.return_to_kept();
    Plan cheapest;
    best_->placement.write(cheapest);
    auto next = make({});
    build_up(*next, 1);
    best_ = std::move(next);
    take_if_better(std::move(cheapest));
  }

  // Spends moves on rules that are broken, then where they save most, before anything else does.
  void empty_nodes() {
    if (!best_->rebuilt.may_move() || input_.run.clock.stop() != Stop::kNo) return;
    const Traced traced(input_.run, "rebuilding: emptied nodes");
    Rebuild<Unit>(best_->rebuilt, input_.request.soft, input_.request.seed).mend(input_.run);
    saved_per_move_ = drain(best_->rebuilt, input_.run.clock);
    best_->rebuilt.keep();
  }

  // Makes a better plan than the first one, with much more work.
  void build_up_carefully() {
    if (reached(best_->rebuilt) || input_.run.clock.stop() != Stop::kNo) return;
    if (careful_ == nullptr) careful_ = make({});
    build_up(*careful_, orders());
    if (input_.run.clock.stop() == Stop::kPart) return;
    if (careful_->rebuilt.energy() < best_->rebuilt.energy()) best_ = std::move(careful_);
    careful_.reset();
  }

  [[nodiscard]] std::uint32_t orders() const {
    const std::uint64_t replicas = std::max<std::uint64_t>(1, input_.instance.total_replicas());
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kOrdersTimesReplicas / replicas, kFewestOrders, kMostOrders));
  }

  Error try_planner(const char* name, std::uint64_t units) {
    Plan other;
    input_.run.clock.begin_part(units);
    Error e = run_within(input_, name, other);
    input_.run.clock.end_part();
    if (failed(e)) return e;
    take_if_better(std::move(other));
    return {};
  }

  // Where devices are short, what stays free has to be of use.
  Error try_fragments() {
    const bool pays = !input_.instance.devices().empty() && best_->rebuilt.parts().unplaced > 0;
    return pays && input_.run.clock.stop() == Stop::kNo ? try_planner("fgd", WorkClock::kEndless) : Error{};
  }

  // Where something waits or violates rules, other planners may have found a better start.
  Error try_other_planners() {
    const auto waits = [&] { return best_->rebuilt.parts().unplaced > 0 || best_->rebuilt.parts().hard > kNothing; };
    for (const char* name : {"ff", "ffd-avg", "bfd-avg", "bfd-max", "spread-wfd-avg-binsearch", "match-dotproduct"}) {
      if (!waits() || input_.run.clock.stop() != Stop::kNo) break;
      if (Error e = try_planner(name, WorkClock::kEndless); failed(e)) return e;
    }
    return {};
  }

  // Where nodes that cost nothing should hold as much as they can, a search for room may find a better start. Where `units` do
  // not suffice, the next portion, which is longer, goes on.
  Error try_free_nodes(std::uint64_t units) {
    WorkClock& clock = input_.run.clock;
    if (tried_free_nodes_ || !adds_to_free_nodes(input_) || reached(best_->rebuilt) || clock.stop() != Stop::kNo) return {};
    if (on_free_nodes_.nodes.empty()) {
      Plan admitted;
      if (Error e = run_within(input_, "admit", admitted); failed(e)) return e;
      take_if_better(admitted);
      if (clock.stop() != Stop::kNo) return {};
      on_free_nodes_ = std::move(admitted);
    }
    clock.begin_part(units);
    Error e = add_fewer_nodes(input_, on_free_nodes_);
    tried_free_nodes_ = clock.stop() == Stop::kNo;
    clock.end_part();
    if (failed(e)) return e;
    take_if_better(on_free_nodes_);
    return {};
  }

  // Where something waits, what has to stay together may have come too late.
  void try_gangs_first() {
    if (best_->rebuilt.parts().unplaced <= 0 || !Gangs<Unit>(best_->rebuilt).any()) return;
    Random random(input_.request.seed);
    for (const bool spread : {false, true}) {
      if (best_->rebuilt.parts().unplaced <= 0 || input_.run.clock.stop() != Stop::kNo) return;
      auto next = make({});
      Gangs<Unit> gangs(next->rebuilt);
      if (!gangs.any()) return;
      gangs.place_waiting(spread, input_.run.clock, random);
      build_up(*next, 1);
      if (next->rebuilt.energy() < best_->rebuilt.energy()) best_ = std::move(next);
    }
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
    double price = kUnplacedPrice * dearest * (1 + kRulePrice * std::min(weights, kMostRuleWeights));
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
    prices_.hard = kRulePrice * dearest;
    const Request& request = input_.request;
    prices_.soft = request.soft == SoftPolicy::kPrice  ? request.soft_price
                   : request.soft == SoftPolicy::kLast ? kTieBreakPrice * dearest
                                                       : kRulePrice * dearest;
  }

  [[nodiscard]] std::unique_ptr<Rebuilt<Unit>> make(const Plan& plan) const {
    return std::make_unique<Rebuilt<Unit>>(input_, plan, prices_, worth_, scarce_);
  }
  // Takes the start if it is the best so far. A run that is cancelled or late does not need it.
  void take_if_better(Plan start) {
    if (input_.run.checkpoints.is_moot()) return;
    expand(start);
    auto next = make(start);
    if (!next->is_whole) return;
    best_->rebuilt.return_to_kept();
    if (next->rebuilt.energy() >= best_->rebuilt.energy()) return;
    best_ = std::move(next);
    rebuild_.reset();
  }

  // Makes the plan that a cancelled run would end with ready, unless that takes more than a small share of the time.
  void check_in() {
    const Energy& kept = best_->rebuilt.kept();
    if (kept.unplaced > 0 || kept.hard > 0) return;
    check_ins_.if_due([&] {
      Plan plan;
      best_->placement.write(best_->rebuilt.kept_contents(), plan);
      input_.checkpoint(std::move(plan));
    });
  }

  CheckIns check_ins_;
  const PlannerInput& input_;
  const Objective objective_;
  double bound_;
  double saved_per_move_ = 0;  // by emptying nodes
  std::vector<double> worth_;
  EnergyPrices prices_;
  ScarceNodes scarce_;
  std::unique_ptr<Rebuilt<Unit>> best_;     // null before the search begins
  std::unique_ptr<Rebuilt<Unit>> careful_;  // what the end of a part has cut off
  std::unique_ptr<Rebuild<Unit>> rebuild_;  // of best_; null: it begins anew
  bool is_careful_ = false;                 // build_up_carefully() has ended
  bool begun_ = false;                      // all starts but that of free nodes are made
  bool tried_free_nodes_ = false;
  Plan on_free_nodes_;  // the best so far of try_free_nodes()
  bool has_ended_ = false;
  bool cool_ = false;
  std::uint64_t steps_ = kFirstRound;  // of the present round
  ColumnStart start_;                  // from columns, not yet tried
};

}  // namespace

std::unique_ptr<Rebuilding> make_rebuilding(const PlannerInput& input) {
  return input.instance.visit_unit(
      [&](auto unit) -> std::unique_ptr<Rebuilding> { return std::make_unique<RebuildRun<decltype(unit)>>(input); });
}

}  // namespace stowage
