#include "core/planners/repeated/promises.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/losses/loss.h"
#include "core/losses/promises.h"
#include "core/losses/spares.h"
#include "core/losses/survival_bound.h"
#include "core/model/labels.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/judging.h"
#include "core/planners/notes.h"
#include "core/planners/repeated/runs.h"

namespace stowage {
namespace {

/// Replicas from which on plans on the way do not list their nodes one by one.
constexpr std::uint64_t kReplicasListedLate = 100'000;
/// Of the time that is left, one part in so many is for what follows a run: another one, and losses.
constexpr std::uint64_t kShareForRest = 3;
/// What it takes to keep nodes for losses, to look at each loss, and to check the plan once more, for each node of the plan.
constexpr double kSecondsPerHeldNode = 2e-6;

/// Nodes that are smaller by less are as they were.
constexpr double kLeastLess = 1e-3;

/// What a plan that places the kept replicas, too, is judged by once they are reserved: of its own bounds and of `computed`,
/// those on nodes and their cost. All others, and whether a complete plan exists, are about the kept replicas as well.
ComputedBounds without_kept(Plan& plan, ComputedBounds computed) {
  for (const ObjectiveInfo& info : objective_table()) {
    if (info.objective == Objective::kNodes || info.objective == Objective::kCost) continue;
    plan.bounds[info.objective].reset();
    computed.of[info.objective].clear();
  }
  computed.infeasible = false;
  return computed;
}

/// The bound on plans that survive losses; nothing where none is known. `plan` has bounds of the instance itself.
std::optional<SurvivalBound> bound_of_survival(const Instance& instance, const Request& request, const ComputedBounds& computed,
                                               const Plan& plan) {
  const bool has_costs = instance.has_prices();
  double nodes = 0;
  double cost = 0;
  if (request.keep.empty()) {
    nodes = computed.fewest_nodes();
    if (has_costs) cost = computed.of[Objective::kCost].front().value.value;
  } else {
    // Bounds of a plan that keeps room count replicas that no loss is about. All bounds of the instance itself would take as
    // long again, after the end of the run.
    const Supply supply(instance);
    nodes = capacity_bound(instance, supply).value;
    if (has_costs) cost = price_bound(instance, supply).value;
  }
  // Bounds from patterns hold for plans that leave running replicas in place, and the replicas of a lost node do not stay.
  if (request.keep.empty() && (request.ignore_running || instance.data().running.empty())) {
    if (plan.bounds[Objective::kNodes]) nodes = std::max(nodes, plan.bounds[Objective::kNodes]->value);
    if (has_costs && plan.bounds[Objective::kCost]) cost = std::max(cost, plan.bounds[Objective::kCost]->value);
  }
  return survival_bound(instance, survived_label(request.survive), nodes, cost);
}

void raise_bounds(const Instance& instance, const SurvivalBound& bound, Plan& plan) {
  const auto raise = [&](Objective objective, double value) {
    std::optional<Bound>& known = plan.bounds[objective];
    if (!known || known->value < value) known = Bound{"survival", value};
  };
  raise(Objective::kNodes, bound.nodes);
  if (instance.has_prices()) raise(Objective::kCost, bound.cost);
}

/// Notes of what a plan does not keep.
void note_promises(const Instance& instance, const std::string& worst, const Plan& plan, Notes& notes) {
  for (const Unplaced& one : plan.unreserved) {
    notes.add(NoteCode::kPromise, "No room is kept for " + std::to_string(one.replicas) + " of the replicas of " +
                                      instance.app_name(one.app) + " that it was asked for.");
  }
  if (plan.survive.empty() || plan.not_survived == 0) return;
  notes.add(NoteCode::kPromise, plan.not_survived == Plan::kUnknown
                                    ? std::string("The run ended before it was known whether every loss is survived.")
                                    : "The loss of " + worst + " leaves " + std::to_string(plan.not_survived) +
                                          (plan.not_survived == 1 ? " replica" : " replicas") + " without a place.");
}

/// A plan, the bounds that it is judged by, and what its worst loss is of.
struct PromisedPlan {
  Plan plan;
  ComputedBounds bounds;
  std::string worst;
  std::optional<SurvivalBound> survival = {};
};

/// The instance with nodes that offer only a share of their capacity, but enough for a replica of each app that fits now.
/// Devices stay whole. Nothing where that changes nothing.
std::optional<Instance> with_smaller_nodes(const Instance& instance, double share) {
  InstanceData data = instance.data();
  for (AppId app = 0; app < instance.apps(); ++app) {
    double least = 1;
    for (const NodeClass& one : data.classes) {
      double of_class = 0;
      for (ResourceId r = 0; r < instance.resources(); ++r) {
        const double demand = instance.demand_range(app, r).most;
        if (demand > 0) of_class = std::max(of_class, one.capacity[r] > 0 ? demand / one.capacity[r] : 2);
      }
      if (of_class <= 1) least = std::min(least, of_class);
    }
    if (instance.replicas(app) > 0 && least < 1) share = std::max(share, least);
  }
  if (share > 1 - kLeastLess) return std::nullopt;
  const std::vector<ResourceId> devices(instance.devices().resources().begin(), instance.devices().resources().end());
  for (NodeClass& one : data.classes) {
    for (ResourceId r = 0; r < instance.resources(); ++r) {
      if (std::find(devices.begin(), devices.end(), r) == devices.end()) one.capacity[r] *= share;
    }
  }
  Result<Instance> smaller = instance.with_columns(std::move(data));
  if (!smaller) return std::nullopt;
  return std::move(smaller.value());
}

/// Plans of one request until one keeps all promises.
class PromisedRun {
 public:
  PromisedRun(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control, const PlainRun& run)
      : instance_(instance), request_(request), bounds_(bounds), run_(run), time_(request, control), watch_(time_.watch()) {}

