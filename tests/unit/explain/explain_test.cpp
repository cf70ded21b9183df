#include "core/explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"
#include "tests/unit/support/tiny_instances.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;

Explanation explain(const Instance& instance, const Plan& plan, AppId app = kNone) {
  auto result = explain_plan(instance, plan, app, nullptr);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().path + ": " + result.error().message);
  return result.ok() ? std::move(result.value()) : Explanation{};
}

AppExplanation explain_app(const Instance& instance, const Plan& plan, AppId app) {
  const Explanation explanation = explain(instance, plan, app);
  EXPECT_EQ(explanation.apps.size(), 1u);
  return explanation.apps.empty() ? AppExplanation{} : explanation.apps.front();
}

void expect_counts(const AppExplanation& app, std::uint64_t open, std::uint64_t capacity, std::uint64_t limits,
                   std::uint64_t both) {
  EXPECT_EQ(app.open_nodes, open);
  EXPECT_EQ(app.blocked_by_capacity, capacity);
  EXPECT_EQ(app.blocked_by_limits, limits);
  EXPECT_EQ(app.blocked_by_both, both);
}

const Driver* find_driver(const Explanation& explanation, DriverKind kind, ResourceId resource = kNone) {
  for (const Driver& driver : explanation.drivers) {
    if (driver.kind == kind && driver.resource == resource) return &driver;
  }
  return nullptr;
}

TEST(ExplainApps, CapacityShortfall) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId web = builder.add_app("web", 3, {5, 2});
  const AppId db = builder.add_app("db", 1, {1, 10});
  const ClassId c = builder.add_class({8, 12}, 2);
  const Instance instance = builder.must_build();
  // Node 0: 5 cores and 2 GiB; node 1: 6 and 12. One more web replica needs 5 and 2.
  const Plan plan = PlanBuilder(instance).node(c, {{web, 1}}).node(c, {{web, 1}, {db, 1}}).build();
  const Explanation explanation = explain(instance, plan);
  EXPECT_EQ(explanation.nodes, 2u);
  ASSERT_EQ(explanation.apps.size(), 1u);
  const AppExplanation& app = explanation.apps[0];
  EXPECT_EQ(app.app, web);
  EXPECT_EQ(app.unplaced, 1u);
  expect_counts(app, 0, 2, 0, 0);
  ASSERT_EQ(app.closest.size(), 2u);
  EXPECT_EQ(app.closest[0].node, 0u);
  EXPECT_EQ(app.closest[0].node_class, c);
  EXPECT_DOUBLE_EQ(app.closest[0].distance, 0.25);  // 2 of 8 cores
  ASSERT_EQ(app.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(app.closest[0].obstacles[0].kind, ObstacleKind::kCapacity);
  EXPECT_EQ(app.closest[0].obstacles[0].resource, 0u);
  EXPECT_EQ(app.closest[0].obstacles[0].period, 0u);
  EXPECT_DOUBLE_EQ(app.closest[0].obstacles[0].amount, 2);  // 5 + 5 - 8
  EXPECT_DOUBLE_EQ(app.closest[0].obstacles[0].limit, 8);
  EXPECT_EQ(app.closest[1].node, 1u);
  EXPECT_DOUBLE_EQ(app.closest[1].distance, 3.0 / 8 + 2.0 / 12);
  ASSERT_EQ(app.closest[1].obstacles.size(), 2u);
  EXPECT_EQ(app.closest[1].obstacles[1].resource, 1u);
  EXPECT_DOUBLE_EQ(app.closest[1].obstacles[1].amount, 2);  // 12 + 2 - 12
  // 2 more cores on node 0 are enough, and so is a third node. More of one resource on node 1 is not.
  ASSERT_EQ(app.relaxations.size(), 2u);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kAddCapacity);
  EXPECT_EQ(app.relaxations[0].node, 0u);
  EXPECT_EQ(app.relaxations[0].resource, 0u);
  EXPECT_DOUBLE_EQ(app.relaxations[0].amount, 2);
  EXPECT_EQ(app.relaxations[1].kind, RelaxationKind::kAddNode);
  EXPECT_EQ(app.relaxations[1].node_class, c);
}

TEST(ExplainApps, WorstPeriodOfEachResource) {
  InstanceBuilder builder({"cpu"}, 3);
  const AppId a = builder.add_app("a", 1, {4, 6, 5});
  const AppId b = builder.add_app("b", 1, {5, 4, 5});
  const ClassId c = builder.add_class({8}, 1);
  const Instance instance = builder.must_build();
  const AppExplanation app = explain_app(instance, PlanBuilder(instance).node(c, {{a, 1}}).build(), b);
  // 9, 10, 10: two periods miss 2, the first of them counts.
  ASSERT_EQ(app.closest.size(), 1u);
  ASSERT_EQ(app.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(app.closest[0].obstacles[0].period, 1u);
  EXPECT_DOUBLE_EQ(app.closest[0].obstacles[0].amount, 2);
}

TEST(ExplainApps, CapacityFitsToTheLastDecimal) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {0.1});
  const ClassId c = builder.add_class({0.3}, 1);  // as doubles, 0.1 + 0.1 + 0.1 is above 0.3
  const Instance instance = builder.must_build();
  expect_counts(explain_app(instance, PlanBuilder(instance).node(c, {{a, 2}}).build(), a), 1, 0, 0, 0);
}

TEST(ExplainApps, LimitsInEveryDirection) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 9, {1});
  const AppId strict = builder.add_app("strict", 2, {1});
  const AppId many = builder.add_app("many", 3, {1});
  const ClassId c = builder.add_class({100}, 3);
  builder.limit(strict, a, 1).limit(a, many, 2).limit(a, a, 2);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{a, 1}, {strict, 1}}).node(c, {{many, 3}}).node(c, {{a, 2}}).build();
  const AppExplanation app = explain_app(instance, plan, a);
  expect_counts(app, 0, 0, 3, 0);
  ASSERT_EQ(app.closest.size(), 3u);  // all at distance 1, so by index

  ASSERT_EQ(app.closest[0].obstacles.size(), 1u);
  const Obstacle& allowed = app.closest[0].obstacles[0];
  EXPECT_EQ(app.closest[0].node, 0u);
  EXPECT_DOUBLE_EQ(app.closest[0].distance, 1);
  EXPECT_EQ(allowed.kind, ObstacleKind::kAffinityLimit);
  EXPECT_EQ(allowed.other, strict);
  EXPECT_EQ(allowed.amount, 2);  // would be there
  EXPECT_EQ(allowed.limit, 1);

  ASSERT_EQ(app.closest[1].obstacles.size(), 1u);
  const Obstacle& imposed = app.closest[1].obstacles[0];
  EXPECT_EQ(imposed.kind, ObstacleKind::kImposedLimit);
  EXPECT_EQ(imposed.other, many);
  EXPECT_EQ(imposed.amount, 3);  // are there
  EXPECT_EQ(imposed.limit, 2);

  ASSERT_EQ(app.closest[2].obstacles.size(), 1u);
  const Obstacle& self = app.closest[2].obstacles[0];
  EXPECT_EQ(self.kind, ObstacleKind::kSelfLimit);
  EXPECT_EQ(self.amount, 3);
  EXPECT_EQ(self.limit, 2);

  // Raising a limit from 2 to 3 counts 0.5, twice. From 1 to 2 counts 1, and so does a fourth node.
  ASSERT_EQ(app.relaxations.size(), 4u);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kRaiseLimit);
  EXPECT_EQ(app.relaxations[0].node, 1u);
  EXPECT_EQ(app.relaxations[0].beside, a);
  EXPECT_EQ(app.relaxations[0].app, many);
  EXPECT_EQ(app.relaxations[0].amount, 3);
  EXPECT_EQ(app.relaxations[1].kind, RelaxationKind::kRaiseLimit);
  EXPECT_EQ(app.relaxations[1].node, 2u);
  EXPECT_EQ(app.relaxations[1].beside, a);
  EXPECT_EQ(app.relaxations[1].app, a);
  EXPECT_EQ(app.relaxations[1].amount, 3);
  EXPECT_EQ(app.relaxations[2].kind, RelaxationKind::kRaiseLimit);
  EXPECT_EQ(app.relaxations[2].beside, strict);
  EXPECT_EQ(app.relaxations[2].app, a);
  EXPECT_EQ(app.relaxations[2].amount, 2);
  EXPECT_EQ(app.relaxations[3].kind, RelaxationKind::kAddNode);
}

