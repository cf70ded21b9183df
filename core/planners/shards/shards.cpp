// An instance that is too large for one search is cut into shards, which are planned apart from each other, side by side (POP:
// Narayanan et al. 2021, "Solving Large-Scale Granular Resource Allocation Problems Efficiently with POP", section 4). Then the
// seam, the nodes that are filled least, is planned once more as a whole.
//
// 1. The cut: each shard gets about the same demand of everything, and its share of the nodes (cut.h).
// 2. First fit plans each shard; this is the plan that a run has soon.
// 3. `auto` plans each shard, first with little work; then, where that has proven nothing, with ten times as much or as much as
//    the deadline allows.
// 4. What is still unplaced goes where it fits, on nodes of any shard.
// 5. `auto` plans the seam, as long as that saves something.
//
// Everything depends on instance, request, seed and the work done alone: shards are committed in their order (in_order.h),
// their number follows from the instance, and the work per shard is an option, or is recorded as the plan's pace.

#include "core/planners/families.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/plan/compact_plan.h"
#include "core/plan/objective.h"
#include "core/planners/auto/attempt/attempt.h"
#include "core/planners/judging.h"
#include "core/planners/notes.h"
#include "core/planners/shards/cut.h"
#include "core/planners/shards/in_order.h"
#include "core/planners/shards/seam.h"
#include "core/planners/shards/shard.h"

namespace stowage {
namespace {

constexpr double kMostShards = 4096;
constexpr std::array<OptionInfo, 2> kShardOptions = {
    {{"shards", "number of shards; 0: one per 50,000 replicas, or 250,000 with prices or rules, and at most one per 500 nodes",
      0, 0, kMostShards},
     {"pace",
      "work on all shards together; 0: 200 units per replica, 1,000 with prices or rules or, with a deadline, as much as it "
      "allows",
      0, 0, kMostPace}}};
/// The number of shards where the request gives none. A shard loses up to a node: with so many nodes each, less than .1 % of
/// all. Where classes of nodes have prices or rules tie apps, patterns of whole nodes make better plans in large shards.
constexpr std::uint64_t kReplicasPerShard = 50'000;
constexpr std::uint64_t kReplicasPerLargeShard = 250'000;
constexpr double kNodesPerShard = 500;
/// Work of the first plan by `auto` per replica, in small and in large shards, at least so much on all shards; and of the
/// second one as a multiple of it. A start is built up node by node in large shards.
constexpr std::uint64_t kFirstWorkPerReplica = 20;
constexpr std::uint64_t kFirstWorkInLargeShards = 100;
constexpr std::uint64_t kLeastFirstWork = 50'000;
constexpr std::uint64_t kMoreWork = 10;
/// A second plan is made if it gets so many times the work of the first one.
constexpr std::uint64_t kWorthWhile = 2;
/// Of the time until the deadline, what second plans are expected to take: little enough that a machine that is busier than
/// during the first plans still makes all of them. The seam gets the rest.
constexpr double kShareOfTime = 0.65;
/// Replicas of a seam at most.
constexpr std::uint64_t kSeamReplicas = 50'000;
constexpr std::uint32_t kMostSeams = 4;
/// Time to join the shards' plans at the end, as a multiple of what it took before; and a guess before that.
constexpr double kJoinTimes = 2;
constexpr double kJoinPerReplica = 50e-9;

/// A shard, and what is known of its plan.
struct PlannedShard {
  std::unique_ptr<Shard> shard;
  Plan plan;  ///< in terms of the shard
  bool has_plan = false;
  bool settled = false;  ///< whether more work would find nothing better
};

class ShardedRun {
 public:
  explicit ShardedRun(const PlannerInput& input)
      : input_(input),
        instance_(input.instance),
        request_(input.request),
        objective_(judged_by(input.instance, Objective::kNodes)),
        in_order_(input.run, std::max(1u, input.request.threads)),
        join_seconds_(kJoinPerReplica * static_cast<double>(input.instance.total_replicas())) {}

