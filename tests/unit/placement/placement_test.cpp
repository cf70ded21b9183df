#include "core/placement/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using Narrow = Placement<std::int16_t>;

std::uint32_t headroom(const Narrow& placement, AppId app, NodeId node, std::uint32_t wanted = 1000) {
  Narrow::Candidate candidate(placement);
  candidate.start(placement, app);
  EXPECT_EQ(candidate.app(), app);
  return placement.headroom(candidate, node, wanted);
}

std::uint32_t headroom_on_empty(const Narrow& placement, AppId app, ClassId node_class, std::uint32_t wanted = 1000) {
  Narrow::Candidate candidate(placement);
  candidate.start(placement, app);
  return placement.headroom_on_empty(candidate, node_class, wanted);
}

TEST(PlacementTest, CapacityInEveryResource) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId web = builder.add_app("web", 100, {2, 3});
  builder.add_class({10, 12});
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  const NodeId node = placement.open(0);
  ASSERT_EQ(node, 0);
  EXPECT_EQ(headroom(placement, web, node), 4) << "min(10 / 2, 12 / 3)";
  EXPECT_EQ(headroom(placement, web, node, 3), 3) << "no more than wanted";
  placement.place(web, node, 3);
  EXPECT_EQ(headroom(placement, web, node), 1);
  EXPECT_EQ(placement.unplaced(web), 97);
  placement.remove(web, node, 2);
  EXPECT_EQ(headroom(placement, web, node), 3);
  EXPECT_EQ(placement.unplaced(web), 99);
  EXPECT_EQ(headroom_on_empty(placement, web, 0), 4);
}

TEST(PlacementTest, CapacityInEveryPeriod) {
  InstanceBuilder builder({"cpu"}, 3);
  const AppId day = builder.add_app("day", 10, {6, 1, 1});
  const AppId night = builder.add_app("night", 10, {1, 1, 6});
  builder.add_class({8});
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  const NodeId node = placement.open(0);
  EXPECT_EQ(headroom(placement, day, node), 1) << "two would need 12 in the first period";
  placement.place(day, node, 1);
  EXPECT_EQ(headroom(placement, day, node), 0);
  EXPECT_EQ(headroom(placement, night, node), 1) << "its peak is in another period";
  placement.place(night, node, 1);
  EXPECT_EQ(headroom(placement, night, node), 0);
  // (6 + 1, 1 + 1, 1 + 6) of 8.
  EXPECT_EQ(placement.residuals().residual(node, 0), 1);
  EXPECT_EQ(placement.residuals().residual(node, 1), 6);
}

TEST(PlacementTest, AffinityInBothDirectionsAndCapacityTogether) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 100, {1});
  const AppId cache = builder.add_app("cache", 100, {2});
  builder.limit(cache, web, 3);
  builder.limit(web, web, 5);
  builder.add_class({6});
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  const NodeId node = placement.open(0);
  EXPECT_EQ(headroom(placement, web, node), 5) << "six fit, the self limit is five";
  EXPECT_EQ(headroom_on_empty(placement, web, 0), 5);
  placement.place(cache, node, 1);
  EXPECT_EQ(headroom(placement, web, node), 3) << "four fit, the cache bears three";
  placement.place(web, node, 3);
  EXPECT_EQ(headroom(placement, cache, node), 0) << "one unit is left";
  placement.remove(cache, node, 1);
  placement.place(web, node, 1);
  EXPECT_EQ(headroom(placement, cache, node), 0) << "two units are left, but no cache bears four web";
}

TEST(PlacementTest, ClassesHaveCounts) {
  InstanceBuilder builder;
  builder.add_app("web", 10, {1});
  builder.add_class({4}, 2);
  builder.add_class({8}, 0);
  builder.add_node(0);  // one of the two
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  ASSERT_EQ(placement.nodes(), 1);
  EXPECT_EQ(placement.open(0), 1);
  EXPECT_EQ(placement.open(0), kNone);
  EXPECT_EQ(placement.open(1), 2);
  EXPECT_EQ(placement.open(1), 3) << "as many as needed";
  EXPECT_EQ(placement.class_of(1), 0);
  EXPECT_EQ(placement.class_of(2), 1);
  EXPECT_FALSE(placement.hit_ceiling());
}