TEST(ExplainApps, CapacityAndLimitsTogether) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {6});
  const AppId b = builder.add_app("b", 2, {4});
  const ClassId c = builder.add_class({8}, 3);
  builder.limit(b, a, 0);
  const Instance instance = builder.must_build();
  // Node 0 lacks 2 cores and holds b; node 1 holds b alone; node 2 is empty.
  const Plan plan = PlanBuilder(instance).node(c, {{b, 1}}).node(c, {{b, 1}}).node(c, {}).build();
  const AppExplanation app = explain_app(instance, plan, a);
  expect_counts(app, 1, 0, 0, 2);
  ASSERT_EQ(app.closest.size(), 3u);
  EXPECT_EQ(app.closest[0].node, 2u);
  EXPECT_TRUE(app.closest[0].obstacles.empty());
  EXPECT_DOUBLE_EQ(app.closest[1].distance, 2.0 / 8 + 1);
  EXPECT_TRUE(app.relaxations.empty());  // node 2 is open
}

TEST(ExplainApps, ClosedNodes) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {4});
  const AppId b = builder.add_app("b", 1, {5});
  const ClassId c = builder.add_class({8}, 3);
  for (int k = 0; k < 3; ++k) builder.add_node(c);
  builder.running(a, 0, 1).running(b, 1, 1).running(a, 2, 1).close(0).close(1).close(2);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {{a, 1}}).listed(1, {{b, 1}}).listed(2, {{a, 1}}).build();
  const AppExplanation app = explain_app(instance, plan, a);
  EXPECT_EQ(app.unplaced, 1u);
  expect_counts(app, 0, 0, 2, 1);  // node 1 also lacks a core
  ASSERT_EQ(app.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(app.closest[0].obstacles[0].kind, ObstacleKind::kClosedNode);
  ASSERT_EQ(app.relaxations.size(), 2u);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kOpenNode);
  EXPECT_EQ(app.relaxations[0].node, 0u);
  EXPECT_EQ(app.relaxations[1].kind, RelaxationKind::kAddNode);
}

TEST(ExplainApps, ClosedNodeOutsideThePlan) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {4});
  const ClassId c = builder.add_class({8}, 1);
  builder.close(builder.add_node(c));
  const Instance instance = builder.must_build();
  const AppExplanation app = explain_app(instance, PlanBuilder(instance).build(), a);
  expect_counts(app, 0, 0, 0, 0);
  ASSERT_EQ(app.closest.size(), 1u);
  EXPECT_EQ(app.closest[0].node, kNone);
  EXPECT_EQ(app.closest[0].node_class, c);
  ASSERT_EQ(app.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(app.closest[0].obstacles[0].kind, ObstacleKind::kClosedNode);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kOpenNode);
}

TEST(ExplainApps, LoadedNodeOutsideThePlan) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {4});
  const ClassId c = builder.add_class({8}, 2);
  builder.add_node(c, {5});
  builder.add_node(c, {6});
  const Instance instance = builder.must_build();
  // The checker would report the loaded nodes as missing. The explainer looks at their residual capacity anyway.
  const AppExplanation app = explain_app(instance, PlanBuilder(instance).build(), a);
  ASSERT_EQ(app.closest.size(), 2u);
  EXPECT_EQ(app.closest[0].node, kNone);
  EXPECT_DOUBLE_EQ(app.closest[0].distance, 1.0 / 8);
  EXPECT_DOUBLE_EQ(app.closest[1].distance, 2.0 / 8);
}

TEST(ExplainApps, FiveClosestNodesTiesToTheLowerIndex) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {4});
  const AppId one = builder.add_app("one", 100, {1});
  const ClassId c = builder.add_class({8}, 8);
  const Instance instance = builder.must_build();
  PlanBuilder plan_builder(instance);
  for (const std::uint32_t there : {8u, 5u, 7u, 6u, 5u, 8u, 6u, 7u}) plan_builder.node(c, {{one, there}});
  const AppExplanation app = explain_app(instance, plan_builder.build(), a);
  expect_counts(app, 0, 8, 0, 0);
  std::vector<NodeId> nodes;
  for (const CloseNode& close : app.closest) nodes.push_back(close.node);
  EXPECT_EQ(nodes, (std::vector<NodeId>{1, 4, 3, 6, 2}));  // missing 1, 1, 2, 2, 3; node 7 misses 3, too
}

TEST(ExplainApps, NodesThatCouldStillOpen) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 5, {4});
  const ClassId small = builder.add_class({3});
  const ClassId large = builder.add_class({8}, 3);
  const NodeId spare = builder.add_node(large);
  static_cast<void>(spare);
  const Instance instance = builder.must_build();
  // A plan as with a node limit of 2: one of three large nodes is unused, and small nodes are endless.
  const Plan plan = PlanBuilder(instance).node(large, {{a, 2}}).node(large, {{a, 2}}).build();
  const AppExplanation app = explain_app(instance, plan, a);
  expect_counts(app, 0, 2, 0, 0);
  ASSERT_EQ(app.closest.size(), 4u);
  EXPECT_EQ(app.closest[0].node, kNone);
  EXPECT_EQ(app.closest[0].node_class, large);
  EXPECT_TRUE(app.closest[0].obstacles.empty());
  EXPECT_EQ(app.closest[1].node_class, small);  // misses a third of a node
  EXPECT_DOUBLE_EQ(app.closest[1].distance, 1.0 / 3);
  EXPECT_EQ(app.closest[2].node, 0u);  // misses half a node
  ASSERT_EQ(app.relaxations.size(), 3u);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kAddCapacity);  // 1 core per small node
  EXPECT_EQ(app.relaxations[0].node, kNone);
  EXPECT_EQ(app.relaxations[0].node_class, small);
  EXPECT_DOUBLE_EQ(app.relaxations[0].amount, 1);
  EXPECT_EQ(app.relaxations[1].kind, RelaxationKind::kAddCapacity);
  EXPECT_EQ(app.relaxations[1].node, 0u);
  EXPECT_EQ(app.relaxations[2].kind, RelaxationKind::kAddNode);
  EXPECT_EQ(app.relaxations[2].node_class, large);
}

TEST(ExplainApps, ExhaustedClassesAreNotOffered) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {4});
  const ClassId c = builder.add_class({8}, 2);
  builder.add_node(c);
  const Instance instance = builder.must_build();
  // The only nodes are one anonymous node and the listed one.
  const Plan plan = PlanBuilder(instance).listed(0, {{a, 1}}).node(c, {{a, 2}}).build();
  for (const CloseNode& close : explain_app(instance, plan, a).closest) EXPECT_NE(close.node, kNone);
}

TEST(ExplainApps, CheapestNodeFirst) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {8});
  builder.add_class({8}, 1, 7);
  builder.add_class({10}, 1, 3);
  const Instance instance = builder.must_build();
  const AppExplanation app = explain_app(instance, PlanBuilder(instance).node(0, {{a, 1}}).node(1, {{a, 1}}).build(), a);
  ASSERT_EQ(app.relaxations.size(), 4u);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kAddCapacity);  // 6 of 10
  EXPECT_EQ(app.relaxations[0].node, 1u);
  // All 8 cores count as much as a node. At equal effort, capacity goes before new nodes, and cheap nodes before others.
  EXPECT_EQ(app.relaxations[1].kind, RelaxationKind::kAddCapacity);
  EXPECT_EQ(app.relaxations[2].kind, RelaxationKind::kAddNode);
  EXPECT_EQ(app.relaxations[2].node_class, 1u);
  EXPECT_EQ(app.relaxations[3].node_class, 0u);
}

