#include "core/planners/auto/few_nodes/few_nodes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/annealing/period_search.h"
#include "core/base/sort_by.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/auto/few_nodes/displacement.h"
#include "core/planners/auto/few_nodes/selection.h"
#include "core/planners/notes.h"
#include "core/search/free_space_search.h"
#include "core/search/repair.h"
#include "core/search/starts/spread_start.h"

namespace stowage {
namespace {

/// Share of all capacity that packing is expected to lose at first where demand changes over time; and later, as a multiple of
/// what the long pass of annealing is expected to lose.
constexpr double kLossOverTime = 0.0015;
constexpr double kLossOfLongPass = 0.8;
/// A loss below this share is none.
constexpr double kLeastLoss = 1e-4;
/// Times that the search is stuck, and nothing else can be taken, before it gives up.
constexpr std::uint32_t kMostFailures = 8;
/// Questions of displacements per replica, whenever a plan is looked at.
constexpr std::uint64_t kQuestions = 1;
/// Time reserved for the end of a run: as a multiple of the time that first fit took, and of the longest look at a plan.
constexpr double kEndOfFirstFit = 1.5;
constexpr double kEndOfLook = 1.5;

/// Share of a node's capacity that stays free for the risk of uncertain demand, on nodes with the mix of all replicas: the
/// largest of any resource. A node of capacity C takes a mean m with m + sqrt(risk per mean x m) = C.
double share_of_risk(const Instance& instance) {
  double largest = 0;
  for (ResourceId r = 0; r < instance.resources() && instance.uncertain(); ++r) {
    double mean = 0;
    double risk = 0;
    for (AppId app = 0; app < instance.apps(); ++app) {
      const double root = instance.root_of_risk(instance.scaled_risk(app)[r], r);
      risk += instance.replicas(app) * root * root;
    }
    for (std::uint32_t t = 0; t < instance.periods(); ++t) {
      mean = std::max(mean, static_cast<double>(instance.total_demand()[r * instance.periods() + t]));
    }
    const double capacity = instance.scale(r).largest_capacity();
    if (mean <= 0 || capacity <= 0) continue;
    const double per_mean = risk / mean;
    const double root = (std::sqrt(per_mean + 4 * capacity) - std::sqrt(per_mean)) / 2;
    largest = std::max(largest, 1 - root * root / capacity);
  }
  return largest;
}

/// Classes by what a node of theirs is worth at these prices, dearest first.
std::vector<ClassId> classes_by_worth(const Instance& instance, const std::vector<double>& price) {
  std::vector<double> worth(instance.classes(), 0);
  for (ClassId c = 0; c < instance.classes(); ++c) {
    const auto capacity = instance.scaled_capacity(c);
    for (std::uint32_t h = 0; h < instance.dims(); ++h) worth[c] -= price[h] * capacity[instance.resource_of(h)];
  }
  return ids_by(worth);
}

template <class Unit>
class FewNodesRun {
 public:
  FewNodesRun(const PlannerInput& input, double seconds, const PlanKey& key, Plan& plan)
      : input_(input),
        bound_(input.bounds.left_over()),
        seconds_(seconds),
        plan_(plan),
        any_broken_(key.inherited > 0),
        tied_(input.instance),
        attempt_(input, 0, tied_, classes_by_worth(input.instance, bound_.price)),
        selection_(attempt_, bound_),
        best_(key),
        over_time_(anneals(input.instance)) {}

  void run() {
    const Instance& instance = input_.instance;
    input_.run.clock.reserve(seconds_ * kEndOfFirstFit);
    if (input_.checkpoint) {
      check_ins_.begin(instance.total_replicas());
      input_.run.checkpoints.at_rest([this] { check_in(); });
    }
    if (over_time_) {
      search_over_time();
    } else {
      selection_.take(share_of_risk(instance));
      SpreadStart<Unit>(attempt_.state, {}).run(input_.run.clock);
      if (instance.periods() > 1) {
        note_no_exchanges(input_);
      } else if (input_.run.clock.stop() == Stop::kNo) {
        attempt_.state.learn_pairs(input_.run.clock);
        FreeSpaceSearch<Unit> search(attempt_.state, attempt_.state.nodes(), input_.request.seed, &input_.run.clock);
        improve(search);
      }
    }
    input_.run.checkpoints.at_rest({});
    // A plan that was looked at as it is now is no better now.
    if (input_.run.checkpoints.is_moot() || is_seen_) return;
    Watch watch = watch_to_the_end();
    look_at(attempt_, false, watch, best_, plan_);
  }

 private:
  /// Numbers of nodes, one per dimension, that are read in the time of a unit.
  static constexpr std::uint64_t kNumbersPerUnit = 4'096;

  /// Counts a pass over all numbers of all nodes. Returns whether the run ends with it.
  bool ends_with_pass() {
    const std::uint64_t numbers = std::uint64_t{attempt_.placement.nodes()} * input_.instance.dims();
    return input_.run.clock.step(1 + numbers / kNumbersPerUnit);
  }
  void search_over_time() {
    if (ends_with_pass()) return;
    loss_ = kLossOverTime;
    selection_.take(loss_);
    if (ends_with_pass()) return;
    const auto pace = static_cast<std::uint64_t>(input_.options.number("pace"));
    PeriodSearch<Unit> search(attempt_.state, input_.run, pace, true, input_.request.seed);
    if (search.is_cut()) return;
    search.end_before_long_pass();
    if (!ends_with_pass()) improve(search);
  }