TEST(PlacementTest, TheRequestLimitsNodesInUse) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 10, {1});
  builder.add_class({4});
  builder.add_node(0);
  builder.add_node(0);
  builder.add_node(0, {1});
  const Instance instance = builder.must_build();
  Request request;
  request.node_limit = 2;
  Narrow placement(instance, request);
  EXPECT_EQ(placement.nodes_in_use(), 1) << "the loaded node";
  EXPECT_EQ(headroom(placement, web, 0), 4);
  placement.place(web, 1, 1);
  EXPECT_EQ(placement.nodes_in_use(), 2);
  EXPECT_EQ(headroom(placement, web, 0), 0) << "a third node";
  EXPECT_EQ(headroom(placement, web, 1), 3);
  EXPECT_EQ(headroom(placement, web, 2), 3) << "the loaded node is in use already";
  EXPECT_EQ(placement.open(0), kNone);
  EXPECT_FALSE(placement.hit_ceiling()) << "what the request asks for is no error";
  placement.remove(web, 1, 1);
  EXPECT_EQ(placement.nodes_in_use(), 1);
  EXPECT_EQ(headroom(placement, web, 0), 4);
  placement.place(web, 2, 3);
  EXPECT_EQ(placement.nodes_in_use(), 1);
  placement.remove(web, 2, 3);
  EXPECT_EQ(placement.nodes_in_use(), 1) << "its load keeps it in use";
}

TEST(PlacementTest, TheCallersLimitsAreReported) {
  InstanceBuilder builder;
  builder.add_app("web", 10, {1});
  builder.add_class({4});
  Limits limits;
  limits.max_nodes = 1;
  const Instance instance = builder.must_build(limits);
  Narrow placement(instance, {});
  EXPECT_EQ(placement.open(0), 0);
  EXPECT_EQ(placement.open(0), kNone);
  EXPECT_TRUE(placement.hit_ceiling());
}

TEST(PlacementTest, NodesAreRepeatedAsLongAsThereIsEnough) {
  const auto cluster = [](std::uint32_t count) {
    InstanceBuilder builder;
    builder.add_app("web", 20, {2});
    builder.add_app("db", 7, {1});
    builder.add_class({10}, count);
    return builder;
  };
  const auto repeated = [&](const InstanceBuilder& builder, const Request& request, const Limits& limits = {}) {
    const Instance instance = builder.must_build(limits);
    Narrow placement(instance, request);
    const NodeId node = placement.open(0);
    EXPECT_EQ(placement.repeat(node), 0) << "it is empty";
    placement.place(0, node, 3);
    placement.place(1, node, 2);
    const std::uint32_t times = placement.repeat(node);
    EXPECT_EQ(placement.nodes_in_use(), 1 + times);
    EXPECT_EQ(placement.unplaced(0), 20 - 3 * (1 + times));
    EXPECT_EQ(placement.unplaced(1), 7 - 2 * (1 + times));
    EXPECT_EQ(placement.repeat(node), 0) << "there is no more of something";
    Plan plan;
    placement.write(plan);
    EXPECT_EQ(plan.nodes.size(), 1u);
    EXPECT_EQ(plan.nodes[0].copies, 1 + times);
    return std::pair(times, placement.hit_ceiling());
  };
  EXPECT_EQ(repeated(cluster(0), {}), std::pair(2u, false)) << "db has 7";
  EXPECT_EQ(repeated(cluster(2), {}), std::pair(1u, false));
  EXPECT_EQ(repeated(cluster(1), {}), std::pair(0u, false));
  Request request;
  request.node_limit = 2;
  EXPECT_EQ(repeated(cluster(0), request), std::pair(1u, false));
  Limits limits;
  limits.max_nodes = 2;
  EXPECT_EQ(repeated(cluster(0), {}, limits), std::pair(1u, false)) << "that is for open() to find";
  limits.max_nodes = 3;
  EXPECT_EQ(repeated(cluster(0), {}, limits), std::pair(2u, false));
}