TEST(ExplainApps, NothingHelpsAlone) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId a = builder.add_app("a", 1, {10, 10});
  builder.add_class({8, 8});
  const Instance instance = builder.must_build();
  const AppExplanation app = explain_app(instance, PlanBuilder(instance).build(), a);
  ASSERT_EQ(app.closest.size(), 1u);
  EXPECT_EQ(app.closest[0].obstacles.size(), 2u);
  ASSERT_EQ(app.relaxations.size(), 1u);
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kNothing);
}

TEST(ExplainApps, ResourceThatTheNodeDoesNotHave) {
  InstanceBuilder builder({"cpu", "gpu"});
  const AppId a = builder.add_app("a", 1, {1, 2});
  const ClassId c = builder.add_class({8, 0}, 1);
  const Instance instance = builder.must_build();
  const AppExplanation app = explain_app(instance, PlanBuilder(instance).node(c, {}).build(), a);
  ASSERT_EQ(app.closest.size(), 1u);
  EXPECT_DOUBLE_EQ(app.closest[0].distance, 1);
  EXPECT_DOUBLE_EQ(app.closest[0].obstacles[0].amount, 2);
  EXPECT_DOUBLE_EQ(app.closest[0].obstacles[0].limit, 0);
}

TEST(ExplainApps, OverloadInWhatTheAppDoesNotNeed) {
  InstanceBuilder builder({"cpu", "disk"});
  const AppId a = builder.add_app("a", 1, {1, 0});
  const ClassId c = builder.add_class({8, 8}, 1);
  builder.add_node(c, {0, 9});
  const Instance instance = builder.must_build();
  expect_counts(explain_app(instance, PlanBuilder(instance).listed(0, {}).build(), a), 1, 0, 0, 0);
}

TEST(ExplainApps, PlacedAppOnRequest) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {4});
  const AppId b = builder.add_app("b", 1, {4});
  const ClassId c = builder.add_class({8});
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{a, 1}}).node(c, {{b, 1}}).build();
  EXPECT_TRUE(explain(instance, plan).apps.empty());  // nothing is unplaced
  const AppExplanation app = explain_app(instance, plan, b);
  EXPECT_EQ(app.app, b);
  EXPECT_EQ(app.unplaced, 0u);
  expect_counts(app, 2, 0, 0, 0);
}

TEST(ExplainApps, HundredAppsWithMostUnplacedReplicas) {
  InstanceBuilder builder;
  for (std::uint32_t i = 0; i < 150; ++i) builder.add_app("app-" + std::to_string(i), 1 + i % 3, {9});
  builder.add_class({8});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, PlanBuilder(instance).build());
  ASSERT_EQ(explanation.apps.size(), 100u);
  // 50 apps each have 3, 2 and 1 replicas: apps 2, 5, 8, ... come first.
  EXPECT_EQ(explanation.apps[0].app, 2u);
  EXPECT_EQ(explanation.apps[49].app, 149u);
  EXPECT_EQ(explanation.apps[50].app, 1u);
  EXPECT_EQ(explanation.apps[99].unplaced, 2u);
}

TEST(ExplainResources, PeakDemandCapacity) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  const AppId a = builder.add_app("a", 2, {4, 1, 3, 3});  // cpu 4 1, memory 3 3
  const AppId b = builder.add_app("b", 1, {1, 6, 2, 2});
  const ClassId c = builder.add_class({10, 8});
  builder.add_node(c, {1, 1});
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {{a, 2}}).node(c, {{b, 1}}).build();
  const Explanation explanation = explain(instance, plan);
  ASSERT_EQ(explanation.resources.size(), 2u);
  EXPECT_EQ(explanation.resources[0].resource, 0u);
  EXPECT_EQ(explanation.resources[0].peak_period, 0u);  // 1 + 8 + 1 = 10 and 1 + 2 + 6 = 9
  EXPECT_DOUBLE_EQ(explanation.resources[0].demand, 10);
  EXPECT_DOUBLE_EQ(explanation.resources[0].capacity, 20);
  EXPECT_EQ(explanation.resources[1].peak_period, 0u);  // 1 + 6 + 2 = 9 in both
  EXPECT_DOUBLE_EQ(explanation.resources[1].demand, 9);
  EXPECT_DOUBLE_EQ(explanation.resources[1].capacity, 16);
  // Node 0 has 1 GiB left, too little for a and b: its 1 core and 1 GiB are stranded. Node 1 takes no further b (12 of 10
  // cores), but one more a (4 + 1, 3 + 2), so nothing is stranded there.
  EXPECT_DOUBLE_EQ(explanation.resources[0].stranded, 1);
  EXPECT_DOUBLE_EQ(explanation.resources[1].stranded, 1);
}

TEST(ExplainResources, StrandedByLimitsAndClosedNodes) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {2});
  const AppId idle = builder.add_app("idle", 1, {0});
  const ClassId c = builder.add_class({8});
  builder.add_node(c);
  builder.running(a, 0, 1).close(0).limit(a, a, 1);
  const Instance instance = builder.must_build();
  // Node 0 is closed, node 1 has its replica of a, node 2 could take one: 6 + 6 are stranded, 8 are not. It does not count that
  // idle, which needs no cores, still fits.
  const Plan plan = PlanBuilder(instance).listed(0, {{a, 1}}).node(c, {{a, 1}}).node(c, {{idle, 1}}).build();
  EXPECT_DOUBLE_EQ(explain(instance, plan).resources[0].stranded, 12);
}

TEST(ExplainResources, OverloadedNodesHaveNothingToStrand) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {4});
  const ClassId c = builder.add_class({8});
  builder.add_node(c, {11});
  builder.add_node(c, {6});
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {}).listed(1, {}).build();
  EXPECT_DOUBLE_EQ(explain(instance, plan).resources[0].stranded, 2);
}

TEST(ExplainResources, AppsWithoutReplicasUseNothing) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {5});
  builder.add_app("gone", 0, {1});
  const ClassId c = builder.add_class({8});
  const Instance instance = builder.must_build();
  // 3 cores are left: too few for another a. They are enough for "gone", which has no replicas and does not count.
  EXPECT_DOUBLE_EQ(explain(instance, PlanBuilder(instance).node(c, {{a, 1}}).build()).resources[0].stranded, 3);
}

TEST(ExplainDrivers, CapacityOfEachResource) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  builder.add_app("a", 10, {2, 3, 1, 1});  // cpu 2 3, memory 1 1
  builder.add_class({8, 4});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  EXPECT_EQ(explanation.node_bound, 5);  // two per node, for their cores
  const Driver* cpu = find_driver(explanation, DriverKind::kCapacity, 0);
  ASSERT_NE(cpu, nullptr);
  EXPECT_EQ(cpu->nodes, 4);  // 30 / 8
  EXPECT_EQ(cpu->period, 1u);
  const Driver* memory = find_driver(explanation, DriverKind::kCapacity, 1);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(memory->nodes, 3);  // 10 / 4
  EXPECT_EQ(memory->period, 0u);
}

// What a search has proven is more than what bounds without one say.
TEST(ExplainDrivers, ThePlansOwnBoundCounts) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {4});
  builder.add_class({8}, 0, 2.5);
  const Instance instance = builder.must_build();
  Plan plan = test::plan_by(instance, "ff");
  plan.bounds[Objective::kNodes] = Bound{.name = "own", .value = 1};
  plan.bounds[Objective::kCost] = Bound{.name = "own", .value = 1};
  EXPECT_EQ(explain(instance, plan).node_bound, 2);
  EXPECT_NEAR(explain(instance, plan).cost_bound, 5, 1e-9);
  plan.bounds[Objective::kNodes]->value = 3;
  plan.bounds[Objective::kCost]->value = 7.5;
  EXPECT_EQ(explain(instance, plan).node_bound, 3);
  EXPECT_EQ(explain(instance, plan).cost_bound, 7.5);
  plan.bounds[Objective::kCost]->value = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(explain(instance, plan).cost_bound, 5, 1e-9) << "a plan may claim anything";
}

