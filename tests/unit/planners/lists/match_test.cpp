// Application-node matching on a case small enough to follow by hand, and against a literal implementation of algorithm 4.

#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "core/measures/score.h"
#include "core/placement/placement.h"
#include "core/planners/lists/app_groups.h"
#include "core/planners/planner.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

// Shares a = (0.6, 0.2), b = (0.2, 0.6), c = (0.3, 0.3). On an empty node a and b score alike under every measure and above c,
// so a takes node 0, which has (0.4, 0.8) left. By dot product and fitness, b prefers the empty node 1; c scores alike on both
// then, and its replicas go to node 0 and node 1. By tight fill b scores 1.25 on node 0 against 0.8 on node 1, by l2 norm -0.08
// against -0.8; the rest is too little for c.
TEST(MatchTest, TakesTheBestPair) {
  test::InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("c", 2, {3, 3});
  builder.add_app("a", 1, {6, 2});
  builder.add_app("b", 1, {2, 6});
  builder.add_class({10, 10});
  const Instance instance = builder.must_build();
  for (const char* planner : {"match-dotproduct", "match-fitness"}) {
    EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, planner)), "c:1 a:1 | c:1 b:1") << planner;
  }
  for (const char* planner : {"match-tightfill", "match-l2norm"}) {
    EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, planner)), "a:1 b:1 | c:2") << planner;
  }
}

// Algorithm 4: every pair is scored again after every replica.
template <class Unit>
Plan by_the_word(const Instance& instance, const Request& request, Score score, std::uint32_t nodes) {
  Placement<Unit> placement(instance, request);
  while (placement.nodes() < nodes && placement.open(0) != kNone) {
  }
  placement.residuals().track_totals();
  const AppGroups<Unit> groups(instance);
  ScoreMeasure measure(instance, score);
  typename Residuals<Unit>::Need need;
  std::vector<double> row(instance.dims());
  while (true) {
    using Pair = std::tuple<std::int32_t, double, std::int64_t, std::int64_t, std::int64_t>;
    Pair best;
    bool found = false;
    for (NodeId node = 0; node < placement.nodes(); ++node) {
      measure.look_at(placement.residuals(), node);
      for (AppId app = 0; app < instance.apps(); ++app) {
        placement.residuals().prepare(app, need);
        if (placement.unplaced(app) == 0 || !placement.residuals().fits(need, node) || placement.allowed(app, node, 1) == 0) {
          continue;
        }
        measure.app_row(app, row.data());
        const Pair pair = {instance.priority(app), measure(row.data()), -std::int64_t{groups.group_of(app)},
                           -std::int64_t{node}, -std::int64_t{app}};
        if (!found || pair > best) best = pair;
        found = true;
      }
    }
    if (!found) {
      // Remaining replicas get a further node unless one is empty.
      bool wanted = false;
      for (AppId app = 0; app < instance.apps(); ++app) wanted = wanted || placement.unplaced(app) > 0;
      for (NodeId node = instance.listed_nodes(); node < placement.nodes(); ++node) {
        wanted = wanted && !placement.contents().at(node).empty();
      }
      if (!wanted || placement.open(0) == kNone) break;
      continue;
    }
    placement.place(static_cast<AppId>(-std::get<4>(best)), static_cast<NodeId>(-std::get<3>(best)), 1);
  }
  Plan plan;
  placement.write(plan);
  return plan;
}

TEST(MatchTest, AgreesWithAlgorithm4) {
  test::Random random(17);
  for (int round = 0; round < 60; ++round) {
    // Few replicas, so that the sums of fitness are recomputed with each; sometimes enough periods for bounds on scores.
    const std::uint32_t periods = round % 3 == 0 ? 12 : 1;
    test::InstanceBuilder builder({"cpu", "memory"}, periods);
    const std::uint32_t apps = 4 + random.below(12);
    for (std::uint32_t i = 0; i < apps; ++i) {
      const std::uint32_t kind = random.below(2);
      std::vector<double> demand;
      for (std::uint32_t h = 0; h < 2 * periods; ++h) {
        const std::uint32_t resource = h / periods;
        demand.push_back(kind == 0 ? 1.0 + random.below(7) : 2.0 + resource + random.below(2));
      }
      builder.add_app("app-" + std::to_string(i), 1 + random.below(4), demand);
      if (round % 4 == 1) builder.priority(i, static_cast<std::int32_t>(random.below(2)));
    }
    for (std::uint32_t k = 0; k < apps; ++k) builder.limit(k, (k + 1 + random.below(apps - 1)) % apps, random.below(3));
    builder.add_class({16, 20});
    if (round % 5 == 2) {
      builder.add_node(0);
      builder.add_node(0, {3, 4});
      builder.close(builder.add_node(0));
      builder.running(0, 0, 1);
    }
    const Instance instance = builder.must_build();
    for (const Score score : kScores) {
      Request request;
      request.planner = "match-" + std::string(score_name(score));
      request.node_limit = 3 + random.below(5);
      const Plan plan = test::plan_by(instance, request.planner, request.node_limit);
      const Plan expected = instance.visit_unit(
          [&](auto unit) { return by_the_word<decltype(unit)>(instance, request, score, request.node_limit); });
      ASSERT_EQ(test::who_sits_where(instance, plan), test::who_sits_where(instance, expected))
          << request.planner << " round " << round;
      ASSERT_EQ(test::left_over(instance, plan), test::left_over(instance, expected)) << request.planner << " round " << round;
    }
  }
}

// The bound is one node, but beside a only one b may be: a second node is opened for the rest.
TEST(MatchTest, GoesOnToFurtherNodes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 2, {2});
  builder.add_app("b", 2, {2});
  builder.limit(0, 1, 1);
  builder.add_class({10});
  const Instance instance = builder.must_build();
  for (const Score score : kScores) {
    const std::string planner = "match-" + std::string(score_name(score));
    EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, planner)), "a:2 b:1 | b:1") << planner;
  }
}

TEST(MatchTest, OpensTheClassThatTakesWhatIsLeft) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("small", 2, {2});
  builder.add_app("large", 1, {8});
  builder.add_class({10}, 0, 5);
  builder.add_class({4}, 1, 1);
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, "match-tightfill");
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.cost, 6);
}

TEST(MatchTest, ReportsWhatDoesNotFitTheGivenNodes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 5, {6});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  for (const char* planner : {"match-tightfill", "match-dotproduct-binsearch", "match-fitness-decr5"}) {
    const Plan plan = test::plan_by(instance, planner, 2);
    EXPECT_EQ(plan.nodes.size(), 2u) << planner;
    EXPECT_EQ(test::left_over(instance, plan), "a:3") << planner;
  }
}

class MatchSearchTest : public testing::TestWithParam<const char*> {};

TEST_P(MatchSearchTest, NeverWorseThanFirstFitAndNeverBelowTheBound) { test::expect_between_bound_and_first_fit(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, MatchSearchTest,
                         testing::Values("match-dotproduct-binsearch", "match-l2norm-decr2", "match-fitness-decr5",
                                         "match-tightfill-binsearch"),
                         test::test_name);

}  // namespace
}  // namespace stowage
