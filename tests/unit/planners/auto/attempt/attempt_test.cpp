#include "core/planners/auto/attempt/attempt.h"

#include <gtest/gtest.h>

#include "core/verify/checker.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

/// Two replicas of web and one of db run on the first node, one of db on the second; log waits.
test::InstanceBuilder two_of_three_run() {
  test::InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 2, {3});
  const AppId db = builder.add_app("db", 2, {2});
  builder.add_app("log", 1, {4});
  const ClassId machine = builder.add_class({10});
  const NodeId first = builder.add_node(machine);
  const NodeId second = builder.add_node(machine);
  builder.running(web, first, 2).running(db, first, 1).running(db, second, 1);
  return builder;
}

TEST(LoadPlan, EndsWithItsWatch) {
  test::SearchSetup setup(two_of_three_run(), Request{});
  Plan plan;
  plan.nodes = {{.node_class = 0, .listed = 1}};
  plan.placed = {{0, 0, 2}};
  Watch watch(nullptr, Watch::Time::now());
  watch.look();
  EXPECT_FALSE(load_plan(plan, setup.placement, setup.state, watch));
}

// What the plan moved is on its new node and no longer on the old one.
TEST(LoadPlan, AMovedReplicaIsPlacedOnce) {
  Request request;
  request.move_budget = 3;
  test::SearchSetup setup(two_of_three_run(), request);
  Plan plan;
  plan.nodes = {{.node_class = 0, .listed = 1}, {.node_class = 0, .listed = kNone}};
  plan.placed = {{0, 0, 2}, {1, 0, 2}, {2, 1, 1}};
  load_plan(plan, setup.placement, setup.state);
  EXPECT_EQ(setup.on(0), "");
  EXPECT_EQ(setup.on(1), "web:2 db:2");
  EXPECT_EQ(setup.on(2), "log:1");
  Plan written;
  setup.placement.write(written);
  written.instance = setup.instance.fingerprint();
  written.moves = 3;
  written.status = PlanStatus::kDeadline;
  EXPECT_TRUE(check_plan(setup.instance, written).ok);
  EXPECT_EQ(test::who_sits_where(setup.instance, written), test::who_sits_where(setup.instance, plan));
}

}  // namespace
}  // namespace stowage
