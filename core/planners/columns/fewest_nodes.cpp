// Fewest nodes by column generation alone (P1, section 6, "CSP-Mac"): csp-mac.
//
// The better plan of two heuristics gives the first columns. The search (column_search.h) goes on in portions, each twice as
// long as the one before, until one of them has found nothing better.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/plan/objective.h"
#include "core/planners/columns/column_search.h"
#include "core/planners/families.h"

namespace stowage {
namespace {

/// Work of the first portion.
constexpr std::uint64_t kFirstOfColumns = 100'000;
/// Shorter portions are not the last.
constexpr std::uint64_t kLastOfColumns = 12'800'000;

Error plan_by_columns(const PlannerInput& input, Plan& plan) {
  input.run.progress.enter(Phase::kPlan, input.instance.total_replicas());
  if (Error e = run_better_within(input, "biheu", "bf-ucac", plan); failed(e)) return e;
  input.run.progress.enter(Phase::kImprove);
  const std::unique_ptr<ColumnSearch> search = make_column_search(input);
  bool goes_on = input.run.clock.stop() == Stop::kNo;
  for (std::uint64_t units = kFirstOfColumns; goes_on && !search->has_ended(); units *= 2) {
    Plan next;
    const double known = plan.bounds[Objective::kNodes] ? plan.bounds[Objective::kNodes]->value : 0;
    const bool is_better = search->go_on(units, plan, next);
    const std::optional<Bound> bound = next.bounds[Objective::kNodes];
    const bool proves_more = bound && bound->value > known;
    if (is_better) {
      state_better(input, next);
      plan.adopt(std::move(next));
    }
    if (proves_more) plan.bounds[Objective::kNodes] = bound;
    goes_on = input.run.clock.stop() == Stop::kNo && (is_better || proves_more || units < kLastOfColumns);
  }
  return {};
}

constexpr FeatureSet kHonouredByColumns = Feature::kNodeClasses | Feature::kFiniteNodes | Feature::kExistingLoad |
                                          Feature::kRunning | Feature::kPins | Feature::kClosedNodes | Feature::kSelfLimits |
                                          Feature::kUncertainDemand;

}  // namespace

std::span<const PlannerInfo> column_planners() {
  static const PlannerInfo kPlanner = {
      .name = "csp-mac",
      .summary = "column generation, fewest nodes",
      .source = "P1, sections 5.3 and 6, algorithm 1",
      .complexity = "column generation, then until nothing improves",
      .honours = kHonouredByColumns,
      .function = plan_by_columns,
  };
  return {&kPlanner, 1};
}

}  // namespace stowage
