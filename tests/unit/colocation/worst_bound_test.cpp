#include "core/colocation/bounds/worst_bound.h"

#include <gtest/gtest.h>

#include <string>

#include "core/colocation/fluid_bound.h"
#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

using test::Coefficients;

WorstBound bound_of(const ColocationProblem& problem, std::uint64_t work, double upper) {
  Request request;
  request.work_limit = work;
  WorkClock clock(request, nullptr);
  return worst_cost_bound(problem, clock, upper);
}

double held(const WorstBound& bound, std::uint32_t kind) {
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
  constexpr int kProblems = 4000;
  for (int k = 0; k < kProblems; ++k) {
    const ColocationProblem problem = test::tiny_problem(random, 8);
    const double worst = test::least_costs(problem).worst;
    const double upper = k % 2 == 0 ? worst : std::numeric_limits<double>::infinity();
    const WorstBound bound = bound_of(problem, 20'000, upper);
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

}  // namespace
}  // namespace stowage
