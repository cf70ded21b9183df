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
#include "core/plan/pattern_memory.h"
#include "core/plan/plan.h"
#include "core/plan/request.h"
#include "core/run/run.h"

namespace stowage {

struct PlannerInfo;

/// Everything a planner gets.
struct PlannerInput {
  const Instance& instance;
  const Request& request;
  const PlannerInfo& info;
  Options options;
  Run& run;
  LazyBounds& bounds;
  PatternMemory* memory = nullptr;  ///< what earlier runs have left, and what this one leaves; or nothing
  /// Where it takes long to make a plan ready to be handed out, and the run may be cancelled: makes one ready on the way, for
  /// whoever cancels from then on. It is what the planner would end with if the run were cut off now, between two of its steps.
  std::function<void(Plan)> checkpoint = {};
};

/// Fills nodes, placed and unplaced of the plan; node_bound and ucac_bound where it has proven better ones than bounds.h knows.
/// Ends early when run.clock.step() says so.
/// Errors: kLimitExceeded where the plan would pass the caller's max_nodes.
using PlannerFunction = Error (*)(const PlannerInput& input, Plan& plan);

struct PlannerInfo {
  std::string name;
  std::string summary;
  std::string source;      ///< paper, section, equation
  std::string complexity;  ///< in apps L, replicas R, nodes N, dimensions d
  FeatureSet honours;
  std::span<const OptionInfo> options;
  PlannerFunction function;
  std::uint32_t variant = 0;              ///< for families: which member
  bool pursues_ucac = false;              ///< whether it takes requests for the objective "ucac"
  std::uint64_t default_deadline_ms = 0;  ///< for planners that would go on: when they end unless the request has a limit
  bool needs_solver = false;              ///< refused where the caller brings none along
  bool pursues_soft_rules = false;        ///< whether it makes violations of soft rules few, or does not look at them
};

/// All planners, in the order of the catalogue.
std::span<const PlannerInfo> planners();

/// The planner of that name, or nullptr.
const PlannerInfo* find_planner(std::string_view name);

/// Runs another planner inside a run: on another request, whose options are that planner's, or on the same one with the default
/// options. In plans of planners for uncertain demand, nodes may stand for copies.
Error run_within(const PlannerInput& input, std::string_view name, const Request& request, Plan& plan);
Error run_within(const PlannerInput& input, std::string_view name, Plan& plan);

/// Runs the request's planner: checks request and features, plans, adds bounds, gap, cost and status, and has the independent
/// checker look at the result. Errors: kNotFound, kUnsupported, kInvalid, kLimitExceeded, kInternal.
/// @param memory NULL, or patterns of earlier runs, which become those of this one where the planner works with patterns
Result<Plan> run_planner(const Instance& instance, const Request& request, Control* control, PatternMemory* memory = nullptr);

}  // namespace stowage
