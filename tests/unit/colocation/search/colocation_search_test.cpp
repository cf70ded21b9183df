#include "core/colocation/search/colocation_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/colocation/fluid_bound.h"
#include "core/colocation/heuristics/schedules.h"
#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

Request of_work(std::uint64_t units) {
  Request request;
  request.work_limit = units;
  return request;
}

double objective_of(const ColocationProblem& problem, const Colocation& colocation, ColocationGoal goal) {
  const ColocationCost cost = cost_of(problem, colocation);
  return goal == ColocationGoal::kWorst ? cost.worst : cost.total;
}

TEST(ColocationSearchTest, FindsTheOptimumOfSmallProblems) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    test::Random random(seed);
    const ColocationProblem problem = test::tiny_problem(random, 9);
    const ColocationCost costs = test::least_costs(problem);
    for (const ColocationGoal goal : {ColocationGoal::kWorst, ColocationGoal::kTotal}) {
      const double least = goal == ColocationGoal::kWorst ? costs.worst : costs.total;
      WorkClock clock(of_work(1'000'000), nullptr);
      ColocationSearch search(problem, goal, seed);
      ASSERT_TRUE(search.start(clock));
      search.run(least * (1 + 1e-12), clock);
      EXPECT_NEAR(search.objective(), least, 1e-9 * least) << seed;
      EXPECT_NEAR(objective_of(problem, search.best(), goal), search.objective(), 1e-9 * least) << seed;
    }
  }
}

ColocationProblem two_clusters(std::uint32_t replicas, std::uint32_t nodes) {
  test::Random random(5);
  return test::design_problem(random, test::Coefficients::kMixed, 4, replicas, nodes);
}

TEST(ColocationSearchTest, ComesCloseToTheFluidBound) {
  const ColocationProblem problem = two_clusters(400, 16);
  const double bound = fluid_bound(problem).value;
  WorkClock clock(of_work(2'000'000), nullptr);
  ColocationSearch search(problem, ColocationGoal::kWorst, 1);
  ASSERT_TRUE(search.start(clock));
  search.run(bound, clock);
  EXPECT_GE(search.objective(), bound);
  EXPECT_LT(search.objective(), 1.01 * bound);
  EXPECT_LT(search.objective(), cost_of(problem, least_cost_lpt(problem)).worst);
}

TEST(ColocationSearchTest, GoesOnWhereTheClockStoppedIt) {
  const ColocationProblem problem = two_clusters(100, 7);
  const auto best_after = [&](std::uint64_t part) {
    WorkClock clock(of_work(100'000), nullptr);
    ColocationSearch search(problem, ColocationGoal::kWorst, 3);
    EXPECT_TRUE(search.start(clock));
    while (clock.stop() == Stop::kNo) {
      clock.begin_part(part);
      search.run(0, clock);
      clock.end_part();
    }
    return search.objective();
  };
  EXPECT_NEAR(best_after(1'000'000), best_after(2'560), 0.002 * best_after(1'000'000));
}

TEST(ColocationSearchTest, KeepsTheBetterOfWhatIsOffered) {
  const ColocationProblem problem = two_clusters(60, 5);
  WorkClock clock(of_work(0), nullptr);
  ColocationSearch search(problem, ColocationGoal::kWorst, 3);
  search.offer(Colocation(60, 0));
  const double all_on_one = search.objective();
  ASSERT_TRUE(search.start(clock));
  EXPECT_LT(search.objective(), all_on_one);
  const double started = search.objective();
  search.offer(Colocation(60, 0));
  EXPECT_EQ(search.objective(), started);
  EXPECT_DOUBLE_EQ(cost_of(problem, search.best()).worst, started);
}

TEST(ColocationSearchTest, BeginsNothingForACallerWhoHasCancelled) {
  const ColocationProblem problem = two_clusters(20'000, 50);
  Control control;
  control.cancelled = true;
  WorkClock clock(of_work(0), &control);
  ColocationSearch search(problem, ColocationGoal::kWorst, 1);
  EXPECT_FALSE(search.start(clock));
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

TEST(ColocationSearchTest, StopsAtOnceWhereThereIsNothingToDo) {
  const ColocationProblem one_node = two_clusters(9, 1);
  WorkClock clock(of_work(50'000), nullptr);
  ColocationSearch search(one_node, ColocationGoal::kWorst, 1);
  ASSERT_TRUE(search.start(clock));
  search.run(0, clock);
  EXPECT_DOUBLE_EQ(search.objective(), cost_of(one_node, Colocation(9, 0)).worst);
}

}  // namespace
}  // namespace stowage
