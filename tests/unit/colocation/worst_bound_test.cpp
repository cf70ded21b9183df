#include "core/colocation/bounds/worst_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/colocation/fluid_bound.h"
#include "tests/effort.h"
#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

using test::Coefficients;

constexpr double kUnknownCost = std::numeric_limits<double>::infinity();

WorstBound worst_bound_of(const ColocationProblem& problem, std::uint64_t work = 0, double upper = kUnknownCost) {
  Request request;
  request.work_limit = work;
  WorkClock clock(request, nullptr);
  return worst_cost_bound(problem, clock, upper);
}

double held_by_targets(const WorstBound& bound, std::uint32_t kind) {
  double sum = 0;
  for (const NodeTarget& target : bound.targets) sum += target.load[kind];
  return sum;
}

TEST(WorstBoundTest, IsBelowEveryAssignment) {
  test::Random random(11);
  int largest = 0;
  int supports = 0;
  int leads = 0;
  int attained = 0;
  constexpr auto kProblems = static_cast<int>(test::cases(4000));
  for (int k = 0; k < kProblems; ++k) {
    const ColocationProblem problem = test::tiny_problem(random, 8);
    const double worst = test::least_costs(problem).worst;
    const double upper = k % 2 == 0 ? worst : kUnknownCost;
    const WorstBound bound = worst_bound_of(problem, 4'000, upper);
    ASSERT_LE(bound.value, worst) << k << " " << bound.name;
    ASSERT_GE(bound.value, fluid_bound(problem).value) << k;
    ASSERT_GE(bound.value, largest_replica_bound(problem)) << k;
    attained += bound.value >= worst * (1 - 1e-6) ? 1 : 0;
    largest += bound.name == "largest-replica" ? 1 : 0;
    supports += bound.name == "supports" ? 1 : 0;
    leads += bound.name == "leads" ? 1 : 0;
  }
  // Each of them decides some problems, and most bounds are the optimum.
  EXPECT_GT(largest, kProblems / 10);
  EXPECT_GT(supports, kProblems / 50);
  EXPECT_GT(leads, kProblems / 50);
  EXPECT_GT(attained, kProblems / 2);
}

ColocationProblem side_effects_problem(std::uint32_t nodes, std::uint32_t kinds, std::vector<double> coefficient,
                                       std::vector<std::pair<double, std::uint32_t>> replicas) {
  ColocationProblem problem;
  problem.nodes = nodes;
  problem.kinds = kinds;
  problem.coefficient = std::move(coefficient);
  test::set_replicas(problem, std::move(replicas));
  return problem;
}

TEST(WorstBoundTest, KindsThatClashNeedWholeNodes) {
  // Loads 10 and 2 on three nodes. As fluids 12 / 3 = 4. With whole nodes, one is for the second kind, two for the first: 5.
  const ColocationProblem problem =
      side_effects_problem(3, 2, {1, 9, 9, 1}, {{2.5, 0}, {2.5, 0}, {2.5, 0}, {2.5, 0}, {1, 1}, {1, 1}});
  EXPECT_NEAR(fluid_bound(problem).value, 4, 1e-9);
  const WorstBound bound = worst_bound_of(problem);
  EXPECT_NEAR(bound.value, 5, 1e-8);
  EXPECT_EQ(bound.name, "supports");
  EXPECT_NEAR(held_by_targets(bound, 0), 10, 1e-6);
  EXPECT_NEAR(held_by_targets(bound, 1), 2, 1e-6);
  std::uint32_t nodes = 0;
  for (const NodeTarget& target : bound.targets) {
    nodes += target.nodes;
    // No node holds both kinds, nor more than the bound.
    EXPECT_EQ(std::min(target.load[0], target.load[1]), 0);
    EXPECT_LE(std::max(target.load[0], target.load[1]), 5.01 * target.nodes);
  }
  EXPECT_EQ(nodes, 3u);
}

TEST(WorstBoundTest, LeadsTakeTheirPartOfANode) {
  // Loads 4, 4, 4 of one kind on two nodes: two of them share one.
  const ColocationProblem alone = side_effects_problem(2, 1, {1}, {{4, 0}, {4, 0}, {4, 0}});
  EXPECT_NEAR(worst_bound_of(alone).value, 8, 1e-4);
  EXPECT_EQ(worst_bound_of(alone).name, "leads");
  // 6 of one kind and 6 of another one that harm each other, and 6 of a third one that only the first one bears.
  const ColocationProblem three = side_effects_problem(2, 3, {1, 2, 0, 2, 1, 2, 0, 2, 1}, {{6, 0}, {6, 1}, {3, 2}, {3, 2}});
  EXPECT_NEAR(worst_bound_of(three).value, 6, 1e-9);
}

TEST(WorstBoundTest, EndsAtTheCostOfAKnownPlanAndWithTheWork) {
  test::Random random(12);
  for (const Coefficients shape : test::kAllCoefficients) {
    const ColocationProblem problem = test::design_problem(random, shape, 4, 200, 20);
    const WorstBound all = worst_bound_of(problem);
    double before = 0;
    for (const std::uint64_t work : {1u, 100u, 10'000u, 100'000u}) {
      Request request;
      request.work_limit = work;
      WorkClock clock(request, nullptr);
      const double value = worst_cost_bound(problem, clock).value;
      EXPECT_GE(value, before);
      EXPECT_LE(value, all.value);
      before = value;
    }
    const WorstBound known = worst_bound_of(problem, 0, all.value * .99);
    EXPECT_GE(known.value, all.value * .99 * (1 - 1e-11));
  }
}

TEST(WorstBoundTest, NumbersOfAnyMagnitude) {
  test::Random random(13);
  const ColocationProblem problem = test::design_problem(random, Coefficients::kMixed, 4, 60, 6);
  const WorstBound bound = worst_bound_of(problem);
  for (const double magnitude : {0x1p-300, 0x1p300}) {
    ColocationProblem scaled = problem;
    for (double& load : scaled.load) load *= magnitude;
    const WorstBound other = worst_bound_of(scaled);
    EXPECT_EQ(other.value, bound.value * magnitude);
    EXPECT_EQ(other.name, bound.name);
  }
}

TEST(WorstBoundTest, ReplicasThatCostNothing) {
  const ColocationProblem nothing = side_effects_problem(3, 2, {1, 1, 1, 1}, {});
  EXPECT_EQ(worst_bound_of(nothing).value, 0);
  const ColocationProblem free = side_effects_problem(3, 2, {0, 0, 0, 0}, {{5, 0}, {4, 1}});
  EXPECT_EQ(worst_bound_of(free).value, 0);
  const ColocationProblem weightless = side_effects_problem(3, 2, {1, 1, 1, 1}, {{0, 0}, {0, 1}});
  EXPECT_EQ(worst_bound_of(weightless).value, 0);
}

}  // namespace
}  // namespace stowage
