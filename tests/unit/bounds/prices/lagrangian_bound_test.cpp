#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

double nodes_bound(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return lagrangian_bound(instance, Supply(instance)).value;
}
double price_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return lagrangian_price_bound(instance, Supply(instance)).value;
}

TEST(LagrangianBound, OneClassGivesTheCapacityBound) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  builder.add_app("a", 13, {1, 3, 2, 2});  // cpu 13 and 39, memory 26 and 26
  builder.add_class({10, 8});
  EXPECT_EQ(nodes_bound(builder), 4);  // 39 / 10 and 26 / 8
}

void add_demand(InstanceBuilder& builder) {
  builder.add_app("cores", 100, {1, 0});
  builder.add_app("memory", 100, {0, 1});
}

// Demand is 100 cores and 100 GiB. A node of the first class carries (10, 2), one of the second (2, 10). Each resource alone
// needs 10 nodes; both together, with equal multipliers, need 200 / 12.
TEST(LagrangianBound, ClassesThatLackWhatTheOtherHas) {
  InstanceBuilder builder({"cpu", "memory"});
  add_demand(builder);
  builder.add_class({10, 2});
  builder.add_class({2, 10});
  EXPECT_EQ(nodes_bound(builder), 17);
  const Instance instance = builder.must_build();
  EXPECT_EQ(capacity_bound(instance, Supply(instance)).value, 10);
  EXPECT_EQ(compute_bounds(instance).of[Objective::kNodes].front().info->name, "lagrangian");
}

// Five balanced nodes carry (50, 50); the other 100 of 200 need 100 / 12 further nodes.
TEST(LagrangianBound, FiniteClassesAreUsedUp) {
  InstanceBuilder builder({"cpu", "memory"});
  add_demand(builder);
  builder.add_class({10, 2});
  builder.add_class({2, 10});
  builder.add_class({10, 10}, 5);
  EXPECT_EQ(nodes_bound(builder), 14);
}

// A node with load is in use and carries its residual capacity.
TEST(LagrangianBound, NodesInUseCarryTheirPart) {
  InstanceBuilder builder({"cpu", "memory"});
  add_demand(builder);
  const ClassId first = builder.add_class({10, 2});
  builder.add_class({2, 10});
  builder.add_node(first, {4, 0});
  EXPECT_EQ(nodes_bound(builder), 1 + 16);  // (94 + 98) / 12
}

TEST(LagrangianBound, Prices) {
  InstanceBuilder builder({"cpu", "memory"});
  add_demand(builder);
  builder.add_class({10, 2}, 0, 3);
  builder.add_class({2, 10}, 0, 3);
  builder.add_class({10, 10}, 5, 4);
  const double bound = price_of(builder);  // 5 x 4 + 100 / 12 x 3
  EXPECT_LT(bound, 45);
  EXPECT_GT(bound, 45 * (1 - 1e-9));
}

// Endless nodes of price 0 carry all cores, but no memory.
TEST(LagrangianBound, EndlessFreeNodes) {
  InstanceBuilder builder({"cpu", "memory"});
  add_demand(builder);
  builder.add_class({10, 0}, 0, 0);
  builder.add_class({10, 10}, 0, 3);
  const double bound = price_of(builder);
  EXPECT_LT(bound, 30);
  EXPECT_GT(bound, 30 * (1 - 1e-9));
}

TEST(LagrangianBound, NothingToPlace) {
  InstanceBuilder builder;
  builder.add_app("a", 0, {1});
  builder.add_class({8}, 3, 2);
  EXPECT_EQ(nodes_bound(builder), 0);
  EXPECT_EQ(price_of(builder), 0);
}

}  // namespace
}  // namespace stowage
