#include "core/colocation/heuristics/fill_greedy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "core/colocation/heuristics/kind_clusters.h"
#include "tests/effort.h"
#include "tests/unit/colocation/heuristics/small_problems.h"

namespace stowage {
namespace {

TEST(FillGreedyTest, FillsNodesOfEachClusterUpToTheLeastThreshold) {
  // Kind 0: 5, 3, 3, 1. Kind 1, which clashes: 4. Three nodes. At a threshold of 7, kind 0 takes two: 5, 3 + 3 + 1; below,
  // 5, 3 + 3 and 1 would be three.
  const ColocationProblem problem = test::colocation_of(3, {1, 2, 2, 1}, {5, 3, 3, 1, 4}, {0, 0, 0, 0, 1});
  // By load: 5, 4 (kind 1), 3, 3, 1.
  EXPECT_EQ(fill_greedy(problem), (Colocation{0, 2, 1, 1, 1}));
}

TEST(FillGreedyTest, FewNodesAreShared) {
  const ColocationProblem problem = test::colocation_of(1, {1, 2, 2, 1}, {5, 4}, {0, 1});
  EXPECT_EQ(fill_greedy(problem), (Colocation{0, 0}));
  const ColocationProblem two = test::colocation_of(2, {1, 2, 2, 1}, {5, 4, 3}, {0, 1, 0});
  EXPECT_EQ(fill_greedy(two), (Colocation{0, 1, 0}));
  EXPECT_TRUE(fill_greedy(test::colocation_of(2, {1}, {}, {})).empty());
}

// Proposition 5, and that clusters share no node.
TEST(FillGreedyTest, RatioHolds) {
  Random random(4);
  for (std::uint64_t k = 0; k < test::cases(600); ++k) {
    const std::uint32_t nodes = 3 + random.below(2);
    const ColocationProblem problem =
        test::small_colocation(random, 3 + random.below(6), nodes, 2, static_cast<test::Manner>(random.below(4)));
    const Colocation colocation = fill_greedy(problem);
    const auto kinds = static_cast<double>(std::set<std::uint32_t>(problem.kind.begin(), problem.kind.end()).size());
    EXPECT_LE(cost_of(problem, colocation).worst,
              2 * kinds * nodes / (nodes - kinds) * test::least_worst_cost(problem) * (1 + 1e-12));
    if (kind_clusters(problem).size() < 2) continue;
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
      for (std::uint32_t j = 0; j < i; ++j) EXPECT_TRUE(problem.kind[i] == problem.kind[j] || colocation[i] != colocation[j]);
    }
  }
}

TEST(FillGreedyTest, IsDefinedForAllNumbersOfNodes) {
  Random random(5);
  for (std::uint64_t k = 0; k < test::cases(600); ++k) {
    const ColocationProblem problem = test::small_colocation(random, random.below(30), 1 + random.below(8), 1 + random.below(8),
                                                             static_cast<test::Manner>(random.below(5)));
    const Colocation colocation = fill_greedy(problem);
    ASSERT_EQ(colocation.size(), problem.replicas());
    for (const std::uint32_t node : colocation) ASSERT_LT(node, problem.nodes);
  }
}

// Sums of thirds in another order are neighbouring numbers, between which there is no threshold.
TEST(FillGreedyTest, EndsBetweenNeighbouringNumbers) {
  Random random(6);
  for (std::uint64_t k = 0; k < test::cases(2000); ++k) {
    std::vector<double> load;
    for (std::uint32_t i = 0; i < 45; ++i) load.push_back((1 + random.below(29)) / 3.0);
    std::sort(load.begin(), load.end(), std::greater<>());
    const ColocationProblem problem =
        test::colocation_of(2 + random.below(20), {1}, load, std::vector<std::uint32_t>(load.size(), 0));
    ASSERT_EQ(fill_greedy(problem).size(), problem.replicas());
  }
}

}  // namespace
}  // namespace stowage