// Memory makes the plan dear, though not wide: without it, the small nodes do.
TEST(ExplainDrivers, WhatLessWouldCost) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 2, {4, 8});
  builder.add_class({4, 4}, 0, 1);
  builder.add_class({4, 8}, 0, 3);
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  const Driver* memory = find_driver(explanation, DriverKind::kWithoutResource, 1);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(memory->nodes, 2);
  EXPECT_EQ(memory->cost, 2);
  ASSERT_NE(find_driver(explanation, DriverKind::kCapacity, 0), nullptr);
  EXPECT_LT(find_driver(explanation, DriverKind::kCapacity, 0)->cost, 0) << "of any nodes";
}

TEST(ExplainDrivers, CapacityOfTooFewNodes) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 30, {1, 0.2});
  builder.add_class({6, 0.5}, 1);
  builder.add_class({10, 10}, 1);
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  // 30 cores do not fit on 6 + 10. Three nodes of 10 would be needed. 6 GiB fit on one node.
  ASSERT_NE(find_driver(explanation, DriverKind::kCapacity, 0), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kCapacity, 0)->nodes, 3);
  ASSERT_NE(find_driver(explanation, DriverKind::kCapacity, 1), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kCapacity, 1)->nodes, 1);
}

TEST(ExplainDrivers, CapacityOfAResourceThatSomeClassLacks) {
  InstanceBuilder builder({"cpu", "gpu"});
  builder.add_app("plain", 4, {4, 0});
  builder.add_app("learning", 3, {1, 2});
  builder.add_class({8, 0});
  builder.add_class({8, 4});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  ASSERT_NE(find_driver(explanation, DriverKind::kCapacity, 1), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kCapacity, 1)->nodes, 2);  // 6 / 4
}

TEST(ExplainDrivers, CapacityCountsLoadedNodes) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 4, {2, 0});
  const ClassId c = builder.add_class({8, 8});
  builder.add_node(c, {0, 8});
  builder.add_node(c, {7, 0});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  // Both loaded nodes are in use in every plan. They carry 8 + 1 cores, which is enough for the demand of 8.
  EXPECT_EQ(find_driver(explanation, DriverKind::kCapacity, 0)->nodes, 2);
  EXPECT_EQ(find_driver(explanation, DriverKind::kCapacity, 1)->nodes, 2);
}

TEST(ExplainDrivers, LargeItems) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {5});
  builder.add_app("dust", 1, {1});
  builder.add_class({8});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  ASSERT_EQ(explanation.drivers.size(), 3u);
  EXPECT_EQ(explanation.drivers[0].kind, DriverKind::kLargeItems);
  EXPECT_EQ(explanation.drivers[0].resource, 0u);
  EXPECT_EQ(explanation.drivers[0].period, 0u);
  EXPECT_EQ(explanation.drivers[0].nodes, 3);
  EXPECT_EQ(explanation.drivers[1].kind, DriverKind::kSelfLimit);  // one 5 per node of 8: 3 as well, and the app has a name
  EXPECT_EQ(explanation.drivers[1].app, 0u);
  EXPECT_EQ(explanation.drivers[1].nodes, 3);
  EXPECT_EQ(explanation.drivers[2].kind, DriverKind::kCapacity);
  EXPECT_EQ(explanation.drivers[2].nodes, 2);  // 16 / 8
}

TEST(ExplainDrivers, SelfLimitWhereItMatters) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {1});
  builder.add_app("b", 10, {8});
  builder.add_class({8});
  builder.limit(a, a, 1);
  Instance instance = builder.must_build();
  const Explanation few = explain(instance, test::plan_by(instance, "ff"));
  ASSERT_NE(find_driver(few, DriverKind::kSelfLimit), nullptr);
  EXPECT_EQ(find_driver(few, DriverKind::kSelfLimit)->app, 1u);  // b fills ten nodes
  EXPECT_EQ(find_driver(few, DriverKind::kSelfLimit)->nodes, 10);

  builder.data().replicas = {4, 0};
  builder.add_app("c", 10, {8});
  builder.add_app("d", 10, {8});
  builder.add_app("e", 10, {8});
  instance = builder.must_build();
  EXPECT_EQ(find_driver(explain(instance, test::plan_by(instance, "ff")), DriverKind::kSelfLimit), nullptr);  // 10 of 34 nodes
}

TEST(ExplainDrivers, SelfLimitThatTheStartBreaks) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 6, {1});
  const NodeId n = builder.add_node(builder.add_class({8}));
  builder.limit(a, a, 2).running(a, n, 3);
  const Instance instance = builder.must_build();
  // Three replicas run on one node and may stay there, so six replicas certainly need no more than two nodes.
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  ASSERT_NE(find_driver(explanation, DriverKind::kSelfLimit), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kSelfLimit)->nodes, 2);
}

TEST(ExplainDrivers, WithoutLimits) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {1});
  const AppId b = builder.add_app("b", 2, {1});
  builder.add_class({8});
  Instance instance = builder.must_build();
  EXPECT_EQ(find_driver(explain(instance, test::plan_by(instance, "ff")), DriverKind::kWithoutLimits), nullptr);
  builder.limit(a, b, 0).limit(b, b, 1);
  instance = builder.must_build();
  const Plan plan = test::plan_by(instance, "ff");
  EXPECT_EQ(plan.nodes.size(), 3u);  // a together, each b alone
  const Explanation explanation = explain(instance, plan);
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutLimits), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutLimits)->nodes, 1);
}

TEST(ExplainDrivers, WithoutResourceKeepsTheRest) {
  InstanceBuilder builder({"cpu", "memory", "disk"});
  const AppId a = builder.add_app("a", 6, {2, 4, 1});
  builder.add_class({8, 8, 16});
  const NodeId n = builder.add_node(0, {4, 0, 8});
  builder.limit(a, a, 3).running(a, n, 1);
  const Instance instance = builder.must_build();
  // Two per node for their memory, 6 replicas: 3 nodes.
  const Plan plan = test::plan_by(instance, "ff");
  EXPECT_EQ(plan.nodes.size(), 3u);
  const Explanation explanation = explain(instance, plan);
  // Without cpu, memory binds as before. Without memory: the loaded node takes 2 (4 + 2 x 2 of 8), then 3 by the self limit,
  // then 1: 3 nodes.
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutResource, 0), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutResource, 0)->nodes, 3);
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutResource, 1), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutResource, 1)->nodes, 3);
  // Without limits, still 2 per node.
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutLimits), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutLimits)->nodes, 3);

  // Without running replicas and limits, memory makes 3 nodes of 2 (6 x 2 = 12 of 8 cores).
  InstanceBuilder plain({"cpu", "memory"});
  plain.add_app("a", 6, {2, 4});
  plain.add_class({8, 8});
  const Instance simple = plain.must_build();
  const Explanation simpler = explain(simple, test::plan_by(simple, "ff"));
  EXPECT_EQ(find_driver(simpler, DriverKind::kWithoutResource, 0)->nodes, 3);
  EXPECT_EQ(find_driver(simpler, DriverKind::kWithoutResource, 1)->nodes, 2);
  EXPECT_EQ(simpler.drivers.back().resource, 0u);  // the cause that explains least comes last
}

TEST(ExplainDrivers, WithoutResourceTakesTheFourScarcest) {
  InstanceBuilder builder({"a", "b", "c", "d", "e", "f"});
  builder.add_app("app", 10, {1, 2, 3, 4, 5, 6});
  builder.add_class({10, 10, 10, 10, 10, 10});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  for (ResourceId r = 0; r < 6; ++r) {
    EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutResource, r) != nullptr, r >= 2) << r;
    EXPECT_NE(find_driver(explanation, DriverKind::kCapacity, r), nullptr) << r;
  }
}

TEST(ExplainDrivers, WithoutPeriods) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 4, {6, 2});
  builder.add_class({8});
  const NodeId n = builder.add_node(0, {4, 2});
  static_cast<void>(n);
  const Instance instance = builder.must_build();
  // With periods, the loaded node takes none, and others take one each: 5 nodes. At the mean demand of 4, the loaded node takes
  // one beside its load of 3, and others take two: 3 nodes.
  const Plan plan = test::plan_by(instance, "ff");
  EXPECT_EQ(plan.nodes.size(), 5u);
  const Explanation explanation = explain(instance, plan);
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutPeriods), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutPeriods)->nodes, 3);
}

