// Rounding of the linear program over patterns, and its branching on the number of fresh nodes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/planners/patterns/whole_patterns.h"

namespace stowage {
namespace {

/// Numbers this close to a whole one are whole.
constexpr double kWhole = 1e-5;

/// Rounds of column generation before a part of a dive's program is fixed.
constexpr std::uint32_t kRoundsPerDive = 12;

/// Gives the pattern to up to `times` nodes of the group, and takes these nodes and replicas from the subproblem. The last
/// nodes get less where less is wanted. Returns whether any node gets something.
bool give(Pattern pattern, std::uint32_t group, std::uint64_t times, Subproblem& part, Layout& layout) {
  bool any = false;
  times = std::min(times, part.sizes[group]);
  while (times > 0) {
    bool empty = true;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      pattern[i] = std::min(pattern[i], part.wanted[i]);
      empty = empty && pattern[i] == 0;
    }
    if (empty) return any;
    std::uint64_t same = times;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] > 0) same = std::min<std::uint64_t>(same, part.wanted[i] / pattern[i]);
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) part.wanted[i] -= static_cast<std::uint32_t>(same * pattern[i]);
    part.sizes[group] -= same;
    layout[{group, pattern}] += same;
    any = true;
    times -= same;
  }
  return any;
}

/// Fixes the whole parts of the solution, or else the largest fraction as a whole; false where there is nothing to fix.
bool fix(const RestrictedMaster& program, Subproblem& part, Layout& layout) {
  const auto take = [&](const RestrictedMaster::Used& used, std::uint64_t times) {
    return give(pattern_of(program, used.column), program.group_of(used.column), times, part, layout);
  };
  std::vector<RestrictedMaster::Used> solution = program.solution();
  bool any = false;
  for (const RestrictedMaster::Used& used : solution) {
    if (used.value >= 1 - kWhole) any = take(used, static_cast<std::uint64_t>(used.value + kWhole)) || any;
  }
  if (any) return true;
  std::stable_sort(solution.begin(), solution.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  return std::any_of(solution.begin(), solution.end(), [&](const RestrictedMaster::Used& used) { return take(used, 1); });
}

/// The largest group of nodes that are not in use; kNone where there is none.
std::uint32_t largest_fresh_group(const std::vector<NodeState>& states, const Subproblem& part) {
  std::uint32_t largest = kNone;
  for (std::uint32_t g = 0; g < states.size(); ++g) {
    if (states[g].in_use || part.sizes[g] == 0) continue;
    if (largest == kNone || part.sizes[g] > part.sizes[largest]) largest = g;
  }
  return largest;
}

}  // namespace

void dive(ColumnGeneration& generation, Subproblem part, Layout& layout) {
  while (!generation.stopped() && part.wants_any()) {
    RestrictedMaster program = generation.make_program(part);
    generation.improve(program, part, kRoundsPerDive);
    generation.keep_used(program);
    if (!fix(program, part, layout)) return;
    part.filled = kNone;  // the first solution has spread the room over the group's nodes
  }
}

WholeResult branch_on_nodes(ColumnGeneration& generation, const Subproblem& part, double known) {
  WholeResult result;
  const std::uint32_t fresh = largest_fresh_group(generation.states(), part);
  if (fresh == kNone) return result;
  RestrictedMaster program = generation.make_program(part);
  result.bound = generation.complete(program, part);
  double nodes = 0;
  for (const RestrictedMaster::Used& used : program.solution())
    nodes += program.group_of(used.column) == fresh ? used.value : 0;
  if (std::abs(nodes - std::round(nodes)) < kWhole) return result;
  double least = std::numeric_limits<double>::infinity();
  for (const bool more : {false, true}) {
    Subproblem side = part;
    if (more) side.filled = fresh;
    side.sizes[fresh] = static_cast<std::uint64_t>(nodes) + (more ? 1 : 0);
    if (side.sizes[fresh] > part.sizes[fresh]) continue;  // no plan has that number of nodes
    RestrictedMaster of_side = generation.make_program(side);
    const double bound = generation.complete(of_side, side);
    generation.keep_used(of_side);
    least = std::min(least, bound);
    if (bound < known && !generation.stopped()) dive(generation, side, result.layouts.emplace_back());
  }
  result.bound = std::max(result.bound, least);
  return result;
}

}  // namespace stowage
