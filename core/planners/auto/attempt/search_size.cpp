#include "core/planners/auto/attempt/search_size.h"

#include <algorithm>
#include <string>

#include "core/planners/notes.h"

namespace stowage {
namespace {

/// Nodes, and replicas, that a search holds one by one.
constexpr std::uint64_t kMostSearchedNodes = 1'000'000;
constexpr std::uint64_t kMostSearchedReplicas = 4'000'000;
/// Time that it takes to make a search, at most: per node, per node and dimension, per replica.
constexpr double kSecondsPerSearchedNode = 600e-9;
constexpr double kSecondsPerDimension = 20e-9;
constexpr double kSecondsPerReplica = 300e-9;
/// Time per node that it takes to end a search: to write and check a plan, and to give back what the search holds.
constexpr double kSecondsToEnd = 600e-9;

}  // namespace

bool may_search(const PlannerInput& input, std::uint64_t nodes) {
  if (!is_large(input.instance)) return true;
  // A run that has counted nothing, because first fit placed nothing, could not end here.
  if (input.run.clock.work() == 0 && input.run.clock.step(1)) return false;
  nodes = std::max<std::uint64_t>(nodes, input.instance.listed_nodes());
  if (nodes > kMostSearchedNodes) {
    note_off(input, kNotImproved, "there are more than " + std::to_string(kMostSearchedNodes) + " nodes");
    return false;
  }
  input.run.clock.reserve_for_plan(kSecondsToEnd * static_cast<double>(nodes));
  return input.run.clock.affords(static_cast<double>(nodes) *
                                 (kSecondsPerSearchedNode + kSecondsPerDimension * input.instance.dims()));
}

bool may_search_replicas(const PlannerInput& input, std::uint64_t nodes) {
  if (!is_large(input.instance)) return true;
  if (input.instance.total_replicas() > kMostSearchedReplicas) {
    note_off(input, kNotImproved, "there are more than " + std::to_string(kMostSearchedReplicas) + " replicas");
    return false;
  }
  return may_search(input, nodes) &&
         input.run.clock.affords(kSecondsPerReplica * static_cast<double>(input.instance.total_replicas()));
}

}  // namespace stowage