TEST(ExplainDrivers, BoundsBeforePlansAndLargestFirst) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  const AppId a = builder.add_app("a", 6, {5, 3, 2, 2});
  const AppId b = builder.add_app("b", 6, {1, 2, 1, 4});
  builder.add_class({8, 8});
  builder.limit(a, b, 0);
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  const auto is_bound = [](const Driver& d) {
    return d.kind == DriverKind::kCapacity || d.kind == DriverKind::kLargeItems || d.kind == DriverKind::kSelfLimit;
  };
  const auto& drivers = explanation.drivers;
  EXPECT_TRUE(std::is_partitioned(drivers.begin(), drivers.end(), is_bound));
  const auto middle = std::partition_point(drivers.begin(), drivers.end(), is_bound);
  EXPECT_GE(middle - drivers.begin(), 3);
  EXPECT_EQ(drivers.end() - middle, 4);  // limits, two resources, periods
  EXPECT_TRUE(std::is_sorted(drivers.begin(), middle, [](const Driver& x, const Driver& y) { return x.nodes > y.nodes; }));
  EXPECT_TRUE(std::is_sorted(middle, drivers.end(), [](const Driver& x, const Driver& y) { return x.nodes < y.nodes; }));
}

TEST(ExplainDrivers, PlansWithUnplacedReplicasAreNoAnswer) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 10, {4});
  builder.add_class({8}, 2);
  builder.limit(a, a, 1);
  const Instance instance = builder.must_build();
  // Without the limit, four of ten replicas fit instead of two. The plan is not complete, so there is no such driver.
  EXPECT_EQ(find_driver(explain(instance, test::plan_by(instance, "ff")), DriverKind::kWithoutLimits), nullptr);
}

TEST(ExplainDrivers, PlannerThatIsNotThere) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {4});
  builder.add_class({8});
  builder.limit(a, a, 1);
  const Instance instance = builder.must_build();
  Plan plan = test::plan_by(instance, "ff");
  ASSERT_NE(find_driver(explain(instance, plan), DriverKind::kWithoutLimits), nullptr);
  plan.planner = "by-hand";
  const Explanation explanation = explain(instance, plan);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutLimits), nullptr);
  EXPECT_NE(find_driver(explanation, DriverKind::kCapacity, 0), nullptr);
}

TEST(ExplainDrivers, ReplannedRunningReplicasAreReplannedAgain) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {2});
  const ClassId c = builder.add_class({8});
  for (int k = 0; k < 4; ++k) builder.running(a, builder.add_node(c), 1);
  const AppId b = builder.add_app("b", 1, {1});
  builder.limit(a, b, 0);
  const Instance instance = builder.must_build();
  Request request;
  request.planner = "ff";
  request.ignore_running = true;
  const auto plan = run_planner(instance, request, nullptr);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan.value().moves, 3u);  // all on the first node
  const Explanation explanation = explain(instance, plan.value());
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutLimits), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutLimits)->nodes, 2);  // 9 cores; with running ones in place, 4 nodes
}

class ExplainErrors : public testing::Test {
 protected:
  ExplainErrors() {
    a_ = builder_.add_app("a", 3, {2});
    c_ = builder_.add_class({8});
    other_ = builder_.add_class({4});
    listed_ = builder_.add_node(c_);
  }
  // The error of explaining the plan after damage(plan).
  template <class Damage>
  Error error_after(Damage damage) {
    const Instance instance = builder_.must_build();
    Plan plan = PlanBuilder(instance).listed(listed_, {{a_, 1}}).node(c_, {{a_, 1}}).build();
    EXPECT_TRUE(explain_plan(instance, plan, kNone, nullptr).ok());
    damage(plan);
    const auto result = explain_plan(instance, plan, kNone, nullptr);
    EXPECT_FALSE(result.ok());
    if (result.ok()) return {};
    EXPECT_EQ(result.error().code, Code::kInvalid);
    EXPECT_FALSE(result.error().message.empty());
    return result.error();
  }

  InstanceBuilder builder_;
  AppId a_;
  ClassId c_;
  ClassId other_;
  NodeId listed_;
};

TEST_F(ExplainErrors, NoSuchApp) {
  const Instance instance = builder_.must_build();
  const auto result = explain_plan(instance, PlanBuilder(instance).build(), 1, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::kInvalid);
  EXPECT_EQ(result.error().path, "app");
}

TEST_F(ExplainErrors, AnotherInstance) {
  EXPECT_EQ(error_after([](Plan& p) { p.instance ^= 1; }).path, "instance");
}

TEST_F(ExplainErrors, Nodes) {
  EXPECT_EQ(error_after([](Plan& p) { p.nodes[1].node_class = 2; }).path, "node_class[1]");
  EXPECT_EQ(error_after([](Plan& p) { p.nodes[1].node_class = kNone; }).path, "node_class[1]");
  EXPECT_EQ(error_after([](Plan& p) { p.nodes[1].listed = 1; }).path, "listed[1]");
  EXPECT_EQ(error_after([](Plan& p) { p.nodes[1].listed = 0; }).path, "listed[1]");
  EXPECT_EQ(error_after([&](Plan& p) { p.nodes[0].node_class = other_; }).path, "node_class[0]");
}

TEST_F(ExplainErrors, Placed) {
  EXPECT_EQ(error_after([](Plan& p) { p.placed[1].app = 1; }).path, "placed[1].app");
  EXPECT_EQ(error_after([](Plan& p) { p.placed[1].node = 2; }).path, "placed[1].node");
  EXPECT_EQ(error_after([](Plan& p) { p.placed[1].node = kNone; }).path, "placed[1].node");
  EXPECT_EQ(error_after([](Plan& p) { p.placed[1].replicas = 0; }).path, "placed[1].replicas");
  EXPECT_EQ(error_after([](Plan& p) { p.placed[1].node = 0; }).path, "placed");  // twice on node 0
  EXPECT_EQ(error_after([](Plan& p) { p.placed[1].replicas = kNone; }).path, "placed");
  EXPECT_EQ(error_after([](Plan& p) { p.placed.pop_back(); }).path, "placed");
}

TEST_F(ExplainErrors, Unplaced) {
  EXPECT_EQ(error_after([](Plan& p) { p.unplaced[0].app = 1; }).path, "unplaced[0].app");
  EXPECT_EQ(error_after([](Plan& p) { p.unplaced[0].replicas = 0; }).path, "unplaced[0].replicas");
  EXPECT_EQ(error_after([](Plan& p) { p.unplaced.push_back(p.unplaced[0]); }).path, "unplaced[1].app");
  EXPECT_EQ(error_after([](Plan& p) { p.unplaced.clear(); }).path, "placed");
}

TEST(Explain, PlanThatBreaksConstraintsIsExplained) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {5});
  const ClassId c = builder.add_class({8}, 1);
  const Instance instance = builder.must_build();
  // 15 of 8 cores, and two nodes where one exists.
  const Plan plan = PlanBuilder(instance).node(c, {{a, 3}}).node(c, {}).build();
  const AppExplanation app = explain_app(instance, plan, a);
  expect_counts(app, 1, 1, 0, 0);
  EXPECT_DOUBLE_EQ(app.closest[1].obstacles[0].amount, 12);
}

TEST(Explain, CancelledBeforeItBegins) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {5});
  const ClassId c = builder.add_class({8}, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{a, 1}}).build();
  Control control;
  control.cancelled = true;
  const auto result = explain_plan(instance, plan, kNone, &control);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().nodes, 1u);
  EXPECT_TRUE(result.value().apps.empty());
  EXPECT_TRUE(result.value().resources.empty());
  EXPECT_TRUE(result.value().drivers.empty());
}