  Error run(Plan& plan) {
    Cut cut = cut_instance(instance_, request_, shards_wanted(), clock());
    if (!cut.whole_because.empty()) note_off(input_, "Planned as one piece", cut.whole_because);
    wide_ = std::move(cut.wide);
    for (Share& share : cut.shares) {
      shards_.emplace_back().shard = std::make_unique<Shard>(instance_, request_, std::move(share));
    }
    if (shards_.empty()) {
      leave_all(plan);
      return {};
    }
    if (Error e = plan_shards(); failed(e)) return e;
    if (input_.run.checkpoints.is_moot()) return {};
    if (clock().stop() == Stop::kCancelled && input_.checkpoint) {
      // A caller who cancels before there is a plan does not wait for parts of one to be joined and checked. The least work
      // limit repeats this.
      clock().drop_since(1);
      leave_all(plan);
      return {};
    }
    if (Error e = join(plan); failed(e)) return e;
    const bool is_cut = shards_.size() > 1;
    shards_.clear();
    place_rest(input_, plan);
    if (clock().stop() != Stop::kNo) return {};
    state_better(input_, plan);
    if (input_.checkpoint) input_.checkpoint(plan);
    return is_cut ? repair_seam(plan) : Error{};
  }

 private:
  [[nodiscard]] WorkClock& clock() const { return input_.run.clock; }

  [[nodiscard]] std::uint32_t shards_wanted() const {
    const double asked = input_.options.number("shards");
    if (asked >= 1) return static_cast<std::uint32_t>(asked);
    const double by_nodes = input_.bounds.get().fewest_nodes() / kNodesPerShard;
    const std::uint64_t per_shard = wants_large_shards() ? kReplicasPerLargeShard : kReplicasPerShard;
    const double by_replicas = static_cast<double>(instance_.total_replicas()) / static_cast<double>(per_shard);
    return static_cast<std::uint32_t>(std::clamp(std::min(by_nodes, by_replicas), 1.0, kMostShards));
  }

  [[nodiscard]] bool wants_large_shards() const { return instance_.has_prices() || !instance_.tag_model().empty(); }
  [[nodiscard]] std::uint64_t first_work_per_replica() const {
    return wants_large_shards() ? kFirstWorkInLargeShards : kFirstWorkPerReplica;
  }

  /// All replicas wait.
  void leave_all(Plan& plan) const {
    for (NodeId node = 0; node < instance_.listed_nodes(); ++node) {
      if (instance_.is_loaded(node)) plan.nodes.push_back({instance_.data().node_class[node], node});
    }
    for (AppId app = 0; app < instance_.apps(); ++app) {
      if (instance_.replicas(app) > 0) plan.unplaced.push_back({app, instance_.replicas(app)});
    }
  }

  // --- Shards ---------------------------------------------------------------------------------------------------------------

  Error plan_shards() {
    std::vector<std::uint32_t> all(shards_.size());
    std::iota(all.begin(), all.end(), 0u);
    input_.run.progress.enter(Phase::kPlan, all.size());
    set_deadline();
    Error e = in_order_.run(
        all, WorkClock::kEndless,
        [&](std::uint32_t s, std::uint64_t units) {
          Shard& shard = *shards_[s].shard;
          ShardOutcome outcome;
          if (!shard.is_built()) outcome.error = shard.build();
          return failed(outcome.error) ? outcome : run_on(shard, "ff", units);
        },
        [&](std::uint32_t s, ShardOutcome& outcome) {
          shards_[s].plan = std::move(outcome.plan);
          shards_[s].has_plan = true;
        });
    if (failed(e) || clock().stop() != Stop::kNo) return e;
    if (input_.checkpoint || input_.run.progress.shows_best()) {
      if (e = check_in(); failed(e)) return e;
      check_ins_.hurry();
    }
    const std::uint64_t replicas = instance_.total_replicas();
    const std::uint64_t first = 1 + std::max(first_work_per_replica() * replicas, kLeastFirstWork) / shards_.size();
    const std::uint64_t work_before = clock().work();
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    if (e = improve(all, first); failed(e) || clock().stop() != Stop::kNo) return e;
    std::vector<std::uint32_t> open;
    for (const std::uint32_t s : all) {
      if (!shards_[s].settled) open.push_back(s);
    }
    if (open.empty()) return {};
    const double seconds = std::chrono::duration<double>(WorkClock::Time::now() - begin).count();
    const double rate = static_cast<double>(clock().work() - work_before) / std::max(seconds, 1e-6);
    const std::uint64_t more = more_work(first, rate, open.size());
    clock().plan_for(more * shards_.size());
    work_per_replica_ = more * shards_.size() / std::max<std::uint64_t>(1, replicas);
    return more >= kWorthWhile * first ? improve(open, more) : Error{};
  }

