#include "core/planners/auto/attempt/attempt.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/numbers/random.h"
#include "core/measures/size.h"
#include "core/plan/compact_plan.h"
#include "core/planners/auto/attempt/search_size.h"
#include "core/run/asked_nodes.h"
#include "core/search/repair.h"
#include "core/search/starts/node_choice.h"

namespace stowage {
namespace {

/// Work that may be spent after the end of a run: so little that nobody notices and, per waiting replica, as much as time is
/// reserved for.
constexpr std::uint64_t kUnnoticedWork = 50'000;
constexpr std::uint64_t kReservedWork = 4;
/// Nodes that are scanned for room in the time of one unit, and of a step.
constexpr std::uint64_t kScannedPerWork = 2048;
constexpr std::uint64_t kScannedPerStep = 8;
/// What may be spent in steps of a Watch: rules with a choice, and many spare nodes of many classes, take more of them than
/// work. However many replicas wait, they take no longer than so many steps more.
constexpr std::uint64_t kUnnoticedSteps = std::uint64_t{1} << 22;
constexpr std::uint64_t kReservedSteps = 64;
constexpr std::uint64_t kMostReservedSteps = std::uint64_t{1} << 23;
/// Steps after which a look at the clock is due.
constexpr std::uint64_t kStepsPerLook = std::uint64_t{1} << 18;
/// Steps to look whether a spare node is of a class, and takes an app.
constexpr std::uint64_t kStepsPerSpare = 4;
/// Further nodes that are looked at once the limited work is spent.
constexpr std::size_t kLastNodes = 64;

/// A plan takes longer to load than a caller waits after the end of a run where its replicas change more numbers of nodes.
constexpr std::uint64_t kSoonLoaded = 1'600'000;
constexpr std::uint64_t kSoonLoadedSlowly = 160'000;
/// What placing a replica takes beside the numbers of its node, in such numbers.
constexpr std::uint64_t kNumbersBeside = 30;

/// Nodes on which a replica of a tied app is tried.
constexpr std::uint32_t kTiedTries = 64;

/// What placing the rest takes: work of the run until it ends, and a limited effort after that.
class RestEffort {
 public:
  /// @param at_once as if the run had ended
  RestEffort(WorkClock& clock, bool at_once, std::uint64_t waiting)
      : clock_(clock),
        at_once_(at_once),
        most_work_(kUnnoticedWork + kReservedWork * waiting),
        most_steps_(kUnnoticedSteps + std::min(kReservedSteps * waiting, kMostReservedSteps)) {}

  /// @param late  work of this kind after the end
  /// @param steps of a Watch
  void spend(std::uint64_t work, std::uint64_t& late, std::uint64_t steps) {
    if (!has_ended()) {
      since_look_ += steps;
      if (since_look_ >= kStepsPerLook) {
        since_look_ = 0;
        clock_.look();
      }
      if (!clock_.step(work)) return;
    }
    late += work;
    steps_ += steps;
  }
  /// Steps that were taken since spend(). Before the end, the next call of that looks at the clock.
  void add(std::uint64_t steps) { (has_ended() ? steps_ : since_look_) += steps; }
  [[nodiscard]] std::uint64_t steps_left() const {
    return has_ended() ? most_steps_ - std::min(steps_, most_steps_) : WorkClock::kEndless;
  }
  [[nodiscard]] bool affords(std::uint64_t late) const { return late <= most_work_ && has_steps(); }
  [[nodiscard]] bool has_steps() const { return steps_ <= most_steps_; }

 private:
  [[nodiscard]] bool has_ended() const { return at_once_ || clock_.stop() != Stop::kNo; }

  WorkClock& clock_;
  const bool at_once_;
  const std::uint64_t most_work_;
  const std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;  // after the end
  std::uint64_t since_look_ = 0;
};

}  // namespace

TiedApps::TiedApps(const Instance& instance) {
  if (instance.limits_costs()) {
    flags_.assign(instance.apps(), 1);
    share_ = 1;
  } else {
    find(instance);
    find_devices(instance);
  }
}

void TiedApps::find_devices(const Instance& instance) {
  if (instance.devices().empty()) return;
  flags_.resize(instance.apps(), 0);
  std::uint64_t replicas = 0;
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (instance.devices().uses(app)) flags_[app] = 1;
    replicas += flags_[app] != 0 ? instance.replicas(app) : 0;
  }
  share_ = static_cast<double>(replicas) / static_cast<double>(std::max<std::uint64_t>(1, instance.total_replicas()));
}

