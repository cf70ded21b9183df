#include "core/colocation/heuristics/dedicated.h"

#include <gtest/gtest.h>

#include "core/colocation/heuristics/kind_clusters.h"
#include "core/colocation/heuristics/schedules.h"
#include "tests/effort.h"
#include "tests/unit/colocation/heuristics/small_problems.h"

namespace stowage {
namespace {

Colocation scheduled(const ColocationProblem& problem, DedicatedSchedule what, Subroutine how) {
  if (what == DedicatedSchedule::kMixed) return sched_mixed(problem, how);
  return what == DedicatedSchedule::kJuxtapose ? sched_juxtapose(problem, how) : best_schedule(problem, how);
}

struct DividedNodes {
  double least = std::numeric_limits<double>::infinity();
  bool falls = true;  // no schedule costs more on more nodes
};

// P4's enumeration of the nodes of each cluster.
DividedNodes enumerated(const ColocationProblem& problem, DedicatedSchedule what, Subroutine how) {
  std::vector<ColocationPart> parts = parts_of(problem, kind_clusters(problem));
  std::vector<std::vector<double>> cost(parts.size(), std::vector<double>(problem.nodes + 1));
  DividedNodes result;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (std::uint32_t m = 1; m <= problem.nodes; ++m) {
      parts[k].problem.nodes = m;
      cost[k][m] = cost_of(parts[k].problem, scheduled(parts[k].problem, what, how)).worst;
      if (m > 1 && cost[k][m] > cost[k][m - 1]) result.falls = false;
    }
  }
  const std::function<void(std::size_t, std::uint32_t, double)> divide = [&](std::size_t k, std::uint32_t left, double most) {
    if (k == parts.size()) {
      if (left == 0) result.least = std::min(result.least, most);
      return;
    }
    for (std::uint32_t m = 1; m <= left; ++m) divide(k + 1, left - m, std::max(most, cost[k][m]));
  };
  divide(0, problem.nodes, 0);
  return result;
}

TEST(DedicatedTest, NodesGoWhereTheyAreNeeded) {
  // Kind 0: 6, 6, 2; kind 1: 3, 1. Of three nodes, kind 0 gets two, with 6 + 2 at most; the other division costs 14.
  const ColocationProblem problem = test::colocation_of(3, {1, 2, 2, 1}, {6, 6, 2, 3, 1}, {0, 0, 0, 1, 1});
  EXPECT_EQ(greedy_dedicated(problem, DedicatedSchedule::kMixed, Subroutine::kLpt), (Colocation{0, 1, 2, 0, 2}));
}

TEST(DedicatedTest, FindsWhatTheEnumerationFinds) {
  Random random(6);
  std::uint32_t anomalies = 0;
  std::uint32_t several = 0;
  for (std::uint64_t k = 0; k < test::cases(800); ++k) {
    const auto manner = static_cast<test::Manner>(random.below(5));
    const ColocationProblem problem =
        test::small_colocation(random, 1 + random.below(40), 1 + random.below(10), 1 + random.below(5), manner);
    const auto what = static_cast<DedicatedSchedule>(random.below(3));
    const auto how = static_cast<Subroutine>(random.below(2));
    const Colocation colocation = greedy_dedicated(problem, what, how);
    for (const std::uint32_t node : colocation) ASSERT_LT(node, problem.nodes);
    const DividedNodes all = enumerated(problem, what, how);
    const double cost = cost_of(problem, colocation).worst;
    anomalies += all.falls ? 0 : 1;
    several += kind_clusters(problem).size() > 1 ? 1 : 0;
    if (all.falls) {
      ASSERT_DOUBLE_EQ(cost, all.least) << "case " << k;
    } else {
      // Two in a hundred is more than any of these cases loses.
      ASSERT_LE(cost, all.least * 1.02) << "case " << k;
    }
  }
  EXPECT_GT(several, test::cases(300));
  EXPECT_LT(anomalies, test::cases(800) / 2);
}

}  // namespace
}  // namespace stowage
