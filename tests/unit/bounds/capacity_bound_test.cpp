#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

BoundValue capacity_bound_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return capacity_bound(instance, Supply(instance));
}

TEST(CapacityBound, RoundsUp) {
  InstanceBuilder builder;
  builder.add_app("a", 10, {3});
  builder.add_app("b", 1, {1});
  builder.add_class({8});
  const BoundValue bound = capacity_bound_of(builder);  // 31 / 8 = 3.875
  EXPECT_EQ(bound.value, 4);
  EXPECT_EQ(bound.resource, 0u);
  EXPECT_EQ(bound.period, 0u);
  EXPECT_FALSE(bound.infeasible);
}

TEST(CapacityBound, CapacityInMultiplesOfAllDemand) {
  // If every demand is a multiple of 3, a capacity of 8 holds no more than 6: 10 items, two per node.
  InstanceBuilder builder;
  builder.add_app("a", 4, {3});
  builder.add_app("b", 3, {6});
  builder.add_class({8});
  EXPECT_EQ(capacity_bound_of(builder).value, 5);
}

TEST(CapacityBound, FullNodesAreFull) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {0.1});
  builder.add_class({0.3});  // as doubles, 3 x 0.1 is above 0.3
  EXPECT_EQ(capacity_bound_of(builder).value, 1);
  builder.add_app("b", 1, {0.1});
  EXPECT_EQ(capacity_bound_of(builder).value, 2);
}

TEST(CapacityBound, NothingToPlace) {
  InstanceBuilder builder;
  builder.add_app("a", 0, {3});
  builder.add_class({8});
  EXPECT_EQ(capacity_bound_of(builder).value, 0);
}

TEST(CapacityBound, ScarcestResource) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 10, {3, 5});
  builder.add_app("b", 1, {1, 1});
  builder.add_class({8, 10});
  const BoundValue bound = capacity_bound_of(builder);  // 31 / 8 -> 4; 51 / 10 -> 6
  EXPECT_EQ(bound.value, 6);
  EXPECT_EQ(bound.resource, 1u);
}

TEST(CapacityBound, WorstPeriod) {
  InstanceBuilder builder({"cpu"}, 3);
  builder.add_app("day", 4, {2, 6, 1});
  builder.add_app("night", 4, {5, 1, 1});
  builder.add_class({8});
  const BoundValue bound = capacity_bound_of(builder);  // 28 / 8, 28 / 8, 8 / 8
  EXPECT_EQ(bound.value, 4);
  EXPECT_EQ(bound.period, 0u);
}

TEST(CapacityBound, TakesLargestNodesFirst) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1});
  builder.add_class({4});
  builder.add_class({10}, 2);
  EXPECT_EQ(capacity_bound_of(builder).value, 5);  // 30 = 2 x 10 + 10; 10 / 4 -> 3 more
}

TEST(CapacityBound, ProvesTooFewNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1});
  builder.add_class({10}, 2);
  const BoundValue bound = capacity_bound_of(builder);
  EXPECT_TRUE(bound.infeasible);
  EXPECT_EQ(bound.value, 2);
}

TEST(CapacityBound, ExactlyEnoughNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1});
  builder.add_class({10}, 3);
  const BoundValue bound = capacity_bound_of(builder);
  EXPECT_FALSE(bound.infeasible);
  EXPECT_EQ(bound.value, 3);
}

TEST(CapacityBound, ProvesThatNoNodeHasTheResource) {
  InstanceBuilder builder({"cpu", "gpu"});
  builder.add_app("a", 1, {1, 1});
  builder.add_class({8, 0});
  const BoundValue bound = capacity_bound_of(builder);
  EXPECT_TRUE(bound.infeasible);
  EXPECT_EQ(bound.resource, 1u);
}

TEST(CapacityBound, LoadedNodesAreInUseAndCarryWhatIsLeft) {
  InstanceBuilder builder;
  builder.add_app("a", 8, {1});
  const ClassId c = builder.add_class({8});
  EXPECT_EQ(capacity_bound_of(builder).value, 1);
  builder.add_node(c);  // empty, so that it need not be in use
  EXPECT_EQ(capacity_bound_of(builder).value, 1);
  builder.add_node(c, {7});  // in use, carries 1 of 8: 7 are left for another node
  EXPECT_EQ(capacity_bound_of(builder).value, 2);
  builder.add_node(c, {9});  // in use, carries nothing
  EXPECT_EQ(capacity_bound_of(builder).value, 3);
}

TEST(CapacityBound, PinnedNodesAreInUse) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {1});
  const ClassId c = builder.add_class({8});
  const NodeId first = builder.add_node(c);
  const NodeId second = builder.add_node(c);
  builder.pin(a, first, 1).pin(a, second, 1);
  EXPECT_EQ(capacity_bound_of(builder).value, 2);
}

TEST(CapacityBound, WhatRunsAboveCapacityMayStay) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {4});
  const ClassId c = builder.add_class({8});
  const NodeId n = builder.add_node(c);
  EXPECT_EQ(capacity_bound_of(builder).value, 2);  // 12 / 8
  builder.running(a, n, 3);
  EXPECT_EQ(capacity_bound_of(builder).value, 1);
}

TEST(CapacityBound, CountsListedNodesWithinTheirClass) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {8});
  const ClassId c = builder.add_class({8}, 2);
  builder.add_node(c);
  EXPECT_TRUE(capacity_bound_of(builder).infeasible);  // two nodes in all, not three
}

}  // namespace
}  // namespace stowage
