#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

struct Both {
  double capacity;
  BoundValue large;
};

Both bounds_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  const Supply supply(instance);
  return {capacity_bound(instance, supply).value, dual_feasible_bound(instance, supply)};
}

TEST(DualFeasibleBound, ItemsAboveHalfANodeStayAlone) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {5});
  builder.add_app("dust", 1, {1});
  builder.add_class({8});
  const Both both = bounds_of(builder);
  EXPECT_EQ(both.capacity, 2);  // 16 / 8
  EXPECT_EQ(both.large.value, 3);
  EXPECT_EQ(both.large.resource, 0u);
  EXPECT_EQ(both.large.period, 0u);
}

TEST(DualFeasibleBound, HalfANodeIsNotAbove) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {4});
  builder.add_class({8});
  EXPECT_EQ(bounds_of(builder).large.value, 2);
}

TEST(DualFeasibleBound, ItemsThatCannotJoinLargeOnes) {
  // Threshold 5: an item of 6 leaves room for 4, so the item of 5 needs its own node.
  InstanceBuilder builder;
  builder.add_app("large", 2, {6});
  builder.add_app("middle", 1, {5});
  builder.add_class({10});
  const Both both = bounds_of(builder);
  EXPECT_EQ(both.capacity, 2);  // 17 / 10
  EXPECT_EQ(both.large.value, 3);
}

TEST(DualFeasibleBound, ItemsThatJoinLargeOnes) {
  // Threshold 4: the two items of 6 leave 2 x 4, so 4 of the middle 3 x 4 = 12 need another node.
  InstanceBuilder builder;
  builder.add_app("large", 2, {6});
  builder.add_app("middle", 3, {4});
  builder.add_class({10});
  const Both both = bounds_of(builder);
  EXPECT_EQ(both.capacity, 3);  // 24 / 10
  EXPECT_EQ(both.large.value, 3);
  builder.data().replicas[1] = 2;  // now both find room
  EXPECT_EQ(bounds_of(builder).large.value, 2);
}

TEST(DualFeasibleBound, BestThresholdOfSeveral) {
  // Threshold 4: first kind > 6: the 7; second kind 6, 6 leave 8; middle 3 x 4 = 12, excess 4 -> 3 + 1 = 4.
  // Threshold 3: 7 and 6, 6 leave 3 + 4 + 4 = 11; middle 12 + 3 = 15, excess 4 -> 4.
  // Capacity: 7 + 12 + 12 + 3 = 34 -> 4. With a fourth item of 4: excess 8 -> 4; a fifth: excess 12 -> 3 + 2 = 5.
  InstanceBuilder builder;
  builder.add_app("seven", 1, {7});
  builder.add_app("six", 2, {6});
  builder.add_app("four", 3, {4});
  builder.add_app("three", 1, {3});
  builder.add_class({10});
  EXPECT_EQ(bounds_of(builder).large.value, 4);
  builder.data().replicas[2] = 5;
  EXPECT_EQ(bounds_of(builder).large.value, 5);
}

TEST(DualFeasibleBound, MeasuresByTheLargestNode) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {5});
  builder.add_class({8});
  builder.add_class({10}, 1);  // two items of 5 share it; the bound assumes that all nodes are of this size
  EXPECT_EQ(bounds_of(builder).large.value, 2);
}

TEST(DualFeasibleBound, EachPeriodAlone) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 3, {5, 1});
  builder.add_app("night", 4, {1, 5});
  builder.add_class({8});
  const Both both = bounds_of(builder);
  EXPECT_EQ(both.large.value, 4);  // four items of 5 in the second period
  EXPECT_EQ(both.large.period, 1u);
}

TEST(DualFeasibleBound, LeavesOutWhatFitsNowhere) {
  InstanceBuilder builder;
  builder.add_app("huge", 2, {20});
  builder.add_app("a", 3, {5});
  builder.add_class({8});
  EXPECT_EQ(bounds_of(builder).large.value, 3);
}

TEST(DualFeasibleBound, CountsMandatoryNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  const ClassId c = builder.add_class({8});
  builder.add_node(c, {8});
  builder.add_node(c, {8});
  EXPECT_EQ(bounds_of(builder).large.value, 2);
}

}  // namespace
}  // namespace stowage
