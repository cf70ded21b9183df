#include "core/plan/objective.h"

#include <gtest/gtest.h>

#include "core/plan/plan.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

constexpr Objective kAll[] = {Objective::kNodes, Objective::kUcac, Objective::kCost, Objective::kSoftRules};

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
  low.add(1, 100);
  LeftOver high;
  high.add(7, 1);
  LeftOver both = high;
  both.add(1, 1);
  EXPECT_TRUE(none < low);
  EXPECT_TRUE(low < high);
  EXPECT_TRUE(high < both);
  EXPECT_FALSE(both < high);
  low.add(7, 0);
  EXPECT_TRUE(low < high) << "nothing of a priority is as good as the priority's absence";
  EXPECT_TRUE(none.empty());
}

// Two replicas of 6 on nodes of 10: one node each.
TEST(ObjectiveTest, PlansCompareByWhatIsLeftOverThenViolationsThenRulesThenNodes) {
  const Instance instance = test::with_demands({6, 6}, 2).must_build();
  const auto wins = [&](const Plan& a, const Plan& b) { return better(instance, Objective::kNodes, a, b); };
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

}  // namespace
}  // namespace stowage
