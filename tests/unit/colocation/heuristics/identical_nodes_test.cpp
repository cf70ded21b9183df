#include "core/colocation/heuristics/identical_nodes.h"

#include <gtest/gtest.h>

#include "tests/effort.h"
#include "tests/unit/colocation/heuristics/small_problems.h"

namespace stowage {
namespace {

double makespan(const std::vector<double>& load, const std::vector<std::uint32_t>& node, std::uint32_t nodes) {
  std::vector<double> sum(nodes, 0);
  for (std::size_t i = 0; i < load.size(); ++i) sum[node[i]] += load[i];
  return *std::max_element(sum.begin(), sum.end());
}

TEST(IdenticalNodesTest, LptTakesTheFirstOfTheLeastLoaded) {
  EXPECT_EQ(lpt(std::vector<double>{4, 4, 2, 1, 1}, 2), (std::vector<std::uint32_t>{0, 1, 0, 1, 1}));
  EXPECT_EQ(lpt(std::vector<double>{0, 0, 0}, 2), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_TRUE(lpt({}, 3).empty());
}

// Graham's example: loads 2m-1, 2m-1, 2m-2, 2m-2, ..., m+1, m+1, m, m, m. LPT needs 4m-1, the optimum is 3m.
TEST(IdenticalNodesTest, LptReachesItsRatio) {
  for (std::uint32_t m = 2; m <= 12; ++m) {
    std::vector<double> load;
    for (std::uint32_t p = 2 * m - 1; p > m; --p) load.insert(load.end(), 2, p);
    load.insert(load.end(), 3, m);
    EXPECT_EQ(makespan(load, lpt(load, m), m), 4 * m - 1) << m;
  }
}

// With 2 nodes and 3, 3, 2, 2, 2, LPT needs 7. First-fit finds 3 + 3 and 2 + 2 + 2 at a capacity of 6.
TEST(IdenticalNodesTest, MultifitFindsWhatLptMisses) {
  const std::vector<double> load = {3, 3, 2, 2, 2};
  EXPECT_EQ(makespan(load, lpt(load, 2), 2), 7);
  EXPECT_EQ(multifit(load, 2), (std::vector<std::uint32_t>{0, 0, 1, 1, 1}));
}

TEST(IdenticalNodesTest, RatiosHold) {
  Random random(1);
  for (std::uint64_t k = 0; k < test::cases(600); ++k) {
    const std::uint32_t nodes = 2 + random.below(3);
    const ColocationProblem problem = test::small_colocation(random, 3 + random.below(6), nodes, 1, test::Manner::kCompatible);
    const double least = test::least_worst_cost(problem);
    const double by_lpt = cost_of(problem, lpt(problem.load, nodes)).worst;
    const double by_multifit = cost_of(problem, multifit(problem.load, nodes)).worst;
    EXPECT_GE(by_lpt, least * (1 - 1e-12));
    EXPECT_LE(by_lpt, (4.0 / 3 - 1.0 / (3 * nodes)) * least * (1 + 1e-12));
    EXPECT_GE(by_multifit, least * (1 - 1e-12));
    EXPECT_LE(by_multifit, by_lpt);
    EXPECT_LE(by_multifit, 1.22 * least * (1 + 1e-3));
  }
}

}  // namespace
}  // namespace stowage