  Result<PromisedPlan> best() {
    Result<PromisedPlan> best = attempt(instance_, bounds_);
    if (!best || request_.survive.empty()) return best;
    best->survival = bound_of_survival(instance_, request_, best->bounds, best->plan);
    // Nothing is paid for a promise that no plan keeps.
    if (best->survival && best->survival->infeasible) return best;
    // Room that is spread over all nodes is often worth more than the same room on nodes of their own.
    const double share = 1 - largest_domain(best->plan);
    for (const double one : {share, (1 + share) / 2}) {
      if (best->plan.not_survived == 0 || !best->plan.unplaced.empty() || !time_.has_time_for_a_run() ||
          !time_.has_time_to_build(instance_)) {
        break;
      }
      const std::optional<Instance> smaller = with_smaller_nodes(instance_, one);
      if (!smaller) continue;
      LazyBounds of_smaller(*smaller, request_);
      Result<PromisedPlan> other = attempt(*smaller, of_smaller);
      if (!other || !is_better(other->plan, best->plan)) continue;
      // The bounds of smaller nodes do not hold.
      best->plan = std::move(other->plan);
      best->worst = std::move(other->worst);
    }
    return best;
  }
  [[nodiscard]] WatchRef watch() { return watch_; }

 private:
  /// The request of a run that leaves a part of the time for what follows.
  [[nodiscard]] Request plain(bool is_followed) const {
    Request plain = request_;
    plain.keep.clear();
    plain.survive.clear();
    // Many nodes are listed one by one at the end, once.
    plain.compact = instance_.total_replicas() >= kReplicasListedLate;
    const std::uint64_t left = time_.left();
    time_.limit(plain, is_followed ? left - left / kShareForRest : left);
    return plain;
  }
  /// A plan with room for all that is to be kept. If that leaves replicas over, and there is time: one without, and then room.
  Result<PromisedPlan> keeping(const Instance& planned, LazyBounds& bounds) {
    if (request_.keep.empty()) {
      const Request request = plain(true);
      Result<Plan> plan = run_(planned, request, bounds);
      if (!plan) return plan.error();
      return PromisedPlan{std::move(*plan), bounds.get(), {}};
    }
    const Result<Instance> more = with_kept_replicas(planned, request_.keep);
    if (!more) return more.error();
    const Request first = plain(true);
    LazyBounds of_more(more.value(), first);
    Result<Plan> plan = run_(more.value(), first, of_more);
    if (!plan) return plan.error();
    std::vector<std::uint64_t> kept(planned.apps(), 0);
    for (const Kept& one : request_.keep) kept[one.app] = one.replicas;
    const bool places_all = std::all_of(plan->unplaced.begin(), plan->unplaced.end(),
                                        [&](const Unplaced& left) { return left.replicas <= kept[left.app]; });
    if (places_all || !time_.has_time_for_a_run()) {
      ComputedBounds bounds_of_plan = without_kept(*plan, of_more.get());
      const bool by_copies = nodes_in_use(*plan) >= kManyToJudge;
      reserve_kept(planned, request_.keep, request_.ignore_running, by_copies, *plan);
      return PromisedPlan{std::move(*plan), std::move(bounds_of_plan), {}};
    }
    const Request second = plain(!request_.survive.empty());
    plan = run_(planned, second, bounds);
    if (!plan) return plan.error();
    Watch ended(nullptr, Watch::Time::now());
    reserve_greedily(planned, request_.keep, request_.node_limit, affords_nodes_of(*plan) ? watch_ : ended, *plan);
    return PromisedPlan{std::move(*plan), bounds.get(), {}};
  }
  Result<PromisedPlan> attempt(const Instance& planned, LazyBounds& bounds) {
    Result<PromisedPlan> kept = keeping(planned, bounds);
    if (!kept) return kept;
    PromisedPlan made = std::move(*kept);
    if (&planned != &instance_) {
      made.plan.bounds = {};
      made.plan.instance = instance_.fingerprint();
    }
    made.plan.survive = request_.survive;
    if (request_.survive.empty()) return made;
    if (!affords_nodes_of(made.plan)) {
      made.plan.not_survived = Plan::kUnknown;
      return made;
    }
    const std::string label = survived_label(request_.survive);
    add_spares(instance_, {label, request_.node_limit, request_.ignore_running, watch_}, made.plan);
    made.plan.not_survived = worst_loss(instance_, made.plan, label, watch_, &made.worst);
    return made;
  }
  [[nodiscard]] bool affords_nodes_of(const Plan& plan) const {
    return time_.affords(kSecondsPerHeldNode * static_cast<double>(nodes_in_use(plan)));
  }
  /// The share of the plan's nodes that the largest domain holds.
  [[nodiscard]] double largest_domain(const Plan& plan) const {
    const std::string label = survived_label(request_.survive);
    std::map<std::string, double> nodes;
    double all = 0;
    for (const PlannedNode& node : plan.nodes) {
      all += node.copies;
      if (label.empty()) nodes[label] = 1;
      if (!label.empty()) {
        visit_values(instance_, node.listed, node.node_class, label,
                     [&](std::string_view value) { nodes[std::string(value)] += node.copies; });
      }
    }
    double largest = 0;
    for (const auto& [value, count] : nodes) largest = std::max(largest, count);
    return all > 0 ? largest / all : 0;
  }
  [[nodiscard]] bool is_better(const Plan& a, const Plan& b) const {
    const auto key = [&](const Plan& plan) {
      return std::tuple(plan.unplaced.size(), plan.unreserved.size(), plan.not_survived,
                        value(instance_, plan, judged_by(instance_, Objective::kNodes)));
    };
    return key(a) < key(b);
  }

  const Instance& instance_;
  const Request& request_;
  LazyBounds& bounds_;
  const PlainRun& run_;
  TotalTime time_;
  Watch watch_;
};

}  // namespace

Result<Plan> run_with_promises(const Instance& instance, const Request& request, LazyBounds& bounds, const Control* control,
                               const PlainRun& run) {
  if (Error e = check_promises_asked(instance, request); failed(e)) return e;
  PromisedRun all(instance, request, bounds, control, run);
  Result<PromisedPlan> best = all.best();
  if (!best) return best.error();
  Plan& plan = best->plan;
  LazyBounds known(instance, request, std::move(best->bounds));
  Notes notes;
  note_promises(instance, best->worst, plan, notes);
  if (best->survival && best->survival->infeasible) {
    notes.add(NoteCode::kPromise, "No plan survives every such loss: there are too few nodes.");
  } else if (best->survival) {
    raise_bounds(instance, *best->survival, plan);
  }
  return judge_again(instance, request, known, notes, all.watch(), std::move(plan));
}

}  // namespace stowage
