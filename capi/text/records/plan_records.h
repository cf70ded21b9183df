// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan_generated.h"
#include "request_generated.h"

namespace stowage::cli {

/// A lower bound on what any plan needs.
struct BoundData {
  /// Name of the bound, such as "capacity" or "dual-feasible".
  std::string name{};
  double value = 0;
  /// Resource and period from which the bound follows; 4294967295 = from none.
  std::uint32_t resource = 0;
  std::uint32_t period = 0;
};

/// Something that the reader of the plan should know of the run.
struct NoteData {
  wire::NoteCode code = wire::NoteCode::SearchOff;
  /// The particulars, as a sentence.
  std::string text{};
};

/// A goal of Request.goals, and what a plan reaches of it.
struct ReachedGoalData {
  /// As PlanGoal.what.
  wire::GoalKind what = wire::GoalKind::Cost;
  /// As PlanGoal.resource; 4294967295 = all.
  std::uint32_t resource = 4294967295U;
  /// As PlanGoal.beside.
  bool beside = false;
  /// As PlanGoal.weight.
  double weight = 1;
  /// As PlanGoal.tolerance.
  double tolerance = 0;
  /// What the plan makes of it, without the weight.
  double value = 0;
  /// Lower bound on the value of any complete plan that is as good by the goals before; negative = none is known.
  double bound = -1;
  /// Whether no plan that is as good by the goals before has a smaller value. Of goals that count together, of their sum.
  bool proven = false;
};

/// A planner, a search or a neighbourhood that a run asked, and what came of it. Planners have their names in the catalogue;
/// docs/research/search.md names the others.
struct TracedPartData {
  std::string name{};
  /// How often it was asked.
  std::uint64_t calls = 0;
  /// Calls that found a better plan than their search had before.
  std::uint64_t gains = 0;
  /// Units of work, with those of the parts that it asked in turn.
  std::uint64_t work = 0;
};

/// What a run returns: which replicas run on which node, how good that is, and which replicas are unplaced. Indices are those of
/// the instance.
struct PlanData {
  /// Fingerprint of the instance that the plan was made for.
  std::uint64_t instance = 0;
  /// Name of the planner that made the plan.
  std::string planner{};
  /// How good the plan is.
  wire::PlanStatus status = wire::PlanStatus::Complete;
  /// Seed of the run that made the plan: the request's or, where several seeds were tried, the best one.
  std::uint64_t seed = 0;
  /// Work units done. A request with this work limit, and with the option "pace" set to `Plan.pace` if that is above 0, repeats
  /// the run.
  std::uint64_t work = 0;
  /// The nodes in use and those that are kept, one entry per node. Node n is of class node_class[n]; listed[n] is its index among
  /// the instance's listed nodes, or 4294967295 for an anonymous node of the class. Listed nodes come first, in the instance's
  /// order.
  std::vector<std::uint32_t> node_class{};
  std::vector<std::uint32_t> listed{};
  /// All placed replicas, running ones included, ordered by node and then by app.
  std::vector<wire::Placed> placed{};
  /// Ordered by app.
  std::vector<wire::Unplaced> unplaced{};
  /// Lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave running replicas in
  /// place, unless the request ignores them or has a move budget.
  std::optional<BoundData> node_bound{};
  /// How far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The value is
  /// the cost where there are prices, else the nodes, or `ucac`, `max_cost` or `total_cost` where that is the objective; with
  /// SoftPolicy.Price, soft_price x violation_cost is added to it. With Objective.Admitted, it is (left_out - left_out_bound) as
  /// a share of the weight admitted, whether or not replicas are unplaced; with Objective.Traffic, (remote_traffic -
  /// remote_traffic_bound) as a share of the traffic that stays on nodes, likewise. Negative where replicas are unplaced or no
  /// bound is above 0.
  double gap = -1;
  /// Sum of the prices of the nodes in use; negative without prices.
  double cost = -1;
  /// Lower bound on `cost` of any complete plan; "columns" as for `node_bound`.
  std::optional<BoundData> cost_bound{};
  /// Number of constraints that were broken at the start, that the run was not allowed to repair, and that the plan makes no
  /// worse.
  std::uint32_t inherited_violations = 0;
  /// Number of running replicas that the plan puts on another node.
  std::uint32_t moves = 0;
  /// Used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of node_ucac[n] x copies[n], in
  /// the unit of `ucac_resource`. Negative where no demand is uncertain.
  double ucac = -1;
  /// The resource of `ucac`: the first one with uncertain demand; 4294967295 where none is uncertain.
  std::uint32_t ucac_resource = 4294967295U;
  /// Lower bound on `ucac` of any complete plan; "columns" as for `node_bound`.
  std::optional<BoundData> ucac_bound{};
  /// Used capacity at confidence of each node, of a single copy (P1, definition 1): mean + quantile x standard deviation of its
  /// demand, in the period where this is highest. Length: that of `node_class`, or absent where no demand is uncertain.
  std::vector<double> node_ucac{};
  /// The objective that the run minimized, as Request.objective. PlanStatus.Optimal refers to it.
  wire::Objective objective = wire::Objective::Nodes;
  /// Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica
  /// and one rule that does not hold for it. In this order: violations; different replicas among them; sum of the extents (P2,
  /// Eq. 8); sum of the rules' weights; sum of extent x weight, which is negative where the instance has no rules.
  std::uint64_t rule_violations = 0;
  std::uint64_t violating_replicas = 0;
  double violation_extent = 0;
  double violation_weight = 0;
  double violation_cost = -1;
  /// For planners that maximize a score of their own, which docs/reference/algorithms.md defines: the score, an upper bound on the score
  /// of any plan, and (score_bound - score) / score. Where no bound is proven, `score_gap` is negative and `score_bound` has no
  /// meaning.
  bool has_score = false;
  double score = 0;
  double score_bound = 0;
  double score_gap = -1;
  /// Total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the search
  /// does at each point of a run.
  std::uint64_t pace = 0;
  /// Node n stands for copies[n] anonymous nodes of its class, each with the same content; a listed node has one copy. Length:
  /// that of `node_class`; absent = all 1, as in plans whose request is not `compact`.
  std::vector<std::uint32_t> copies{};
  /// How soft violations counted, as Request.soft. PlanStatus.Optimal and `gap` refer to it.
  wire::SoftPolicy soft = wire::SoftPolicy::First;
  /// What a unit of violation cost.
  double soft_price = 0;
  /// Whether capacity counted, instead of replicas, where not all of them fit.
  bool fill = false;
  /// What the reader of the plan should know of the run.
  std::vector<NoteData> notes{};
  /// No plan of the request leaves less over than this: replicas per priority, highest priority first; priorities of which
  /// nothing has to be left over are absent. The highest priority in which a plan differs from it decides. Absent where
  /// everything is placed, where nothing is known, and where not every replica counts the same: with weights or `fill`.
  std::vector<wire::LeftOver> left_over_bound{};
  /// Whether `unplaced` is no more than `left_over_bound`: it is proven that no plan of the request leaves less over.
  bool places_most = false;
  /// What side effects cost the replica that suffers most; negative without an interference table. A
  /// replica of kind t costs the sum over all kinds u of coefficient[t][u] x the load of kind u on its node.
  double max_cost = -1;
  /// Lower bound on `max_cost` of any complete plan.
  std::optional<BoundData> max_cost_bound{};
  /// What side effects cost all replicas together; negative without an interference table.
  double total_cost = -1;
  /// Lower bound on `total_cost` of any complete plan.
  std::optional<BoundData> total_cost_bound{};
  /// Cost of the replica that suffers most on each node. Length: that of `node_class`, or absent without an interference table.
  std::vector<double> node_max_cost{};
  /// Request.max_cost of the run; 0 = none.
  double max_cost_limit = 0;
  /// With Objective.Admitted: weight of the applications that lack replicas. Negative with other objectives.
  double left_out = -1;
  /// Lower bound on `left_out` of any plan of the request.
  std::optional<BoundData> left_out_bound{};
  /// Traffic between replicas that do not share a node; negative without traffic.
  double remote_traffic = -1;
  /// Lower bound on `remote_traffic` of any complete plan.
  std::optional<BoundData> remote_traffic_bound{};
  /// Request.keep: where there is room for these replicas, all at once. Ordered as `placed`.
  std::vector<wire::Placed> reserved{};
  /// The replicas of Request.keep without room, ordered by app.
  std::vector<wire::Unplaced> unreserved{};
  /// Request.survive of the run; absent = none.
  std::string survive{};
  /// Replicas that the worst of these losses leaves without a place; 0 = the plan survives each of them;
  /// 18446744073709551615 = the run ended before all were looked at.
  std::uint64_t not_survived = 0;
  /// Request.leave_free of the run; absent = none.
  std::string leave_free{};
  /// Number of values of this label that have a node with a replica or with load.
  std::uint32_t domains_in_use = 0;
  /// Lower bound on `domains_in_use` of any complete plan.
  std::uint32_t domain_bound = 0;
  /// Request.goals of the run, in their order, with what the plan reaches.
  std::vector<ReachedGoalData> goals{};
  /// With Request.trace: the parts of the run that made the plan, in the order in which they were first asked.
  std::vector<TracedPartData> trace{};
};

}  // namespace stowage::cli