TiedApps TiedApps::by_rules(const Instance& instance) {
  TiedApps tied;
  tied.find(instance);
  return tied;
}

void TiedApps::find(const Instance& instance) {
  const TagModel& rules = instance.tag_model();
  if (rules.empty()) return;
  flags_.assign(instance.apps(), 0);
  bool any = false;
  for (std::uint32_t p = 0; p < rules.parts(); ++p) {
    const TagPart& part = rules.part(p);
    if (part.hard && part.alone && part.kind == CardinalityKind::kReplicas && part.min == 0) continue;
    for (const AppId app : rules.apps_of(p)) flags_[app] = 1;
    any = true;
  }
  if (!any) {
    flags_.clear();
    return;
  }
  std::uint64_t replicas = 0;
  for (AppId app = 0; app < instance.apps(); ++app) replicas += flags_[app] != 0 ? instance.replicas(app) : 0;
  share_ = static_cast<double>(replicas) / static_cast<double>(std::max<std::uint64_t>(1, instance.total_replicas()));
}

template <class Unit>
Attempt<Unit>::Attempt(const PlannerInput& input, std::uint32_t nodes, const TiedApps& tied, std::vector<ClassId> order)
    : placement(input.instance, input.request, &input.run.clock), state(placement, input.request), classes(std::move(order)) {
  if (input.request.move_budget > 0) Repair<Unit>(state).run(input.run.clock);
  choose_nodes(state, nodes, classes, input.run.clock);
  state.freeze(tied.flags());
}

template <class Unit>
bool load_plan(const Plan& plan, Placement<Unit>& placement, SearchState<Unit>& state, WatchRef watch) {
  const std::uint32_t listed = placement.instance().listed_nodes();
  std::vector<NodeId> entry_of(listed, kNone);  // per listed node: its index in the plan
  for (NodeId k = 0; k < plan.nodes.size(); ++k) {
    if (plan.nodes[k].listed != kNone) entry_of[plan.nodes[k].listed] = k;
  }
  const auto stays = [&](NodeId entry, AppId app) {
    if (entry == kNone) return 0u;
    const auto at = std::lower_bound(plan.placed.begin(), plan.placed.end(), std::pair(entry, app),
                                     [](const Placed& one, const auto& key) { return std::pair(one.node, one.app) < key; });
    return at != plan.placed.end() && at->node == entry && at->app == app ? at->replicas : 0u;
  };
  std::vector<Tenant> tenants;
  for (NodeId node = 0; node < listed; ++node) {
    tenants.assign(placement.contents().at(node).begin(), placement.contents().at(node).end());
    for (const Tenant& tenant : tenants) {
      const std::uint32_t stay = stays(entry_of[node], tenant.app);
      if (tenant.replicas > stay) state.evict(tenant.app, node, tenant.replicas - stay);
    }
  }
  const std::vector<NodeId> node_of = placement.open_nodes_of(plan, watch);
  if (watch.ended()) return false;
  for (NodeId k = 0; k < plan.nodes.size(); ++k) {
    if (plan.nodes[k].listed == kNone) state.add(node_of[k]);
  }
  for (const Placed& placed : plan.placed) {
    if (watch.step(kStepsToOpen)) return false;
    const NodeId node = node_of[placed.node];
    const std::uint32_t there = placement.contents().count(placed.app, node);
    if (placed.replicas > there) state.place_waiting(placed.app, node, placed.replicas - there);
  }
  state.collect_pool();
  return true;
}

template <class Unit>
Attempt<Unit>::Attempt(const PlannerInput& input, std::uint32_t nodes, const TiedApps& tied)
    : placement(input.instance, input.request, &input.run.clock),
      state(placement, input.request),
      classes(classes_by_value(input.instance)) {
  if (input.request.move_budget > 0) Repair<Unit>(state).run(input.run.clock);
  choose_nodes(state, nodes, classes, input.run.clock);
  place_tied(tied, input.request.seed, input.run.clock);
  state.freeze(tied.flags());
}

template <class Unit>
Attempt<Unit>::Attempt(const PlannerInput& input, const Plan& plan, const TiedApps& tied, WatchRef watch)
    : placement(input.instance, input.request, &input.run.clock),
      state(placement, input.request),
      classes(classes_by_value(input.instance)),
      is_whole(load_plan(plan, placement, state, watch)) {
  if (!is_whole) return;
  std::vector<NodeId> idle;
  for (NodeId node = 0; node < input.instance.listed_nodes(); ++node) {
    if (!placement.used(node) && state.in_play(node)) idle.push_back(node);
  }
  state.set_aside(idle);
  state.collect_pool();
  state.freeze(tied.flags());
}

