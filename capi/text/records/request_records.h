// Made by scripts/generate-bindings.py from the schemas. Do not edit.
// clang-format off
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "request_generated.h"

namespace stowage::cli {

/// An option of the planner as the catalogue declares it. A number goes into `number`, a word into `text`.
struct OptionData {
  std::string name{};
  double number = 0;
  std::string text{};
};

/// A goal of Request.goals.
struct PlanGoalData {
  wire::GoalKind what = wire::GoalKind::Cost;
  /// Index of the resource, with GoalKind.Balance and GoalKind.Evenness; 4294967295 = all.
  std::uint32_t resource = 4294967295U;
  /// True: counts together with the goal before it, as a sum of values times weights. False: counts after it, among plans that
  /// are equally good by all goals before.
  bool beside = false;
  /// What a unit of the value counts beside other goals; above 0.
  double weight = 1;
  /// By how much later goals may worsen the value, as a share of it. Of goals that count together, the first one says it.
  double tolerance = 0;
  /// In the place of the other fields but `beside`: a goal, or several that count together, as people write them, such as
  /// `cost~1%`, `balance:memory` and `cost,moves*0.01`: names with commas between them, each with its resource or weight if need
  /// be, and a tolerance at the end.
  std::string words{};
};

/// Which planner runs, its options, and the limits of the run. Only `planner` must be set.
struct RequestData {
  /// Name from the catalogue, such as "bfd-avg".
  std::string planner{};
  std::vector<OptionData> options{};
  std::uint64_t seed = 0;
  /// Wall-clock limit of the run in milliseconds, after which it returns its best plan so far. 0 = the planner's default
  /// (PlannerInfo.default_deadline_ms): 1 s for `auto`; none if `work_limit` is set.
  std::uint64_t deadline_ms = 0;
  /// Limit on work units; 0 = none. The `work` of an earlier plan as the limit repeats that plan's run exactly (see Plan.work).
  std::uint64_t work_limit = 0;
  /// Number of threads that the run may use; 0 = 1. The plan does not depend on it.
  std::uint32_t threads = 1;
  /// Limit on the nodes in use; 0 = as many as the instance has. Replicas that do not fit are reported unplaced.
  std::uint32_t node_limit = 0;
  /// True: running replicas that are not pinned are planned as if they ran nowhere.
  bool ignore_running = false;
  /// Limit on the running replicas that move to another node; 0 = none moves.
  std::uint32_t move_budget = 0;
  /// What to minimize once all replicas are placed. A planner that does not pursue the objective refuses the request.
  wire::Objective objective = wire::Objective::Nodes;
  /// True: an application is placed as a whole or not at all (P2, Eq. 4). Apps that share a tag that begins with "appID:" are
  /// one application. Replicas that already run stay.
  bool all_or_nothing = false;
  /// True: anonymous nodes of one class with the same content are one entry of the plan, with their number as its copies. The
  /// size of the plan then depends on the number of different nodes, not on the number of nodes.
  bool compact = false;
  /// How soft rules count beside the objective. Plans are compared, and called optimal, by this.
  wire::SoftPolicy soft = wire::SoftPolicy::First;
  /// What a unit of violation costs, in nodes or, where prices are given, in their currency. Above 0 only with SoftPolicy.Price.
  double soft_price = 0;
  /// The search ends once it has found nothing better for this many milliseconds; 0 = it does not end for that. Counts from the
  /// first plan on.
  std::uint64_t patience_ms = 0;
  /// Where not all replicas fit: true = the most capacity is used, false = the most replicas are placed; by priority and weight
  /// in either case.
  bool fill = false;
  /// The most that side effects may cost a replica, whatever its kind: a hard constraint beside Interference.max_cost. 0 = none.
  double max_cost = 0;
  /// The plan keeps room for these replicas, all at once, beside those that it places (Plan.reserved). They count towards the
  /// nodes, and nowhere else. Only with Objective.Nodes; no app twice.
  std::vector<wire::Kept> keep{};
  /// The plan survives losses: its nodes have places for the replicas of lost ones, while all others stay. "*": of each node by
  /// itself. Else the key of a label: of all nodes with the same value, such as each zone. Spare nodes that hold nothing are added
  /// where needed; they count as nodes of the plan. Replicas that are pinned to a lost node are lost with it. Absent or empty: no
  /// loss. Only with Objective.Nodes.
  std::string survive{};
  /// The key of a label, such as rack: as many as possible of its values have no node with a replica or with load. This comes after
  /// placing replicas, and before soft rules, nodes and their cost. Absent or empty: nothing is left free on purpose. Only with
  /// Objective.Nodes; not together with `keep` or `survive`.
  std::string leave_free{};
  /// What to minimize once all replicas are placed, the most important goal first: a later goal never worsens an earlier one
  /// beyond its tolerance. Takes the place of `objective` and `soft`. Soft rules come first where no goal names them. With
  /// GoalKind.Moves and no `move_budget`, any number of running replicas may move. Absent: what `objective` and `soft` say.
  std::vector<PlanGoalData> goals{};
  /// True: the plan tells what the parts of the search did (Plan.trace). It is the same plan otherwise.
  bool trace = false;
};

}  // namespace stowage::cli
