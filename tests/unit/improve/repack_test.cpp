#include "core/improve/repack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/unit/support/random.h"
#include "tests/unit/support/repack_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::RepackSetup;

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> list) {
  std::sort(list.begin(), list.end());
  return list;
}

TEST(RepackTest, AdmitsByLimitsInBothDirections) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 3, {1});
  const AppId c = builder.add_app("c", 1, {1});
  builder.limit(a, b, 1);  // beside a, at most one b
  builder.limit(c, a, 0);  // beside c, no a
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId one = setup.open({a, b});
  EXPECT_FALSE(setup.repack.admits(b, one, kNone)) << "a second b beside a";
  EXPECT_TRUE(setup.repack.admits(b, one, a)) << "once a has left";
  EXPECT_TRUE(setup.repack.admits(a, one, kNone)) << "a does not limit itself";
  EXPECT_FALSE(setup.repack.admits(c, one, kNone));
  EXPECT_TRUE(setup.repack.admits(c, one, a));
  const NodeId two = setup.open({b, b});
  EXPECT_FALSE(setup.repack.admits(a, two, kNone)) << "a tolerates one b";
  EXPECT_TRUE(setup.repack.admits(a, two, b));
  const NodeId three = setup.open({c});
  EXPECT_FALSE(setup.repack.admits(a, three, kNone));
  EXPECT_TRUE(setup.repack.admits(a, three, c));
}

TEST(RepackTest, AdmitsBySelfLimits) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  builder.limit(a, a, 2);
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId node = setup.open({a});
  EXPECT_TRUE(setup.repack.admits(a, node, kNone));
  setup.placement.place(a, node, 1);
  EXPECT_FALSE(setup.repack.admits(a, node, kNone));
}

// Rows long enough for the bits that say who is whose neighbour, against the placement's own answer.
TEST(RepackTest, AdmitsAgreesWithHeadroomOnADenseGraph) {
  test::Random random(5);
  InstanceBuilder builder;
  constexpr std::uint32_t kApps = 120;
  for (std::uint32_t i = 0; i < kApps; ++i) builder.add_app("app-" + std::to_string(i), 3, {1});
  for (AppId i = 0; i < kApps; ++i) {
    for (AppId j = 0; j < kApps; ++j) {
      if (random.chance(0.6)) builder.limit(i, j, i == j ? 1 + random.below(2) : random.below(3));
    }
  }
  builder.add_class({1000});
  RepackSetup setup(builder);
  for (int n = 0; n < 60; ++n) {
    if (n == 30) setup.repack.learn_company();
    const NodeId node = setup.open({});
    for (int k = 0; k < 40; ++k) {
      const AppId app = random.below(kApps);
      const bool allowed = setup.placement.allowed(app, node, 1) == 1;
      ASSERT_EQ(setup.repack.admits(app, node, kNone), allowed) << app << " on " << node;
      if (allowed && setup.placement.unplaced(app) > 0) setup.placement.place(app, node, 1);
    }
  }
}

TEST(RepackTest, FollowsWhereReplicasAre) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 5, {1});
  const AppId b = builder.add_app("b", 2, {1});
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId one = setup.open({a, a, b});
  const NodeId two = setup.open({a});
  const NodeId apart = setup.open({a});
  setup.repack.follow({one, two});
  EXPECT_EQ(sorted(setup.repack.homes(a)), (std::vector<NodeId>{one, two})) << "not " << apart;
  EXPECT_EQ(setup.repack.homes(b), std::vector<NodeId>{one});
  setup.repack.exchange(a, one, kNone, two);
  EXPECT_EQ(sorted(setup.repack.homes(a)), (std::vector<NodeId>{one, two})) << "one is still there";
  setup.repack.exchange(a, one, kNone, two);
  EXPECT_EQ(setup.repack.homes(a), std::vector<NodeId>{two});
  setup.repack.evict(b, one);
  EXPECT_TRUE(setup.repack.homes(b).empty());
  setup.repack.admit(b, two);
  setup.repack.admit(b, two);
  EXPECT_EQ(setup.repack.homes(b), std::vector<NodeId>{two});
  setup.repack.unfollow();
  EXPECT_TRUE(setup.repack.homes(a).empty());
}

