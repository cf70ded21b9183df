#include "core/plan/objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/plan/plan.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

constexpr Objective kAll[] = {Objective::kNodes,    Objective::kUcac,    Objective::kWorst, Objective::kTotal,
                              Objective::kAdmitted, Objective::kTraffic, Objective::kCost,  Objective::kSoftRules};

TEST(ObjectiveTest, TheTableHasOneEntryPerEnumeratorInOrder) {
  ASSERT_EQ(objective_table().size(), kObjectives);
  for (const Objective objective : kAll) EXPECT_EQ(info_of(objective).objective, objective);
}

TEST(ObjectiveTest, SetsHoldWhatTheyAreMadeOf) {
  constexpr ObjectiveSet kSet = {Objective::kUcac, Objective::kSoftRules};
  for (const Objective objective : kAll) {
    EXPECT_EQ(kSet.contains(objective), objective == Objective::kUcac || objective == Objective::kSoftRules);
  }
}

TEST(ObjectiveTest, FewerReplicasOfTheHighestPriorityLeftOverAreLess) {
  LeftOver none;
  LeftOver low;
  low.add(1, 100, 1);
  LeftOver high;
  high.add(7, 1, 1);
  LeftOver both = high;
  both.add(1, 1, 1);
  EXPECT_TRUE(none < low);
  EXPECT_TRUE(low < high);
  EXPECT_TRUE(high < both);
  EXPECT_FALSE(both < high);
  low.add(7, 0, 1);
  EXPECT_TRUE(low < high) << "nothing of a priority is as good as the priority's absence";
  EXPECT_TRUE(none.empty());
}

// Two replicas of 6 on nodes of 10: one node each.
TEST(ObjectiveTest, PlansCompareByWhatIsLeftOverThenViolationsThenRulesThenNodes) {
  const Instance instance = test::with_demands({6, 6}, 2).must_build();
  const auto wins = [&](const Plan& a, const Plan& b) { return better(instance, {}, a, b); };
  const Plan whole = test::plan_by(instance, "ff");
  Plan less = test::plan_by(instance, "ff", 1);
  ASSERT_EQ(whole.nodes.size(), 2u);
  ASSERT_EQ(less.unplaced.size(), 1u);
  EXPECT_TRUE(wins(whole, less));
  EXPECT_FALSE(wins(less, whole));
  less.unplaced.clear();
  EXPECT_TRUE(wins(less, whole)) << "then nodes";
  EXPECT_FALSE(wins(whole, whole));
  less.rule_costs.cost = 1;
  EXPECT_FALSE(wins(less, whole)) << "rules before nodes";
  less.rule_costs = whole.rule_costs;
  less.inherited_violations = 1;
  EXPECT_FALSE(wins(less, whole)) << "what was broken before, as well";
}

// Apps of 2 and 1 replicas of weight 5, and one of weight 3; the first two are one application.
TEST(ObjectiveTest, AnApplicationIsLeftOutUnlessAllItsReplicasArePlaced) {
  test::TaggedBuilder builder;
  const AppId web = builder.app("web", 2, {"appID:shop"});
  builder.app("db", 1, {"appID:shop"});
  const AppId other = builder.app("other", 1, {});
  builder.nodes(4, 1);
  builder.data().weight = {5, 2, 3};
  const Instance instance = builder.must_build();
  Plan plan = test::PlanBuilder(instance).build();
  EXPECT_EQ(application_weights(instance), (std::vector<double>{5, 0, 3})) << "the largest weight of its apps";
  plan.unplaced = {{web, 1}};
  EXPECT_EQ(value(instance, plan, Objective::kAdmitted), 5);
  plan.unplaced = {{web, 1}, {other, 1}};
  EXPECT_EQ(value(instance, plan, Objective::kAdmitted), 8);
  Plan less = plan;
  less.unplaced = {{other, 1}};
  EXPECT_TRUE(better(instance, {.objective = Objective::kAdmitted}, less, plan));
  plan.objective = Objective::kAdmitted;
  plan.unplaced = {{other, 1}};
  plan.bounds[Objective::kAdmitted] = Bound{"", 2};
  EXPECT_NEAR(gap_of(instance, plan), 1.0 / 5, 1e-12) << "1 more than the bound, of 5 that are admitted";
  EXPECT_FALSE(places_most(instance, plan));
  plan.bounds[Objective::kAdmitted] = Bound{"", 3};
  EXPECT_TRUE(places_most(instance, plan));
}