template <class Unit>
void Attempt<Unit>::place_tied(const TiedApps& tied, std::uint64_t seed, WorkClock& clock) {
  if (tied.flags().empty() || state.nodes().empty()) return;
  const Instance& instance = placement.instance();
  const TagModel& rules = instance.tag_model();
  std::vector<AppId> apps;
  for (const AppId app : state.pool()) {
    if (tied.flags()[app] != 0) apps.push_back(app);
  }
  // What others need near comes before them.
  std::sort(apps.begin(), apps.end(),
            [&](AppId a, AppId b) { return rules.depth(a) != rules.depth(b) ? rules.depth(a) < rules.depth(b) : a < b; });
  Random random(seed);
  const std::vector<NodeId>& nodes = state.nodes();
  typename Placement<Unit>::Candidate candidate(placement);
  AskedNodes asked(clock);
  for (const AppId app : apps) {
    candidate.start(placement, app, true);
    while (placement.unplaced(app) > 0) {
      const std::uint64_t steps = placement.steps_to_ask(app);
      if (clock.step(1)) return;
      NodeId best = kNone;
      double least = 0;
      std::uint32_t tries = 0;
      const auto first = random.below(static_cast<std::uint32_t>(nodes.size()));
      for (std::size_t k = 0; k < nodes.size() && tries < kTiedTries; ++k) {
        const NodeId node = nodes[(first + k) % nodes.size()];
        if (asked.count(1, steps)) return;
        if (placement.headroom(candidate, node, 1) == 0) continue;
        ++tries;
        const double before = placement.toll(app, node).soft;
        placement.place(app, node, 1);
        const double cost = placement.toll(app, node).soft - before;
        placement.remove(app, node, 1);
        if (best != kNone && cost >= least) continue;
        best = node;
        least = cost;
        if (cost <= 0) break;
      }
      if (best == kNone) break;
      state.place_waiting(app, best);
    }
  }
}

template <class Unit>
NodeId Attempt<Unit>::further_node(AppId app, Asking& asking) {
  typename Placement<Unit>::Candidate candidate(placement);
  candidate.start(placement, app);
  const std::uint64_t steps = placement.steps_to_ask(app);
  for (const ClassId c : classes) {
    const std::vector<NodeId>& spare = state.spare();
    for (std::size_t k = spare.size(); k-- > 0;) {
      const NodeId node = spare[k];
      if (placement.class_of(node) != c) continue;
      asking.steps += steps;
      if (asking.steps > asking.most) return kNone;
      if (placement.allowed(app, node, 1) == 0) continue;
      const auto standing = placement.instance().scaled_standing(node < placement.instance().listed_nodes() ? node : kNone, c);
      if (placement.residuals().copies_beside(candidate.need(), c, standing, 1) == 0) continue;
      state.reopen(node);
      return node;
    }
  }
  const NodeId node = placement.open_for(candidate, classes);
  if (node != kNone) state.add(node);
  return node;
}

template <class Unit>
bool Attempt<Unit>::place_rest(Run& run, bool at_once, const std::vector<AppId>& apps, WatchRef watch) {
  // A start that was cut off leaves most nodes empty. Out of play, they are not looked at one by one.
  if (!state.set_aside_empty(watch)) return false;
  if (at_once) placement.be_quick();
  RestEffort effort(run.clock, at_once, waiting());
  std::uint64_t looked = 0;  // work of this kind after the end
  std::uint64_t opened = 0;
  typename Placement<Unit>::Candidate candidate(placement);
  std::vector<NodeId> further;
  for (const AppId app : apps) {
    if (at_once && run.clock.cancelled()) return false;
    candidate.start(placement, app);
    const auto place = [&](NodeId node) {
      if (watch.step(placement.steps_to_ask(app))) return false;
      const std::uint32_t room = placement.headroom(candidate, node, placement.unplaced(app));
      if (room > 0) placement.place(app, node, room);
      return placement.unplaced(app) > 0;
    };
    if (effort.affords(looked)) {
      NodeId seen = placement.nodes();
      placement.residuals().for_each_fitting(candidate.need(), 0, [&](NodeId node) {
        effort.spend(1, looked, placement.steps_to_ask(app));
        if (effort.has_steps() && place(node)) return true;
        seen = node;
        return false;
      });
      effort.spend(1 + seen / kScannedPerWork, looked, seen / kScannedPerStep);
    } else {
      for (std::size_t k = 0; k < std::min(further.size(), kLastNodes) && effort.has_steps(); ++k) {
        effort.spend(0, looked, placement.steps_to_ask(app));
        if (!place(further[further.size() - 1 - k])) break;
      }
    }
    const auto steps_to_open = [&] {
      return kStepsToOpen + classes.size() * (kStepsPerSpare * state.spare().size() + placement.steps_to_ask(app));
    };
    while (placement.unplaced(app) > 0 && effort.affords(opened) && !watch.step(steps_to_open())) {
      effort.spend(1 + state.spare().size() / kScannedPerWork, opened, steps_to_open());
      Asking asking{.most = effort.steps_left()};
      const NodeId node = further_node(app, asking);
      effort.add(asking.steps);
      if (node == kNone) break;
      further.push_back(node);
      place(node);
    }
    if (watch.ended()) return false;
  }
  state.collect_pool();
  return true;
}

