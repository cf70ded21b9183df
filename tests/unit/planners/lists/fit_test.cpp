#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/plan/compact_plan.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::left_over;
using test::who_sits_where;

Plan run(const Instance& instance, const std::string& planner, std::vector<RequestOption> options = {}) {
  Request request;
  request.planner = planner;
  request.options = std::move(options);
  auto plan = run_planner(instance, request, nullptr);
  if (!plan) {
    ADD_FAILURE() << planner << ": " << plan.error().message;
    return {};
  }
  return std::move(*plan);
}

std::string seats(const Instance& instance, const std::string& planner, std::vector<RequestOption> options = {}) {
  return who_sits_where(instance, run(instance, planner, std::move(options)));
}

// Apps a, b, c, ... of one replica each on nodes of ten cores.
Instance in_a_row(const std::vector<double>& demands) {
  InstanceBuilder builder;
  for (std::size_t k = 0; k < demands.size(); ++k) builder.add_app(std::string(1, static_cast<char>('a' + k)), 1, {demands[k]});
  builder.add_class({10});
  return builder.must_build();
}

// --- Rules ----------------------------------------------------------------------------------------------------------------

TEST(FitTest, ReplicasFillANodeBeforeTheNextIsOpened) {
  InstanceBuilder builder;
  builder.add_app("web", 8, {3});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "bf", "wf", "ffd", "bfd", "wfd", "medea-tp"}) {
    EXPECT_EQ(seats(instance, planner), "web:3 | web:3 | web:2") << planner;
  }
}

TEST(FitTest, FirstFitTakesTheFirstNodeThatFits) {
  // 6 opens node 0, 5 opens node 1, 4 fills node 0, and 3 joins node 1.
  EXPECT_EQ(seats(in_a_row({6, 5, 4, 3}), "ff"), "a:1 c:1 | b:1 d:1");
}

TEST(FitTest, BestFitTakesTheFullestNodeThatFits) {
  // Left over before c: 5 on node 0, 4 on node 1.
  EXPECT_EQ(seats(in_a_row({5, 6, 4}), "ff"), "a:1 c:1 | b:1");
  EXPECT_EQ(seats(in_a_row({5, 6, 4}), "bf"), "a:1 | b:1 c:1");
  EXPECT_EQ(seats(in_a_row({5, 6, 4}), "wf"), "a:1 c:1 | b:1");
}

TEST(FitTest, WorstFitTakesTheEmptiestNode) {
  // Left over before c: 4 on node 0, 5 on node 1.
  EXPECT_EQ(seats(in_a_row({6, 5, 3}), "ff"), "a:1 c:1 | b:1");
  EXPECT_EQ(seats(in_a_row({6, 5, 3}), "bf"), "a:1 c:1 | b:1");
  EXPECT_EQ(seats(in_a_row({6, 5, 3}), "wf"), "a:1 | b:1 c:1");
}

TEST(FitTest, OfEqualNodesTheFirst) {
  for (const char* planner : {"ff", "bf", "wf", "bfd", "wfd"}) {
    EXPECT_EQ(seats(in_a_row({6, 6, 6, 3}), planner), "a:1 d:1 | b:1 | c:1") << planner;
  }
}

TEST(FitTest, RankedNodesAreFilledOneAfterTheOther) {
  // Left over before c: 2 on node 0, 5 on node 1. Three replicas of 2: best fit puts one on node 0 and two on node 1; worst fit
  // puts two on node 1 first, one on node 0 then.
  InstanceBuilder builder;
  builder.add_app("a", 1, {8});
  builder.add_app("b", 1, {5});
  builder.add_app("c", 2, {2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(seats(instance, "bf"), "a:1 c:1 | b:1 c:1");
  EXPECT_EQ(seats(instance, "wf"), "a:1 | b:1 c:2");
}

TEST(FitTest, DecreasingOrdersTakeLargeAppsFirst) {
  // As given: 3 + 6, then 4, then 7 finds six left on node 1 only: three nodes. Decreasing: 7 + 3, 6 + 4: two.
  const Instance instance = in_a_row({3, 6, 4, 7});
  EXPECT_EQ(seats(instance, "ff"), "a:1 b:1 | c:1 | d:1");
  EXPECT_EQ(seats(instance, "ffd"), "a:1 d:1 | b:1 c:1");
  EXPECT_EQ(seats(instance, "bfd"), "a:1 d:1 | b:1 c:1");
  EXPECT_EQ(seats(instance, "wfd"), "a:1 d:1 | b:1 c:1");
}

TEST(FitTest, AffinityLimitsKeepAppsApart) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 5, {1});
  const AppId cache = builder.add_app("cache", 2, {1});
  builder.limit(cache, web, 1).limit(web, web, 3).limit(cache, cache, 1);
  builder.add_class({10});
  const Instance instance = builder.must_build();
  // First fit: 3 web (self limit), 2 web; a cache allows one web beside it, so that both caches need other nodes, one each.
  EXPECT_EQ(seats(instance, "ff"), "web:3 | web:2 | cache:1 | cache:1");
}

