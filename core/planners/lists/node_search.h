// Searches over the number of nodes: P0, section 5.1 (BinSearch, Decr).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/placement/placement.h"
#include "core/plan/objective.h"
#include "core/planners/planner.h"

namespace stowage {

/// How a multi-node planner finds its number of nodes.
enum class NodeSearch : std::uint8_t { kGiven, kBinary, kDecrement };

/// Searches for the smallest n for which try_nodes(n) returns true (all replicas fit on n nodes), by bisection or by falling n.
/// @param known a number of nodes that is known to suffice (first fit's)
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

/// Counts the work of one more node. Where there are many periods, it takes microseconds. True: the run is over.
/// @param nodes that were opened so far
inline bool ends_after(std::uint32_t nodes, WorkClock& clock) {
  if (nodes % 2048 == 0) clock.look();
  return nodes % 64 == 0 && clock.step(1);
}

/// Opens nodes in class order until there are `nodes`, listed ones included, or no class has more.
/// @param opened is told the class and the number of each
template <class Unit, class Opened>
void activate(const PlannerInput& input, const std::vector<ClassId>& classes, std::uint32_t nodes, Placement<Unit>& placement,
              Opened&& opened) {
  // No plan uses more nodes than listed nodes and replicas together.
  const Instance& instance = input.instance;
  const std::uint64_t useful = std::min(instance.listed_nodes() + instance.total_replicas(), instance.limits().max_nodes);
  nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, useful));
  if (nodes > placement.nodes()) placement.expect(nodes - placement.nodes());
  for (const ClassId c : classes) {
    while (placement.nodes() < nodes) {
      const NodeId node = placement.open(c);
      if (node == kNone) break;
      opened(c, node);
      if (ends_after(placement.nodes(), input.run.clock)) return;
    }
  }
}

/// Ends an attempt on a number of nodes. True: the plan's nodes, placed and unplaced are filled. False: a replica is unplaced,
/// which all_or_nothing forbids, or the run of a search ended before anything was placed: then first fit's plan is as good, and
/// many nodes take long to write. Error: the plan needs more than max_nodes.
template <class Trial>
Result<bool> finish_attempt(Trial& trial, bool complete, NodeSearch search, bool all_or_nothing, Plan& plan) {
  if (trial.placement().hit_ceiling()) {
    return Error{Code::kLimitExceeded, "the plan needs more nodes than max_nodes allows", ""};
  }
  const bool of_no_use = all_or_nothing || (search != NodeSearch::kGiven && !trial.has_begun());
  if (!complete && of_no_use) return false;
  trial.placement().finish(plan);
  return true;
}

/// Plans with a multi-node algorithm: once on the given number of nodes (by default the bound), or in a search that starts at
/// first fit's number.
/// @param attempt attempt(request, n, all_or_nothing, plan): one run on n nodes, which ends with finish_attempt()
template <class Attempt>
Error plan_on_nodes(const PlannerInput& input, NodeSearch search, double step, Plan& plan, Attempt&& attempt) {
  const Instance& instance = input.instance;
  const Request& request = input.request;
  // No plan uses more nodes than replicas and listed nodes together; a bound may exceed that where a replica fits nowhere.
  const double most = std::min<double>(kNone - 1, static_cast<double>(instance.total_replicas()) + instance.listed_nodes());
  const auto lower_bound = static_cast<std::uint32_t>(std::min(input.bounds.get().fewest_nodes(), most));

  if (search == NodeSearch::kGiven) {
    input.run.progress.enter(Phase::kPlan, instance.total_replicas());
    const Result<bool> filled = attempt(request, request.node_limit != 0 ? request.node_limit : lower_bound, false, plan);
    return filled.ok() ? Error{} : filled.error();
  }

  if (Error e = run_within(input, "ff", plan); failed(e)) return e;
  input.run.progress.enter(Phase::kPlan);
  const auto known = static_cast<std::uint32_t>(plan.nodes.size());
  if (!plan.unplaced.empty()) {
    // First fit leaves replicas unplaced, so there is no number to search from. The algorithm may leave fewer on these nodes.
    if (input.run.clock.stop() != Stop::kNo) return {};
    Plan other;
    const std::uint32_t nodes = request.node_limit != 0 ? request.node_limit : std::max(known, lower_bound);
    const Result<bool> filled = attempt(request, nodes, false, other);
    if (filled.ok() && filled.value() &&
        LeftOver(instance, other, input.request.fill) < LeftOver(instance, plan, input.request.fill))
      plan.adopt(std::move(other));
    return {};
  }
  state_best(input, plan);
  search_nodes(search, lower_bound, known, step, input.run, [&](std::uint32_t nodes) {
    Request limited = request;
    limited.node_limit = nodes;
    Plan better;
    const Result<bool> filled = attempt(limited, nodes, true, better);
    // Replicas that Placement::withdraw() removed count as unplaced.
    if (!filled.ok() || !filled.value() || !better.unplaced.empty()) return false;
    plan.adopt(std::move(better));
    state_best(input, plan);
    return true;
  });
  return {};
}

}  // namespace stowage
