#include "core/search/search_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/unit/support/random.h"
#include "tests/unit/support/search_setup.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> list) {
  std::sort(list.begin(), list.end());
  return list;
}

TEST(SearchStateTest, JoinsByLimitsInBothDirections) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 3, {1});
  const AppId c = builder.add_app("c", 1, {1});
  builder.limit(a, b, 1);  // beside a, at most one b
  builder.limit(c, a, 0);  // beside c, no a
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId one = setup.open({a, b});
  EXPECT_FALSE(setup.state.may_join(b, one, kNone)) << "a second b beside a";
  EXPECT_TRUE(setup.state.may_join(b, one, a)) << "once a has left";
  EXPECT_TRUE(setup.state.may_join(a, one, kNone)) << "a does not limit itself";
  EXPECT_FALSE(setup.state.may_join(c, one, kNone));
  EXPECT_TRUE(setup.state.may_join(c, one, a));
  const NodeId two = setup.open({b, b});
  EXPECT_FALSE(setup.state.may_join(a, two, kNone)) << "a tolerates one b";
  EXPECT_TRUE(setup.state.may_join(a, two, b));
  const NodeId three = setup.open({c});
  EXPECT_FALSE(setup.state.may_join(a, three, kNone));
  EXPECT_TRUE(setup.state.may_join(a, three, c));
}

TEST(SearchStateTest, JoinsBySelfLimits) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  builder.limit(a, a, 2);
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId node = setup.open({a});
  EXPECT_TRUE(setup.state.may_join(a, node, kNone));
  setup.placement.place(a, node, 1);
  EXPECT_FALSE(setup.state.may_join(a, node, kNone));
}

// Rows long enough for a pair table, compared with the placement's own answer, before and after the table is learned.
TEST(SearchStateTest, MayJoinAgreesWithHeadroomOnADenseGraph) {
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
  SearchSetup setup(builder);
  WorkClock clock(Request(), nullptr);
  for (int n = 0; n < 60; ++n) {
    if (n == 30) setup.state.learn_pairs(clock);
    const NodeId node = setup.open({});
    for (int k = 0; k < 40; ++k) {
      const AppId app = random.below(kApps);
      const bool allowed = setup.placement.allowed(app, node, 1) == 1;
      ASSERT_EQ(setup.state.may_join(app, node, kNone), allowed) << app << " on " << node;
      if (allowed && setup.placement.unplaced(app) > 0) setup.placement.place(app, node, 1);
    }
  }
}

TEST(SearchStateTest, TracksHolders) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 5, {1});
  const AppId b = builder.add_app("b", 2, {1});
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId one = setup.open({a, a, b});
  const NodeId two = setup.open({a});
  const NodeId apart = setup.open({a});
  setup.state.track_holders({one, two});
  EXPECT_EQ(sorted(setup.state.holders(a)), (std::vector<NodeId>{one, two})) << "not " << apart;
  EXPECT_EQ(setup.state.holders(b), std::vector<NodeId>{one});
  setup.state.exchange(a, one, kNone, two);
  EXPECT_EQ(sorted(setup.state.holders(a)), (std::vector<NodeId>{one, two})) << "one is still there";
  setup.state.exchange(a, one, kNone, two);
  EXPECT_EQ(setup.state.holders(a), std::vector<NodeId>{two});
  setup.state.evict(b, one);
  EXPECT_TRUE(setup.state.holders(b).empty());
  setup.state.place_waiting(b, two);
  setup.state.place_waiting(b, two);
  EXPECT_EQ(setup.state.holders(b), std::vector<NodeId>{two});
  setup.state.stop_tracking();
  EXPECT_TRUE(setup.state.holders(a).empty());
}

TEST(SearchStateTest, NodeLimitKeepsEmptyNodesEmpty) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  builder.add_class({10});
  Request request;
  request.node_limit = 1;
  SearchSetup setup(builder, request);
  const NodeId first = setup.open({});
  const NodeId second = setup.open({});
  EXPECT_TRUE(setup.state.may_join(a, second, kNone));
  setup.state.place_waiting(a, first);
  EXPECT_FALSE(setup.state.may_join(a, second, kNone));
  EXPECT_TRUE(setup.state.may_join(a, first, kNone));
}

TEST(SearchStateTest, PinnedReplicasStay) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  builder.add_class({10});
  const NodeId node = builder.add_node(0);
  builder.pin(a, node, 2);
  SearchSetup setup(builder);
  EXPECT_EQ(setup.on(node), "a:2");
  EXPECT_FALSE(setup.state.may_leave(a, node));
  EXPECT_FALSE(setup.state.free_to_leave(a, node));
  EXPECT_FALSE(setup.state.can_close(node));
  setup.state.place_waiting(a, node);
  EXPECT_TRUE(setup.state.may_leave(a, node)) << "the third one is not pinned";
}

