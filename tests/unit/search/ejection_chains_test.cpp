#include "core/search/ejection_chains.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

/// Over all nodes of a setup.
struct EjectionSetup {
  explicit EjectionSetup(SearchSetup& setup)
      : mine(setup.placement.nodes(), 1), eject(setup.state, setup.state.nodes(), mine, 1) {}
  std::vector<std::uint8_t> mine;
  EjectionChains<std::int16_t> eject;
};

// Both apps count one at first. The second time b is looked for a place in vain it counts more than a, and pushes it out; a,
// the lighter one, does not push b out in turn.
TEST(EjectionChainsTest, PushesOutWhatCountsLess) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_app("b", 1, {6});
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId node = setup.open({a});
  EjectionSetup over(setup);
  EjectionChains<std::int16_t>& eject = over.eject;
  eject.step();
  EXPECT_EQ(setup.on(node), "a:1");
  EXPECT_TRUE(eject.changed().empty());
  eject.step();
  EXPECT_EQ(setup.on(node), "b:1");
  EXPECT_EQ(eject.changed(), std::vector<NodeId>{node});
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{a});
  for (int k = 0; k < 25; ++k) eject.step();
  EXPECT_EQ(setup.on(node), "b:1");
}

// b would push out more cpu than it needs, which a count of 32 allows.
TEST(EjectionChainsTest, PushesOutMoreThanComesInOnlyAfterALongTime) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId a = builder.add_app("a", 1, {6, 1});
  const AppId b = builder.add_app("b", 1, {5, 4});
  builder.add_class({10, 10});
  SearchSetup setup(builder);
  const NodeId node = setup.open({a});
  EjectionSetup over(setup);
  EjectionChains<std::int16_t>& eject = over.eject;
  for (int k = 0; k < 30; ++k) eject.step();
  EXPECT_EQ(setup.on(node), "a:1");
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{b});
  eject.step();
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
  EjectionChains<std::int16_t>& eject = over.eject;
  for (int k = 0; k < 50 && !setup.state.pool().empty(); ++k) eject.step();
  // One a after the other has to leave for b, and only the other node takes them.
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
  EjectionChains<std::int16_t>& eject = over.eject;
  for (int k = 0; k < 50; ++k) eject.step();
  EXPECT_EQ(setup.on(0), "a:1");
  EXPECT_EQ(setup.on(1), "b:1");
}

TEST(EjectionChainsTest, NoNodesNoPool) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_class({10});
  SearchSetup waiting(builder);
  EjectionSetup over_none(waiting);
  EjectionChains<std::int16_t>& nowhere = over_none.eject;
  nowhere.step();
  EXPECT_TRUE(nowhere.changed().empty());
  SearchSetup placed(builder);
  placed.open({a});
  EjectionSetup over_placed(placed);
  EjectionChains<std::int16_t>& nothing = over_placed.eject;
  nothing.step();
  EXPECT_TRUE(nothing.changed().empty());
}

}  // namespace
}  // namespace stowage