TEST(PlacementTest, WhatGoesIsNotWrittenAtTheEndEither) {
  InstanceBuilder builder;
  builder.add_app("web", 3, {2});
  builder.add_app("db", 1, {2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Request whole;
  whole.all_or_nothing = true;
  Narrow placement(instance, whole);
  const NodeId node = placement.open(0);
  placement.place(0, node, 2);
  placement.place(1, node, 1);
  Plan before, end;
  placement.write(before);
  placement.finish(end);
  ASSERT_EQ(end.placed.size(), 1u);
  EXPECT_EQ(end.placed[0].app, 1u);
  ASSERT_EQ(end.unplaced.size(), 1u);
  EXPECT_EQ(end.unplaced[0].replicas, 3u);
  EXPECT_EQ(before.placed.size(), 1u);
  EXPECT_EQ(before.nodes.size(), end.nodes.size());
}

TEST(PlacementTest, WhatMayHaveToGoIsNotRepeated) {
  InstanceBuilder builder;
  builder.add_app("web", 20, {2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Request whole;
  whole.all_or_nothing = true;
  Narrow placement(instance, whole);
  const NodeId node = placement.open(0);
  placement.place(0, node, 5);
  EXPECT_EQ(placement.repeat(node), 0);
}

// 12 copies of a node with 3 web each. db fits on some of them only.
TEST(PlacementTest, CopiesSplitWhereTheyBecomeDifferent) {
  InstanceBuilder builder;
  builder.add_app("web", 36, {2});
  builder.add_app("db", 11, {2});
  builder.add_app("log", 30, {0.5});
  builder.add_class({10}, 12);
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  const NodeId node = placement.open(0);
  placement.place(0, node, 3);
  EXPECT_EQ(placement.repeat(node, 8), 8u);
  EXPECT_EQ(placement.copies(node), 9u);
  EXPECT_EQ(placement.repeat(node), 3u);
  EXPECT_EQ(placement.nodes(), 1u);
  EXPECT_EQ(placement.nodes_in_use(), 12u);
  EXPECT_EQ(placement.unplaced(0), 0u);
  // 11 db, two per node: five nodes take two, one takes one, six take none.
  placement.place_on_copies(1, node, 2);
  EXPECT_EQ(placement.nodes(), 3u);
  EXPECT_EQ(placement.nodes_in_use(), 12u);
  EXPECT_EQ(placement.unplaced(1), 0u);
  EXPECT_EQ(placement.copies(0), 5u);
  EXPECT_EQ(placement.copies(1), 1u);
  EXPECT_EQ(placement.copies(2), 6u);
  EXPECT_EQ(headroom(placement, 2, 0), 0u);
  EXPECT_EQ(headroom(placement, 2, 1), 4u);
  EXPECT_EQ(headroom(placement, 2, 2), 8u);
  // There are enough replicas for all copies, so nothing is split.
  placement.place_on_copies(2, 2, 4);
  EXPECT_EQ(placement.nodes(), 3u);
  EXPECT_EQ(placement.unplaced(2), 6u);
  EXPECT_EQ(placement.open(0), kNone) << "all 12 are in use";
  Plan plan;
  placement.write(plan);
  EXPECT_EQ(plan.nodes.size(), 3u);
  EXPECT_TRUE(std::none_of(plan.nodes.begin(), plan.nodes.end(), [](const PlannedNode& one) { return one.listed != kNone; }));
  EXPECT_EQ(plan.unplaced.size(), 1u);
}

TEST(PlacementTest, ClosedNodesKeepWhatTheyHaveAndTakeNothing) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 10, {1});
  const AppId cache = builder.add_app("cache", 10, {1});
  builder.add_class({8});
  builder.add_node(0);
  builder.add_node(0);
  builder.close(0);
  builder.running(web, 0, 2).pin(cache, 0, 1);
  const Instance instance = builder.must_build();
  const Narrow placement(instance, {});
  EXPECT_EQ(placement.contents().count(web, 0), 2);
  EXPECT_EQ(placement.contents().count(cache, 0), 1);
  EXPECT_EQ(headroom(placement, web, 0), 0);
  EXPECT_EQ(headroom(placement, web, 1), 8);
  EXPECT_EQ(placement.unplaced(web), 8);
}

TEST(PlacementTest, RunningAndPinnedReplicasAreThereFromTheStart) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 10, {1});
  const AppId cache = builder.add_app("cache", 5, {2});
  builder.add_class({20});
  builder.add_node(0, {3});
  builder.add_node(0);
  builder.running(web, 0, 4).running(cache, 1, 1);
  builder.pin(web, 0, 2).pin(cache, 0, 3).pin(web, 1, 1);
  const Instance instance = builder.must_build();

  const Narrow kept(instance, {});
  // A pin counts where the replica runs; node 0 holds 4 web (2 of them pinned) and 3 pinned caches.
  EXPECT_EQ(kept.contents().count(web, 0), 4);
  EXPECT_EQ(kept.contents().count(cache, 0), 3);
  EXPECT_EQ(kept.contents().count(web, 1), 1);
  EXPECT_EQ(kept.contents().count(cache, 1), 1);
  EXPECT_EQ(kept.unplaced(web), 5);
  EXPECT_EQ(kept.unplaced(cache), 1);
  EXPECT_EQ(kept.residuals().residual(0, 0), 20 - 3 - 4 * 1 - 3 * 2);
  EXPECT_EQ(kept.nodes_in_use(), 2);

  Request replan;
  replan.ignore_running = true;
  const Narrow pinned(instance, replan);
  EXPECT_EQ(pinned.contents().count(web, 0), 2);
  EXPECT_EQ(pinned.contents().count(cache, 0), 3);
  EXPECT_EQ(pinned.contents().count(cache, 1), 0);
  EXPECT_EQ(pinned.unplaced(web), 7);
}