TEST(SearchStateTest, RunningReplicasLeaveWithinTheBudget) {
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
    SearchSetup setup(builder, request);
    setup.state.place_waiting(b, 1);
    EXPECT_TRUE(setup.state.may_leave(b, 1)) << "one of the two does not run there";
    EXPECT_EQ(setup.state.may_leave(a, 0), budget >= 1);
    EXPECT_EQ(setup.state.may_leave(a, 0, b, 1), budget >= 1);
    EXPECT_EQ(setup.state.can_close(0), budget >= 2);
    EXPECT_EQ(setup.state.can_close(1), budget >= 1);
    if (budget == 0) continue;
    setup.state.exchange(a, 0, kNone, 1);
    EXPECT_EQ(setup.state.may_leave(a, 0), budget >= 2) << "one move is spent";
    EXPECT_TRUE(setup.state.may_leave(a, 1)) << "it does not run there";
    setup.state.exchange(a, 1, kNone, 0);
    EXPECT_TRUE(setup.state.may_leave(a, 0)) << "and given back when the replica is";
  }
  Request ignoring;
  ignoring.ignore_running = true;
  SearchSetup setup(builder, ignoring);
  EXPECT_EQ(sorted(setup.state.pool()), (std::vector<AppId>{a, b}));
  setup.state.place_waiting(a, 0);
  EXPECT_TRUE(setup.state.may_leave(a, 0));
  EXPECT_TRUE(setup.state.free_to_leave(a, 0));
}

// "a" has to be in the rack of "b". What pins and budget allow is asked apart from what rules allow.
TEST(SearchStateTest, RulesLetExchangesWithinTheirBounds) {
  test::TaggedBuilder builder;
  const AppId a = builder.app("a", 1, {"a"});
  const AppId b = builder.app("b", 1, {"b"});
  const AppId c = builder.app("c", 2, {"c"});
  builder.nodes(3);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2}});
  builder.hard(builder.replicas({"a"}, {"b"}, 1, kNone, rack));
  SearchSetup setup(builder);
  setup.state.place_waiting(b, 0);
  setup.state.place_waiting(a, 0);
  setup.state.place_waiting(c, 1);
  setup.state.place_waiting(c, 2);
  const SearchState<std::int16_t>& asked = setup.state;
  for (const NodeId to : {NodeId{1}, NodeId{2}}) {
    for (const AppId other : {AppId{kNone}, c}) {
      EXPECT_TRUE(asked.may_leave(a, 0, other, to));
      EXPECT_EQ(setup.state.rules_let_exchange(a, 0, other, to), to == 1) << "only node 1 is in the rack of b";
    }
  }
  EXPECT_EQ(setup.on(0), "a:1 b:1") << "everything is back";
  EXPECT_EQ(setup.on(1), "c:1");
  EXPECT_EQ(setup.on(2), "c:1");
}

TEST(SearchStateTest, ACopyIsIndependent) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 1, {1});
  builder.add_class({10});
  builder.add_node(0);
  builder.running(a, 0, 1);
  Request request;
  request.move_budget = 1;
  SearchSetup setup(builder, request);
  const NodeId other = setup.open({});
  setup.state.exchange(a, 0, kNone, other);
  const std::vector<std::uint8_t> left_out = {1, 0};
  setup.state.leave_out_of_pool(left_out);
  Placement<std::int16_t> placement(setup.placement);
  SearchState<std::int16_t> copy = setup.state.copy_on(placement);
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{b});
  EXPECT_EQ(sorted(copy.pool()), (std::vector<AppId>{a, b})) << "the copy leaves no app out";
  EXPECT_EQ(copy.nodes(), setup.state.nodes());
  EXPECT_EQ(copy.moves_left(), 0u);
  copy.place_waiting(b, other);
  EXPECT_EQ(placement.unplaced(b), 0u);
  EXPECT_EQ(setup.placement.unplaced(b), 1u);
}

TEST(SearchStateTest, ClosedNodesAreOutOfPlay) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  builder.close(0);
  SearchSetup setup(builder);
  EXPECT_EQ(setup.state.nodes(), std::vector<NodeId>{1});
  EXPECT_FALSE(setup.state.in_play(0));
  EXPECT_TRUE(setup.state.in_play(1));
  EXPECT_FALSE(setup.state.in_play(2)) << "not there yet";
}

TEST(SearchStateTest, LoadedNodesCannotBeClosed) {
  InstanceBuilder builder;
  builder.add_class({10});
  builder.add_node(0, {3});
  builder.add_node(0);
  SearchSetup setup(builder);
  EXPECT_FALSE(setup.state.can_close(0));
  EXPECT_TRUE(setup.state.can_close(1));
}