// calm costs 1 per load of calm and 2 per load of noisy, noisy 0.5 and 1; loads of 4 and 2.
TEST(ObjectiveTest, CostsOfSideEffects) {
  test::InstanceBuilder builder({"cpu"});
  const AppId calm = builder.add_app("calm", 3, {4});
  const AppId noisy = builder.add_app("noisy", 1, {2});
  builder.add_class({20}, 2);
  builder.data().kind = {0, 1};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 2, {1, 2, 0.5, 1}};
  const Instance instance = builder.must_build();
  const Plan apart = test::PlanBuilder(instance).node(0, {{calm, 3}}).node(0, {{noisy, 1}}).build();
  EXPECT_EQ(value(instance, apart, Objective::kWorst), 12);
  EXPECT_EQ(value(instance, apart, Objective::kTotal), 3 * 12 + 2);
  const Plan mixed = test::PlanBuilder(instance).node(0, {{calm, 2}}).node(0, {{calm, 1}, {noisy, 1}}).build();
  EXPECT_EQ(value(instance, mixed, Objective::kWorst), 8) << "4 + 2 x 2 where there are two kinds, 8 of calm elsewhere";
  EXPECT_EQ(value(instance, mixed, Objective::kTotal), 2 * 8 + 8 + (0.5 * 4 + 2));
  for (const Objective objective : {Objective::kWorst, Objective::kTotal}) {
    EXPECT_TRUE(better(instance, {.objective = objective}, mixed, apart));
    EXPECT_FALSE(better(instance, {.objective = objective}, apart, mixed));
  }
  Plan half = test::PlanBuilder(instance).node(0, {{calm, 1}}).build();
  half.nodes[0].copies = 2;
  EXPECT_EQ(value(instance, half, Objective::kWorst), 4);
  EXPECT_EQ(value(instance, half, Objective::kTotal), 8) << "each copy counts";
}

// web has 4 replicas and db 2, with traffic of 8 between them: a node with x and y of them keeps min(x / 4, y / 2) of it.
TEST(ObjectiveTest, TrafficStaysWhereReplicasShareANode) {
  test::InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 4, {1});
  const AppId db = builder.add_app("db", 2, {1});
  const AppId none = builder.add_app("none", 0, {1});
  builder.add_class({20}, 4);
  builder.data().traffic = {{web, db, 8}, {none, db, 5}};
  const Instance instance = builder.must_build();
  EXPECT_EQ(info_of(Objective::kTraffic).whole(instance), 8) << "an app without replicas has no traffic";
  const auto remote = [&](const Plan& plan) { return value(instance, plan, Objective::kTraffic); };
  const Plan together = test::PlanBuilder(instance).node(0, {{web, 4}, {db, 2}}).build();
  EXPECT_EQ(remote(together), 0);
  const Plan apart = test::PlanBuilder(instance).node(0, {{web, 4}}).node(0, {{db, 2}}).build();
  EXPECT_EQ(remote(apart), 8);
  const Plan part = test::PlanBuilder(instance).node(0, {{web, 3}, {db, 1}}).node(0, {{web, 1}, {db, 1}}).build();
  EXPECT_EQ(remote(part), 8 * (1 - 0.5 - 0.25));
  Plan copies = test::PlanBuilder(instance).node(0, {{web, 1}, {db, 1}}).build();
  copies.nodes[0].copies = 2;
  EXPECT_EQ(remote(copies), 8 * (1 - 2 * 0.25));
  EXPECT_TRUE(better(instance, {.objective = Objective::kTraffic}, together, part));
  EXPECT_FALSE(better(instance, {.objective = Objective::kTraffic}, apart, part));
}

