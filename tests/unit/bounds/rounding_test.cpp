// Bounds hold for the original numbers, not only for the scaled units that planners count in.

#include <gtest/gtest.h>

#include <cmath>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

TEST(BoundRoundingTest, ThreeThirdsFitOnOneNode) {
  InstanceBuilder builder;
  builder.add_app("third", 3, {1.0 / 3});
  // No unit that is small enough has all three as multiples.
  builder.add_app("root", 0, {std::sqrt(0.5)});
  builder.add_app("other root", 0, {std::sqrt(0.3)});
  builder.add_class({1}, 1, 5);
  const Instance instance = builder.must_build();
  ASSERT_FALSE(instance.scale(0).exact());
  const ComputedBounds bounds = compute_bounds(instance);
  EXPECT_FALSE(bounds.infeasible) << "there is one node, and it is enough";
  for (const ComputedBound& bound : bounds.of[Objective::kNodes]) EXPECT_LE(bound.value.value, 1) << bound.info->name;
  EXPECT_LE(bounds.of[Objective::kCost].front().value.value, 5);
}

TEST(BoundRoundingTest, WhatIsTooLargeIsStillProvenSo) {
  InstanceBuilder builder;
  builder.add_app("third", 3, {1.0 / 3});
  builder.add_app("whale", 1, {1.001});
  builder.add_class({1});
  EXPECT_TRUE(compute_bounds(builder.must_build()).infeasible);
}

// A node of 10 cores holds 100 at the start. The checker accepts any replicas there that exceed it by no more: ten replicas of
// 10 cores on that node, and the whale on the roomy node, are a complete plan.
TEST(BoundRoundingTest, BrokenNodesMayHoldOtherReplicasThanTheyDo) {
  InstanceBuilder builder;
  const AppId whale = builder.add_app("whale", 1, {100});
  builder.add_app("web", 10, {10});
  const ClassId small = builder.add_class({10}, 1);
  builder.add_class({100}, 1);
  builder.add_node(small);
  builder.running(whale, 0, 1);
  const Instance instance = builder.must_build();
  const ComputedBounds bounds = compute_bounds(instance);
  EXPECT_FALSE(bounds.infeasible);
  for (const ComputedBound& bound : bounds.of[Objective::kNodes]) EXPECT_LE(bound.value.value, 2) << bound.info->name;
}

TEST(BoundRoundingTest, LeftAfterDoesNotOverflow) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  EXPECT_EQ(left_after(10, 3, 2), 4);
  EXPECT_EQ(left_after(10, 3, 4), 0);
  EXPECT_EQ(left_after(10, 0, 4), 10);
  EXPECT_EQ(left_after(-1, 3, 4), 0);
  EXPECT_EQ(left_after(kLarge, kLarge - 1, Supply::kEndless), 0);
  EXPECT_EQ(left_after(kLarge, kLarge - 1, 1), 1);
}

}  // namespace
}  // namespace stowage
