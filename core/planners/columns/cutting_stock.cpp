// Cutting stock by column generation (P1, section 5.3, algorithm 1): csp-mac for fewest nodes, csp-ucac for least used capacity
// at confidence. Where nothing is uncertain, all plans use the same, and csp-ucac is csp-mac.
//
// The better plan of two heuristics gives the first columns. The search (column_search.h) goes on in portions, each twice as
// long as the one before, until one of them has found little.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/plan/objective.h"
#include "core/planners/columns/column_search.h"
#include "core/planners/families.h"

namespace stowage {
namespace {

/// Work of the first portion: per replica, and at most.
constexpr std::uint64_t kFirstOfColumnsPerReplica = 1'000;
constexpr std::uint64_t kFirstOfColumns = 100'000;
/// Shorter portions are not the last: per replica, and at most.
constexpr std::uint64_t kLastOfColumnsPerReplica = 2'000;
constexpr std::uint64_t kLastOfColumns = 12'800'000;
/// A portion has found little where it has raised the bound, or lowered the value, by no more than this share.
constexpr double kLittleGain = 1e-6;

constexpr std::array<OptionInfo, 1> kSearchOption = {
    {{"search", "1: goes on until little is gained; 0: ends with the first plan of columns, or after three portions", 1, 0,
      1}}};

double gap_of(const Plan& plan, Objective objective, double value) {
  return plan.bounds[objective] ? value - plan.bounds[objective]->value : value;
}

template <Objective kObjective>
Error plan_by_columns(const PlannerInput& input, Plan& plan) {
  const Objective objective = judged_by(input.instance, input.instance.uncertain() ? kObjective : Objective::kNodes);
  input.run.progress.enter(Phase::kPlan, input.instance.total_replicas());
  if (Error e = run_better_within(input, "biheu", "bf-ucac", plan); failed(e)) return e;
  input.run.progress.enter(Phase::kImprove);
  const std::unique_ptr<ColumnSearch> search = make_column_search(input, objective);
  const std::uint64_t replicas = input.instance.total_replicas();
  const std::uint64_t first = std::min(kFirstOfColumns, kFirstOfColumnsPerReplica * replicas);
  const std::uint64_t last = std::min(kLastOfColumns, kLastOfColumnsPerReplica * replicas);
  const bool searches = kObjective != Objective::kUcac || input.options.number(kSearchOption[0].name) > 0;
  bool goes_on = input.run.clock.stop() == Stop::kNo;
  for (std::uint64_t units = first; goes_on && !search->has_ended(); units *= 2) {
    const double before = gap_of(plan, objective, value(input.instance, plan, objective));
    Plan next;
    const bool is_better = search->go_on(units, plan, next);
    const std::optional<Bound> bound = next.bounds[objective];
    if (is_better) {
      state_better(input, next);
      plan.adopt(std::move(next));
    }
    if (bound && (!plan.bounds[objective] || bound->value > plan.bounds[objective]->value)) plan.bounds[objective] = bound;
    const double now = value(input.instance, plan, objective);
    const bool is_gain = before - gap_of(plan, objective, now) > kLittleGain * now;
    const bool is_enough = !searches && (is_better || units > 2 * first);
    goes_on = input.run.clock.stop() == Stop::kNo && !is_enough && (is_gain || units < last);
  }
  return {};
}

}  // namespace

std::span<const PlannerInfo> column_planners() {
  static const std::array<PlannerInfo, 2> kPlanners = {{
      {.name = "csp-ucac",
       .summary = "cutting stock by column generation, least used capacity at confidence",
       .source = "P1, section 5.3, algorithm 1",
       .complexity = "column generation, then until nothing improves",
       .honours = kHeadroomFeatures,
       .options = kSearchOption,
       .function = plan_by_columns<Objective::kUcac>,
       .pursues = {Objective::kNodes, Objective::kUcac}},
      {.name = "csp-mac",
       .summary = "cutting stock by column generation, fewest nodes",
       .source = "P1, sections 5.3 and 6, algorithm 1",
       .complexity = "column generation, then until nothing improves",
       .honours = kHeadroomFeatures,
       .function = plan_by_columns<Objective::kNodes>},
  }};
  return kPlanners;
}

}  // namespace stowage
