#include "core/search/used_capacity_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/brute_force.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

Request ucac_request(std::uint64_t work = 400'000, std::uint32_t move_budget = 0) {
  Request request;
  request.planner = "auto";
  request.objective = Objective::kUcac;
  request.work_limit = work;
  request.move_budget = move_budget;
  return request;
}

void make_uncertain(InstanceBuilder& builder, std::vector<double> variance) {
  builder.data().variance = std::move(variance);
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
}

void search_on(SearchSetup& setup) {
  WorkClock clock(setup.request, nullptr);
  UsedCapacitySearch<std::int16_t>(setup.state, 1).run(clock);
}

TEST(UsedCapacitySearchTest, PoolsSpread) {
  // Two nodes of two slots, a wild and a calm replica on each: 2 x sqrt(4) falls to sqrt(8).
  InstanceBuilder builder({"cpu", "slots"});
  const AppId wild = builder.add_app("wild", 2, {2, 1});
  const AppId calm = builder.add_app("calm", 2, {2, 1});
  builder.add_class({20, 2});
  make_uncertain(builder, {4, 0, 0, 0});
  SearchSetup setup(builder, ucac_request());
  setup.open({wild, calm});
  setup.open({wild, calm});
  search_on(setup);
  EXPECT_TRUE(setup.on(0) == "wild:2" || setup.on(1) == "wild:2") << setup.on(0) << ", " << setup.on(1);
}

TEST(UsedCapacitySearchTest, HonoursLimitsAndPins) {
  InstanceBuilder builder({"cpu", "slots"});
  const AppId wild = builder.add_app("wild", 2, {2, 1});
  const AppId calm = builder.add_app("calm", 2, {2, 1});
  builder.add_class({20, 2});
  builder.limit(wild, wild, 1);
  make_uncertain(builder, {4, 0, 0, 0});
  SearchSetup setup(builder, ucac_request());
  setup.open({wild, calm});
  setup.open({wild, calm});
  search_on(setup);
  EXPECT_EQ(setup.on(0), "wild:1 calm:1") << "one of them on a node";
}

// Three nodes are in use; if all replicas may move, everything ends on one.
InstanceBuilder three_nodes() {
  InstanceBuilder builder;
  builder.add_app("nine", 1, {1});
  builder.add_app("one", 1, {1});
  builder.add_app("sixteen", 1, {2});
  builder.add_class({12}, 3);
  for (NodeId n = 0; n < 3; ++n) {
    builder.add_node(0);
    builder.running(n, n, 1);
  }
  make_uncertain(builder, {9, 1, 16});
  return builder;
}

TEST(UsedCapacitySearchTest, MovesGoWhereTheyGainMost) {
  const Instance instance = three_nodes().must_build();
  // Means 4; roots 3 + 1 + 4. "nine" beside "sixteen" saves 7 - 5 = 2, "one" beside either less than 1.
  EXPECT_NEAR(test::plan_by(instance, ucac_request()).ucac, 12, 1e-12);
  const Plan one = test::plan_by(instance, ucac_request(400'000, 1));
  EXPECT_NEAR(one.ucac, 4 + 5 + 1, 1e-12);
  EXPECT_EQ(one.moves, 1u);
  const Plan two = test::plan_by(instance, ucac_request(400'000, 2));
  EXPECT_NEAR(two.ucac, 4 + std::sqrt(26.0), 1e-12);
  EXPECT_EQ(two.moves, 2u);
}

TEST(UsedCapacitySearchTest, MovesThatGainNothingAreNotMade) {
  const Instance instance = three_nodes().must_build();
  EXPECT_EQ(test::plan_by(instance, ucac_request(400'000, 9)).moves, 2u);
}

TEST(UsedCapacitySearchTest, TheFullestPeriodCounts) {
  // Replicas with different peak periods share a node: max(5, 1) + max(1, 5) on separate nodes, 6 together.
  InstanceBuilder builder({"cpu"}, 2);
  const AppId early = builder.add_app("early", 2, {5, 1});
  const AppId late = builder.add_app("late", 2, {1, 5});
  builder.add_class({12});
  make_uncertain(builder, {1, 1});
  SearchSetup setup(builder, ucac_request());
  setup.open({early, early});
  setup.open({late, late});
  search_on(setup);
  EXPECT_EQ(setup.on(0), "early:1 late:1");
  EXPECT_EQ(setup.on(1), "early:1 late:1");
}

// A limit between apps, because cutting stock would plan instances without limits.
InstanceBuilder tiny_limited(std::uint64_t seed) {
  test::Random random(seed);
  InstanceBuilder builder;
  const std::uint32_t apps = 2 + random.below(2);
  std::vector<double> variance;
  for (AppId app = 0; app < apps; ++app) {
    builder.add_app("app-" + std::to_string(app), 1 + random.below(3), {1.0 + random.below(3)});
    variance.push_back(random.below(5));
  }
  variance[0] += 1;
  builder.add_class({8.0 + random.below(4)});
  builder.limit(0, 1, random.below(2));
  make_uncertain(builder, variance);
  return builder;
}

TEST(UsedCapacitySearchTest, TinyInstancesAgainstAllPlans) {
  int best = 0;
  constexpr int kCases = 60;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const Instance instance = tiny_limited(seed).must_build();
    const auto least = test::BruteForce(instance, false).run();
    ASSERT_TRUE(least.has_value());
    const Plan plan = test::plan_by(instance, ucac_request(100'000));
    ASSERT_TRUE(plan.unplaced.empty());
    EXPECT_GE(plan.ucac, least->ucac * (1 - 1e-12)) << seed;
    EXPECT_LE(plan.bounds[Objective::kUcac]->value, least->ucac * (1 + 1e-9)) << seed;
    for (const char* planner : {"biheu", "bf-ucac"}) {
      EXPECT_LE(plan.ucac, test::plan_by(instance, planner).ucac * (1 + 1e-12)) << seed << " " << planner;
    }
    best += plan.ucac <= least->ucac * (1 + 1e-9) ? 1 : 0;
  }
  EXPECT_GE(best, kCases * 9 / 10) << "exchanges of one against one are not enough for all";
}

TEST(UsedCapacitySearchTest, WorkRepeatsARun) {
  const Instance instance = tiny_limited(5).must_build();
  const Plan plan = test::plan_by(instance, ucac_request(5'000));
  const Plan again = test::plan_by(instance, ucac_request(plan.work));
  EXPECT_EQ(again.work, plan.work);
  EXPECT_EQ(again.ucac, plan.ucac);
}

}  // namespace
}  // namespace stowage
