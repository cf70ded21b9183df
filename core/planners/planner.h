// What a planner is: a name, what it honours, its options, and a function.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/bounds/bounds.h"
#include "core/model/instance.h"
#include "core/plan/plan.h"
#include "core/run/request.h"
#include "core/run/run.h"

namespace stowage {

struct PlannerInfo;

/// Whether the instance is so large that a plan is made ready before the search for a better one: the search, and the check of
/// its plan, take longer to begin or to end than a caller waits. Not by the clock, so that a work limit repeats the run.
[[nodiscard]] inline bool is_large(const Instance& instance) {
  constexpr std::uint64_t kManyReplicas = 200'000;
  constexpr std::uint32_t kManyListed = 20'000;
  return instance.total_replicas() >= kManyReplicas || instance.listed_nodes() >= kManyListed;
}

/// From this number of replicas on, first fit, and what follows it where the request allows, have equal nodes once.
inline constexpr std::uint32_t kReplicasByCopies = 1'000'000;

/// Everything a planner gets.
struct PlannerInput {
  const Instance& instance;
  const Request& request;
  const PlannerInfo& info;
  Options options;
  Run& run;
  LazyBounds& bounds;
  /// Makes a plan ready on the way, so that a run that is cancelled ends with it at once; empty where plans are quick to make
  /// ready. The plan is the one that the planner would end with if the run were cut off now, between two of its steps.
  std::function<void(Plan)> checkpoint = {};
};

/// Fills nodes, placed and unplaced of the plan, and its bounds where it has proven better ones than bounds.h knows. Ends early
/// when run.clock.step() says so. A member of a family is a closure over what sets it apart from the others.
/// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
using PlannerFunction = std::function<Error(const PlannerInput& input, Plan& plan)>;

/// What the catalogue, the checks of requests and the bindings say of a planner. Write it with designated initializers.
struct PlannerInfo {
  std::string name;
  std::string summary;
  std::string source;      ///< paper, section, equation
  std::string complexity;  ///< in apps L, replicas R, nodes N, dimensions d
  FeatureSet honours;
  std::span<const OptionInfo> options = {};
  PlannerFunction function;
  /// What it makes small. A request for another objective is refused; soft rules that it does not pursue are left to chance.
  ObjectiveSet pursues = {Objective::kNodes};
  std::uint64_t default_deadline_ms = 0;  ///< for planners that would go on: when they end unless the request has a limit
  bool orders_goals = false;              ///< seeks goals beyond its objective; refused with such goals otherwise
  bool needs_solver = false;              ///< refused where the caller brings no solver
};

/// All planners, in the order of the catalogue.
std::span<const PlannerInfo> planners();

/// The planner of that name, or nullptr.
const PlannerInfo* find_planner(std::string_view name);

/// States the plan as the best one of the run so far, for the caller. O(placed + nodes) where anybody watches, else O(1).
void state_best(const PlannerInput& input, const Plan& plan);
/// The same of a plan that is better than all before: the request's patience begins anew.
void state_better(const PlannerInput& input, const Plan& plan);

/// Runs another planner inside a run, on a request with options of that planner, or on the run's own request with the default
/// options. Nodes of the plan may stand for copies where demand is uncertain.
Error run_within(const PlannerInput& input, std::string_view name, const Request& request, Plan& plan);
Error run_within(const PlannerInput& input, std::string_view name, Plan& plan);
/// The better plan of two planners; that of the first where the run ends with it.
Error run_better_within(const PlannerInput& input, std::string_view first, std::string_view second, Plan& plan);

/// Whether the plan is proven to be the best for Objective::kNodes, or the cost, as far as this is known without the checker.
[[nodiscard]] bool reaches_bound(const PlannerInput& input, const Plan& plan);

/// The request with which a placement begins: where its move budget covers all running replicas, they are planned as if they
/// ran nowhere.
[[nodiscard]] Request start_request(const Instance& instance, const Request& request);

/// Milliseconds after which a run ends: the request's deadline or, where the request has no limit, the planner's own; 0: never.
inline std::uint64_t deadline_of(const Request& request, const PlannerInfo& info) {
  return request.deadline_ms == 0 && request.work_limit == 0 ? info.default_deadline_ms : request.deadline_ms;
}

/// Runs the request's planner: checks request and features, plans, adds bounds, gap, cost and status, and has the independent
/// checker look at the result. Errors: kNotFound, kUnsupported, kInvalid, kLimitExceeded, kInternal.
Result<Plan> run_planner(const Instance& instance, const Request& request, Control* control);

}  // namespace stowage
