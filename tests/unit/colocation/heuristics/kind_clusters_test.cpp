#include "core/colocation/heuristics/kind_clusters.h"

#include <gtest/gtest.h>

#include "tests/unit/colocation/heuristics/small_problems.h"

namespace stowage {
namespace {

using Clusters = std::vector<std::vector<std::uint32_t>>;

// Kinds 0 and 2 suit each other, 1 suits 3; 3 suffers 1.5 from 0. No replica has kind 4, which suits all.
ColocationProblem four_kinds(std::uint32_t nodes) {
  return test::colocation_of(nodes, {1,   2, 0.5, 1, 0,  //
                                     2,   1, 2,   1, 0,  //
                                     1,   3, 1,   2, 0,  //
                                     1.5, 1, 2,   1, 0,  //
                                     0,   0, 0,   0, 1},
                             {5, 4, 3, 2}, {0, 1, 2, 3});
}

TEST(KindClustersTest, KindsThatSuitEachOther) {
  EXPECT_EQ(kind_clusters(four_kinds(10)), (Clusters{{0, 2}, {1, 3}}));
  EXPECT_EQ(kind_clusters(four_kinds(1)), (Clusters{{0, 1, 2, 3}}));
}

TEST(KindClustersTest, FewNodesUniteTheClustersThatClashLeast) {
  // All clash: 0 and 1 by 4, 0 and 2 by 3, 1 and 2 by 5.
  const auto problem = [](std::uint32_t nodes) {
    return test::colocation_of(nodes, {1, 4, 2, 2, 1, 2, 3, 5, 1}, {3, 2, 1}, {0, 1, 2});
  };
  EXPECT_EQ(kind_clusters(problem(3)), (Clusters{{0}, {1}, {2}}));
  EXPECT_EQ(kind_clusters(problem(2)), (Clusters{{0, 2}, {1}}));
}

TEST(KindClustersTest, KindsThatSuitFewComeFirst) {
  // A path 0 - 1 - 2 - 3 of kinds that suit each other. In order of kinds, 0 and 1 join first, then 2 and 3; were it 1 and 2,
  // the ends would be alone.
  const ColocationProblem path =
      test::colocation_of(9, {1, 9, 1, 9, 9, 1, 9, 1, 1, 9, 1, 1, 9, 1, 1, 1}, {4, 3, 2, 1}, {0, 1, 2, 3});
  // The path is 0 - 2 - 3 - 1.
  EXPECT_EQ(kind_clusters(path), (Clusters{{0, 2}, {1, 3}}));
}

TEST(KindClustersTest, PartsAreTheReplicasOfTheirKinds) {
  const ColocationProblem problem = four_kinds(10);
  const std::vector<ColocationPart> parts = parts_of(problem, kind_clusters(problem));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].replica, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(parts[0].problem.load, (std::vector<double>{5, 3}));
  EXPECT_EQ(parts[0].problem.kind, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(parts[1].replica, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(parts[1].problem.kinds, 5u);
}

}  // namespace
}  // namespace stowage
