#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

struct SolitaryAndCapacity {
  double solitary;
  double capacity;
};
SolitaryAndCapacity bounds_with_solitary(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  const Supply supply(instance);
  return {solitary_bound(instance, supply).value, capacity_bound(instance, supply).value};
}

TEST(SolitaryBound, WhatFillsANodeAtNightLeavesItEmptyByDay) {
  InstanceBuilder builder({"memory"}, 2);
  builder.add_app("night", 2, {1, 8});
  builder.add_app("day", 5, {3, 1});
  builder.add_class({8});
  const SolitaryAndCapacity bounds = bounds_with_solitary(builder);
  EXPECT_EQ(bounds.capacity, 3);  // 21 / 8 at night, 17 / 8 by day
  EXPECT_EQ(bounds.solitary, 4);  // two alone, 15 / 8 by day
}

TEST(SolitaryBound, WhatLeavesRoomForTheSmallestIsNotSolitary) {
  InstanceBuilder builder({"memory"}, 2);
  builder.add_app("night", 2, {1, 7});
  builder.add_app("day", 5, {3, 1});
  builder.add_class({8});
  EXPECT_EQ(bounds_with_solitary(builder).solitary, 0);
}

TEST(SolitaryBound, TheLargestClassCounts) {
  InstanceBuilder builder({"memory"}, 2);
  builder.add_app("night", 2, {1, 8});
  builder.add_app("day", 5, {3, 1});
  builder.add_class({8});
  builder.add_class({9}, 1);
  EXPECT_EQ(bounds_with_solitary(builder).solitary, 0);
}

TEST(SolitaryBound, AppsWithoutReplicasAreNoCompany) {
  InstanceBuilder builder;
  builder.add_app("alone", 3, {5});
  builder.add_app("none", 0, {1});
  builder.add_class({8});
  EXPECT_EQ(bounds_with_solitary(builder).solitary, 3);
}

TEST(SolitaryBound, NodesInUseMayBeTheOnes) {
  InstanceBuilder builder;
  builder.add_app("alone", 2, {8});
  const AppId small = builder.add_app("small", 3, {1});
  builder.add_class({8});
  builder.add_node(0);
  builder.pin(small, 0, 1);
  EXPECT_EQ(bounds_with_solitary(builder).solitary, 3);
}

}  // namespace
}  // namespace stowage