TEST(RepackTest, NodeLimitKeepsEmptyNodesEmpty) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  builder.add_class({10});
  Request request;
  request.node_limit = 1;
  RepackSetup setup(builder, request);
  const NodeId first = setup.open({});
  const NodeId second = setup.open({});
  EXPECT_TRUE(setup.repack.admits(a, second, kNone));
  setup.repack.admit(a, first);
  EXPECT_FALSE(setup.repack.admits(a, second, kNone));
  EXPECT_TRUE(setup.repack.admits(a, first, kNone));
}

TEST(RepackTest, PinnedReplicasStay) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  builder.add_class({10});
  const NodeId node = builder.add_node(0);
  builder.pin(a, node, 2);
  RepackSetup setup(builder);
  EXPECT_EQ(setup.on(node), "a:2");
  EXPECT_FALSE(setup.repack.may_leave(a, node));
  EXPECT_FALSE(setup.repack.free_to_leave(a, node));
  EXPECT_FALSE(setup.repack.can_close(node));
  setup.repack.admit(a, node);
  EXPECT_TRUE(setup.repack.may_leave(a, node)) << "the third one is not pinned";
}

TEST(RepackTest, RunningReplicasLeaveWithinTheBudget) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 2, {1});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  builder.running(a, 0, 2);
  builder.running(b, 1, 1);
  for (const std::uint32_t budget : {0u, 1u, 2u}) {
    Request request;
    request.move_budget = budget;
    RepackSetup setup(builder, request);
    setup.repack.admit(b, 1);
    EXPECT_TRUE(setup.repack.may_leave(b, 1)) << "one of the two does not run there";
    EXPECT_EQ(setup.repack.may_leave(a, 0), budget >= 1);
    EXPECT_EQ(setup.repack.may_leave(a, 0, b, 1), budget >= 1);
    EXPECT_EQ(setup.repack.can_close(0), budget >= 2);
    EXPECT_EQ(setup.repack.can_close(1), budget >= 1);
    if (budget == 0) continue;
    setup.repack.exchange(a, 0, kNone, 1);
    EXPECT_EQ(setup.repack.may_leave(a, 0), budget >= 2) << "one move is spent";
    EXPECT_TRUE(setup.repack.may_leave(a, 1)) << "it does not run there";
    setup.repack.exchange(a, 1, kNone, 0);
    EXPECT_TRUE(setup.repack.may_leave(a, 0)) << "and given back when the replica is";
  }
  Request anew;
  anew.ignore_running = true;
  RepackSetup setup(builder, anew);
  EXPECT_EQ(sorted(setup.repack.pool()), (std::vector<AppId>{a, b}));
  setup.repack.admit(a, 0);
  EXPECT_TRUE(setup.repack.may_leave(a, 0));
  EXPECT_TRUE(setup.repack.free_to_leave(a, 0));
}

TEST(RepackTest, ClosedNodesAreOutOfPlay) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  builder.close(0);
  RepackSetup setup(builder);
  EXPECT_EQ(setup.repack.nodes(), std::vector<NodeId>{1});
  EXPECT_FALSE(setup.repack.in_play(0));
  EXPECT_TRUE(setup.repack.in_play(1));
  EXPECT_FALSE(setup.repack.in_play(2)) << "not there yet";
}

TEST(RepackTest, LoadedNodesCannotBeClosed) {
  InstanceBuilder builder;
  builder.add_class({10});
  builder.add_node(0, {3});
  builder.add_node(0);
  RepackSetup setup(builder);
  EXPECT_FALSE(setup.repack.can_close(0));
  EXPECT_TRUE(setup.repack.can_close(1));
}

TEST(RepackTest, ThePoolHoldsEachWaitingAppOnce) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 1, {1});
  const AppId c = builder.add_app("c", 0, {1});
  builder.add_class({10});
  RepackSetup setup(builder);
  EXPECT_EQ(setup.repack.pool(), (std::vector<AppId>{a, b})) << c << " has no replicas";
  const NodeId node = setup.open({});
  setup.repack.admit(a, node);
  EXPECT_EQ(sorted(setup.repack.pool()), (std::vector<AppId>{a, b})) << "one of two still waits";
  setup.repack.admit(a, node);
  EXPECT_EQ(setup.repack.pool(), std::vector<AppId>{b});
  setup.repack.admit(b, node);
  EXPECT_TRUE(setup.repack.pool().empty());
  setup.repack.evict(a, node);
  setup.repack.evict(a, node);
  EXPECT_EQ(setup.repack.pool(), std::vector<AppId>{a});
  EXPECT_EQ(setup.on(node), "b:1");
}

