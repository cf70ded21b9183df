#include "core/planners/rules/tag_greedy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/verify/checker.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

TEST(TagGreedy, SerialTakesTheFirstNodeThatViolatesLeast) {
  TaggedBuilder builder;
  builder.app("web", 3, {"web"});
  builder.app("db", 1, {"db"});
  builder.nodes(3);
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0));
  builder.soft(builder.replicas({"db"}, {"web"}, 0, 0), 0.5);
  const Instance instance = builder.must_build();
  // The webs apart; db beside one of them, for 0.5.
  const Plan plan = plan_by(instance, "serial");
  EXPECT_EQ(who_sits_where(instance, plan), "web:1 db:1 | web:1 | web:1");
  EXPECT_DOUBLE_EQ(plan.rule_costs.cost, 0.5);
  EXPECT_EQ(plan.rule_costs.violations, 1u);
}

TEST(TagGreedy, YarnTakesNodesInTurnAndHonoursHardRules) {
  TaggedBuilder builder;
  builder.app("a", 4, {"a"});
  builder.app("b", 2, {"b"});
  builder.nodes(3);
  builder.soft(builder.replicas({"a"}, {"a"}, 3, kNone));
  builder.hard(builder.replicas({"b"}, {"b"}, 0, 0));
  const Instance instance = builder.must_build();
  const Plan plan = plan_by(instance, "yarn");
  EXPECT_EQ(who_sits_where(instance, plan), "a:2 | a:1 b:1 | a:1 b:1");
  EXPECT_EQ(plan.rule_costs.violations, 4u);
}

TEST(TagGreedy, KubeDoesNotKnowCardinality) {
  // At most two replicas of a kind per node. The first node has more room, because otherwise room and balance would spread
  // them.
  TaggedBuilder builder;
  builder.app("a", 4, {"a"});
  builder.nodes(1, 100);
  builder.nodes(1, 10);
  builder.soft(builder.replicas({"a"}, {"a"}, 0, 1));
  const Instance instance = builder.must_build();
  EXPECT_EQ(who_sits_where(instance, plan_by(instance, "j-kube")), "a:4");
  EXPECT_EQ(plan_by(instance, "j-kube++").rule_costs.violations, 0u);
}

TEST(TagGreedy, PopularTagsComeFirst) {
  // One GPU node with room for one replica. x prefers it by one rule, y by two.
  TaggedBuilder builder;
  builder.app("x", 1, {"x"});
  builder.app("y", 1, {"y"});
  builder.nodes(1, 1, {"gpu"});
  builder.nodes(2, 1);
  builder.soft(builder.replicas({"x"}, {"gpu"}, 1, kNone));
  builder.soft(builder.replicas({"y"}, {"gpu"}, 1, kNone));
  builder.soft(builder.replicas({"y"}, {"y"}, 0, 0));
  const Instance instance = builder.must_build();
  EXPECT_EQ(who_sits_where(instance, plan_by(instance, "serial")), "x:1 | y:1");
  EXPECT_EQ(who_sits_where(instance, plan_by(instance, "medea-tp")), "y:1 | x:1");
}

TEST(TagGreedy, FewestCandidatesComeFirst) {
  // x could be on both GPU nodes, y only on the second, in rack 1.
  TaggedBuilder builder;
  builder.app("x", 1, {"x"});
  builder.app("y", 1, {"y"});
  builder.nodes(1, 1, {"gpu", "fast"});
  builder.nodes(1, 1, {"gpu"});
  builder.soft(builder.replicas({"x"}, {"gpu"}, 1, kNone));
  builder.soft(builder.replicas({"y"}, {"gpu", "fast"}, 1, kNone));
  const Instance instance = builder.must_build();
  EXPECT_EQ(plan_by(instance, "serial").rule_costs.violations, 1u);
  const Plan plan = plan_by(instance, "medea-nc");
  EXPECT_EQ(who_sits_where(instance, plan), "y:1 | x:1");
  EXPECT_EQ(plan.rule_costs.violations, 0u);
}

