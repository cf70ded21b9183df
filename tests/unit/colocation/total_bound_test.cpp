#include "core/colocation/bounds/total_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/colocation/totals/one_kind_total.h"
#include "tests/effort.h"
#include "tests/unit/support/colocation_cases.h"

namespace stowage {
namespace {

double total_bound_of(const ColocationProblem& problem) {
  WorkClock clock(Request{}, nullptr);
  return total_cost_bound(problem, clock);
}

TEST(TotalBoundTest, IsBelowEveryAssignment) {
  constexpr auto kProblems = static_cast<int>(test::cases(4000));
  test::Random random(31);
  int close = 0;
  for (int k = 0; k < kProblems; ++k) {
    const ColocationProblem problem = test::tiny_problem(random, 8);
    const double total = test::least_costs(problem).total;
    const double bound = total_bound_of(problem);
    ASSERT_LE(bound, total) << k;
    close += bound > .9 * total ? 1 : 0;
  }
  EXPECT_GT(close, kProblems / 4);
}

// The least total of one kind by the dynamic program over all cuts.
double cut_total(const std::vector<double>& load, std::uint32_t nodes) {
  std::vector<double> least(load.size() + 1, 0);
  for (std::size_t j = 1; j <= load.size(); ++j) least[j] = 1e300;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    std::vector<double> next = least;
    for (std::size_t i = 0; i < load.size(); ++i) {
      double sum = 0;
      for (std::size_t j = i + 1; j <= load.size(); ++j) {
        sum += load[j - 1];
        next[j] = std::min(next[j], least[i] + static_cast<double>(j - i) * sum);
      }
    }
    least = next;
  }
  return least.back();
}

TEST(TotalBoundTest, OneKindIsTheBestCutOfItsSortedLoads) {
  test::Random random(32);
  for (int k = 0; k < 300; ++k) {
    ColocationProblem problem = test::design_problem(random, test::Coefficients::kCompatible, 1, random.between(1, 80), 1);
    if (k % 3 == 0)
      for (double& load : problem.load) load = std::floor(load);
    const std::uint32_t nodes = random.between(1, 12);
    WorkClock clock(Request{}, nullptr);
    const double bound = one_kind_total(problem.load, nodes, clock);
    const double total = cut_total(problem.load, nodes);
    EXPECT_LE(bound, total) << k;
    EXPECT_GE(bound, total * (1 - 1e-6)) << k;
  }
}

TEST(TotalBoundTest, FluidFormulas) {
  // 100 loads of 1 of each of two kinds on 10 nodes. Kinds that do not harm each other: 100^2 / 10 each.
  ColocationProblem problem;
  problem.nodes = 10;
  problem.kinds = 2;
  std::vector<std::pair<double, std::uint32_t>> replicas;
  for (std::uint32_t i = 0; i < 200; ++i) replicas.emplace_back(1, i % 2);
  test::set_replicas(problem, replicas);
  problem.coefficient = {1, 0, 0, 1};
  EXPECT_NEAR(total_bound_of(problem), 2000, 1e-3 * 2000);
  // At coefficients of 1/2, 10 of each on each node cost 10 x 15 twice.
  problem.coefficient = {1, .5, .5, 1};
  EXPECT_NEAR(total_bound_of(problem), 3000, 2e-3 * 3000);
  // One kind in effect.
  problem.coefficient = {1, 1, 1, 1};
  EXPECT_NEAR(total_bound_of(problem), 4000, 1e-6 * 4000);
  // Kinds that clash stay apart, on 5 nodes each.
  problem.coefficient = {1, 3, 3, 1};
  EXPECT_NEAR(total_bound_of(problem), 4000, 1e-6 * 4000);
}

TEST(TotalBoundTest, IsCloseForManyReplicas) {
  // What dealing the sorted loads of each kind out node by node costs is above; the bound is not far below.
  test::Random random(33);
  const ColocationProblem problem = test::design_problem(random, test::Coefficients::kCompatible, 3, 2000, 50);
  const double bound = total_bound_of(problem);
  Colocation dealt(problem.replicas());
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) dealt[i] = i % problem.nodes;
  EXPECT_LE(bound, cost_of(problem, dealt).total);
  // Above each kind alone.
  double apart = 0;
  for (std::uint32_t t = 0; t < 3; ++t) {
    std::vector<double> load;
    for (std::uint32_t i = 0; i < problem.replicas(); ++i)
      if (problem.kind[i] == t) load.push_back(problem.load[i]);
    WorkClock clock(Request{}, nullptr);
    apart += one_kind_total(load, problem.nodes, clock);
  }
  EXPECT_GT(bound, 1.1 * apart);
}

TEST(TotalBoundTest, NumbersOfAnyMagnitudeAndNothing) {
  test::Random random(34);
  ColocationProblem problem = test::design_problem(random, test::Coefficients::kMixed, 4, 60, 6);
  const double bound = total_bound_of(problem);
  EXPECT_GT(bound, 0);
  for (const double magnitude : {0x1p-300, 0x1p300}) {
    ColocationProblem scaled = problem;
    for (double& load : scaled.load) load *= magnitude;
    EXPECT_EQ(total_bound_of(scaled), bound * magnitude);
  }
  std::fill(problem.load.begin(), problem.load.end(), 0);
  EXPECT_EQ(total_bound_of(problem), 0);
}

}  // namespace
}  // namespace stowage
