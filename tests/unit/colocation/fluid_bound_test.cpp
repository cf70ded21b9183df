#include "core/colocation/fluid_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

using test::Coefficients;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

ColocationProblem two_kinds_on(std::uint32_t nodes, std::vector<double> coefficient) {
  ColocationProblem problem;
  problem.nodes = nodes;
  problem.kinds = 2;
  problem.coefficient = std::move(coefficient);
  test::set_replicas(problem, {{4, 0}, {2, 0}, {3, 1}, {3, 1}});
  return problem;
}

double worth_at_prices(const ColocationProblem& problem, const FluidBound& bound) {
  double sum = 0;
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) sum += bound.prices[problem.kind[i]] * problem.load[i];
  return sum;
}

TEST(FluidBoundTest, KindsThatDoNotTouchEachOtherShareEveryNode) {
  const ColocationProblem problem = two_kinds_on(2, {1, 0, 0, 1});
  EXPECT_NEAR(fluid_bound(problem).value, 3, 1e-9);
  EXPECT_DOUBLE_EQ(largest_replica_bound(problem), 4);
}

TEST(FluidBoundTest, OneKindIsTheMeanLoad) {
  const FluidBound bound = fluid_bound(two_kinds_on(3, {1, 1, 1, 1}));
  EXPECT_NEAR(bound.value, 4, 1e-9);
  EXPECT_NEAR(bound.prices[0], 1.0 / 3, 1e-9);
  EXPECT_NEAR(bound.prices[1], 1.0 / 3, 1e-9);
}

TEST(FluidBoundTest, SharedNodesHoldWhatTheirCoefficientsSay) {
  // At half of the other kind's load, a node of cost 1 holds 2/3 of each: 12 / (4/3) = 9 nodes of cost 1.
  EXPECT_NEAR(fluid_bound(two_kinds_on(3, {1, .5, .5, 1})).value, 3, 1e-9);
  // A kind that costs nothing on its own kind takes no room.
  const FluidBound free = fluid_bound(two_kinds_on(3, {0, 0, 1, 2}));
  EXPECT_NEAR(free.value, 4, 1e-9);
  EXPECT_EQ(free.prices[0], 0);
}

TEST(FluidBoundTest, IsBelowEveryAssignment) {
  test::Random random(1);
  for (int k = 0; k < 4000; ++k) {
    const ColocationProblem problem = test::tiny_problem(random, 7);
    const FluidBound bound = fluid_bound(problem);
    const double worst = test::least_costs(problem).worst;
    ASSERT_LE(bound.value, worst) << k;
    ASSERT_LE(largest_replica_bound(problem), worst) << k;
    ASSERT_NEAR(worth_at_prices(problem, bound), bound.value, 1e-9 * bound.value) << k;
    // The same from the other side: a plan of this cost exists, so no more nodes are needed.
    const std::vector<double> limit(problem.kinds, worst);
    ASSERT_LE(fluid_node_count(problem, limit), problem.nodes) << k;
  }
}

TEST(FluidBoundTest, LimitsPerKindNeedNoMoreNodesThanAnAssignmentWithinThem) {
  test::Random random(2);
  for (int k = 0; k < 2000; ++k) {
    const ColocationProblem problem = test::tiny_problem(random, 40);
    // What each kind suffers in some assignment are limits that its nodes fulfil.
    std::vector<double> load(std::size_t{problem.nodes} * problem.kinds, 0);
    std::vector<std::uint32_t> node(problem.replicas());
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
      node[i] = random.below(problem.nodes);
      load[std::size_t{node[i]} * problem.kinds + problem.kind[i]] += problem.load[i];
    }
    std::vector<double> limit(problem.kinds, 0);
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
      double cost = 0;
      for (std::uint32_t u = 0; u < problem.kinds; ++u)
        cost += problem.suffers(problem.kind[i], u) * load[std::size_t{node[i]} * problem.kinds + u];
      limit[problem.kind[i]] = std::max(limit[problem.kind[i]], cost);
    }
    if (random.chance(.3)) limit[random.below(problem.kinds)] = kNoLimit;
    ASSERT_LE(fluid_node_count(problem, limit), problem.nodes) << k;
  }
}

TEST(FluidBoundTest, LimitsThatAReplicaCannotKeep) {
  const ColocationProblem problem = two_kinds_on(2, {1, 1, 1, 1});
  EXPECT_EQ(fluid_node_count(problem, std::vector<double>{3.9, 5}), kNoLimit);
  EXPECT_NEAR(fluid_node_count(problem, std::vector<double>{4, 4}), 3, 1e-9);
  // A kind without a limit shares a node with itself alone.
  EXPECT_NEAR(fluid_node_count(problem, std::vector<double>{4, kNoLimit}), 1.5, 1e-9);
  EXPECT_EQ(fluid_node_count(problem, std::vector<double>{kNoLimit, kNoLimit}), 1);
}

TEST(FluidBoundTest, ManyKindsBecomeGroups) {
  test::Random random(3);
  for (const Coefficients shape : test::kAllCoefficients) {
    ColocationProblem problem = test::design_problem(random, shape, 4, 300, 10);
    const double value = fluid_bound(problem).value;
    // Kinds that are copies of each kind change nothing, however many they are.
    for (const std::uint32_t copies : {5, 50}) {
      const std::uint32_t kinds = 4 * copies;
      ColocationProblem copied = problem;
      copied.kinds = kinds;
      copied.coefficient.clear();
      for (std::uint32_t t = 0; t < kinds; ++t)
        for (std::uint32_t u = 0; u < kinds; ++u) copied.coefficient.push_back(problem.suffers(t % 4, u % 4));
      for (std::uint32_t i = 0; i < copied.replicas(); ++i) copied.kind[i] += 4 * (i % copies);
      const FluidBound bound = fluid_bound(copied);
      EXPECT_NEAR(bound.value, value, 1e-9 * value) << copies;
      EXPECT_NEAR(worth_at_prices(copied, bound), value, 1e-9 * value) << copies;
    }
  }
}

TEST(FluidBoundTest, ManyKindsStayBelowEveryAssignment) {
  test::Random random(4);
  for (int k = 0; k < 30; ++k) {
    ColocationProblem problem = test::design_problem(random, test::kAllCoefficients[k % 4], 14, 8, 3);
    for (std::uint32_t i = 0; i < 8; ++i) problem.kind[i] = i + random.below(7);
    const FluidBound bound = fluid_bound(problem);
    EXPECT_LE(bound.value, test::least_costs(problem).worst) << k;
  }
}

TEST(FluidBoundTest, NothingToPlace) {
  ColocationProblem problem;
  problem.nodes = 2;
  problem.kinds = 2;
  problem.coefficient = {1, 1, 1, 1};
  EXPECT_EQ(fluid_bound(problem).value, 0);
  EXPECT_EQ(largest_replica_bound(problem), 0);
  EXPECT_EQ(fluid_node_count(problem, std::vector<double>{1, 1}), 0);
}

}  // namespace
}  // namespace stowage