  /// Work on each of the shards that are open: as asked for, as much as the time allows, or a fixed amount.
  /// @param rate work per second on all threads
  [[nodiscard]] std::uint64_t more_work(std::uint64_t first, double rate, std::size_t open) const {
    const double asked = input_.options.number("pace");
    if (asked >= 1) return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(asked) / shards_.size());
    if (!clock().time_limit()) return kMoreWork * first;
    const double threads = std::max(1u, request_.threads);
    const double busy = std::min(threads, static_cast<double>(open)) / std::min(threads, static_cast<double>(shards_.size()));
    const double work = seconds_left() * kShareOfTime * rate * busy / static_cast<double>(open);
    return static_cast<std::uint64_t>(std::clamp(work, 1.0, static_cast<double>(kMostPace) / kMostShards));
  }

  /// Plans shards by `auto`, with so much work each. The better plan of each stays.
  Error improve(const std::vector<std::uint32_t>& which, std::uint64_t units) {
    input_.run.progress.enter(Phase::kImprove, which.size());
    set_deadline();
    Error failure;
    Error e = in_order_.run(
        which, units, [&](std::uint32_t s, std::uint64_t most) { return run_on(*shards_[s].shard, "auto", most, units); },
        [&](std::uint32_t s, ShardOutcome& outcome) {
          // The plan up to here is the one of a run that ends here.
          if (input_.checkpoint) check_ins_.if_due([&] { failure = check_in(); });
          PlannedShard& one = shards_[s];
          for (Note& note : outcome.notes) input_.run.notes.add(note.code, std::move(note.text));
          one.settled = outcome.settled;
          if (!better(one.shard->instance(), request_.judgement(), outcome.plan, one.plan)) return;
          one.plan = std::move(outcome.plan);
          clock().improved();
        });
    return failed(failure) ? failure : e;
  }

  /// Runs a planner on a shard for at most so many units.
  /// @param pace the work that it is to plan for; 0: none
  ShardOutcome run_on(Shard& shard, const char* planner, std::uint64_t units, std::uint64_t pace = 0) const {
    Request request = shard.request();
    request.planner = planner;
    if (units != WorkClock::kEndless) request.work_limit = units;
    if (pace > 0) request.options.push_back({"pace", static_cast<double>(pace), {}});
    if (deadline_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - WorkClock::Time::now()).count();
      request.deadline_ms = static_cast<std::uint64_t>(std::max<decltype(left)>(1, left));
    }
    Run run(request, Run::Within{input_.run});
    const PlannerInfo* info = find_planner(planner);
    const PlannerInput input{shard.instance(), request, *info, Options(info->options, request), run, shard.bounds()};
    ShardOutcome outcome;
    outcome.error = info->function(input, outcome.plan);
    if (failed(outcome.error)) return outcome;
    outcome.stop = run.clock.stop();
    run.clock.conclude();
    outcome.work = run.clock.work();
    outcome.notes = run.notes.all();
    outcome.settled = outcome.stop == Stop::kNo || reaches_bound(input, outcome.plan);
    prepare_to_compare(shard.instance(), request_, outcome.plan);
    return outcome;
  }

  // --- The whole ------------------------------------------------------------------------------------------------------------

  /// Seconds until what is planned has to be joined.
  [[nodiscard]] double seconds_left() const { return clock().seconds_left().value_or(0) - kJoinTimes * join_seconds_; }
  /// When shards have to end, if there is a deadline.
  void set_deadline() {
    if (!clock().time_limit()) return;
    deadline_ = WorkClock::Time::now() + in_seconds(seconds_left());
  }
  static WorkClock::Time::duration in_seconds(double seconds) {
    return std::chrono::duration_cast<WorkClock::Time::duration>(std::chrono::duration<double>(seconds));
  }