// Of two plans whose worst-off replica costs the same, the one with less in total.
TEST(ObjectiveTest, TheSumBreaksTiesOfTheWorst) {
  test::InstanceBuilder builder({"cpu"});
  const AppId large = builder.add_app("large", 1, {9});
  const AppId small = builder.add_app("small", 2, {2});
  builder.add_class({20}, 3);
  builder.data().kind = {0, 0};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 1, {1}};
  const Instance instance = builder.must_build();
  const Plan together = test::PlanBuilder(instance).node(0, {{large, 1}}).node(0, {{small, 2}}).build();
  const Plan apart = test::PlanBuilder(instance).node(0, {{large, 1}}).node(0, {{small, 1}}).node(0, {{small, 1}}).build();
  EXPECT_EQ(value(instance, together, Objective::kWorst), value(instance, apart, Objective::kWorst));
  EXPECT_TRUE(better(instance, {.objective = Objective::kWorst}, apart, together)) << "9 + 4 x 2, and 9 + 2 x 2";
  EXPECT_FALSE(better(instance, {.objective = Objective::kWorst}, together, apart));
}

TEST(ObjectiveTest, ViolationsArePartOfTheProofWhereTheyCount) {
  test::TaggedBuilder builder;
  builder.app("web", 2, {"web"}, {5});
  builder.add_class({10});
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0), 1);
  const Instance instance = builder.must_build();
  Plan plan = test::plan_by(instance, "ffd-avg", 1);
  ASSERT_EQ(plan.nodes.size(), 1u);
  ASSERT_GT(plan.rule_costs.cost, 0);
  EXPECT_FALSE(proven(instance, plan)) << "another plan may violate nothing";
  plan.soft = SoftPolicy::kLast;
  EXPECT_TRUE(proven(instance, plan)) << "no plan has fewer nodes";
  plan.soft = SoftPolicy::kPrice;
  EXPECT_TRUE(proven(instance, plan)) << "a price of nothing";
  plan.soft_price = 0.5;
  EXPECT_FALSE(proven(instance, plan));
  for (const SoftPolicy policy : {SoftPolicy::kFirst, SoftPolicy::kLast, SoftPolicy::kPrice}) {
    plan.soft = policy;
    plan.rule_costs = {};
    plan.rule_costs.cost = 0;
    EXPECT_TRUE(proven(instance, plan)) << "nothing is violated";
  }
}

TEST(ObjectiveTest, ABoundIsReachedExactlyByNodesAndWithinRoundingByCost) {
  EXPECT_TRUE(reaches(Objective::kNodes, 5, 5));
  EXPECT_FALSE(reaches(Objective::kNodes, 5, 5 - 1e-12));
  EXPECT_TRUE(reaches(Objective::kCost, 5, 5 - 1e-10));
  EXPECT_FALSE(reaches(Objective::kCost, 5, 5 - 1e-6));
}

TEST(ObjectiveTest, OnlyACompletePlanAtItsBoundIsProven) {
  const Instance instance = test::with_demands({6, 6}, 2).must_build();
  Plan plan = test::plan_by(instance, "ff");
  EXPECT_TRUE(proven(instance, plan));
  plan.bounds[Objective::kNodes]->value = 1;
  EXPECT_FALSE(proven(instance, plan));
  plan.bounds[Objective::kNodes].reset();
  EXPECT_FALSE(proven(instance, plan)) << "no bound, no proof";
  EXPECT_FALSE(proven(instance, test::plan_by(instance, "ff", 1))) << "a plan that is not complete";
}

TEST(ObjectiveTest, SoftViolationsCountAsThePolicySays) {
  const Instance instance = test::with_demands({6, 6}).must_build();
  const Plan clean = test::plan_by(instance, "ff");
  Plan small = clean;  // one node less and 4 units of violation
  small.nodes.pop_back();
  small.rule_costs.cost = 4;
  Plan even = clean;
  even.rule_costs.cost = 4;
  const auto wins = [&](const Judgement& judgement, const Plan& a, const Plan& b) { return better(instance, judgement, a, b); };
  const Judgement last{.soft = SoftPolicy::kLast};
  EXPECT_TRUE(wins({}, clean, small)) << "first";
  EXPECT_TRUE(wins(last, small, clean)) << "last";
  EXPECT_TRUE(wins(last, clean, even)) << "last among equals";
  for (const auto& [price, fewer_nodes] : {std::pair{0.2, true}, {0.3, false}}) {
    const Judgement priced{.soft = SoftPolicy::kPrice, .soft_price = price};
    EXPECT_EQ(wins(priced, small, clean), fewer_nodes) << price << ": 1 + 4 x price against 2";
    EXPECT_EQ(wins(priced, clean, small), !fewer_nodes) << price;
  }
  const Judgement level{.soft = SoftPolicy::kPrice, .soft_price = 0.25};
  EXPECT_TRUE(wins(level, clean, small)) << "equal values: fewer violations";
}