// The start breaks a capacity, a limit of an app on another and a limit of an app on itself. Headroom does not make it worse.
TEST(PlacementTest, BrokenStarts) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId web = builder.add_app("web", 20, {2, 0});
  const AppId cache = builder.add_app("cache", 20, {0, 1});
  const AppId lone = builder.add_app("lone", 20, {0, 1});
  const AppId free = builder.add_app("free", 20, {0, 1});
  builder.limit(cache, web, 1).limit(lone, lone, 1);
  builder.add_class({10, 10});
  for (int n = 0; n < 3; ++n) builder.add_node(0);
  builder.running(web, 0, 6);                       // 12 of 10 cores
  builder.running(cache, 1, 1).running(web, 1, 3);  // three web beside a cache that tolerates one
  builder.running(lone, 2, 2);                      // two; the limit is one
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  EXPECT_EQ(placement.residuals().residual(0, 0), -1) << "one unit is two cores";
  EXPECT_EQ(headroom(placement, web, 0), 0);
  EXPECT_EQ(headroom(placement, web, 1), 0);
  EXPECT_EQ(headroom(placement, cache, 1), 0);
  EXPECT_EQ(headroom(placement, free, 1), 9) << "a limit between others does not concern it";
  EXPECT_EQ(headroom(placement, lone, 2), 0);
  // Removed replicas make room again.
  placement.remove(web, 0, 2);
  EXPECT_EQ(headroom(placement, web, 0), 1);
  placement.remove(web, 1, 2);
  EXPECT_EQ(headroom(placement, cache, 1), 9);
  placement.remove(lone, 2, 2);
  EXPECT_EQ(headroom(placement, lone, 2), 1);
}

