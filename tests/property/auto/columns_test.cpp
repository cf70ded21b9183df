// Branch and price on tiny instances, held against exact search.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "core/columns/tree/column_tree.h"
#include "tests/effort.h"
#include "tests/property/generator.h"
#include "tests/property/optimum.h"

namespace stowage {
namespace {

constexpr double kNothing = 1e200;

// What a solution says it is: contents that their kinds may hold, of no more nodes than there are, that hold everything.
double check_solution(const ColumnProblem& problem, const ColumnSolution& filling) {
  double cost = 0;
  std::vector<std::uint64_t> held(problem.items.size(), 0);
  std::vector<std::uint64_t> nodes(problem.kinds.size(), 0);
  std::int64_t units = 0;
  for (const FilledNodes& one : filling) {
    EXPECT_TRUE(problem.within_kind(one.kind, one.content));
    for (const auto& [item, copies] : one.content) held[item] += std::uint64_t{copies} * one.count;
    nodes[one.kind] += one.count;
    cost += problem.cost(one.kind, one.content) * one.count;
    units += problem.kinds[one.kind].units * one.count;
  }
  for (std::size_t i = 0; i < held.size(); ++i) EXPECT_GE(held[i], problem.items[i].replicas);
  for (std::size_t k = 0; k < nodes.size(); ++k) EXPECT_LE(nodes[k], problem.kinds[k].count);
  if (problem.budget >= 0) {
    EXPECT_LE(units, problem.budget);
  }
  return cost;
}

// The least cost of all solutions, kNothing where there is none; `bound` becomes what the tree says of it.
double least_cost(const ColumnProblem& problem, double& bound) {
  const Request request;
  WorkClock clock(request, nullptr);
  ColumnTree tree(problem);
  double cutoff = kNothing;
  tree.set_cutoff(cutoff);
  while (!tree.has_ended()) {
    tree.run(clock);
    if (!tree.found()) continue;
    const double cost = check_solution(problem, *tree.found());
    EXPECT_LT(cost, cutoff);
    cutoff = cost;
    tree.set_cutoff(cutoff);
  }
  EXPECT_EQ(tree.is_infeasible(), cutoff == kNothing);
  bound = tree.bound();
  return cutoff;
}

// Whether the problem has all constraints of the instance.
bool has_all_constraints(const test::Generated& generated, const Instance& instance) {
  for (ResourceId r = 0; r < instance.resources(); ++r) {
    if (!instance.scale(r).exact()) return false;
  }
  return generated.data.rules.empty() && instance.devices().empty() && !instance.limits_costs() &&
         generated.data.running.empty() && generated.data.pinned.empty();
}

struct Counts {
  std::uint64_t compared = 0;
  std::uint64_t exact = 0;
  std::uint64_t fewest = 0;
  std::uint64_t relaxed = 0;
  std::uint64_t uncertain = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t used = 0;
};

// Used capacity has no unit: solutions and bounds come within a share of it.
void compare_use(const test::Generated& generated, const Instance& instance, const test::Optimum& best, Counts& counts) {
  Request request;
  request.ignore_running = true;
  const ColumnProblem problem(instance, request, Objective::kUcac, {});
  if (!problem.is_whole || problem.leaves_out || problem.items.empty()) return;
  double bound = 0;
  const double least = least_cost(problem, bound);
  ASSERT_LT(least, kNothing) << "a complete plan exists";
  EXPECT_LE(problem.as_bound(bound), best.ucac * (1 + 1e-9) + 1e-9);
  EXPECT_NEAR(bound, least, 1e-5 * (1 + least)) << "not proven";
  if (!has_all_constraints(generated, instance) || instance.listed_nodes() > 0) return;
  ++counts.used;
  EXPECT_NEAR(problem.as_bound(least), best.ucac, 1e-6 * (1 + best.ucac));
}

void compare(const test::Generated& generated, const Instance& instance, Counts& counts) {
  const test::Optimum best = test::OptimumSearch(generated).run();
  Request request;
  request.ignore_running = true;
  const ColumnProblem problem(instance, request, Objective::kNodes, {});
  if (!problem.is_whole || problem.leaves_out || problem.items.empty()) return;
  ++counts.compared;
  double bound = 0;
  const double least = least_cost(problem, bound);
  // Of uncertain demand, what a start exceeds may stay, and risks are rounded.
  const bool exact = !instance.uncertain() && has_all_constraints(generated, instance);
  if (!best.feasible) {
    if (exact) {
      EXPECT_EQ(least, kNothing);
    }
    counts.infeasible += least == kNothing ? 1 : 0;
    return;
  }
  const double optimum = instance.has_prices() ? best.cost : best.nodes;
  ASSERT_LT(least, kNothing) << "a complete plan exists";
  EXPECT_LE(problem.standing + bound * problem.dearest, optimum * (1 + 1e-9) + 1e-9);
  const ColumnProblem relaxed(instance, request, Objective::kNodes, {}, false);
  double less = 0;
  EXPECT_LE(least_cost(relaxed, less), least + 1e-9) << "without limits, no solution is lost";
  EXPECT_LE(relaxed.standing + less * relaxed.dearest, optimum * (1 + 1e-9) + 1e-9);
  counts.relaxed += relaxed.is_relaxed ? 1 : 0;
  counts.uncertain += instance.uncertain() ? 1 : 0;
  if (instance.uncertain()) compare_use(generated, instance, best, counts);
  if (!exact) return;
  ++counts.exact;
  EXPECT_NEAR(problem.standing + least * problem.dearest, optimum, 1e-6 * (1 + optimum));
  EXPECT_NEAR(bound, least, 1e-6 * (1 + least)) << "not proven";
  if (!instance.has_prices() || problem.unit <= 0) return;
  // Fewest nodes at whatever cost is allowed, and at the least cost.
  ++counts.fewest;
  double of_nodes = 0;
  const double all = least_cost(problem.of_nodes_within(1e6 * (1 + least)), of_nodes);
  EXPECT_NEAR(static_cast<double>(problem.standing_nodes) + all, best.nodes, 1e-6);
  EXPECT_GE(least_cost(problem.of_nodes_within(least), of_nodes), all - 1e-6);
  EXPECT_LT(of_nodes, kNothing);
}

TEST(ColumnTreeTest, FindsAndProvesTheOptimum) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < test::cases(1500); ++seed) {
    const test::Size size = {.apps = 5, .replicas = 3, .resources = 2, .periods = 2, .classes = 3, .listed = 3};
    const test::Generated generated = test::generate(seed, size);
    const Instance instance = generated.build();
    if (std::accumulate(generated.data.replicas.begin(), generated.data.replicas.end(), 0u) > 7) continue;
    if (!test::Judge(generated).judges_rules()) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    compare(generated, instance, counts);
    if (HasFailure()) return;
  }
  EXPECT_GE(counts.compared, test::cases(100));
  EXPECT_GE(counts.exact, test::cases(20));
  EXPECT_GE(counts.fewest, test::cases(5));
  EXPECT_GE(counts.relaxed, test::cases(20));
  EXPECT_GE(counts.uncertain, test::cases(10));
  EXPECT_GE(counts.infeasible, test::cases(5));
  EXPECT_GE(counts.used, test::cases(10));
}

}  // namespace
}  // namespace stowage
