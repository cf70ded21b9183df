#include "core/colocation/heuristics/schedules.h"

#include <gtest/gtest.h>

#include "tests/effort.h"
#include "tests/unit/colocation/heuristics/small_problems.h"

namespace stowage {
namespace {

// Two nodes; kind 0: 4 and 2, kind 1: 3 and 3. Half of the other kind's load is suffered.
ColocationProblem two_kinds() { return test::colocation_of(2, {1, 0.5, 0.5, 1}, {4, 2, 3, 3}, {0, 0, 1, 1}); }

TEST(SchedulesTest, MixedKnowsLoadsAlone) {
  // 4 | 3 | then 3 to the node of 3, 2 to the node of 4.
  EXPECT_EQ(sched_mixed(two_kinds(), Subroutine::kLpt), (Colocation{0, 1, 1, 0}));
  // 6 of kind 0 on one node, 6 of kind 1 on the other.
  EXPECT_DOUBLE_EQ(cost_of(two_kinds(), {0, 1, 1, 0}).worst, 6);
}

TEST(SchedulesTest, JuxtaposedSchedulesTurnEveryOtherOne) {
  // Kind 0: 4 on node 0, 2 on node 1. Kind 1: 3 each; its first node is the last.
  const Colocation colocation = sched_juxtapose(two_kinds(), Subroutine::kLpt);
  EXPECT_EQ(colocation, (Colocation{0, 1, 0, 1}));
  // Node 0: 4 + 1.5 and 3 + 2.
  EXPECT_DOUBLE_EQ(cost_of(two_kinds(), colocation).worst, 5.5);
  EXPECT_EQ(best_schedule(two_kinds(), Subroutine::kLpt), colocation);
}

TEST(SchedulesTest, KindsWithoutReplicasDoNotTurn) {
  // Kinds 0 and 2 occur: kind 2 is the second, and is turned.
  const ColocationProblem problem = test::colocation_of(2, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {4, 3}, {0, 2});
  EXPECT_EQ(sched_juxtapose(problem, Subroutine::kLpt), (Colocation{0, 1}));
}

TEST(SchedulesTest, OneKindIsIdenticalNodes) {
  Random random(2);
  for (std::uint64_t k = 0; k < test::cases(200); ++k) {
    const std::uint32_t nodes = 1 + random.below(4);
    const ColocationProblem problem = test::small_colocation(random, random.below(12), nodes, 1, test::Manner::kMixed);
    const Colocation plain = lpt(problem.load, nodes);
    EXPECT_EQ(sched_mixed(problem, Subroutine::kLpt), plain);
    EXPECT_EQ(sched_juxtapose(problem, Subroutine::kLpt), plain);
    EXPECT_EQ(best_schedule(problem, Subroutine::kLpt), plain);
    EXPECT_LE(cost_of(problem, least_cost_lpt(problem)).worst, cost_of(problem, plain).worst * 1.05);
  }
}

// The rule itself, by looking at every node.
Colocation least_cost_of_all_nodes(const ColocationProblem& problem, Colocation& taken, std::vector<double>& taken_cost) {
  const std::uint32_t kinds = problem.kinds;
  std::vector<double> load(std::size_t{problem.nodes} * kinds, 0);
  std::vector<std::uint32_t> count(load.size(), 0);
  const auto worst = [&](std::uint32_t k) {
    double most = 0;
    for (std::uint32_t t = 0; t < kinds; ++t) {
      if (count[k * kinds + t] == 0) continue;
      double cost = 0;
      for (std::uint32_t u = 0; u < kinds; ++u) cost += problem.suffers(t, u) * load[k * kinds + u];
      most = std::max(most, cost);
    }
    return most;
  };
  Colocation best(problem.replicas());
  for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t k = 0; k < problem.nodes; ++k) {
      const std::size_t cell = std::size_t{k} * kinds + problem.kind[i];
      const double before = load[cell];
      load[cell] += problem.load[i];
      ++count[cell];
      const double cost = worst(k);
      load[cell] = before;
      --count[cell];
      if (taken[i] == k) taken_cost[i] = cost;
      if (cost >= least) continue;
      least = cost;
      best[i] = k;
    }
    taken_cost[i] /= least;
    const std::size_t cell = std::size_t{taken[i]} * kinds + problem.kind[i];
    load[cell] += problem.load[i];
    ++count[cell];
  }
  return best;
}

TEST(SchedulesTest, LeastCostIsLeastOnEveryStep) {
  Random random(3);
  for (std::uint64_t k = 0; k < test::cases(400); ++k) {
    const auto manner = static_cast<test::Manner>(random.below(5));
    const ColocationProblem problem = test::small_colocation(random, 40, 1 + random.below(9), 1 + random.below(5), manner);
    Colocation taken = least_cost_lpt(problem);
    std::vector<double> ratio(problem.replicas(), 0);
    const Colocation best = least_cost_of_all_nodes(problem, taken, ratio);
    for (std::uint32_t i = 0; i < problem.replicas(); ++i) {
      ASSERT_LT(taken[i], problem.nodes);
      ASSERT_LE(ratio[i], (1 + 1e-12) / (1 - kLeastCostTolerance))
          << i << " of case " << k << ": node " << taken[i] << " instead of " << best[i];
    }
  }
}

TEST(SchedulesTest, LeastCostSeesWhatTheOthersSuffer) {
  // Kind 1 hurts kind 0 ten times and suffers nothing: 1 goes beside 3 of its own kind, although the node of 2 has less load.
  const ColocationProblem problem = test::colocation_of(2, {1, 10, 0, 1}, {3, 2, 1}, {1, 0, 1});
  EXPECT_EQ(least_cost_lpt(problem), (Colocation{0, 1, 0}));
}

}  // namespace
}  // namespace stowage
