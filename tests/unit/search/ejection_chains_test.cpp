#include "core/search/ejection_chains.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

/// A search over all nodes of the setup.
struct EjectionSetup {
  explicit EjectionSetup(SearchSetup& setup)
      : usable(setup.placement.nodes(), 1), chains(setup.state, setup.state.nodes(), usable, 1) {}
  std::vector<std::uint8_t> usable;
  EjectionChains<std::int16_t> chains;
};

// Both apps have weight one at first. After the second failed attempt to place b, its weight exceeds that of a, and b ejects a.
// The lighter a does not eject b in turn.
TEST(EjectionChainsTest, PushesOutWhatCountsLess) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_app("b", 1, {6});
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId node = setup.open({a});
  EjectionSetup over(setup);
  EjectionChains<std::int16_t>& chains = over.chains;
  chains.step();
  EXPECT_EQ(setup.on(node), "a:1");
  EXPECT_TRUE(chains.changed().empty());
  chains.step();
  EXPECT_EQ(setup.on(node), "b:1");
  EXPECT_EQ(chains.changed(), std::vector<NodeId>{node});
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{a});
  for (int k = 0; k < 25; ++k) chains.step();
  EXPECT_EQ(setup.on(node), "b:1");
}

// b would eject more cpu than it needs, which a weight of 32 allows.
TEST(EjectionChainsTest, PushesOutMoreThanComesInOnlyAfterALongTime) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId a = builder.add_app("a", 1, {6, 1});
  const AppId b = builder.add_app("b", 1, {5, 4});
  builder.add_class({10, 10});
  SearchSetup setup(builder);
  const NodeId node = setup.open({a});
  EjectionSetup over(setup);
  EjectionChains<std::int16_t>& chains = over.chains;
  for (int k = 0; k < 30; ++k) chains.step();
  EXPECT_EQ(setup.on(node), "a:1");
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{b});
  chains.step();
  EXPECT_EQ(setup.on(node), "b:1");
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{a});
}

TEST(EjectionChainsTest, LimitsMakeWayAndWhatGoesOutFindsAnotherNode) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 1, {4});
  const AppId c = builder.add_app("c", 1, {8});
  builder.limit(b, a, 0);
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId one = setup.open({a, a});
  const NodeId two = setup.open({c});
  EjectionSetup over(setup);
  EjectionChains<std::int16_t>& chains = over.chains;
  for (int k = 0; k < 50 && !setup.state.pool().empty(); ++k) chains.step();
  // Every a has to leave for b, one by one, and only the other node accepts them.
  EXPECT_EQ(setup.on(one), "b:1");
  EXPECT_EQ(setup.on(two), "a:2 c:1");
}

TEST(EjectionChainsTest, WhatIsTiedStays) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  const AppId b = builder.add_app("b", 1, {5});
  builder.add_app("c", 1, {6});
  builder.add_class({10}, 2);
  builder.add_node(0);
  builder.add_node(0);
  builder.pin(a, 0, 1);
  builder.running(b, 1, 1);
  Request request;
  request.move_budget = 5;
  SearchSetup setup(builder, request);
  EjectionSetup over(setup);
  EjectionChains<std::int16_t>& chains = over.chains;
  for (int k = 0; k < 50; ++k) chains.step();
  EXPECT_EQ(setup.on(0), "a:1");
  EXPECT_EQ(setup.on(1), "b:1");
}

TEST(EjectionChainsTest, NoNodesNoPool) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_class({10});
  SearchSetup waiting(builder);
  EjectionSetup over_none(waiting);
  EjectionChains<std::int16_t>& nowhere = over_none.chains;
  nowhere.step();
  EXPECT_TRUE(nowhere.changed().empty());
  SearchSetup placed(builder);
  placed.open({a});
  EjectionSetup over_placed(placed);
  EjectionChains<std::int16_t>& nothing = over_placed.chains;
  nothing.step();
  EXPECT_TRUE(nothing.changed().empty());
}

}  // namespace
}  // namespace stowage
