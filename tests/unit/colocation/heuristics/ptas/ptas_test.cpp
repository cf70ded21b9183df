#include "core/colocation/heuristics/ptas/ptas.h"

#include <gtest/gtest.h>

#include "core/colocation/heuristics/schedules.h"
#include "tests/effort.h"
#include "tests/unit/colocation/heuristics/small_problems.h"

namespace stowage {
namespace {

WorkClock endless() { return WorkClock(Request{}, nullptr); }

// Two nodes, two kinds that hurt each other ten times, one replica of the whole cost and short ones of the other kind. As
// printed in P4, the algorithm spreads the short ones over both nodes.
TEST(PtasTest, ShortReplicasStayAwayFromWhatTheyWouldHurt) {
  std::vector<double> load = {100};
  load.insert(load.end(), 40, 2.5);
  std::vector<std::uint32_t> kind(41, 1);
  kind[0] = 0;
  const ColocationProblem problem = test::colocation_of(2, {1, 10, 10, 1}, load, kind);
  Colocation found;
  WorkClock clock = endless();
  ASSERT_EQ(ptas_within(problem, 100, {}, clock, found), PtasAnswer::kFound);
  EXPECT_DOUBLE_EQ(cost_of(problem, found).worst, 100);
}

TEST(PtasTest, ReplicasWithoutLoadHaveAPlace) {
  const ColocationProblem problem = test::colocation_of(2, {1, 10, 10, 1}, {4, 0, 0}, {0, 1, 1});
  Colocation found;
  WorkClock clock = endless();
  ASSERT_EQ(ptas_within(problem, 4, {}, clock, found), PtasAnswer::kFound);
  EXPECT_DOUBLE_EQ(cost_of(problem, found).worst, 4);
  EXPECT_EQ(ptas_within(problem, 3.99, {}, clock, found), PtasAnswer::kImpossible);
}

TEST(PtasTest, OneLimitIsMetOrProvenImpossible) {
  Random random(7);
  std::uint32_t impossible = 0;
  for (std::uint64_t k = 0; k < test::cases(300); ++k) {
    const ColocationProblem problem = test::small_colocation(random, 3 + random.below(5), 2 + random.below(2),
                                                             1 + random.below(2), static_cast<test::Manner>(random.below(5)));
    const double least = test::least_worst_cost(problem);
    const PtasOptions options{1 + random.below(2), 2'000'000};
    const double ratio = 1 + 1.0 / options.precision;
    WorkClock clock = endless();
    Colocation found;
    ASSERT_EQ(ptas_within(problem, least, options, clock, found), PtasAnswer::kFound) << k;
    ASSERT_LE(cost_of(problem, found).worst, ratio * least * (1 + 1e-9)) << k;
    const double below = least * (0.4 + 0.6 * random.share());
    if (ptas_within(problem, below, options, clock, found) == PtasAnswer::kFound) {
      ASSERT_LE(cost_of(problem, found).worst, ratio * below * (1 + 1e-9)) << k;
    } else {
      ++impossible;
    }
  }
  EXPECT_GT(impossible, test::cases(100));
}

TEST(PtasTest, RatioAndBoundHold) {
  Random random(8);
  for (std::uint64_t k = 0; k < test::cases(200); ++k) {
    const ColocationProblem problem = test::small_colocation(random, 3 + random.below(5), 2 + random.below(2),
                                                             1 + random.below(2), static_cast<test::Manner>(random.below(5)));
    const double least = test::least_worst_cost(problem);
    // All on one node is the worst start there is.
    WorkClock clock = endless();
    const PtasResult result = mse_ptas(problem, Colocation(problem.replicas(), 0), {2, 2'000'000}, clock);
    ASSERT_EQ(result.answer, PtasAnswer::kFound);
    ASSERT_DOUBLE_EQ(result.cost, cost_of(problem, result.colocation).worst);
    ASSERT_GE(result.cost, least * (1 - 1e-12));
    ASSERT_LE(result.cost, 1.5 * least * (1 + 1e-8)) << k;
    ASSERT_LE(result.bound, least * (1 + 1e-12)) << k;
  }
}

TEST(PtasTest, TooManyConfigurationsAndTheWorkLimitEndIt) {
  Random random(9);
  const ColocationProblem problem = test::small_colocation(random, 60, 5, 3, test::Manner::kCompatible);
  WorkClock clock = endless();
  const Colocation start = sched_mixed(problem, Subroutine::kLpt);
  const PtasResult refused = mse_ptas(problem, start, {4, 1000}, clock);
  EXPECT_EQ(refused.answer, PtasAnswer::kTooMany);
  EXPECT_EQ(refused.colocation, start);
  Request request;
  request.work_limit = 500;
  WorkClock limited(request, nullptr);
  EXPECT_EQ(mse_ptas(problem, start, {4, 2'000'000}, limited).answer, PtasAnswer::kStopped);
}

TEST(PtasTest, KindsHaveToSufferFromThemselves) {
  EXPECT_FALSE(suits_ptas(test::colocation_of(2, {0, 1, 1, 1}, {1, 2}, {0, 1})));
  EXPECT_TRUE(suits_ptas(test::colocation_of(2, {0, 1, 1, 1}, {1, 2}, {1, 1})));
}

}  // namespace
}  // namespace stowage
