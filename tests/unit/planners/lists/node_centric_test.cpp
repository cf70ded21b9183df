// The node-centric family on cases small enough to follow by hand.

#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/planners/planner.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

class NodeCentricTest : public testing::TestWithParam<const char*> {};

// Shares a = (0.6, 0.2), b = (0.2, 0.6), c = (0.3, 0.3). On an empty node a and b score alike under every measure and above c,
// so a, which comes first, goes in; then (0.4, 0.8) is left, where b scores above c under every measure:
//   dot product 0.56 against 0.36, l2 norm -0.08 against -0.26, tight fill 1.25 against 1.125,
//   fitness: W = (1.4, 1.4), so 0.8 / 1.4 against 0.6 / 1.4.
// (0.2, 0.2) is left, too little for c.
TEST_P(NodeCentricTest, TakesWhatMatchesTheNodeBest) {
  test::InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("c", 2, {3, 3});
  builder.add_app("a", 1, {6, 2});
  builder.add_app("b", 1, {2, 6});
  builder.add_class({10, 10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, GetParam())), "a:1 b:1 | c:2");
}

// a takes nodes of its own: its limit keeps b away, and b's limit keeps all but one c away.
TEST_P(NodeCentricTest, HonoursLimitsBothWays) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 1, {4});
  builder.add_app("b", 1, {3});
  builder.add_app("c", 3, {2});
  builder.limit(0, 1, 0).limit(1, 2, 1).limit(2, 2, 2);
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, GetParam())), "a:1 c:2 | b:1 c:1");
}

TEST_P(NodeCentricTest, FillsListedNodesFirstAndLeavesThemTheirTenants) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 3, {4});
  builder.add_class({10});
  const NodeId listed = builder.add_node(0, {5});
  builder.running(0, listed, 1);  // 5 + 4 of 10: no room for another
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, GetParam());
  EXPECT_EQ(test::who_sits_where(instance, plan), "a:1 | a:2");
  EXPECT_EQ(plan.nodes[0].listed, listed);
}

TEST_P(NodeCentricTest, PrioritiesComeBeforeScores) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("large", 1, {8});
  const AppId small = builder.add_app("small", 1, {3});
  builder.priority(small, 1);
  builder.add_class({10}, 1);
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, GetParam());
  EXPECT_EQ(test::who_sits_where(instance, plan), "small:1");
  EXPECT_EQ(test::left_over(instance, plan), "large:1");
}

TEST_P(NodeCentricTest, OpensTheCheapestClassThatTakesSomething) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("small", 2, {2});
  builder.add_app("large", 1, {8});
  builder.add_class({10}, 0, 5);
  builder.add_class({4}, 1, 1);
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, GetParam());
  EXPECT_EQ(test::who_sits_where(instance, plan), "small:2 | large:1");
  EXPECT_EQ(plan.nodes[0].node_class, 1u);
  EXPECT_EQ(plan.cost, 6);
}

TEST_P(NodeCentricTest, StopsAtTheNodeLimit) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 5, {6});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, GetParam(), 2);
  EXPECT_EQ(plan.nodes.size(), 2u);
  EXPECT_EQ(test::left_over(instance, plan), "a:3");
}

// Nine periods: scores become upper bounds inside (for the dot product), and the filter's columns necessary conditions.
// a needs 9 in the first period and 1 after, b 1 and then 8, c always 5: a and b share a node, the two c another.
TEST_P(NodeCentricTest, ManyPeriods) {
  test::InstanceBuilder builder({"cpu"}, 9);
  std::vector<double> a(9, 1);
  std::vector<double> b(9, 8);
  a[0] = 9;
  b[0] = 1;
  builder.add_app("a", 1, a);
  builder.add_app("b", 1, b);
  builder.add_app("c", 2, std::vector<double>(9, 5));
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::plan_by(instance, GetParam()).nodes.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(All, NodeCentricTest,
                         testing::Values("ncd-dotproduct", "ncd-l2norm", "ncd-fitness", "ncd-tightfill", "lrasched-fitness"),
                         test::test_name);

// Node-centric planners put all replicas that fit in at once, LraSched one after the other.
TEST(NodeCentricWork, CountsWhatItDoes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 4, {2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_LT(test::plan_by(instance, "ncd-fitness").work, test::plan_by(instance, "lrasched-fitness").work);
}

}  // namespace
}  // namespace stowage