TEST(ObjectiveTest, PricedViolationsArePartOfTheProofAndOfTheGap) {
  const Instance instance = test::with_demands({6, 6}).must_build();
  Plan plan = test::plan_by(instance, "ff");
  ASSERT_EQ(plan.bounds[Objective::kNodes]->value, 2);
  plan.rule_costs.cost = 4;
  EXPECT_TRUE(proven(instance, plan)) << "their own bound is not part of it";
  EXPECT_EQ(gap_of(instance, plan), 0);
  plan.soft = SoftPolicy::kLast;
  EXPECT_TRUE(proven(instance, plan));
  plan.soft = SoftPolicy::kPrice;
  EXPECT_TRUE(proven(instance, plan)) << "a price of 0";
  plan.soft_price = 0.25;
  EXPECT_FALSE(proven(instance, plan));
  EXPECT_EQ(gap_of(instance, plan), 0.5) << "(2 + 4 x 0.25 - 2) / 2";
}

TEST(ObjectiveTest, TheGapIsThatOfTheCostWhereThereArePrices) {
  test::InstanceBuilder builder;
  builder.add_app("web", 1, {6});
  builder.add_class({10}, 0, 3);
  const Instance instance = builder.must_build();
  Plan plan = test::plan_by(instance, "ff");
  plan.bounds[Objective::kCost]->value = 2;
  plan.bounds[Objective::kNodes]->value = 0.5;
  EXPECT_EQ(gap_of(instance, plan), 0.5);
  plan.bounds[Objective::kCost]->value = 0;
  EXPECT_LT(gap_of(instance, plan), 0) << "nothing is a share of 0";
  plan.bounds[Objective::kCost].reset();
  EXPECT_LT(gap_of(instance, plan), 0);
}

// Nodes in another order have the same cost, to the last bit.
TEST(ObjectiveTest, TheCostDoesNotDependOnTheOrderOfNodes) {
  test::InstanceBuilder builder;
  for (const double price : {0.1, 0.3, 0.7}) builder.add_class({10}, 0, price);
  const Instance instance = builder.must_build();
  Plan there;
  for (const ClassId c : {0u, 1u, 2u, 0u, 0u, 1u}) there.nodes.push_back({c, kNone});
  Plan back = there;
  std::reverse(back.nodes.begin(), back.nodes.end());
  EXPECT_EQ(value(instance, there, Objective::kCost), value(instance, back, Objective::kCost));
}

// A node of 10 holds one replica of 9, or two of 3.
TEST(ObjectiveTest, WeightsAndFillDecideWhatIsLeftOver) {
  test::InstanceBuilder builder;
  const AppId large = builder.add_app("large", 1, {9});
  const AppId small = builder.add_app("small", 2, {3});
  builder.add_class({10}, 1);
  Plan without_large;
  without_large.unplaced = {{large, 1}};
  Plan without_small;
  without_small.unplaced = {{small, 2}};
  const Judgement fill{.fill = true};
  {
    const Instance instance = builder.must_build();
    EXPECT_TRUE(better(instance, {}, without_large, without_small)) << "one replica instead of two";
    EXPECT_TRUE(better(instance, fill, without_small, without_large)) << "6 instead of 9";
  }
  builder.data().weight = {3, 1};
  const Instance instance = builder.must_build();
  EXPECT_TRUE(better(instance, {}, without_small, without_large)) << "2 instead of 3";
  EXPECT_DOUBLE_EQ(replica_worth(instance, large, true), 3 * 0.9);
  builder.data().weight = {0.5, 1};
  builder.priority(large, 1);
  EXPECT_TRUE(better(builder.must_build(), {}, without_small, without_large)) << "priority goes before weight";
}

}  // namespace
}  // namespace stowage
