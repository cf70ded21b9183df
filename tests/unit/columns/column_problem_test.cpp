#include "core/columns/column_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/columns/tree/column_bound.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

// What runs on a node may stay there, also where it breaks a limit of what is pinned there.
TEST(ColumnProblemTest, WhatRunsBesideWhatIsPinnedMayStay) {
  test::InstanceBuilder builder;
  const AppId runs = builder.add_app("runs", 2, {1});
  const AppId pinned = builder.add_app("pinned", 1, {1});
  const ClassId c = builder.add_class({10}, 2);
  builder.add_node(c);
  builder.add_node(c);
  builder.running(runs, 0, 2);
  builder.data().pinned = {{pinned, 0, 1}};
  builder.limit(pinned, runs, 0);
  const Instance instance = builder.must_build();
  Request request;
  request.ignore_running = true;
  const ColumnProblem problem(instance, request, Objective::kNodes, {});
  ASSERT_TRUE(problem.is_whole);
  ASSERT_EQ(problem.items.size(), 1u);
  ASSERT_EQ(problem.kinds.size(), 2u);
  for (std::uint32_t k = 0; k < problem.kinds.size(); ++k) {
    EXPECT_EQ(problem.kinds[k].most[0], 2u);
    EXPECT_TRUE(problem.within_kind(k, {{0, 2}}));
  }
  EXPECT_EQ(problem.standing_nodes, 1u);
}

// Limits hold beside what runs, unless it breaks them.
TEST(ColumnProblemTest, LimitsThatTheStartKeepsHold) {
  for (const std::uint32_t at_most : {0u, 1u}) {
    test::InstanceBuilder builder;
    const AppId a = builder.add_app("a", 2, {1});
    const AppId b = builder.add_app("b", 3, {1});
    builder.add_node(builder.add_class({10}, 2));
    builder.running(a, 0, 1).running(b, 0, 1);
    builder.limit(a, b, at_most);
    const Instance instance = builder.must_build();
    Request request;
    request.ignore_running = true;
    const ColumnProblem problem(instance, request, Objective::kNodes, {});
    ASSERT_EQ(problem.items.size(), 2u);
    EXPECT_EQ(problem.within_kind(0, {{0, 1}, {1, 2}}), at_most == 0) << at_most;
  }
}

// A limit that is broken at the start counts how many there are of one app. More of the other one do not break it further.
TEST(ColumnProblemTest, MoreOfWhatImposesABrokenLimitMayJoin) {
  test::InstanceBuilder builder;
  const AppId imposes = builder.add_app("imposes", 3, {1});
  const AppId obeys = builder.add_app("obeys", 2, {1});
  builder.add_node(builder.add_class({10}, 1));
  builder.running(imposes, 0, 2).running(obeys, 0, 1);
  builder.limit(imposes, obeys, 0);
  const Instance instance = builder.must_build();
  const ColumnProblem problem(instance, Request(), Objective::kNodes, {});
  ASSERT_EQ(problem.items.size(), 2u);
  ASSERT_EQ(problem.kinds.size(), 1u);
  EXPECT_EQ(problem.items[0].apps.front(), imposes);
  EXPECT_EQ(problem.kinds[0].most[0], 1u);
  EXPECT_EQ(problem.kinds[0].most[1], 0u);
}

TEST(ColumnProblemTest, ContentsCostWhatTheyAddToUsedCapacity) {
  test::InstanceBuilder builder({"cpu"}, 2);
  const AppId day = builder.add_app("day", 3, {4, 0});
  builder.add_app("night", 1, {0, 2});
  builder.add_class({20}, 1);
  builder.add_class({40});
  builder.add_node(0);
  builder.running(day, 0, 1);
  builder.data().variance = {9, 7};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const Instance instance = builder.must_build();
  const ColumnProblem problem(instance, Request(), Objective::kUcac, {});
  ASSERT_TRUE(problem.is_whole);
  ASSERT_EQ(problem.kinds.size(), 2u);
  EXPECT_EQ(problem.dearest, 40);
  EXPECT_NEAR(problem.standing, 4 + 3, 1e-12);
  const std::uint32_t busy = problem.kinds[0].listed.empty() ? 1 : 0;
  EXPECT_NEAR(problem.cost(busy, {{1, 1}}) * 40, 4 - 3, 1e-12) << "the peak by day stays; the root of 9 becomes that of 16";
  EXPECT_NEAR(problem.cost(busy, {{0, 1}}) * 40, 4 + std::sqrt(18.0) - 3, 1e-12);
  EXPECT_NEAR(problem.cost(1 - busy, {{0, 1}, {1, 1}}) * 40, 4 + 4, 1e-12);
}

// The load that makes a node exceed its capacity from the start is uncertain, and nothing else is.
TEST(ColumnBoundTest, WhatExceedsANodeBesideUncertainLoadMayStay) {
  test::InstanceBuilder builder;
  const AppId runs = builder.add_app("runs", 6, {5});
  builder.add_app("other", 1, {3.64});
  const ClassId c = builder.add_class({10.04});
  builder.add_node(c);
  builder.add_node(c, {3.13});
  builder.running(runs, 1, 6);
  builder.data().load_variance = {0, 0.036};
  builder.data().variance = {0, 0};
  builder.data().has_uncertainty = true;
  builder.data().uncertainty = {ChanceModel::kGaussian, 0.8, 0};
  const Instance instance = builder.must_build();
  ComputedBounds bounds;
  WorkClock clock(Request(), nullptr);
  add_column_bound(instance, clock, bounds);
  ASSERT_FALSE(bounds.of[Objective::kNodes].empty());
  EXPECT_EQ(bounds.of[Objective::kNodes].front().value.value, 2);
}

// Asking each app about each listed node takes seconds.
TEST(ColumnBoundTest, WhatItsWorkDoesNotCoverIsNotBegun) {
  test::InstanceBuilder builder;
  for (int k = 0; k < 2'000; ++k) builder.add_app("a" + std::to_string(k), 1, {1});
  const ClassId one = builder.add_class({64});
  for (int k = 0; k < 20'000; ++k) builder.add_node(one);
  const Instance instance = builder.must_build();
  ComputedBounds bounds;
  Request request;
  request.work_limit = ColumnProblem::work_to_make(instance) - 1;
  WorkClock less(request, nullptr);
  add_column_bound(instance, less, bounds);
  EXPECT_EQ(less.work(), 0u);
  EXPECT_TRUE(bounds.of[Objective::kNodes].empty());
}

}  // namespace
}  // namespace stowage