  Error join(Plan& plan) {
    const WorkClock::Time::time_point begin = WorkClock::Time::now();
    std::vector<Plan> plans;
    plans.reserve(shards_.size());
    for (const PlannedShard& one : shards_)
      plans.push_back(one.has_plan ? one.shard->in_whole(one.plan) : one.shard->nothing());
    plan.adopt(merged(std::move(plans)));
    join_seconds_ = std::chrono::duration<double>(WorkClock::Time::now() - begin).count();
    if (nodes_in_use(plan) <= instance_.limits().max_nodes) return {};
    return {Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
  }

  /// States the plan that there is, and makes it ready if it is complete.
  Error check_in() {
    Plan plan;
    if (Error e = join(plan); failed(e)) return e;
    state_best(input_, plan);
    if (input_.checkpoint && plan.unplaced.empty()) input_.checkpoint(std::move(plan));
    return {};
  }

  Error repair_seam(Plan& plan) {
    input_.run.progress.enter(Phase::kImprove);
    const double bound = input_.bounds.get().of[objective_].front().value.value;
    for (std::uint32_t k = 0; k < kMostSeams && clock().stop() == Stop::kNo; ++k) {
      const double cost = value(instance_, plan, objective_);
      if (reaches(objective_, cost, bound)) break;
      bool saves = false;
      if (Error e = plan_seam(cost - bound, plan, saves); failed(e)) return e;
      if (!saves) break;
      state_better(input_, plan);
    }
    return {};
  }

  /// Plans nodes of several shards together.
  Error plan_seam(double gap, Plan& plan, bool& saves) {
    expand(plan);
    Seam seam = seam_of(instance_, plan, wide_, gap, kSeamReplicas, request_.node_limit > 0);
    if (seam.before.nodes.size() < 2) return {};
    Shard shard(instance_, request_, std::move(seam.share));
    if (Error e = shard.build(); failed(e)) return e;
    Plan before = shard.in_shard(seam.before);
    prepare_to_compare(shard.instance(), request_, before);
    set_deadline();
    // As much per replica as on the shards.
    const std::uint64_t per_replica = std::max(kMoreWork * first_work_per_replica(), work_per_replica_);
    const std::uint64_t units = kLeastFirstWork + per_replica * shard.instance().total_replicas();
    const std::uint64_t most = std::min(units, clock().work_left().value_or(units));
    const ShardOutcome outcome = run_on(shard, "auto", most, units);
    if (failed(outcome.error)) return outcome.error;
    count_work(outcome, most, clock());
    saves = outcome.plan.unplaced.empty() && better(shard.instance(), request_.judgement(), outcome.plan, before);
    if (!saves) return {};
    std::vector<Plan> plans;
    plans.push_back(shard.in_whole(outcome.plan));
    plans.push_back(std::move(seam.rest));
    plan.adopt(merged(std::move(plans)));
    return {};
  }

  const PlannerInput& input_;
  const Instance& instance_;
  const Request& request_;
  const Objective objective_;
  InOrder in_order_;
  CheckIns check_ins_;
  double join_seconds_;
  std::optional<WorkClock::Time::time_point> deadline_;
  std::uint64_t work_per_replica_ = 0;  // of the second plans
  std::vector<PlannedShard> shards_;
  std::vector<std::uint8_t> wide_;
};

Error plan_by_shards(const PlannerInput& input, Plan& plan) { return ShardedRun(input).run(plan); }

}  // namespace

std::span<const PlannerInfo> shards_planners() {
  static const PlannerInfo kPlanner = {
      .name = "shards",
      .summary = "cuts a huge instance into shards, plans them by auto in threads, and then the seam between them",
      .source = "docs/understand/shards.md; POP (Narayanan et al. 2021), section 4",
      .complexity = "O(L K d) for the cut into K shards, then as auto on each",
      .honours = kHeadroomFeatures & ~(Feature::kRunning | Feature::kPins),
      .options = kShardOptions,
      .function = plan_by_shards,
      .pursues = {Objective::kNodes, Objective::kSoftRules},
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