// web costs itself 1 and 2 per load of db; db costs itself 1 and 0.5 per load of web; quiet costs nobody anything. Loads are
// memory: 2 of a web, 3 of a db.
TEST(PlacementTest, LimitsOnTheCostOfSideEffects) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId web = builder.add_app("web", 20, {1, 2});
  const AppId db = builder.add_app("db", 20, {1, 3});
  const AppId quiet = builder.add_app("quiet", 20, {1, 5});
  builder.add_class({100, 1000});
  for (int n = 0; n < 2; ++n) builder.add_node(0);
  builder.running(db, 0, 3);  // 9; the limit is 8
  builder.data().kind = {0, 1, 2};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 3, {1, 2, 0, 0.5, 1, 0, 0, 0, 0}, 1, {10, 8, std::numeric_limits<double>::infinity()}};
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  EXPECT_EQ(headroom_on_empty(placement, web, 0), 5);
  EXPECT_EQ(headroom_on_empty(placement, db, 0), 2);
  EXPECT_EQ(headroom(placement, web, 1), 5);
  placement.place(web, 1, 2);
  EXPECT_EQ(headroom(placement, db, 1), 1) << "web costs 4 + 2 x 3 then, and may cost 10; db would take two";
  EXPECT_EQ(headroom(placement, quiet, 1), 98) << "two cores are taken";
  placement.place(db, 1, 1);
  EXPECT_EQ(headroom(placement, web, 1), 0);
  EXPECT_EQ(headroom(placement, db, 1), 0);
  Narrow::Candidate candidate(placement);
  candidate.start(placement, db);
  EXPECT_FALSE(placement.allows_one(candidate, 1));
  placement.remove(web, 1, 1);
  EXPECT_EQ(headroom(placement, web, 1), 1);
  EXPECT_TRUE(placement.allows_one(candidate, 1) == (headroom(placement, db, 1) > 0));

  // Where db costs more than it may, nothing joins that db suffers from, nor db itself; what costs nobody anything may.
  EXPECT_EQ(headroom(placement, db, 0), 0);
  EXPECT_EQ(headroom(placement, web, 0), 0);
  EXPECT_EQ(headroom(placement, quiet, 0), 97);
  placement.remove(db, 0, 2);
  EXPECT_EQ(headroom(placement, web, 0), 2) << "2 x 3 + 2 x 2";
  EXPECT_EQ(headroom(placement, db, 0), 1);
}

TEST(PlacementTest, WritesNodesInUseAndWhatIsLeftOver) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 3, {1});
  const AppId cache = builder.add_app("cache", 2, {1});
  const AppId batch = builder.add_app("batch", 4, {9});
  builder.add_class({4}, 0, 1.5);
  builder.add_class({8}, 0, 2.5);
  builder.add_node(0);       // stays empty
  builder.add_node(1, {1});  // loaded, else empty
  builder.add_node(0);
  const Instance instance = builder.must_build();
  Narrow placement(instance, {});
  placement.place(cache, 2, 2);
  placement.place(web, 2, 1);
  placement.open(0);  // opened, but not used
  const NodeId node = placement.open(1);
  placement.place(web, node, 2);
  Plan plan;
  placement.write(plan);

  ASSERT_EQ(plan.nodes.size(), 3);
  EXPECT_EQ(plan.nodes[0].listed, 1);
  EXPECT_EQ(plan.nodes[0].node_class, 1);
  EXPECT_EQ(plan.nodes[1].listed, 2);
  EXPECT_EQ(plan.nodes[2].listed, kNone);
  EXPECT_EQ(plan.nodes[2].node_class, 1);
  ASSERT_EQ(plan.placed.size(), 3) << "by node, then by app";
  EXPECT_EQ(plan.placed[0].app, web);
  EXPECT_EQ(plan.placed[0].node, 1);
  EXPECT_EQ(plan.placed[1].app, cache);
  EXPECT_EQ(plan.placed[1].replicas, 2);
  EXPECT_EQ(plan.placed[2].app, web);
  EXPECT_EQ(plan.placed[2].node, 2);
  ASSERT_EQ(plan.unplaced.size(), 1);
  EXPECT_EQ(plan.unplaced[0].app, batch);
  EXPECT_EQ(plan.unplaced[0].replicas, 4);
}

}  // namespace
}  // namespace stowage