// A cancel is looked for after so much work, so that apps that are tried on a node count.
TEST(Explain, AppsThatAreTriedOnNodesAreWork) {
  InstanceBuilder builder;
  constexpr std::uint32_t kApps = 40;
  for (std::uint32_t i = 0; i < kApps; ++i) builder.add_app("app-" + std::to_string(i), 1, {4});
  const ClassId c = builder.add_class({8});
  const Instance instance = builder.must_build();
  PlanBuilder plan(instance);
  for (AppId i = 0; i < kApps; i += 2) plan.node(c, {{i, 1}, {i + 1, 1}});
  Control control;
  ASSERT_TRUE(explain_plan(instance, plan.build(), kNone, &control).ok());
  EXPECT_GE(control.work, kApps / 2 * kApps);
}

TEST(Explain, EmptyPlanOfNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 0, {5});
  builder.add_class({8});
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, PlanBuilder(instance).build());
  EXPECT_EQ(explanation.nodes, 0u);
  EXPECT_TRUE(explanation.apps.empty());
  ASSERT_EQ(explanation.resources.size(), 1u);
  EXPECT_EQ(explanation.resources[0].capacity, 0);
}

TEST(ExplainRules, TheSmallestChangeOfARule) {
  // The first node has too many web replicas, the second has none.
  test::TaggedBuilder builder;
  builder.app("db", 2, {"db"});
  builder.app("web", 4, {"web"});
  builder.nodes(2);
  builder.hard(builder.replicas({"db"}, {"web"}, 0, 1));
  builder.hard(builder.replicas({"db"}, {"web"}, 1, kNone));
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {{1, 4}}).listed(1, {}).build();
  const AppExplanation app = explain_app(instance, plan, 0);
  expect_counts(app, 0, 0, 2, 0);
  ASSERT_EQ(app.relaxations.size(), 4u);
  // Lowering a minimum from 1 to 0 counts 1, and so does a rule that becomes soft. Raising a maximum from 1 to 4 counts 3.
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kLowerMinimum);
  EXPECT_EQ(app.relaxations[0].rule, 1u);
  EXPECT_EQ(app.relaxations[0].condition, 0u);
  EXPECT_EQ(app.relaxations[0].amount, 0);
  EXPECT_EQ(app.relaxations[1].kind, RelaxationKind::kSoftenRule);
  EXPECT_EQ(app.relaxations[2].kind, RelaxationKind::kSoftenRule);
  EXPECT_EQ(app.relaxations[3].kind, RelaxationKind::kRaiseMaximum);
  EXPECT_EQ(app.relaxations[3].rule, 0u);
  EXPECT_EQ(app.relaxations[3].amount, 4);
}

TEST(ExplainRules, ChangesLetOneMoreInAndNoSmallerOneDoes) {
  std::uint64_t kinds[8] = {};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    test::Random random(seed);
    test::TaggedBuilder builder;
    const std::vector<std::string> names = {"r", "s", "t"};
    for (std::uint32_t i = 0; i < 3; ++i) {
      std::vector<std::string> tags;
      for (const std::string& name : names) {
        if (random.chance(0.5)) tags.push_back(name);
      }
      builder.app("app-" + std::to_string(i), random.between(1, 4), tags);
    }
    builder.nodes(4, 6);
    const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}});
    const auto part = [&] {
      const std::uint32_t min = random.chance(0.6) ? 0 : random.between(1, 2);
      const std::uint32_t max = min > 0 ? kNone : random.between(0, 2);
      const std::vector<std::string> subject = {names[random.below(3)]};
      if (random.chance(0.15)) return builder.node_sets(subject, 1, 1, rack);
      const std::vector<std::string> target = {names[random.below(3)]};
      const std::uint32_t group = random.chance(0.5) ? rack : kNone;
      return builder.replicas(subject, target, min, max, group);
    };
    for (std::uint32_t k = random.between(1, 2); k > 0; --k) {
      std::vector<std::vector<Cardinality>> any_of = {{part()}};
      if (random.chance(0.3)) any_of[0].push_back(part());
      if (random.chance(0.2)) any_of.push_back({part()});
      builder.hard(any_of);
    }
    Result<Instance> built = builder.build();
    if (!built.ok()) continue;  // rules that contradict each other
    const Instance& instance = *built;
    const Plan plan = test::plan_by(instance, "ff");
    // Whether the checker accepts one more replica on the relaxation's node, or, if it names none, on some unused node.
    const auto lets_in = [&](const test::TaggedBuilder& changed, AppId app, const Relaxation& r) {
      const Instance relaxed = changed.must_build();
      for (NodeId n = 0; n < 4; ++n) {
        Plan more = plan;
        more.instance = relaxed.fingerprint();
        const auto listed = [&](const PlannedNode& one) { return one.listed == n; };
        const auto known = std::find_if(more.nodes.begin(), more.nodes.end(), listed);
        const auto node = static_cast<NodeId>(known - more.nodes.begin());
        if (r.node != kNone ? node != r.node : known != more.nodes.end()) continue;
        if (known == more.nodes.end()) more.nodes.push_back({0, n});
        const auto at = std::find_if(more.placed.begin(), more.placed.end(),
                                     [&](const Placed& p) { return p.app == app && p.node == node; });
        if (at == more.placed.end()) {
          more.placed.push_back({app, node, 1});
        } else {
          ++at->replicas;
        }
        const auto violations = check_plan(relaxed, more).violations;
        const auto breaks = [](const Violation& v) {
          return v.kind == ViolationKind::kPlacementRule || v.kind == ViolationKind::kCapacity;
        };
        if (std::none_of(violations.begin(), violations.end(), breaks)) return true;
      }
      return false;
    };
    for (const Unplaced& left : plan.unplaced) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", app " + std::to_string(left.app));
      for (const Relaxation& relaxation : explain_app(instance, plan, left.app).relaxations) {
        ++kinds[static_cast<int>(relaxation.kind)];
        if (relaxation.rule == kNone) continue;
        test::TaggedBuilder changed = builder;
        // All other minima are removed: the single added replica may not reach a minimum that it would reach together with
        // other unplaced ones. The minima of the relaxed conjunction's condition stay.
        for (std::uint32_t r = 0; r < changed.data().rules.size(); ++r) {
          auto& any_of = changed.data().rules[r].any_of;
          for (std::size_t one = 0; one < any_of.size(); ++one) {
            for (std::uint32_t k = 0; k < any_of[one].size(); ++k) {
              if (r != relaxation.rule || (one == 0 && k != relaxation.condition)) any_of[one][k].min = 0;
            }
          }
        }
        PlacementRule& rule = changed.data().rules[relaxation.rule];
        if (relaxation.kind == RelaxationKind::kSoftenRule) {
          rule.hard = false;
          EXPECT_TRUE(lets_in(changed, left.app, relaxation));
          continue;
        }
        Cardinality& condition = rule.any_of[0][relaxation.condition];
        const bool raise = relaxation.kind == RelaxationKind::kRaiseMaximum;
        std::uint32_t& bound = raise ? condition.max : condition.min;
        const std::uint32_t before = bound;
        // Without the other minima, the replica may fit on a node before the relaxation.
        const bool without_minima = lets_in(changed, left.app, relaxation);
        bound = static_cast<std::uint32_t>(relaxation.amount);
        EXPECT_NE(bound, before);
        EXPECT_TRUE(lets_in(changed, left.app, relaxation)) << (raise ? "max " : "min ") << before << " to " << bound;
        bound = raise ? bound - 1 : bound + 1;
        if (bound != before && !without_minima) {
          EXPECT_FALSE(lets_in(changed, left.app, relaxation)) << (raise ? "max " : "min ") << bound;
        }
      }
    }
  }
  for (const RelaxationKind kind :
       {RelaxationKind::kRaiseMaximum, RelaxationKind::kLowerMinimum, RelaxationKind::kSoftenRule}) {
    EXPECT_GE(kinds[static_cast<int>(kind)], 10) << static_cast<int>(kind);
  }
}

