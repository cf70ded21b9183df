// Proof sketch. In a plan within the limits, a node whose kinds are exactly S holds loads l with, for each t in S, the sum over
// u of coefficient[t, u] x l_u at most limit[t]. So for any prices pi >= 0, pi x l is at most V(pi), the greatest over all sets
// S of the maximum over such l. Summed over N nodes: pi x W <= N x V(pi), where W is the load of each kind. With limits C for
// all, l scales with C: C >= pi x W / (m x V(pi)) on m nodes, where V is taken at C = 1. Own; P4 has no bound of this kind.
//
// The best prices. The maximum for S is attained at a vertex with some support S', where the rows of S' are the tight ones, and
// which the set S' has as well. So the vertices v with A_S v = 1, v >= 0 for each S are all that matter: prices maximize pi x W
// with pi x v <= 1 for all of these. Whatever vertices rounding hides, V(pi) is computed for the prices found by multipliers
// that prove it, and a vertex that exceeds 1 is added.

#include "core/colocation/fluid_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/colocation/node_program.h"
#include "core/colocation/price_program.h"

namespace stowage {
namespace {

// Solves A_S v = 1 for the groups of `set` by elimination. Returns whether v is unique and at least 0.
bool support_vertex(const ScaledKinds& kinds, std::uint32_t set, GroupVector& vertex) {
  std::array<std::uint32_t, NodeProgram::kMost> group{};
  std::uint32_t size = 0;
  for (std::uint32_t g = 0; g < kinds.groups; ++g)
    if ((set >> g & 1u) != 0) group[size++] = g;
  std::array<GroupVector, NodeProgram::kMost> row{};
  GroupVector right{};
  for (std::uint32_t i = 0; i < size; ++i) {
    right[i] = 1;
    for (std::uint32_t j = 0; j < size; ++j) row[i][j] = kinds.suffers(group[i], group[j]);
  }
  for (std::uint32_t k = 0; k < size; ++k) {
    std::uint32_t pivot = k;
    for (std::uint32_t i = k + 1; i < size; ++i)
      if (std::abs(row[i][k]) > std::abs(row[pivot][k])) pivot = i;
    if (std::abs(row[pivot][k]) < 1e-9) return false;
    std::swap(row[k], row[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::uint32_t i = k + 1; i < size; ++i) {
      const double factor = row[i][k] / row[k][k];
      if (factor == 0) continue;
      for (std::uint32_t j = k; j < size; ++j) row[i][j] -= factor * row[k][j];
      right[i] -= factor * right[k];
    }
  }
  vertex.fill(0);
  for (std::uint32_t k = size; k-- > 0;) {
    for (std::uint32_t j = k + 1; j < size; ++j) right[k] -= row[k][j] * vertex[group[j]];
    vertex[group[k]] = right[k] / row[k][k];
    if (vertex[group[k]] < 0) return false;
  }
  return true;
}

// The greatest value of a set of groups at these prices, and where it is attained.
double best_set(const ScaledKinds& kinds, std::span<const double> price, NodeProgram& program, GroupVector& loads) {
  const std::vector<double> room(kinds.groups, 1);
  std::uint32_t priced = 0;
  for (std::uint32_t g = 0; g < kinds.groups; ++g)
    if (price[g] > 0) priced |= 1u << g;
  double best = 0;
  for (std::uint32_t set = 1; set < 1u << kinds.groups; ++set) {
    // A set with a group without price holds no more than the set without that group.
    if ((set & ~priced) != 0) continue;
    const double value = program.solve(set, price, room);
    if (value <= best) continue;
    best = value;
    loads = program.loads();
  }
  return best;
}

}  // namespace

FluidPrices fluid_prices(const ScaledKinds& kinds) {
  constexpr std::uint32_t kRounds = 20;
  FluidPrices best{0, std::vector<double>(kinds.groups, 0)};
  if (kinds.groups == 0) return best;
  PriceProgram prices(kinds.load, std::vector<double>(kinds.groups, 1));
  GroupVector vertex{};
  for (std::uint32_t set = 1; set < 1u << kinds.groups; ++set)
    if ((set & (set - 1)) != 0 && support_vertex(kinds, set, vertex)) prices.add(std::span(vertex).first(kinds.groups));
  NodeProgram program(kinds);
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    prices.solve();
    const double most = best_set(kinds, prices.price(), program, vertex);
    if (most <= 0) break;
    double worth = 0;
    for (std::uint32_t g = 0; g < kinds.groups; ++g) worth += prices.price()[g] * kinds.load[g];
    if (rounded_down(worth / most) > best.nodes) {
      best.nodes = rounded_down(worth / most);
      for (std::uint32_t g = 0; g < kinds.groups; ++g) best.price[g] = prices.price()[g] / most;
    }
    if (most <= 1 + 1e-10) break;
    prices.add(std::span(vertex).first(kinds.groups));
  }
  return best;
}

double largest_replica_bound(const ColocationProblem& problem) {
  double most = 0;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i)
    most = std::max(most, problem.suffers(problem.kind[i], problem.kind[i]) * problem.load[i]);
  return most;
}

FluidBound fluid_bound(const ColocationProblem& problem, std::span<const double> total) {
  FluidBound bound{0, std::vector<double>(problem.kinds, 0)};
  // A limit of which the loads take up to 1 node each, so that numbers are neither large nor small.
  double unit = 0;
  for (std::uint32_t t = 0; t < problem.kinds; ++t) unit = std::max(unit, total[t] * problem.suffers(t, t));
  if (!(unit > 0) || !std::isfinite(unit)) return bound;
  const ScaledKinds kinds = scaled_kinds(problem, total, std::vector<double>(problem.kinds, unit));
  const FluidPrices prices = fluid_prices(kinds);
  const double cost = unit / problem.nodes;  // a node's worth of load
  bound.value = prices.nodes * cost;
  for (std::uint32_t t = 0; t < problem.kinds; ++t)
    if (kinds.group[t] != ScaledKinds::kNoGroup) bound.prices[t] = prices.price[kinds.group[t]] * kinds.scale[t] * cost;
  return bound;
}

double fluid_node_count(const ColocationProblem& problem, std::span<const double> limit) {
  std::vector<double> reachable(limit.begin(), limit.end());
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    const std::uint32_t t = problem.kind[i];
    if (problem.suffers(t, t) * problem.load[i] > limit[t]) return std::numeric_limits<double>::infinity();
  }
  // Kinds whose limit is 0 cost nothing alone: they take no room, and what harms them is left out of account.
  for (double& most : reachable)
    if (most <= 0) most = std::numeric_limits<double>::infinity();
  const double nodes = fluid_prices(scaled_kinds(problem, exact_total_load(problem), reachable)).nodes;
  return problem.replicas() == 0 ? 0 : std::max(1.0, nodes);
}

}  // namespace stowage
