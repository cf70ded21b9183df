// Searches over the number of nodes: P0, section 5.1 (BinSearch, Decr).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/bounds/bounds.h"
#include "core/plan/objective.h"
#include "core/planners/planner.h"

namespace stowage {

/// How a multi-node planner comes by its number of nodes.
enum class NodeSearch : std::uint8_t { kGiven, kBinary, kDecrement };

/// Calls try_nodes(n), which returns whether all replicas fit on n nodes, for falling n.
/// @param known a number of nodes that is known to do (first fit's)
/// @param step  for kDecrement: percent of the lower bound by which n falls each time
template <class Try>
void search_nodes(NodeSearch search, std::uint32_t lower_bound, std::uint32_t known, double step, Run& run, Try&& try_nodes) {
  if (search == NodeSearch::kBinary) {
    std::uint32_t low = lower_bound;
    std::uint32_t high = known;
    while (low < high && run.clock.stop() == Stop::kNo) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (try_nodes(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return;
  }
  const auto decrement = std::max(1u, static_cast<std::uint32_t>(step / 100 * lower_bound));
  std::uint32_t best = known;
  while (best > lower_bound && run.clock.stop() == Stop::kNo) {
    const std::uint32_t next = std::max(lower_bound, best - std::min(best, decrement));
    if (!try_nodes(next)) return;
    best = next;
  }
}

/// Plans with a multi-node algorithm: once on the number of nodes given (by default the bound), or searching from first fit's.
/// @param attempt attempt(request, n, all_or_nothing, plan): one run on n nodes, as a Result<bool>: true once it has filled the
///                plan's nodes, placed and unplaced; false where something is left over and all_or_nothing forbids that; an
///                error where max_nodes is passed.
template <class Attempt>
Error plan_on_nodes(const PlannerInput& input, NodeSearch search, double step, Plan& plan, Attempt&& attempt) {
  const Instance& instance = input.instance;
  const Request& request = input.request;
  // No plan uses more nodes than there are replicas and loaded nodes, however many a bound asks for what fits nowhere.
  const double most = std::min<double>(kNone - 1, static_cast<double>(instance.total_replicas()) + instance.listed_nodes());
  const auto lower_bound = static_cast<std::uint32_t>(std::min(input.bounds.get().nodes.front().value.value, most));

  if (search == NodeSearch::kGiven) {
    input.run.progress.enter(Phase::kPlan, instance.total_replicas());
    const Result<bool> filled = attempt(request, request.node_limit != 0 ? request.node_limit : lower_bound, false, plan);
    return filled.ok() ? Error{} : filled.error();
  }

  if (Error e = run_within(input, "ff", plan); failed(e)) return e;
  input.run.progress.enter(Phase::kPlan);
  const auto known = static_cast<std::uint32_t>(plan.nodes.size());
  if (!plan.unplaced.empty()) {
    // On these nodes first fit leaves something over, so there is nothing to search; but the algorithm may leave less.
    if (input.run.clock.stop() != Stop::kNo) return {};
    Plan other;
    const std::uint32_t nodes = request.node_limit != 0 ? request.node_limit : std::max(known, lower_bound);
    if (attempt(request, nodes, false, other).ok() && leaves_less(instance, other, plan)) plan.adopt(std::move(other));
    return {};
  }
  input.run.progress.best(known);
  search_nodes(search, lower_bound, known, step, input.run, [&](std::uint32_t nodes) {
    Request limited = request;
    limited.node_limit = nodes;
    Plan better;
    const Result<bool> filled = attempt(limited, nodes, true, better);
    // What rules take back in the end counts as not placed.
    if (!filled.ok() || !filled.value() || !better.unplaced.empty()) return false;
    plan.adopt(std::move(better));
    input.run.progress.best(plan.nodes.size());
    return true;
  });
  return {};
}

}  // namespace stowage