/// Two kinds, with limits that are above what any replica costs alone.
void add_kinds(test::Random& random, InstanceBuilder& builder) {
  InstanceData& data = builder.data();
  for (std::size_t i = 0; i < data.replicas.size(); ++i) data.kind.push_back(random.below(2));
  data.has_interference = true;
  data.interference.kind_count = 2;
  for (int k = 0; k < 4; ++k) data.interference.coefficient.push_back(random.below(5) / 2.0);
  const std::vector<double> alone = builder.must_build().costs_alone();
  for (const double most : alone) data.interference.max_cost.push_back(most + random.below(30) / 10.0);
}

// Explanations of random tiny plans, against the checker.
class ExplainAgainstChecker : public testing::Test {
 protected:
  struct Blocked {
    bool capacity = false;
    bool limits = false;
  };

  // The kinds of violations that the checker reports with one more replica of the app on the node.
  static Blocked blocked(const Instance& instance, Plan plan, AppId app, NodeId node) {
    plan.instance = instance.fingerprint();
    const auto at =
        std::find_if(plan.placed.begin(), plan.placed.end(), [&](const Placed& p) { return p.app == app && p.node == node; });
    if (at == plan.placed.end()) {
      plan.placed.push_back({app, node, 1});
    } else {
      ++at->replicas;
    }
    Blocked result;
    for (const Violation& v : check_plan(instance, plan).violations) {
      if (v.kind == ViolationKind::kCapacity && !v.inherited) result.capacity = true;
      if (v.kind == ViolationKind::kClassCount || v.kind == ViolationKind::kBadNode) result.capacity = true;
      if (v.kind == ViolationKind::kAffinityLimit || v.kind == ViolationKind::kSelfLimit) result.limits = true;
      if (v.kind == ViolationKind::kClosedNode) result.limits = true;
      if (v.kind == ViolationKind::kSideEffects) result.limits = true;
    }
    return result;
  }

  // Whether one more replica fits at the relaxation's node after the relaxation was applied to the instance.
  static bool helps(InstanceBuilder builder, Plan plan, AppId app, const Relaxation& r) {
    NodeId node = r.node;
    const auto open_another = [&](ClassId c) {
      node = static_cast<NodeId>(plan.nodes.size());
      plan.nodes.push_back({c, kNone});
    };
    switch (r.kind) {
      case RelaxationKind::kNothing:
      case RelaxationKind::kAdmitTag:  // these instances have no eligibility
        return false;
      case RelaxationKind::kAddNode: {
        std::uint32_t& count = builder.data().classes[r.node_class].count;
        if (count != 0) ++count;
        open_another(r.node_class);
        break;
      }
      case RelaxationKind::kAddCapacity: {
        const ClassId c = node == kNone ? r.node_class : plan.nodes[node].node_class;
        double& capacity = builder.data().classes[c].capacity[r.resource];
        capacity = std::round((capacity + r.amount) * 10) / 10;  // all amounts are tenths; sums of doubles are rounded to them
        break;
      }
      case RelaxationKind::kRaiseLimit:
        builder.change_limit(r.beside, r.app, static_cast<std::uint32_t>(r.amount));
        break;
      case RelaxationKind::kRaiseMaxCost:
        builder.data().interference.max_cost[r.suffering_kind] = r.amount;
        break;
      case RelaxationKind::kOpenNode:
        if (node != kNone) builder.close(plan.nodes[node].listed, false);
        break;
      case RelaxationKind::kRaiseMaximum:
      case RelaxationKind::kLowerMinimum:
      case RelaxationKind::kSoftenRule:
        return false;  // these instances have no rules
    }
    if (node == kNone) {
      // An unused node of the class: a listed one if there is one, else an anonymous one.
      NodeId spare = kNone;
      for (NodeId listed = 0; listed < builder.data().node_class.size(); ++listed) {
        const bool used =
            std::any_of(plan.nodes.begin(), plan.nodes.end(), [&](const PlannedNode& n) { return n.listed == listed; });
        if (!used && builder.data().node_class[listed] == r.node_class) spare = listed;
      }
      const std::uint32_t count = builder.data().classes[r.node_class].count;
      std::uint32_t taken = 0;
      for (const ClassId c : builder.data().node_class) taken += c == r.node_class ? 1 : 0;
      for (const PlannedNode& n : plan.nodes) taken += n.listed == kNone && n.node_class == r.node_class ? 1 : 0;
      open_another(r.node_class);
      if (count != 0 && taken >= count) {
        if (spare == kNone) return false;
        plan.nodes.back().listed = spare;
        if (r.kind == RelaxationKind::kOpenNode) builder.close(spare, false);
      }
    }
    const Instance relaxed = builder.must_build();
    const Blocked after = blocked(relaxed, plan, app, node);
    return !after.capacity && !after.limits;
  }
};

TEST_F(ExplainAgainstChecker, CountsAndRelaxations) {
  std::uint64_t explained = 0;
  std::uint64_t relaxations[10] = {};
  for (std::uint64_t seed = 0; seed < test::cases(1500); ++seed) {
    test::Random random(seed);
    InstanceBuilder builder = test::tiny_instance(random, {.overload = false});
    if (seed % 3 == 0) add_kinds(random, builder);
    const Instance instance = builder.must_build();
    Request request;
    request.planner = "ff";
    request.node_limit = random.chance(0.5) ? random.between(1, 2) : 0;
    const auto plan = run_planner(instance, request, nullptr);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    // If the start breaks constraints, the checker accepts more than planners may do.
    if (plan.value().inherited_violations > 0) continue;
    for (AppId app = 0; app < instance.apps(); ++app) {
      const AppExplanation found = explain_app(instance, plan.value(), app);
      std::uint64_t counts[4] = {};
      for (NodeId n = 0; n < plan.value().nodes.size(); ++n) {
        const Blocked b = blocked(instance, plan.value(), app, n);
        ++counts[(b.capacity ? 1 : 0) + (b.limits ? 2 : 0)];
      }
      SCOPED_TRACE("seed " + std::to_string(seed) + ", app " + std::to_string(app));
      expect_counts(found, counts[0], counts[1], counts[2], counts[3]);
      EXPECT_TRUE(std::is_sorted(found.closest.begin(), found.closest.end(),
                                 [](const CloseNode& a, const CloseNode& b) { return a.distance < b.distance; }));
      for (const Relaxation& relaxation : found.relaxations) {
        ++relaxations[static_cast<int>(relaxation.kind)];
        if (relaxation.kind == RelaxationKind::kNothing) continue;
        EXPECT_TRUE(helps(builder, plan.value(), app, relaxation)) << "relaxation " << static_cast<int>(relaxation.kind);
      }
      ++explained;
    }
  }
  EXPECT_GT(explained, test::cases(1000));
  for (const RelaxationKind kind : {RelaxationKind::kNothing, RelaxationKind::kAddNode, RelaxationKind::kAddCapacity,
                                    RelaxationKind::kRaiseLimit, RelaxationKind::kOpenNode, RelaxationKind::kRaiseMaxCost}) {
    EXPECT_GE(relaxations[static_cast<int>(kind)] * test::kShare, 10) << static_cast<int>(kind);
  }
}

// Two devices of 1000 per node. 300 and 600 are free.
TEST(ExplainApps, NoSingleDeviceHasRoom) {
  InstanceBuilder builder({"cpu", "gpu"});
  builder.data().resources[1].device = 1000;
  const AppId large = builder.add_app("large", 2, {1, 700});
  const AppId small = builder.add_app("small", 1, {1, 400});
  const AppId two = builder.add_app("two", 1, {1, 2000});
  const ClassId c = builder.add_class({8, 2000}, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{large, 1}, {small, 1}}).build();
  const AppExplanation app = explain_app(instance, plan, large);
  expect_counts(app, 0, 1, 0, 0);
  ASSERT_EQ(app.closest.size(), 1u);
  ASSERT_EQ(app.closest[0].obstacles.size(), 1u);
  const Obstacle& obstacle = app.closest[0].obstacles[0];
  EXPECT_EQ(obstacle.kind, ObstacleKind::kDevices);
  EXPECT_EQ(obstacle.resource, 1u);
  EXPECT_EQ(obstacle.amount, 700);
  EXPECT_EQ(obstacle.limit, 900);
  ASSERT_FALSE(app.relaxations.empty());
  EXPECT_EQ(app.relaxations[0].kind, RelaxationKind::kAddCapacity);
  EXPECT_EQ(app.relaxations[0].amount, 1000);
  // 1100 of 2000 are taken, so that 1100 are lacking: two whole devices are what would help.
  const AppExplanation whole = explain_app(instance, plan, two);
  EXPECT_EQ(whole.closest.at(0).obstacles.at(0).kind, ObstacleKind::kCapacity);
  EXPECT_EQ(whole.relaxations.at(0).amount, 2000);
}

