#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

BoundValue price_bound_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return price_bound(instance, Supply(instance));
}

// The bound is lowered by a relative 2^-40, so that rounding cannot raise it above the true value.
void expect_just_below(double bound, double exact) {
  EXPECT_LT(bound, exact);
  EXPECT_GE(bound, exact * (1 - 1e-11));
}

TEST(PriceBound, FractionsOfNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1});
  builder.add_class({8}, 0, 4);
  const BoundValue bound = price_bound_of(builder);
  expect_just_below(bound.value, 15);  // 30 / 8 x 4
  EXPECT_EQ(bound.resource, 0u);
  EXPECT_EQ(bound.period, 0u);
}

TEST(PriceBound, CheapestPerUnitFirst) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1});
  builder.add_class({10}, 0, 5);                        // 0.5 per core
  builder.add_class({20}, 1, 4);                        // 0.2 per core, one node
  expect_just_below(price_bound_of(builder).value, 9);  // 4 for 20 cores, 5 for the other 10
}

TEST(PriceBound, MostExpensiveResourceAndPeriod) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  builder.add_app("a", 4, {2, 2, 1, 3});  // cpu 2 2, memory 1 3
  builder.add_class({8, 6}, 0, 3);
  const BoundValue bound = price_bound_of(builder);  // cpu 8 / 8 x 3 = 3; memory 4 / 6 x 3 = 2 and 12 / 6 x 3 = 6
  expect_just_below(bound.value, 6);
  EXPECT_EQ(bound.resource, 1u);
  EXPECT_EQ(bound.period, 1u);
}

TEST(PriceBound, NodesInUseArePaid) {
  InstanceBuilder builder;
  builder.add_app("a", 8, {1});
  const ClassId c = builder.add_class({8}, 0, 4);
  builder.add_node(c, {6});
  // 4 for the loaded node, which carries 2 cores, and 6 / 8 of another node.
  expect_just_below(price_bound_of(builder).value, 4 + 3);
  builder.add_node(c);  // an empty listed node counts like any other node
  expect_just_below(price_bound_of(builder).value, 4 + 3);
}

TEST(PriceBound, FreeNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 8, {1});
  builder.add_class({8}, 0, 4);
  builder.add_class({2}, 2, 0);
  expect_just_below(price_bound_of(builder).value, 2);  // 4 cores for free, 4 of 8 for half the price
}

TEST(PriceBound, ProvesTooFewNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1});
  builder.add_class({10}, 2, 1);
  EXPECT_TRUE(price_bound_of(builder).infeasible);
  builder.data().classes[0].count = 3;
  EXPECT_FALSE(price_bound_of(builder).infeasible);
}

}  // namespace
}  // namespace stowage