TEST(SearchStateTest, ThePoolHoldsEachWaitingAppOnce) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 1, {1});
  const AppId c = builder.add_app("c", 0, {1});
  builder.add_class({10});
  SearchSetup setup(builder);
  EXPECT_EQ(setup.state.pool(), (std::vector<AppId>{a, b})) << c << " has no replicas";
  const NodeId node = setup.open({});
  setup.state.place_waiting(a, node);
  EXPECT_EQ(sorted(setup.state.pool()), (std::vector<AppId>{a, b})) << "one of two still waits";
  setup.state.place_waiting(a, node);
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{b});
  setup.state.place_waiting(b, node);
  EXPECT_TRUE(setup.state.pool().empty());
  setup.state.evict(a, node);
  setup.state.evict(a, node);
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{a});
  EXPECT_EQ(setup.on(node), "b:1");
}

TEST(SearchStateTest, WhatFitsNowhereDoesNotWait) {
  InstanceBuilder builder;
  const AppId whale = builder.add_app("whale", 1, {11});
  const AppId a = builder.add_app("a", 1, {9});
  builder.add_class({5});
  builder.add_class({10});
  SearchSetup setup(builder);
  EXPECT_FALSE(setup.state.placeable(whale));
  EXPECT_TRUE(setup.state.placeable(a));
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{a});
}

TEST(SearchStateTest, InsertPlacesWhatFitsAndIsAdmitted) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {1});
  const AppId b = builder.add_app("b", 1, {1});
  const AppId c = builder.add_app("c", 1, {1});
  builder.limit(a, a, 2);
  builder.limit(a, b, 0);
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId node = setup.open({});
  Random random(1);
  EXPECT_TRUE(setup.state.insert(node, random, [&](AppId app) { return app != c; }));
  EXPECT_EQ(setup.on(node), "a:2") << "a third one is one too many, b stands in a's way, c does not fit";
  EXPECT_EQ(sorted(setup.state.pool()), (std::vector<AppId>{a, b, c}));
  EXPECT_FALSE(setup.state.insert(node, random, [](AppId) { return false; }));
  EXPECT_EQ(setup.on(node), "a:2");
}

TEST(SearchStateTest, ExchangeAndClose) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {1});
  const AppId b = builder.add_app("b", 2, {1});
  builder.add_class({10});
  SearchSetup setup(builder);
  const NodeId one = setup.open({a});
  const NodeId two = setup.open({b, b});
  setup.state.exchange(a, one, b, two);
  EXPECT_EQ(setup.on(one), "b:1");
  EXPECT_EQ(setup.on(two), "a:1 b:1");
  setup.state.close(two);
  EXPECT_EQ(setup.on(two), "");
  EXPECT_EQ(setup.state.nodes(), std::vector<NodeId>{one});
  EXPECT_EQ(setup.state.spare(), std::vector<NodeId>{two});
  EXPECT_EQ(sorted(setup.state.pool()), (std::vector<AppId>{a, b}));
  setup.state.reopen(two);
  EXPECT_TRUE(setup.state.spare().empty());
  EXPECT_TRUE(setup.state.in_play(two));
}

TEST(SearchStateTest, NodesOutOfPlayTakeNothingUntilTheyAreBack) {
  // With few and with many dimensions: residuals are stored in columns only, or also in rows.
  for (const std::uint32_t periods : {1u, 40u}) {
    SCOPED_TRACE(periods);
    InstanceBuilder builder({"cpu"}, periods);
    const AppId a = builder.add_app("a", 3, std::vector<double>(periods, 4));
    builder.add_class({10});
    SearchSetup setup(builder);
    const NodeId one = setup.open({});
    const NodeId two = setup.open({a});
    const NodeId three = setup.open({});
    setup.state.set_aside_empty();
    EXPECT_EQ(setup.state.nodes(), std::vector<NodeId>{two});
    // The first spare node is last in the list, because callers take from the end.
    EXPECT_EQ(setup.state.spare(), (std::vector<NodeId>{three, one}));
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
    setup.state.reopen(one);
    EXPECT_EQ(fitting(), (std::vector<NodeId>{one, two}));
    setup.state.place_waiting(a, one);
    setup.state.place_waiting(a, one);
    EXPECT_EQ(fitting(), std::vector<NodeId>{two});
    setup.state.close(two);
    EXPECT_EQ(fitting(), std::vector<NodeId>{});
    setup.state.reopen(two);
    setup.state.reopen(three);
    EXPECT_EQ(fitting(), (std::vector<NodeId>{two, three}));
  }
}

}  // namespace
}  // namespace stowage