// web costs 1 per load of web and 2 per load of db, db 0.5 and 1; loads are memory. Node 0 holds 2 web of 4, node 1 a web and
// a db of 3.
TEST(ExplainApps, LimitsOnTheCostOfSideEffects) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId web = builder.add_app("web", 3, {1, 4});
  const AppId db = builder.add_app("db", 2, {1, 3});
  const ClassId c = builder.add_class({8, 100}, 2);
  builder.data().kind = {0, 1};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 2, {1, 2, 0.5, 1}, 1, {11, 6}};
  const Instance instance = builder.must_build();
  Plan plan = PlanBuilder(instance).node(c, {{web, 2}}).node(c, {{web, 1}, {db, 1}}).build();
  const AppExplanation app = explain_app(instance, plan, db);
  expect_counts(app, 0, 0, 2, 0);
  ASSERT_EQ(app.closest.size(), 2u);
  // Node 0: web would cost 8 + 2 x 3, db 0.5 x 8 + 3.
  EXPECT_EQ(app.closest[1].node, 1u) << "web 4 + 2 x 6, and db 2 + 6";
  const CloseNode& first = app.closest[0];
  EXPECT_EQ(first.node, 0u);
  ASSERT_EQ(first.obstacles.size(), 2u);
  EXPECT_EQ(first.obstacles[0].kind, ObstacleKind::kSideEffects);
  EXPECT_EQ(first.obstacles[0].other, 0u);
  EXPECT_EQ(first.obstacles[0].amount, 14);
  EXPECT_EQ(first.obstacles[0].limit, 11);
  EXPECT_EQ(first.obstacles[1].other, 1u);
  EXPECT_EQ(first.obstacles[1].amount, 7);

  // The limit of the request that made the plan counts as well.
  builder.data().interference.max_cost.clear();
  const Instance free = builder.must_build();
  plan.instance = free.fingerprint();
  EXPECT_EQ(explain_app(free, plan, db).open_nodes, 2u);
  plan.max_cost_limit = 13;
  const AppExplanation limited = explain_app(free, plan, db);
  expect_counts(limited, 0, 0, 2, 0);
  ASSERT_EQ(limited.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(limited.closest[0].obstacles[0].limit, 13);
  ASSERT_FALSE(limited.relaxations.empty());
  EXPECT_EQ(limited.relaxations[0].kind, RelaxationKind::kRaiseMaxCost);
  EXPECT_EQ(limited.relaxations[0].suffering_kind, 0u);
  EXPECT_EQ(limited.relaxations[0].amount, 14);
  EXPECT_EQ(limited.relaxations[0].node, 0u);
}

// One node for each of three replicas, or one for all: only side effects need more.
TEST(ExplainDrivers, LimitsOnTheCostOfSideEffects) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("web", 3, {2, 4});
  builder.add_class({8, 100});
  builder.data().kind = {0};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 1, {1}, 1, {7}};
  const Instance instance = builder.must_build();
  const Explanation explanation = explain(instance, test::plan_by(instance, "ff"));
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutCostLimits), nullptr);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutCostLimits)->nodes, 1);
  ASSERT_NE(find_driver(explanation, DriverKind::kWithoutResource, 0), nullptr) << "the load is another resource";
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutResource, 0)->nodes, 3);
  EXPECT_EQ(find_driver(explanation, DriverKind::kWithoutResource, 1), nullptr) << "without the load, nothing costs";

  // The same by the request's limit.
  builder.data().interference.max_cost.clear();
  const Instance free = builder.must_build();
  Request request;
  request.planner = "ff";
  request.max_cost = 7;
  const Plan limited = run_planner(free, request, nullptr).value();
  EXPECT_EQ(limited.nodes.size(), 3u);
  const Explanation again = explain(free, limited);
  ASSERT_NE(find_driver(again, DriverKind::kWithoutCostLimits), nullptr);
  EXPECT_EQ(find_driver(again, DriverKind::kWithoutCostLimits)->nodes, 1);
  ASSERT_NE(find_driver(again, DriverKind::kWithoutResource, 0), nullptr);
  EXPECT_EQ(find_driver(again, DriverKind::kWithoutResource, 0)->nodes, 3);
  // Where nothing limits costs, a resource may be left out with the loads.
  Plan unlimited = limited;
  unlimited.max_cost_limit = 0;
  EXPECT_NE(find_driver(explain(free, unlimited), DriverKind::kWithoutResource, 1), nullptr);
}

// Columns and selectors keep apps off nodes: both are named, each with the change that helps.
TEST(ExplainApps, Eligibility) {
  test::TaggedBuilder builder;
  const AppId column = builder.app("column", 1, {});
  const AppId rule = builder.app("rule", 1, {"picky"});
  const ClassId c = builder.add_class({8}, 1);
  builder.data().classes[c].labels = {"old"};
  const std::uint32_t ssd = builder.tag("ssd");
  const std::uint32_t old = builder.tag("old");
  builder.data().app_only = {{0, 1, 1}, {ssd}};
  const std::uint32_t selector = builder.hard(builder.replicas({"picky"}, {"ssd"}, 1, kNone));
  const AppId tenant = builder.app("tenant", 1, {});
  builder.data().app_only.begin.push_back(1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{tenant, 1}}).build();

  const AppExplanation by_column = explain_app(instance, plan, column);
  expect_counts(by_column, 0, 0, 1, 0);
  ASSERT_EQ(by_column.closest.size(), 1u);
  ASSERT_EQ(by_column.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(by_column.closest[0].obstacles[0].kind, ObstacleKind::kEligibility);
  EXPECT_EQ(by_column.closest[0].obstacles[0].other, ssd);
  EXPECT_EQ(by_column.closest[0].obstacles[0].limit, 1);
  ASSERT_FALSE(by_column.relaxations.empty());
  EXPECT_EQ(by_column.relaxations[0].kind, RelaxationKind::kAdmitTag);
  EXPECT_EQ(by_column.relaxations[0].app, column);
  EXPECT_EQ(by_column.relaxations[0].tag, ssd);

  const AppExplanation by_rule = explain_app(instance, plan, rule);
  expect_counts(by_rule, 0, 0, 1, 0);
  ASSERT_EQ(by_rule.closest[0].obstacles.size(), 1u);
  EXPECT_EQ(by_rule.closest[0].obstacles[0].kind, ObstacleKind::kPlacementRule);
  EXPECT_EQ(by_rule.closest[0].obstacles[0].other, selector);
  ASSERT_GE(by_rule.relaxations.size(), 2u);
  EXPECT_EQ(by_rule.relaxations[0].kind, RelaxationKind::kLowerMinimum);
  EXPECT_EQ(by_rule.relaxations[0].amount, 0);
  EXPECT_EQ(by_rule.relaxations[1].kind, RelaxationKind::kSoftenRule);

  // A column that refuses, and a rule that does.
  builder.data().app_only = {};
  builder.data().app_not = {{0, 1, 1, 1}, {old}};
  builder.data().rules[selector].any_of = {{builder.replicas({"picky"}, {"old"}, 0, 0)}};
  const Instance other = builder.must_build();
  const Plan again = PlanBuilder(other).node(c, {{tenant, 1}}).build();
  EXPECT_EQ(explain_app(other, again, column).closest[0].obstacles[0].limit, 0);
  EXPECT_EQ(explain_app(other, again, rule).relaxations[0].kind, RelaxationKind::kRaiseMaximum);
}

}  // namespace
}  // namespace stowage