template <class Unit>
std::uint64_t Attempt<Unit>::waiting() const {
  std::uint64_t replicas = 0;
  for (const AppId app : state.pool()) replicas += placement.unplaced(app);
  return replicas;
}

template <class Unit>
double Attempt<Unit>::waiting_share() const {
  const std::vector<double> share = unit_shares(placement.instance());
  std::vector<double> sum(share.size(), 0);
  for (const AppId app : state.pool()) {
    const auto demand = placement.instance().template scaled_demand<Unit>(app);
    for (std::size_t h = 0; h < sum.size(); ++h) sum[h] += share[h] * demand[h] * placement.unplaced(app);
  }
  return sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end());
}

template <class Unit>
PlanKey Attempt<Unit>::key(bool any_broken, bool fill) {
  const Instance& instance = placement.instance();
  PlanKey key;
  if (any_broken) key.inherited = Repair<Unit>(state).broken();
  for (AppId app = 0; app < instance.apps(); ++app) {
    if (placement.left_over(app) > 0) {
      key.left_over.add(instance.priority(app), placement.left_over(app), replica_worth(instance, app, fill));
    }
  }
  for (NodeId node = 0; node < placement.nodes(); ++node) {
    if (placement.used(node)) key.value += instance.node_cost(placement.class_of(node));
  }
  return key;
}

void place_rest(const PlannerInput& input, Plan& plan) {
  const Instance& instance = input.instance;
  // Rules that offer a choice are asked about every replica that they are about, and risks are added up for each node.
  const bool takes_long = instance.uncertain() || !instance.tag_model().choices().empty();
  const std::uint64_t most = takes_long ? kSoonLoadedSlowly : kSoonLoaded;
  const bool is_slow = instance.total_replicas() > most / (kNumbersBeside + instance.dims()) || is_large(instance);
  const bool is_late = input.run.clock.stop() != Stop::kNo && is_slow;
  if (plan.unplaced.empty() || input.request.all_or_nothing || is_late) return;
  if (!may_search(input, nodes_in_use(plan))) return;
  std::vector<AppId> apps;
  apps.reserve(plan.unplaced.size());
  for (const Unplaced& left : plan.unplaced) apps.push_back(left.app);
  std::stable_sort(apps.begin(), apps.end(), [&](AppId a, AppId b) {
    if (instance.priority(a) != instance.priority(b)) return instance.priority(a) > instance.priority(b);
    return replica_worth(instance, a, input.request.fill) > replica_worth(instance, b, input.request.fill);
  });
  expand(plan);
  instance.visit_unit([&](auto unit) {
    Watch watch = input.run.clock.watch();
    Attempt<decltype(unit)> attempt(input, plan, TiedApps(instance), is_slow ? WatchRef(watch) : WatchRef());
    const std::uint64_t work = input.run.clock.work();
    if (!attempt.is_whole || !attempt.place_rest(input.run, false, apps, is_slow ? WatchRef(watch) : WatchRef())) {
      // A run that had ended before would not have come here.
      input.run.clock.cut();
      input.run.clock.drop_since(work);
      return;
    }
    Plan complete;
    attempt.placement.write(complete);
    plan.adopt(std::move(complete));
  });
}

template bool load_plan(const Plan& plan, Placement<std::int16_t>& placement, SearchState<std::int16_t>& state, WatchRef watch);
template bool load_plan(const Plan& plan, Placement<std::int32_t>& placement, SearchState<std::int32_t>& state, WatchRef watch);
template struct Attempt<std::int16_t>;
template struct Attempt<std::int32_t>;

}  // namespace stowage