// --- Which measure orders apps ----------------------------------------------------------------------------------------------

// Four apps that exclude each other, so that the order of nodes is the order of apps. In shares of a node (10, 10):
//   p (0.6, 0.1)   q (0.3, 0.3)   s (0.5, 0)   r (0, 0.2), ten replicas, the others one
// W = (1.4, 2.4), 13 replicas, D = (0.108, 0.185), lambda = (0.368, 0.632).
class AppMeasureTest : public ::testing::Test {
 protected:
  AppMeasureTest() {
    InstanceBuilder builder({"cpu", "memory"});
    builder.add_app("p", 1, {6, 1});
    builder.add_app("q", 1, {3, 3});
    builder.add_app("s", 1, {5, 0});
    builder.add_app("r", 10, {0, 2});
    for (AppId i = 0; i < 4; ++i) {
      for (AppId j = i + 1; j < 4; ++j) builder.limit(i, j, 0);
    }
    builder.add_class({10, 10});
    instance_ = builder.must_build();
  }
  Instance instance_;
};

TEST_F(AppMeasureTest, Average) {
  // p 0.35, q 0.3, s 0.25, r 0.1. Five replicas of r fill a node.
  EXPECT_EQ(seats(instance_, "ffd-avg"), "p:1 | q:1 | s:1 | r:5 | r:5");
  EXPECT_EQ(seats(instance_, "ffd"), "p:1 | q:1 | s:1 | r:5 | r:5") << "avg is the default";
}

TEST_F(AppMeasureTest, Max) {
  // p 0.6, s 0.5, q 0.3, r 0.2
  EXPECT_EQ(seats(instance_, "ffd-max"), "p:1 | s:1 | q:1 | r:5 | r:5");
}

TEST_F(AppMeasureTest, AverageWithExponentialWeight) {
  // epsilon 0.01 leaves the weights near 1: p 0.70, q 0.60, s 0.50, r 0.20.
  EXPECT_EQ(seats(instance_, "ffd-avgexp"), "p:1 | q:1 | s:1 | r:5 | r:5");
  // epsilon 64: weights e^6.89 = 985 and e^11.8 = 135,000, so q 40,900, r 27,000, p 14,100, s 490.
  EXPECT_EQ(seats(instance_, "ffd-avgexp", {{"epsilon", 64, ""}}), "q:1 | r:5 | r:5 | p:1 | s:1");
}

TEST_F(AppMeasureTest, Surrogate) {
  // q 0.3, p 0.368 x 0.6 + 0.632 x 0.1 = 0.284, s 0.184, r 0.126
  EXPECT_EQ(seats(instance_, "ffd-surrogate"), "q:1 | p:1 | s:1 | r:5 | r:5");
}

TEST_F(AppMeasureTest, ExtendedSum) {
  // r 10 x 0.2 / 2.4 = 0.83, p 0.6 / 1.4 + 0.1 / 2.4 = 0.47, s 0.357, q 0.3 / 1.4 + 0.3 / 2.4 = 0.339
  EXPECT_EQ(seats(instance_, "ffd-extsum"), "r:5 | r:5 | p:1 | s:1 | q:1");
}

// --- Which measure orders nodes
// -----------------------------------------------------------------------------------------------

