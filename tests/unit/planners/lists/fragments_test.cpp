#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

Plan descended(const Instance& instance) {
  Request request;
  request.planner = "fgd";
  auto plan = run_planner(instance, request, nullptr);
  if (!plan) throw std::invalid_argument(plan.error().message);
  return std::move(*plan);
}

// Two nodes of one device and one of two. A task for two devices and two of half a device: the halves share a device of a small
// node, because on the large one they would leave a device that the others cannot use as a pair.
TEST(FragmentPlannerTest, KeepsWholeDevicesTogether) {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 10;
  builder.add_app("half", 2, {5});
  builder.add_app("pair", 1, {20});
  builder.add_class({10}, 2);
  builder.add_class({20}, 1);
  const Instance instance = builder.must_build();
  const Plan plan = descended(instance);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_TRUE(check_plan(instance, plan).ok);
  EXPECT_EQ(plan.nodes.size(), 2u);
}

// On the node with 4 free, a part of 3 leaves 1 that nobody can use; on the one with 3 free it leaves nothing.
TEST(FragmentPlannerTest, TakesTheDeviceThatItFills) {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 10;
  builder.add_app("three", 1, {3});
  builder.add_class({20});
  builder.add_node(0, {16});  // 4 are free
  builder.add_node(0, {17});  // 3 are free
  const Instance instance = builder.must_build();
  const Plan plan = descended(instance);
  ASSERT_EQ(plan.placed.size(), 1u);
  EXPECT_EQ(plan.nodes[plan.placed[0].node].listed, 1u);
}

// Both racks have several nodes that take a replica until one is on any node of the rack.
TEST(FragmentPlannerTest, RulesOverSeveralNodesHold) {
  test::TaggedBuilder builder;
  builder.app("web", 5, {"web"});
  builder.nodes(2);
  builder.add_class({10}, 3);
  builder.data().classes[0].labels = {"rack=1"};
  builder.data().classes[1].labels = {"rack=2"};
  builder.hard(builder.replicas({"web"}, {"web"}, 0, 0, builder.group_by_label("rack", "rack")));
  const Instance instance = builder.must_build();
  const Plan plan = descended(instance);
  EXPECT_EQ(plan.placed.size(), 2u);
  EXPECT_TRUE(check_plan(instance, plan).ok);
}

TEST(FragmentPlannerTest, WithoutDevicesItIsFirstFitDecreasing) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("small", 4, {3});
  builder.add_app("large", 2, {7});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Plan plan = descended(instance);
  EXPECT_EQ(plan.nodes.size(), 3u);
  EXPECT_TRUE(plan.unplaced.empty());
}

}  // namespace
}  // namespace stowage