TEST(RepackTest, WhatFitsNowhereDoesNotWait) {
  InstanceBuilder builder;
  const AppId whale = builder.add_app("whale", 1, {11});
  const AppId a = builder.add_app("a", 1, {9});
  builder.add_class({5});
  builder.add_class({10});
  RepackSetup setup(builder);
  EXPECT_FALSE(setup.repack.placeable(whale));
  EXPECT_TRUE(setup.repack.placeable(a));
  EXPECT_EQ(setup.repack.pool(), std::vector<AppId>{a});
}

TEST(RepackTest, InsertPlacesWhatFitsAndIsAdmitted) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  const AppId b = builder.add_app("b", 1, {1});
  const AppId c = builder.add_app("c", 1, {1});
  builder.limit(a, a, 2);
  builder.limit(a, b, 0);
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId node = setup.open({});
  Random random(1);
  std::vector<AppId> placed;
  EXPECT_TRUE(setup.repack.insert(
      node, random, [&](AppId app) { return app != c; }, [&](AppId app) { placed.push_back(app); }));
  EXPECT_EQ(placed, (std::vector<AppId>{a, a})) << "a third one is one too many, b stands in a's way, c does not fit";
  EXPECT_EQ(setup.on(node), "a:2");
  EXPECT_EQ(sorted(setup.repack.pool()), (std::vector<AppId>{a, b, c}));
  EXPECT_FALSE(setup.repack.insert(
      node, random, [](AppId) { return false; }, [](AppId) { FAIL(); }));
}

TEST(RepackTest, ExchangeAndClose) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {1});
  const AppId b = builder.add_app("b", 2, {1});
  builder.add_class({10});
  RepackSetup setup(builder);
  const NodeId one = setup.open({a});
  const NodeId two = setup.open({b, b});
  setup.repack.exchange(a, one, b, two);
  EXPECT_EQ(setup.on(one), "b:1");
  EXPECT_EQ(setup.on(two), "a:1 b:1");
  setup.repack.close(two);
  EXPECT_EQ(setup.on(two), "");
  EXPECT_EQ(setup.repack.nodes(), std::vector<NodeId>{one});
  EXPECT_EQ(setup.repack.spare(), std::vector<NodeId>{two});
  EXPECT_EQ(sorted(setup.repack.pool()), (std::vector<AppId>{a, b}));
  setup.repack.reopen(two);
  EXPECT_TRUE(setup.repack.spare().empty());
  EXPECT_TRUE(setup.repack.in_play(two));
}

TEST(RepackTest, NodesOutOfPlayTakeNothingUntilTheyAreBack) {
  // With few and with many dimensions: residuals are kept in columns, or in rows beside them.
  for (const std::uint32_t periods : {1u, 40u}) {
    SCOPED_TRACE(periods);
    InstanceBuilder builder({"cpu"}, periods);
    const AppId a = builder.add_app("a", 3, std::vector<double>(periods, 4));
    builder.add_class({10});
    RepackSetup setup(builder);
    const NodeId one = setup.open({});
    const NodeId two = setup.open({a});
    const NodeId three = setup.open({});
    setup.repack.set_aside_empty();
    EXPECT_EQ(setup.repack.nodes(), std::vector<NodeId>{two});
    // The first one is the last, for those who take from the end.
    EXPECT_EQ(setup.repack.spare(), (std::vector<NodeId>{three, one}));
    const auto fitting = [&] {
      std::vector<NodeId> nodes;
      Placement<std::int16_t>::Candidate candidate(setup.placement);
      candidate.start(setup.placement, a);
      setup.placement.residuals().for_each_fitting(candidate.need(), 0, [&](NodeId node) {
        nodes.push_back(node);
        return true;
      });
      return nodes;
    };
    EXPECT_EQ(fitting(), std::vector<NodeId>{two});
    setup.repack.reopen(one);
    EXPECT_EQ(fitting(), (std::vector<NodeId>{one, two}));
    setup.repack.admit(a, one);
    setup.repack.admit(a, one);
    EXPECT_EQ(fitting(), std::vector<NodeId>{two});
    setup.repack.close(two);
    EXPECT_EQ(fitting(), std::vector<NodeId>{});
    setup.repack.reopen(two);
    setup.repack.reopen(three);
    EXPECT_EQ(fitting(), (std::vector<NodeId>{two, three}));
  }
}

}  // namespace
}  // namespace stowage