// Four loaded nodes; in shares of a node (10, 10) they have left
//   0 (0.6, 0)   1 (0.4, 0.4)   2 (0.5, 0.5)   3 (0.9, 0)
// W' = (2.4, 0.9), D' = (0.6, 0.225), lambda' = (0.727, 0.273). The newcomer wants one core and fits on each.
class NodeMeasureTest : public ::testing::Test {
 protected:
  NodeMeasureTest() {
    InstanceBuilder builder({"cpu", "memory"});
    builder.add_app("web", 1, {1, 0});
    builder.add_class({10, 10});
    builder.add_node(0, {4, 10});
    builder.add_node(0, {6, 6});
    builder.add_node(0, {5, 5});
    builder.add_node(0, {1, 10});
    instance_ = builder.must_build();
  }
  NodeId node_of(const std::string& planner, std::vector<RequestOption> options = {}) {
    const Plan plan = run(instance_, planner, std::move(options));
    return plan.placed.size() == 1 ? plan.nodes[plan.placed[0].node].listed : kNone;
  }
  // Best and worst fit, in given and in decreasing order; with one app, the order of apps does not matter.
  void expect_nodes(const std::string& measure, NodeId best, NodeId worst, const std::vector<RequestOption>& options = {}) {
    EXPECT_EQ(node_of("bf" + measure, options), best);
    EXPECT_EQ(node_of("wf" + measure, options), worst);
    EXPECT_EQ(node_of("bfd" + measure, options), best);
    EXPECT_EQ(node_of("wfd" + measure, options), worst);
  }
  Instance instance_;
};

TEST_F(NodeMeasureTest, Average) {
  // 0.3, 0.4, 0.5, 0.45
  expect_nodes("-avg", 0, 2);
  expect_nodes("", 0, 2);
}

TEST_F(NodeMeasureTest, Max) {
  // 0.6, 0.4, 0.5, 0.9
  expect_nodes("-max", 1, 3);
}

TEST_F(NodeMeasureTest, AverageWithExponentialWeight) {
  // epsilon 0.01: weights 1.006 and 1.002, so 0.60, 0.80, 1.00, 0.91
  expect_nodes("-avgexp", 0, 2);
  // epsilon 64: weights e^38.4 and e^14.4, so the first resource alone decides
  expect_nodes("-avgexp", 1, 3, {{"epsilon", 64, ""}});
}

TEST_F(NodeMeasureTest, Surrogate) {
  // 0.436, 0.4, 0.5, 0.655
  expect_nodes("-surrogate", 1, 3);
}

TEST_F(NodeMeasureTest, ExtendedSum) {
  // 0.6 / 2.4 = 0.25, 0.4 / 2.4 + 0.4 / 0.9 = 0.611, 0.764, 0.375
  expect_nodes("-extsum", 0, 2);
}

// --- Degree and Eq. 3
// ---------------------------------------------------------------------------------------------------------

// No two fit on a node together, so that the order of nodes is the order of apps. Degrees: d 1, c 2, b 2, a 3.
Instance by_degree() {
  InstanceBuilder builder;
  const AppId d = builder.add_app("d", 1, {9});
  const AppId c = builder.add_app("c", 1, {6});
  const AppId b = builder.add_app("b", 1, {6});
  const AppId a = builder.add_app("a", 1, {6});
  builder.limit(a, b, 1).limit(b, a, 1).limit(c, a, 1).limit(a, d, 1).limit(b, c, 0);
  builder.add_class({10});
  return builder.must_build();
}

TEST(FitTest, MedeaTakesAppsWithMostNeighboursFirst) {
  EXPECT_EQ(seats(by_degree(), "medea-tp"), "a:1 | c:1 | b:1 | d:1") << "of equal degrees as given";
}

