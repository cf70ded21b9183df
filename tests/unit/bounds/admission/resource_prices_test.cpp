#include <gtest/gtest.h>

#include "core/bounds/admission/node_prices.h"
#include "core/bounds/bounds.h"
#include "tests/unit/support/admission_cases.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

AdmissionBound left_out_bound_of(const Instance& instance, const Request& request = {}) {
  return admission_bound(instance, Supply(instance), request);
}

double by_node_prices(const Instance& instance, const Request& request = {}) {
  Request limited;
  limited.work_limit = 50'000;
  WorkClock clock(limited, nullptr);
  NodePrices prices(instance, Supply(instance), request, left_out_bound_of(instance, request));
  prices.run(0, clock);
  return prices.left_out();
}

// Demands of 1 to 6, 21 in all, on two nodes of 5: the four smallest need 10, five need 15.
TEST(AdmissionBoundTest, TheCheapestFillTheNodes) {
  const Instance instance = test::with_demands({1, 2, 3, 4, 5, 6}, 1).must_build();
  EXPECT_EQ(left_out_bound_of(instance).left_out, 2) << "1 + 2 + 3 + 4 = 10 fill the node";
  EXPECT_EQ(left_out_bound_of(test::with_demands({1, 2, 3, 4}, 1).must_build()).left_out, 0);
}

TEST(AdmissionBoundTest, WeightsCount) {
  test::InstanceBuilder builder = test::with_demands({10, 5, 5}, 1);
  builder.data().weight = {3, 1, 1};
  EXPECT_EQ(left_out_bound_of(builder.must_build()).left_out, 2) << "the large one counts more than both others";
  builder.data().weight = {1.5, 1, 1};
  EXPECT_NEAR(left_out_bound_of(builder.must_build()).left_out, 1.5, 1e-6);
}

// No node has room for two apps of 6 or 7, which the sum over nodes does not see.
TEST(AdmissionBoundTest, NodePricesSeeWhatNodesCannotUseUp) {
  const Instance instance = test::with_demands({6, 7, 6}, 2).must_build();
  EXPECT_EQ(left_out_bound_of(instance).left_out, 0);
  EXPECT_EQ(by_node_prices(instance), 0) << "nothing is short in all, so there are no prices";
  const Instance four = test::with_demands({6, 7, 6, 7}, 2).must_build();
  EXPECT_EQ(left_out_bound_of(four).left_out, 1);
  EXPECT_EQ(by_node_prices(four), 2);
}

TEST(AdmissionBoundTest, AnAppForWhichNoNodeHasRoomIsLeftOut) {
  EXPECT_EQ(left_out_bound_of(test::with_demands({11, 1}, 3).must_build()).left_out, 1);
  test::InstanceBuilder builder = test::with_demands({}, 2);
  const AppId app = builder.add_app("spread", 3, {1});
  builder.limit(app, app, 1);
  EXPECT_EQ(left_out_bound_of(builder.must_build()).left_out, 1) << "three replicas, at most one on each of two nodes";
}

// With a budget of moves, what runs is not in every plan, and yet it may stay where it would not be admitted anew.
TEST(AdmissionBoundTest, WhatRunsMayStayWhereItIsNotEligible) {
  test::InstanceBuilder builder({"cpu"});
  const AppId app = builder.add_app("a", 2, {1});
  const ClassId c = builder.add_class({10}, 1);
  builder.data().tags = {"nowhere"};
  builder.data().app_only = {{0, 1}, {0}};
  builder.data().node_class = {c};
  builder.data().running = {{app, 0, 2}};
  const Instance instance = builder.must_build();
  for (const std::uint32_t moves : {0u, 1u}) {
    Request request;
    request.move_budget = moves;
    EXPECT_EQ(left_out_bound_of(instance, request).left_out, 0) << moves;
    EXPECT_EQ(by_node_prices(instance, request), 0) << moves;
  }
}

TEST(AdmissionBoundTest, ALimitOnTheNodesCounts) {
  const Instance instance = test::with_demands({5, 5, 5, 5}, 2).must_build();
  Request request;
  EXPECT_EQ(left_out_bound_of(instance, request).left_out, 0);
  request.node_limit = 1;
  EXPECT_EQ(left_out_bound_of(instance, request).left_out, 2);
}

TEST(AdmissionBoundTest, WhatRunsStays) {
  test::InstanceBuilder builder = test::with_demands({4, 3, 3, 2}, 1);
  builder.data().replicas[0] = 2;
  const NodeId node = builder.add_node(0);
  builder.running(0, node, 1);
  const Instance instance = builder.must_build();
  // 6 are left: two of the three small ones, or the second replica of the first and the last.
  EXPECT_EQ(left_out_bound_of(instance).left_out, 2);
  Request again;
  again.ignore_running = true;
  EXPECT_EQ(left_out_bound_of(instance, again).left_out, 1) << "8 of 10 for the small ones";
}

TEST(AdmissionBoundTest, NeverAboveTheLeastOfTinyInstances) {
  test::Random random(11);
  int resources = 0;
  int nodes = 0;
  for (int round = 0; round < 300; ++round) {
    const Instance instance = test::tiny_admission(random).must_build();
    const double least = test::LeastLeftOut(instance).find();
    const double by_resources = left_out_bound_of(instance).left_out;
    const double by_nodes = by_node_prices(instance);
    SCOPED_TRACE("round " + std::to_string(round));
    ASSERT_LE(by_resources, least + 1e-9);
    ASSERT_LE(by_nodes, least + 1e-9);
    ASSERT_GE(by_nodes, by_resources - 1e-6);
    resources += least > 0 && by_resources >= least - 1e-6 ? 1 : 0;
    nodes += least > 0 && by_nodes >= least - 1e-6 ? 1 : 0;
  }
  EXPECT_GE(resources, 30);
  EXPECT_GT(nodes, resources);
}

}  // namespace
}  // namespace stowage
