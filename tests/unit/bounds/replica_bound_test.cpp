#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

BoundValue replica_bound_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return replica_bound(instance, Supply(instance));
}

TEST(ReplicaBound, SelfLimit) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 7, {0.5});
  builder.add_class({8});
  EXPECT_EQ(replica_bound_of(builder).value, 1);
  builder.limit(a, a, 2);
  EXPECT_EQ(replica_bound_of(builder).value, 4);  // 7 / 2
}

TEST(ReplicaBound, WholeReplicasPerNode) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 5, {3, 1});
  builder.add_class({8, 100});
  EXPECT_EQ(replica_bound_of(builder).value, 3);  // floor(8 / 3) = 2 per node
}

TEST(ReplicaBound, TheTighterOfCapacityAndSelfLimit) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 6, {3});
  builder.add_class({10});
  builder.limit(a, a, 5);  // capacity allows 3
  EXPECT_EQ(replica_bound_of(builder).value, 2);
}

TEST(ReplicaBound, TheRoomiestClassCounts) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 8, {2, 2});
  builder.add_class({8, 2});  // 1 per node
  builder.add_class({4, 8});  // 2 per node
  EXPECT_EQ(replica_bound_of(builder).value, 4);
}

TEST(ReplicaBound, PeakOfAllPeriods) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("a", 4, {1, 4});
  builder.add_class({8});
  EXPECT_EQ(replica_bound_of(builder).value, 2);
}

TEST(ReplicaBound, WorstApp) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  const AppId b = builder.add_app("b", 9, {1});
  const AppId c = builder.add_app("c", 20, {0});
  builder.add_class({100});
  builder.limit(a, a, 1).limit(b, b, 2).limit(c, c, 10);
  EXPECT_EQ(replica_bound_of(builder).value, 5);  // 3 / 1, 9 / 2, 20 / 10
}

TEST(ReplicaBound, WhatRunsTogetherMayStay) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {1});
  const ClassId c = builder.add_class({8});
  const NodeId n = builder.add_node(c);
  builder.limit(a, a, 1);
  EXPECT_EQ(replica_bound_of(builder).value, 4);
  builder.running(a, n, 3);  // the start breaks the limit; 3 + 1
  EXPECT_EQ(replica_bound_of(builder).value, 2);
}

TEST(ReplicaBound, ProvesThatAnAppFitsNowhere) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {9});
  builder.add_class({8});
  EXPECT_TRUE(replica_bound_of(builder).infeasible);
  builder.data().classes[0].capacity = {9};
  EXPECT_FALSE(replica_bound_of(builder).infeasible);
}

TEST(ReplicaBound, AppsWithoutReplicasProveNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 0, {9});
  builder.add_class({8});
  EXPECT_FALSE(replica_bound_of(builder).infeasible);
  EXPECT_EQ(replica_bound_of(builder).value, 0);
}

TEST(ReplicaBound, WhatRunsWhereItDoesNotFitProvesNothing) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {9});
  const NodeId n = builder.add_node(builder.add_class({8}));
  builder.running(a, n, 1);
  EXPECT_FALSE(replica_bound_of(builder).infeasible);
}

}  // namespace
}  // namespace stowage