TEST(FitTest, AlphaMixesDemandAndDegree) {
  const Instance instance = by_degree();
  // Shares 0.9, 0.6, 0.6, 0.6, mean 0.675; degrees 1, 2, 2, 3, mean 2.
  EXPECT_EQ(seats(instance, "ffd-avg"), "d:1 | c:1 | b:1 | a:1") << "demand alone";
  // d 0.9 x 1.333 + 0.1 x 0.5 = 1.25; a 0.9 x 0.889 + 0.1 x 1.5 = 0.95; c and b 0.9
  EXPECT_EQ(seats(instance, "ffd-avg", {{"alpha", 0.9, ""}}), "d:1 | a:1 | c:1 | b:1");
  // a 0.444 + 0.75 = 1.194; c and b 0.444 + 0.5 = 0.944; d 0.667 + 0.25 = 0.917
  EXPECT_EQ(seats(instance, "ffd-avg", {{"alpha", 0.5, ""}}), "a:1 | c:1 | b:1 | d:1");
  EXPECT_EQ(seats(instance, "ffd-max", {{"alpha", 0, ""}}), seats(instance, "medea-tp")) << "degree alone";
}

// --- Classes, pools, priorities ---------------------------------------------------------------------------------------------

TEST(FitTest, OfSeveralClassesTheCheapestFeasible) {
  InstanceBuilder builder;
  builder.add_app("small", 1, {3});
  builder.add_app("middle", 1, {5});
  builder.add_app("large", 1, {9});
  builder.add_class({10}, 0, 3);
  builder.add_class({4}, 0, 1);
  builder.add_class({6}, 0, 2);
  const Instance instance = builder.must_build();
  const Plan plan = run(instance, "ff");
  // The small app takes the class of price 1, the middle one does not fit there and takes price 2, the large one price 3.
  ASSERT_EQ(plan.nodes.size(), 3);
  EXPECT_EQ(plan.nodes[0].node_class, 1);
  EXPECT_EQ(plan.nodes[1].node_class, 2);
  EXPECT_EQ(plan.nodes[2].node_class, 0);
  EXPECT_EQ(plan.cost, 6);
}

TEST(FitTest, WithoutPricesTheFirstFeasibleClass) {
  InstanceBuilder builder;
  builder.add_app("small", 1, {3});
  builder.add_app("large", 1, {9});
  builder.add_class({4});
  builder.add_class({20});
  builder.add_class({10});
  const Plan plan = run(builder.must_build(), "ff");
  ASSERT_EQ(plan.nodes.size(), 2);
  EXPECT_EQ(plan.nodes[0].node_class, 0);
  EXPECT_EQ(plan.nodes[1].node_class, 1);
}

TEST(FitTest, AnEmptyClassGivesWayToTheNext) {
  InstanceBuilder builder;
  builder.add_app("web", 5, {2});
  builder.add_class({4}, 1, 1);
  builder.add_class({6}, 1, 2);
  const Instance instance = builder.must_build();
  const Plan plan = run(instance, "ff");
  // Two replicas on the one cheap node, three on the other.
  EXPECT_EQ(who_sits_where(instance, plan), "web:2 | web:3");
  EXPECT_EQ(plan.nodes[1].node_class, 1);
  EXPECT_EQ(plan.cost, 3);
}

TEST(FitTest, ListedNodesComeBeforeNewOnes) {
  InstanceBuilder builder;
  builder.add_app("web", 3, {5});
  builder.add_class({10}, 0, 9);
  builder.add_class({10}, 0, 1);
  builder.add_node(0);
  const Instance instance = builder.must_build();
  const Plan plan = run(instance, "ff");
  // The listed node exists, whatever its price; the third replica opens a node of the cheaper class.
  ASSERT_EQ(plan.nodes.size(), 2);
  EXPECT_EQ(plan.nodes[0].listed, 0);
  EXPECT_EQ(plan.nodes[1].node_class, 1);
}

TEST(FitTest, WhatFinitePoolsCannotTakeIsLeftOver) {
  InstanceBuilder builder;
  builder.add_app("web", 4, {6});
  builder.add_app("cache", 2, {4});
  builder.add_class({10}, 3);
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "bf", "wf", "ffd", "bfd", "wfd"}) {
    const Plan plan = run(instance, planner);
    // One web per node; the fourth finds no node; each cache fills up one.
    EXPECT_EQ(who_sits_where(instance, plan), "web:1 cache:1 | web:1 cache:1 | web:1") << planner;
    EXPECT_EQ(left_over(instance, plan), "web:1") << planner;
    EXPECT_EQ(plan.status, PlanStatus::kInfeasibleProven) << "32 of 30 cores";
  }
}