TEST(TagGreedy, WithoutRulesMedeaPlannersProvision) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {4});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(plan_by(instance, "medea-tp").nodes.size(), 2u);
  EXPECT_EQ(plan_by(instance, "medea-nc").nodes.size(), 2u);
  EXPECT_EQ(plan_by(instance, "serial").nodes.size(), 2u);
}

TEST(TagGreedy, AllOrNothingTakesTheWholeApplicationBack) {
  TaggedBuilder builder;
  builder.app("master", 1, {"appID:1"}, {1});
  builder.app("worker", 5, {"appID:1"}, {4});
  builder.app("other", 1, {}, {2});
  builder.nodes(2, 10);
  const Instance instance = builder.must_build();
  Request request;
  request.all_or_nothing = true;
  for (const char* name : {"ff", "serial", "auto", "wfd-avgexp", "match-dotproduct", "csp-mac"}) {
    request.planner = name;
    request.work_limit = 10'000;
    const auto plan = run_planner(instance, request, nullptr);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    EXPECT_EQ(left_over(instance, plan.value()), "master:1 worker:5") << name;
    EXPECT_EQ(who_sits_where(instance, plan.value()), "other:1") << name;
  }
  request.planner = "fill-greedy";
  request.objective = Objective::kWorst;
  const auto refused = run_planner(instance, request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  EXPECT_EQ(refused.error().path, "all_or_nothing");
}

TEST(TagGreedy, HardMinimaHoldInEveryPlan) {
  // storm beside hb; hb in given order comes later.
  TaggedBuilder builder;
  builder.app("storm", 4, {"storm"});
  builder.app("hb", 2, {"hb"});
  builder.nodes(4, 3);
  builder.hard(builder.replicas({"storm"}, {"hb"}, 1, kNone));
  builder.hard(builder.replicas({"hb"}, {"hb"}, 0, 0));
  const Instance instance = builder.must_build();
  for (const char* name : {"ff", "bfd-avg", "wf", "spread-wfd-avg-binsearch", "auto", "serial", "medea-tp", "tag-search"}) {
    const Plan plan = plan_by(instance, name);
    EXPECT_EQ(left_over(instance, plan), "") << name;
    EXPECT_EQ(who_sits_where(instance, plan), "storm:2 hb:1 | storm:2 hb:1") << name;
  }
}

TEST(TagGreedy, PlannersThatDoNotHonourRulesRefuseThemByName) {
  TaggedBuilder builder;
  builder.app("a", 1, {"a"});
  builder.nodes(1);
  builder.hard(builder.replicas({"a"}, {"a"}, 0, 0));
  const Instance instance = builder.must_build();
  Request request;
  request.planner = "fill-greedy";
  request.objective = Objective::kWorst;
  const auto refused = run_planner(instance, request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  EXPECT_NE(refused.error().message.find("placement-rules"), std::string::npos);
}

TEST(TagGreedy, MetricsOfTheCluster) {
  // Two nodes of 4 cores and 4 GiB. a takes 3 and 1; a node with a has one core left: too little for b (2, 2).
  TaggedBuilder builder({"cpu", "memory"});
  builder.app("a", 1, {}, {3, 1});
  builder.app("b", 2, {}, {2, 2});
  builder.nodes(3, 4);
  const Instance instance = builder.must_build();
  const Verification checked = check_plan(instance, plan_by(instance, "ff"));
  EXPECT_EQ(checked.metrics.applications, 2u);
  EXPECT_EQ(checked.metrics.applications_placed, 2u);
  EXPECT_EQ(checked.metrics.nodes, 3u);
  EXPECT_EQ(checked.metrics.nodes_used, 2u);
  EXPECT_EQ(checked.metrics.fragmented_nodes, 1u);
  // Utilization of cpu 0.75, 1, 0: mean 7/12, variance (9/16 + 1) / 3 - 49/144 = 13/72.
  EXPECT_NEAR(checked.metrics.imbalance[0], std::sqrt(13.0 / 72) / (7.0 / 12), 1e-12);
}

}  // namespace
}  // namespace stowage::test