  [[nodiscard]] bool reached() const {
    return counts_replicas(input_.instance, input_.request.judgement()) && best_.left_over == bound_.fewest;
  }

  /// Of what no deadline cuts off, unless none is wanted late: a caller who cancels does not wait for it.
  [[nodiscard]] Watch watch_to_the_end() const {
    if (input_.request.drop_late) return input_.run.clock.watch();
    const Control* control = input_.run.control;
    return {control == nullptr ? nullptr : &control->cancelled, std::nullopt};
  }
  /// Places what is left over wherever it fits. If that is better, `plan` becomes that of the attempt, and `best` its key.
  /// Returns false where the watch, or a cancel of what is to be done at once, ends it.
  bool look_at(Attempt<Unit>& attempt, bool at_once, Watch& watch, PlanKey& best, Plan& plan) const {
    const std::vector<AppId> apps = selection_.let_go(attempt);
    if (!attempt.place_rest(input_.run, at_once, apps, watch)) return false;
    displace(attempt, apps, selection_.cost(), kQuestions * input_.instance.total_replicas(), watch);
    if (watch.look()) return false;
    PlanKey key = attempt.key(any_broken_, input_.request.fill);
    if (!(key < best)) return true;
    best = std::move(key);
    Plan better;
    attempt.placement.write(better);
    plan.adopt(std::move(better));
    return true;
  }
  /// The same for a copy, and reserves the time that this takes.
  void look() {
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    Attempt<Unit> copy(attempt_);
    Watch watch = watch_to_the_end();
    look_at(copy, false, watch, best_, plan_);
    is_seen_ = true;
    longest_look_ = std::max(longest_look_, std::chrono::duration<double>(WorkClock::Time::now() - begin).count());
    input_.run.clock.reserve(seconds_ * kEndOfFirstFit + longest_look_ * kEndOfLook);
  }
  /// Makes the plan that a cancelled run would end with ready, unless that takes more than a small share of the time.
  void check_in() {
    check_ins_.if_due([&] {
      Attempt<Unit> copy(attempt_);
      PlanKey best = best_;
      Plan now = plan_;
      Watch watch = watch_to_the_end();
      if (look_at(copy, true, watch, best, now)) input_.checkpoint(std::move(now));
    });
  }

  // Takes, once, what the long pass of annealing is expected to place. Returns whether it did.
  template <class Search>
  bool take_for_long_pass(Search& search) {
    if constexpr (requires { search.expected_loss(); }) {
      if (knows_loss_ || search.expected_loss() == 0) return false;
      knows_loss_ = true;
      loss_ = kLossOfLongPass * search.expected_loss() / static_cast<double>(attempt_.state.nodes().size());
      selection_.hold_back();
      selection_.take(loss_);
      return true;
    }
    return false;
  }

  /// Places what is taken, and takes more, in turns.
  template <class Search>
  void improve(Search& search) {
    std::uint64_t patience = 20 * std::uint64_t{attempt_.placement.nodes()} + 1000;
    std::uint32_t failures = 0;
    look();
    while (!reached() && input_.run.clock.stop() == Stop::kNo) {
      is_seen_ = false;
      const bool placed = search.run(input_.run, 0, patience);
      if (input_.run.clock.stop() != Stop::kNo) return;
      look();
      if (reached() || input_.run.clock.step(1)) return;
      input_.run.checkpoints.rest();
      if (take_for_long_pass(search)) continue;
      if (placed) {
        loss_ = loss_ / 2 > kLeastLoss ? loss_ / 2 : 0;
      } else if (over_time_) {
        // The next pass of annealing places more.
        continue;
      } else {
        selection_.pass_over();
      }
      if (selection_.take(loss_) > 0 || (placed && loss_ > 0)) continue;
      selection_.pass_over_none();
      if (selection_.take(loss_) == 0) return;
      patience += patience / 2;
      if (++failures == kMostFailures) return;
    }
  }

  const PlannerInput& input_;
  const LeftOverBound& bound_;
  const double seconds_;
  Plan& plan_;
  const bool any_broken_;
  const TiedApps tied_;
  Attempt<Unit> attempt_;
  Selection<Unit> selection_;
  PlanKey best_;
  const bool over_time_;
  bool is_seen_ = false;  // whether the present attempt has been looked at
  double loss_ = 0;
  bool knows_loss_ = false;
  double longest_look_ = 0;  // seconds
  CheckIns check_ins_;
};

}  // namespace

bool lacks_nodes(const PlannerInput& input) {
  const std::vector<NodeClass>& classes = input.instance.data().classes;
  const bool finite = input.request.node_limit > 0 ||
                      std::all_of(classes.begin(), classes.end(), [](const NodeClass& c) { return c.count > 0; });
  return finite && !input.bounds.left_over().price.empty();
}

void place_most(const PlannerInput& input, double seconds, const PlanKey& key, Plan& plan) {
  input.instance.visit_unit([&](auto unit) { FewNodesRun<decltype(unit)>(input, seconds, key, plan).run(); });
}

}  // namespace stowage
