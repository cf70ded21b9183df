#include "core/explain/headroom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"
#include "tests/unit/support/tiny_instances.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;

Headroom headroom(const Instance& instance, const Plan& plan, AppId app, NodeId node = kNone) {
  auto result = find_headroom(instance, plan, app, node);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().path + ": " + result.error().message);
  return result.ok() ? std::move(result.value()) : Headroom{};
}

TEST(HeadroomTest, CountsUpToTheReplicasOfTheApp) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 5, {2});
  const AppId db = builder.add_app("db", 1, {3});
  const AppId idle = builder.add_app("idle", 0, {1});
  const ClassId c = builder.add_class({8});
  builder.limit(db, web, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{web, 4}}).node(c, {{web, 1}, {db, 1}}).node(c, {}).build();
  const Headroom found = headroom(instance, plan, web, 1);
  EXPECT_EQ(found.room, (std::vector<std::uint32_t>{0, 0, 4}));
  EXPECT_EQ(found.lacks_capacity, (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_EQ(found.forbidden, (std::vector<std::uint8_t>{0, 1, 0}));
  ASSERT_EQ(found.obstacles.size(), 1u);
  EXPECT_EQ(found.obstacles[0].kind, ObstacleKind::kAffinityLimit);
  EXPECT_EQ(found.obstacles[0].other, db);
  EXPECT_EQ(headroom(instance, plan, idle).room, (std::vector<std::uint32_t>{0, 1, 1}));
}

TEST(HeadroomTest, CountsAtConfidence) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 12, {1});
  const ClassId c = builder.add_class({16});
  InstanceData& data = builder.data();
  data.variance = {1};
  data.has_uncertainty = true;
  data.uncertainty.confidence = 0.99;
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{web, 5}}).build();
  // k replicas need k + 2.326 sqrt(k): 15.98 for 9, 17.4 for 10.
  EXPECT_EQ(headroom(instance, plan, web).room, (std::vector<std::uint32_t>{4}));
}

TEST(HeadroomTest, CountsWhatHardRulesAndSideEffectsAllow) {
  test::TaggedBuilder builder;
  const AppId web = builder.app("web", 6, {"web"});
  const AppId db = builder.app("db", 1, {"db"});
  builder.nodes(3);
  builder.hard(builder.replicas({"web"}, {"web"}, 0, 2));
  builder.hard(builder.replicas({"web"}, {"db"}, 0, 0));
  InstanceData& data = builder.data();
  data.kind = {0, 0};
  data.has_interference = true;
  data.interference = {{"all"}, 1, {1}, 0, {4}};
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {{web, 2}}).listed(1, {{db, 1}}).listed(2, {{web, 1}}).build();
  const Headroom found = headroom(instance, plan, web, 1);
  // Beside a web replica, two others may be: three on a node.
  EXPECT_EQ(found.room, (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_EQ(found.forbidden, (std::vector<std::uint8_t>{0, 1, 0}));
  ASSERT_EQ(found.obstacles.size(), 1u);
  EXPECT_EQ(found.obstacles[0].kind, ObstacleKind::kPlacementRule);
  EXPECT_EQ(found.obstacles[0].other, 1u);
  EXPECT_EQ(headroom(instance, plan, db).room, (std::vector<std::uint32_t>{0, 1, 0}));
}

TEST(HeadroomTest, RefusesWhatDoesNotExist) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 1, {1});
  const ClassId c = builder.add_class({4});
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{web, 1}}).build();
  const auto no_app = find_headroom(instance, plan, 1, kNone);
  ASSERT_FALSE(no_app.ok());
  EXPECT_EQ(no_app.error().path, "app");
  const auto no_node = find_headroom(instance, plan, 0, 1);
  ASSERT_FALSE(no_node.ok());
  EXPECT_EQ(no_node.error().path, "node");
}

/// The plan with more replicas of an app on a node, and the instance that wants them.
bool checker_takes(InstanceBuilder builder, const Plan& plan, AppId app, NodeId node, std::uint32_t more) {
  builder.data().replicas[app] += more;
  const Instance instance = builder.must_build();
  Plan changed = plan;
  changed.instance = instance.fingerprint();
  const auto there = std::find_if(changed.placed.begin(), changed.placed.end(),
                                  [&](const Placed& one) { return one.app == app && one.node == node; });
  if (there == changed.placed.end()) {
    changed.placed.push_back({app, node, more});
    std::sort(changed.placed.begin(), changed.placed.end(),
              [](const Placed& a, const Placed& b) { return a.node != b.node ? a.node < b.node : a.app < b.app; });
  } else {
    there->replicas += more;
  }
  const Verification verification = check_plan(instance, changed);
  return std::none_of(verification.violations.begin(), verification.violations.end(), [](const Violation& one) {
    return one.kind == ViolationKind::kCapacity || one.kind == ViolationKind::kAffinityLimit ||
           one.kind == ViolationKind::kSelfLimit || one.kind == ViolationKind::kClosedNode;
  });
}

TEST(HeadroomTest, AgreesWithTheChecker) {
  test::Random random(20);
  std::size_t takes = 0;
  std::size_t refuses = 0;
  for (int round = 0; round < 200; ++round) {
    const InstanceBuilder builder = test::tiny_instance(random, {.running = false, .overload = false});
    InstanceBuilder copy = builder;
    const Instance instance = copy.must_build();
    Request request;
    request.planner = "ff";
    const auto planned = run_planner(instance, request, nullptr);
    if (!planned.ok()) continue;
    const Plan& plan = planned.value();
    for (AppId app = 0; app < instance.apps(); ++app) {
      const Headroom found = headroom(instance, plan, app);
      const std::uint32_t most = std::max(1U, instance.replicas(app));
      for (NodeId n = 0; n < plan.nodes.size(); ++n) {
        if (plan.nodes[n].copies > 1) continue;
        EXPECT_EQ(found.room[n] == 0, found.lacks_capacity[n] != 0 || found.forbidden[n] != 0);
        if (found.room[n] > 0) {
          EXPECT_TRUE(checker_takes(builder, plan, app, n, found.room[n])) << round;
        }
        if (found.room[n] < most) {
          EXPECT_FALSE(checker_takes(builder, plan, app, n, found.room[n] + 1)) << round;
        }
        ++(found.room[n] > 0 ? takes : refuses);
      }
    }
  }
  EXPECT_GT(takes, 50u);
  EXPECT_GT(refuses, 50u);
}

TEST(HeadroomTest, WithoutTimeThereIsNoAnswer) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 4, {5});
  const ClassId c = builder.add_class({8}, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{a, 1}}).build();
  const std::atomic<bool> cancelled{true};
  Watch watch(&cancelled, std::nullopt);
  const auto headroom = find_headroom(instance, plan, a, kNone, watch);
  ASSERT_FALSE(headroom.ok());
  EXPECT_EQ(headroom.error().code, Code::kCancelled);
}

}  // namespace
}  // namespace stowage
