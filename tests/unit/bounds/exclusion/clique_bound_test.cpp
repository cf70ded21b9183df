#include <gtest/gtest.h>

#include <string>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

double clique_of(const InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return clique_bound(instance, Supply(instance)).value;
}

TEST(CliqueBound, AppsThatExcludeEachOther) {
  InstanceBuilder builder;
  for (AppId i = 0; i < 40; ++i) builder.add_app("a" + std::to_string(i), 1, {1});
  for (AppId i = 0; i < 40; ++i) {
    for (AppId j = i + 1; j < 40; ++j) builder.limit(i, j, 0);
  }
  builder.add_class({100});
  EXPECT_EQ(clique_of(builder), 40);
}

TEST(CliqueBound, ReplicasCountWhereTheyExcludeEachOther) {
  InstanceBuilder builder;
  const AppId alone = builder.add_app("alone", 3, {1});
  const AppId together = builder.add_app("together", 5, {1});
  builder.add_class({100});
  builder.limit(alone, alone, 1);
  builder.limit(alone, together, 0);
  EXPECT_EQ(clique_of(builder), 4);  // three alone, and at least one for the others
}

TEST(CliqueBound, SizesAndLimitsTogether) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("cpu", 2, {6, 4});
  builder.add_app("memory", 2, {5, 7});
  const AppId small = builder.add_app("small", 2, {1, 1});
  builder.add_class({10, 10});
  EXPECT_EQ(clique_of(builder), 4);
  builder.limit(small, 0, 0);
  builder.limit(small, 1, 0);
  EXPECT_EQ(clique_of(builder), 5);
}

TEST(CliqueBound, ALimitAboveZeroExcludesNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_app("b", 1, {1});
  builder.add_class({10});
  builder.limit(0, 1, 1);
  EXPECT_EQ(clique_of(builder), 1);
}

TEST(CliqueBound, WhatSharesANodeAtTheStartMayStay) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_app("b", 1, {1});
  builder.add_class({10});
  builder.limit(0, 1, 0);
  EXPECT_EQ(clique_of(builder), 2);
  const NodeId node = builder.add_node(0, {});
  builder.running(0, node, 1);
  builder.running(1, node, 1);
  EXPECT_EQ(clique_of(builder), 1);
}

}  // namespace
}  // namespace stowage
