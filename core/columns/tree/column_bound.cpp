#include "core/columns/tree/column_bound.h"

#include "core/columns/tree/column_tree.h"

namespace stowage {

const BoundInfo& column_bound_info(const Instance& instance) {
  static constexpr std::string_view kSource = "branch and price (Gilmore and Gomory 1961; Farley 1990; Vanderbeck 2000)";
  static constexpr BoundInfo kNodes = {"columns", Objective::kNodes, kSource, nullptr};
  static constexpr BoundInfo kCost = {"columns", Objective::kCost, kSource, nullptr};
  return instance.has_prices() ? kCost : kNodes;
}

void add_column_bound(const Instance& instance, WorkClock& clock, ComputedBounds& bounds) {
  if (bounds.infeasible) return;
  Request request;
  request.ignore_running = true;
  const BoundInfo& info = column_bound_info(instance);
  const std::vector<ComputedBound>& known = bounds.of[info.objective];
  double bound = known.empty() ? 0 : known.front().value.value;
  bool any = false;
  // Without limits, most is soon known.
  for (const bool with_limits : {false, true}) {
    Watch watch = clock.watch();
    const ColumnProblem problem(instance, request, info.objective, watch, with_limits);
    if (!problem.is_whole || problem.leaves_out || problem.items.empty() || watch.ended()) break;
    ColumnTree tree(problem);
    tree.raise_bound(problem.within(bound));
    do {
      tree.run(clock);
      if (tree.found()) tree.set_cutoff(tree.found_cost());
    } while (!tree.has_ended() && clock.stop() == Stop::kNo && !(problem.is_relaxed && tree.is_divided()));
    if (clock.stop() == Stop::kCancelled) return;
    bound = std::max(bound, problem.as_bound(tree.bound()));
    any = true;
    if (!problem.is_relaxed || clock.stop() != Stop::kNo) break;
  }
  if (any) add_bound(info, bound, bounds);
}

}  // namespace stowage
