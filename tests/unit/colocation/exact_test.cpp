#include "core/colocation/bounds/exact.h"

#include <gtest/gtest.h>

#include "core/colocation/bounds/worst_bound.h"
#include "tests/effort.h"
#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

ExactColocation exact_of(const ColocationProblem& problem, std::uint64_t work, const Colocation& start = {}) {
  Request request;
  request.work_limit = work;
  WorkClock clock(request, nullptr);
  return exact_colocation(problem, clock, start);
}

TEST(ExactColocationTest, IsTheBestOfAllAssignments) {
  test::Random random(21);
  for (int k = 0; k < static_cast<int>(test::cases(4000)); ++k) {
    const ColocationProblem problem = test::tiny_problem(random, 8);
    const double worst = test::least_costs(problem).worst;
    const ExactColocation exact = exact_of(problem, 0);
    ASSERT_TRUE(exact.proven) << k;
    ASSERT_NEAR(exact.worst, worst, 1e-11 * worst) << k;
    ASSERT_EQ(cost_of(problem, exact.colocation).worst, exact.worst) << k;
  }
}

TEST(ExactColocationTest, ProvesTwentyReplicasOfEveryClass) {
  test::Random random(22);
  for (const test::Coefficients shape : test::kAllCoefficients) {
    for (const std::uint32_t nodes : {2u, 3u, 5u, 10u}) {
      const ColocationProblem problem = test::design_problem(random, shape, random.between(2, 4), 20, nodes);
      const ExactColocation exact = exact_of(problem, 10'000'000);
      EXPECT_TRUE(exact.proven) << nodes;
      Request request;
      request.work_limit = 20'000;
      WorkClock clock(request, nullptr);
      EXPECT_LE(worst_cost_bound(problem, clock).value, exact.worst * (1 + 1e-12));
    }
  }
}

TEST(ExactColocationTest, IsNeverWorseThanItsStart) {
  test::Random random(23);
  const ColocationProblem problem = test::design_problem(random, test::Coefficients::kMixed, 4, 50, 3);
  const Colocation start(50, 1);
  const double before = cost_of(problem, start).worst;
  double worst = before;
  for (const std::uint64_t work : {1u, 20'000u, 200'000u}) {
    const ExactColocation exact = exact_of(problem, work, start);
    EXPECT_LE(exact.worst, worst);
    EXPECT_EQ(cost_of(problem, exact.colocation).worst, exact.worst);
    worst = exact.worst;
  }
  EXPECT_LT(worst, before);
}

TEST(ExactColocationTest, EdgesOfWhatItLooksInto) {
  ColocationProblem problem;
  problem.nodes = 3;
  problem.kinds = 1;
  problem.coefficient = {1};
  EXPECT_TRUE(exact_of(problem, 0).proven);
  // Equal loads: 64 of them on 3 nodes are 22 on one.
  for (std::uint32_t i = 0; i < kMostExactReplicas; ++i) {
    problem.load.push_back(1);
    problem.kind.push_back(0);
    problem.app.push_back(i);
  }
  const ExactColocation full = exact_of(problem, 100'000);
  EXPECT_TRUE(full.proven);
  EXPECT_EQ(full.worst, 22);
  problem.load.push_back(1);
  problem.kind.push_back(0);
  problem.app.push_back(kMostExactReplicas);
  const ExactColocation many = exact_of(problem, 100'000);
  EXPECT_FALSE(many.proven);
  EXPECT_EQ(many.colocation.size(), problem.load.size());
}

}  // namespace
}  // namespace stowage
