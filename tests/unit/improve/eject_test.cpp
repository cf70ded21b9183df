#include "core/improve/eject.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/repack_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::RepackSetup;

/// Over all nodes of a setup.
struct EjectSetup {
  explicit EjectSetup(RepackSetup& setup)
      : mine(setup.placement.nodes(), 1), eject(setup.repack, setup.repack.nodes(), mine, 1) {}
  std::vector<std::uint8_t> mine;
  Eject<std::int16_t> eject;
};

// Both apps count one at first. The second time b is looked for a place in vain it counts more than a, and pushes it out; a,
// the lighter one, does not push b out in turn.
TEST(EjectTest, PushesOutWhatCountsLess) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_app("b", 1, {6});
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId node = setup.open({a});
  EjectSetup over(setup);
  Eject<std::int16_t>& eject = over.eject;
  eject.step();
  EXPECT_EQ(setup.on(node), "a:1");
  EXPECT_TRUE(eject.changed().empty());
  eject.step();
  EXPECT_EQ(setup.on(node), "b:1");
  EXPECT_EQ(eject.changed(), std::vector<NodeId>{node});
  EXPECT_EQ(setup.repack.pool(), std::vector<AppId>{a});
  for (int k = 0; k < 25; ++k) eject.step();
  EXPECT_EQ(setup.on(node), "b:1");
}

// b would push out more cpu than it needs, which a count of 32 allows.
TEST(EjectTest, PushesOutMoreThanComesInOnlyAfterALongTime) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId a = builder.add_app("a", 1, {6, 1});
  const AppId b = builder.add_app("b", 1, {5, 4});
  builder.add_class({10, 10});
  RepackSetup setup(builder);
  const NodeId node = setup.open({a});
  EjectSetup over(setup);
  Eject<std::int16_t>& eject = over.eject;
  for (int k = 0; k < 30; ++k) eject.step();
  EXPECT_EQ(setup.on(node), "a:1");
  EXPECT_EQ(setup.repack.pool(), std::vector<AppId>{b});
  eject.step();
  EXPECT_EQ(setup.on(node), "b:1");
  EXPECT_EQ(setup.repack.pool(), std::vector<AppId>{a});
}

TEST(EjectTest, LimitsMakeWayAndWhatGoesOutFindsAnotherNode) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 1, {4});
  const AppId c = builder.add_app("c", 1, {8});
  builder.limit(b, a, 0);
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId one = setup.open({a, a});
  const NodeId two = setup.open({c});
  EjectSetup over(setup);
  Eject<std::int16_t>& eject = over.eject;
  for (int k = 0; k < 50 && !setup.repack.pool().empty(); ++k) eject.step();
  // One a after the other has to leave for b, and only the other node takes them.
  EXPECT_EQ(setup.on(one), "b:1");
  EXPECT_EQ(setup.on(two), "a:2 c:1");
}

TEST(EjectTest, WhatIsTiedStays) {
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
  RepackSetup setup(builder, request);
  EjectSetup over(setup);
  Eject<std::int16_t>& eject = over.eject;
  for (int k = 0; k < 50; ++k) eject.step();
  EXPECT_EQ(setup.on(0), "a:1");
  EXPECT_EQ(setup.on(1), "b:1");
}

TEST(EjectTest, NoNodesNoPool) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_class({10});
  RepackSetup waiting(builder);
  EjectSetup over_none(waiting);
  Eject<std::int16_t>& nowhere = over_none.eject;
  nowhere.step();
  EXPECT_TRUE(nowhere.changed().empty());
  RepackSetup placed(builder);
  placed.open({a});
  EjectSetup over_placed(placed);
  Eject<std::int16_t>& nothing = over_placed.eject;
  nothing.step();
  EXPECT_TRUE(nothing.changed().empty());
}

}  // namespace
}  // namespace stowage
