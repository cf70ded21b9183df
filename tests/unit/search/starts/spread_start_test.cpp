#include "core/search/starts/spread_start.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

void start(SearchSetup& setup, const SpreadRule& rule, std::uint64_t work_limit = 0) {
  Request request;
  request.work_limit = work_limit;
  WorkClock clock(request, nullptr);
  SpreadStart<std::int16_t>(setup.state, rule).run(clock);
}

TEST(StartOrderTest, WhatNeedsMoreThanHalfANodeComesFirst) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("even", 1, {5, 5});
  builder.add_app("tall", 1, {6, 0});
  builder.add_app("tiny", 1, {1, 1});
  builder.add_class({10, 10});
  EXPECT_EQ(start_order(builder.must_build(), 1), (std::vector<AppId>{1, 0, 2}));
}

TEST(StartOrderTest, PriorityGoesBeforeSizeIfItCountsAndDegreeIsPartOfSize) {
  InstanceBuilder builder;
  const AppId small = builder.add_app("small", 1, {1});
  const AppId large = builder.add_app("large", 1, {4});
  const AppId hub = builder.add_app("hub", 1, {3});
  builder.limit(hub, small, 0);
  builder.add_class({10});
  EXPECT_EQ(start_order(builder.must_build(), 1), (std::vector<AppId>{large, hub, small}));
  EXPECT_EQ(start_order(builder.must_build(), 0.5), (std::vector<AppId>{hub, small, large}))
      << "halves of 3 / (8/3) + 1 / (2/3), 4 / (8/3), 1 / (8/3) + 1 / (2/3)";
  builder.priority(small, 1);
  EXPECT_EQ(start_order(builder.must_build(), 1), (std::vector<AppId>{small, large, hub}));
  EXPECT_EQ(start_order(builder.must_build(), 1, false), (std::vector<AppId>{large, hub, small}));
}

// First the replicas of six, one per node; then those of three, one per node.
TEST(SpreadStartTest, SpreadsReplicas) {
  InstanceBuilder builder;
  builder.add_app("three", 2, {3});
  builder.add_app("six", 2, {6});
  builder.add_class({10});
  SearchSetup setup(builder);
  setup.open({});
  setup.open({});
  start(setup, {});
  EXPECT_EQ(setup.on(0), "three:1 six:1");
  EXPECT_EQ(setup.on(1), "three:1 six:1");
  EXPECT_TRUE(setup.state.pool().empty());
}

// Cpu binds: two apps fill a node. Memory is spread: 6 and 5 go to different nodes, 3 to the node of 5, 2 to that of 6.
TEST(SpreadStartTest, SpreadsWhatDoesNotBind) {
  InstanceBuilder builder({"cpu", "memory"});
  for (const double memory : {6.0, 5.0, 3.0, 2.0}) builder.add_app(std::to_string(static_cast<int>(memory)), 1, {5, memory});
  builder.add_class({10, 20});
  SearchSetup setup(builder);
  setup.open({});
  setup.open({});
  start(setup, {});
  EXPECT_EQ(setup.on(0), setup.on(0).front() == '6' ? "6:1 2:1" : "5:1 3:1");
  EXPECT_EQ(setup.on(1), setup.on(1).front() == '6' ? "6:1 2:1" : "5:1 3:1");
  EXPECT_NE(setup.on(0), setup.on(1));
}

TEST(SpreadStartTest, WhatFindsNoPlaceWaits) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 5, {4});
  builder.add_class({10});
  SearchSetup setup(builder);
  setup.open({});
  setup.open({});
  start(setup, {});
  EXPECT_EQ(setup.placement.unplaced(a), 1u);
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{a});
}

// Replicas without demand for the spread resources are placed as long as they fit.
TEST(SpreadStartTest, FillsNodesWhereWhatIsSpreadIsNotTaken) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId a = builder.add_app("a", 6, {2, 0});
  builder.add_class({10, 10});
  SearchSetup setup(builder);
  setup.open({});
  setup.open({});
  start(setup, {});
  EXPECT_EQ(setup.placement.unplaced(a), 0u);
}

// Two of 40 nodes have room.
TEST(SpreadStartTest, FewNodesWithRoom) {
  InstanceBuilder builder;
  const AppId full = builder.add_app("full", 38, {10});
  const AppId a = builder.add_app("a", 4, {5});
  builder.add_class({10});
  SearchSetup setup(builder);
  for (int n = 0; n < 38; ++n) setup.open({full});
  const NodeId one = setup.open({});
  const NodeId two = setup.open({});
  start(setup, {});
  EXPECT_EQ(setup.on(one), "a:2");
  EXPECT_EQ(setup.on(two), "a:2");
  EXPECT_EQ(setup.placement.unplaced(a), 0u);
}

TEST(SpreadStartTest, SparesClosedNodesAndThoseOutOfPlay) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {5});
  builder.add_class({10}, 3);
  for (NodeId n = 0; n < 3; ++n) builder.add_node(0);
  builder.close(0);
  SearchSetup setup(builder);
  setup.state.set_aside(1);
  start(setup, {});
  EXPECT_EQ(setup.on(0) + "|" + setup.on(1) + "|" + setup.on(2), "||a:2");
  EXPECT_EQ(setup.placement.unplaced(a), 1u);
}

TEST(SpreadStartTest, EndsWithTheRun) {
  InstanceBuilder builder;
  const AppId small = builder.add_app("small", 1, {1});
  const AppId large = builder.add_app("large", 1, {4});
  builder.add_class({10});
  SearchSetup setup(builder);
  setup.open({});
  start(setup, {}, 1);
  EXPECT_EQ(setup.on(0), "large:1");
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{small});
  EXPECT_EQ(setup.placement.unplaced(large), 0u);
}

TEST(SpreadStartTest, NoNodesAndNoApps) {
  InstanceBuilder builder;
  builder.add_class({10});
  SearchSetup empty(builder);
  start(empty, {});
  EXPECT_TRUE(empty.state.pool().empty());
  builder.add_app("a", 1, {1});
  builder.add_app("none", 0, {1});
  SearchSetup nowhere(builder);
  start(nowhere, {0.7, SpreadOver::kAllResources});
  EXPECT_EQ(nowhere.state.pool(), std::vector<AppId>{0});
}

}  // namespace
}  // namespace stowage
