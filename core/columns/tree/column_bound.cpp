#include "core/columns/tree/column_bound.h"

#include "core/columns/tree/column_tree.h"

namespace stowage {
namespace {

void add_bound_of(Objective objective, const Instance& instance, WorkClock& clock, ComputedBounds& bounds) {
  Request request;
  request.ignore_running = true;
  const std::vector<ComputedBound>& known = bounds.of[objective];
  double bound = known.empty() ? 0 : known.front().value.value;
  bool any = false;
  // Without limits, most is soon known.
  const std::uint64_t work = ColumnProblem::work_to_make(instance);
  for (const bool with_limits : {false, true}) {
    if (clock.work_left().value_or(WorkClock::kEndless) < work || clock.step(work)) break;
    Watch watch = clock.watch();
    const ColumnProblem problem(instance, request, objective, watch, with_limits);
    if (!problem.is_whole || problem.leaves_out || problem.items.empty() || watch.ended()) break;
    ColumnTree tree(problem);
    tree.raise_bound(problem.within(bound));
    // Used capacity has no unit: branches raise its bound by ever less.
    const bool is_root = problem.is_relaxed || objective == Objective::kUcac;
    do {
      tree.run(clock);
      if (tree.found()) tree.set_cutoff(tree.found_cost());
    } while (!tree.has_ended() && clock.stop() == Stop::kNo && !(is_root && tree.is_divided()));
    if (clock.stop() == Stop::kCancelled) return;
    bound = std::max(bound, problem.as_bound(tree.bound()));
    any = true;
    if (!problem.is_relaxed || clock.stop() != Stop::kNo) break;
  }
  if (any) add_bound(column_bound_info(objective), bound, bounds);
}

}  // namespace

const BoundInfo& column_bound_info(Objective objective) {
  static constexpr std::string_view kSource = "branch and price (Gilmore and Gomory 1961; Farley 1990; Vanderbeck 2000)";
  static constexpr BoundInfo kNodes = {"columns", Objective::kNodes, kSource, nullptr};
  static constexpr BoundInfo kCost = {"columns", Objective::kCost, kSource, nullptr};
  static constexpr BoundInfo kUcac = {"columns", Objective::kUcac, kSource, nullptr};
  return objective == Objective::kUcac ? kUcac : objective == Objective::kCost ? kCost : kNodes;
}

void add_column_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds) {
  if (bounds.infeasible) return;
  add_bound_of(judged_by(instance, Objective::kNodes), instance, clock, bounds);
  if (instance.uncertain() && clock.stop() == Stop::kNo) add_bound_of(Objective::kUcac, instance, clock, bounds);
}

}  // namespace stowage