TEST(FitTest, HigherPriorityIsPlacedFirst) {
  InstanceBuilder builder;
  builder.add_app("low", 1, {9});
  const AppId high = builder.add_app("high", 1, {6});
  builder.add_app("lower", 1, {7});
  builder.priority(high, 1).priority(2, -1);
  builder.add_class({10}, 1);
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "bf", "wf", "ffd", "bfd", "wfd", "medea-tp"}) {
    const Plan plan = run(instance, planner);
    EXPECT_EQ(who_sits_where(instance, plan), "high:1") << planner;
    EXPECT_EQ(left_over(instance, plan), "low:1 lower:1") << planner;
  }
}

TEST(FitTest, RunningReplicasStayAndNewOnesJoinThem) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 3, {4});
  const AppId cache = builder.add_app("cache", 2, {2});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  builder.running(web, 1, 1).pin(cache, 1, 1);
  const Instance instance = builder.must_build();
  const Plan plan = run(instance, "ff");
  // Node 1 starts with a web and a cache, 6 of 10. Two more web fill 8 of node 0; the second cache fills it.
  EXPECT_EQ(who_sits_where(instance, plan), "web:2 cache:1 | web:1 cache:1");
  EXPECT_EQ(plan.moves, 0);
}

TEST(FitTest, ClosedNodesTakeNothing) {
  InstanceBuilder builder;
  const AppId web = builder.add_app("web", 3, {2});
  builder.add_class({10});
  builder.add_node(0);
  builder.close(0);
  builder.running(web, 0, 1);
  const Instance instance = builder.must_build();
  EXPECT_EQ(seats(instance, "ff"), "web:1 | web:2");
}

TEST(FitTest, PeaksInDifferentPeriodsShareANode) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {6, 3});
  builder.add_app("night", 2, {3, 6});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  // 6 + 3 = 9 in both periods; two of a kind would be 12 in one.
  EXPECT_EQ(seats(instance, "ff"), "day:1 night:1 | day:1 night:1");
}

TEST(Fit, SoftRulesGoBeforeTheRule) {
  // Each fit rule by itself would put small beside large: on the first node, on the one with the smaller residual, or (on the
  // large node) on the one with the larger residual.
  test::TaggedBuilder builder;
  builder.app("large", 1, {"l"}, {5});
  builder.app("small", 2, {"s"}, {1});
  builder.nodes(1, 20);
  builder.nodes(2, 10);
  builder.soft(builder.replicas({"s"}, {"l"}, 0, 0));
  const Instance instance = builder.must_build();
  EXPECT_EQ(who_sits_where(instance, run(instance, "ff")), "large:1 | small:2");
  const Plan best_fit = run(instance, "bfd-max");
  EXPECT_EQ(who_sits_where(instance, best_fit), "large:1 | small:2");
  EXPECT_EQ(best_fit.nodes[0].listed, 1u);
  EXPECT_EQ(who_sits_where(instance, run(instance, "wf-surrogate")), "large:1 | small:1 | small:1");
}

TEST(Fit, NodesAreOpenedForSoftRulesAlone) {
  test::TaggedBuilder builder;
  builder.app("web", 4, {"web"}, {1});
  builder.add_class({10}, 3);
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0));
  const Instance instance = builder.must_build();
  // Every node already holds one, so that the fourth finds no node.
  EXPECT_EQ(who_sits_where(instance, run(instance, "ff")), "web:2 | web:1 | web:1");
  EXPECT_EQ(run(instance, "ncd-dotproduct").nodes.size(), 1u);
}

// --- Many replicas ----------------------------------------------------------------------------------------------------------

TEST(FitTest, EqualNodesOfManyReplicasAreOneNodeWithCopies) {
  InstanceBuilder builder;
  builder.add_app("web", 9'000'001, {3});
  builder.add_app("sand", 2'000'000, {1});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  Request request;
  request.planner = "ff";
  request.compact = true;
  auto plan = run_planner(instance, request, nullptr);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_TRUE(plan->unplaced.empty());
  EXPECT_EQ(nodes_in_use(*plan), 3'000'001u);
  EXPECT_LE(plan->nodes.size(), 4u);
  EXPECT_LT(plan->work, 1'000u);
}

}  // namespace
}  // namespace stowage
