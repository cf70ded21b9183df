// Planners that admit whole applications, on cases small enough to follow by hand.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/plan/objective.h"
#include "core/verify/checker.h"
#include "tests/unit/support/admission_cases.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

using test::plan_by;
using test::request_to_admit;

std::string admits(const Instance& instance, const std::string& planner) {
  return test::who_sits_where(instance, plan_by(instance, request_to_admit(planner)));
}

// 6, 3, 3 and 3 on a node of 10: the large one and one small one, or three small ones.
TEST(AdmitTest, SmallOnesFirstAdmitMore) {
  const Instance instance = test::with_demands({6, 3, 3, 3}, 1).must_build();
  EXPECT_EQ(admits(instance, "lrasched"), "app-0:1 app-1:1");
  EXPECT_EQ(admits(instance, "lrasched-ffd"), "app-0:1 app-1:1");
  const Plan plan = plan_by(instance, request_to_admit("admit"));
  EXPECT_EQ(test::who_sits_where(instance, plan), "app-1:1 app-2:1 app-3:1");
  EXPECT_EQ(plan.left_out, 1);
  EXPECT_TRUE(plan.places_most) << "all four need 15 of 10";
  EXPECT_EQ(plan.status, PlanStatus::kInfeasibleProven);
  EXPECT_EQ(plan.gap, 0);
}

TEST(AdmitTest, AnApplicationIsPlacedAsAWholeOrNotAtAll) {
  test::InstanceBuilder builder = test::with_demands({3, 4}, 1);
  builder.data().replicas = {4, 1};
  const Instance instance = builder.must_build();
  for (const char* planner : {"lrasched", "lrasched-ffd", "admit", "auto"}) {
    const Plan plan = plan_by(instance, request_to_admit(planner));
    EXPECT_EQ(test::who_sits_where(instance, plan), "app-1:1") << planner;
    ASSERT_EQ(plan.unplaced.size(), 1u);
    EXPECT_EQ(plan.unplaced[0].replicas, 4u);
  }
}

// Two resources; the app needs much of the first. The dot product prefers the emptier node, the cosine that of its shape.
TEST(AdmitTest, TheCosinePrefersTheShapeAndTheDotProductTheEmptiest) {
  test::InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("flat", 1, {4, 1});
  builder.add_app("large", 1, {20, 20});
  builder.add_class({10, 10}, 1);
  builder.add_class({8, 2}, 1);
  builder.add_class({20, 20}, 0, -1);
  const Instance instance = builder.must_build();
  Request limited = request_to_admit("admit");
  limited.node_limit = 1;
  EXPECT_EQ(plan_by(instance, limited).nodes.at(0).node_class, 1u);
  limited.planner = "lrasched";
  EXPECT_EQ(plan_by(instance, limited).nodes.at(0).node_class, 0u);
}

TEST(AdmitTest, WeightsAndPrioritiesCount) {
  test::InstanceBuilder builder = test::with_demands({6, 5, 5}, 1);
  builder.data().weight = {3, 1, 1};
  EXPECT_EQ(admits(builder.must_build(), "admit"), "app-0:1");
  builder.data().weight = {1, 1, 1};
  EXPECT_EQ(admits(builder.must_build(), "admit"), "app-1:1 app-2:1");
  builder.priority(0, 1);
  for (const char* planner : {"admit", "lrasched", "auto"}) {
    EXPECT_EQ(admits(builder.must_build(), planner), "app-0:1") << planner;
  }
}

// Phase 2: 6 and 6 do not share a node of 10; nodes without a count may be added.
TEST(AdmitTest, NodesAreAddedForWhatHasNoRoom) {
  test::InstanceBuilder builder = test::with_demands({6, 6, 3, 3});
  builder.data().classes[0].price = 1;
  builder.add_class({9}, 1, 0);
  const Instance instance = builder.must_build();
  for (const char* planner : {"lrasched", "lrasched-ffd", "admit", "auto"}) {
    const Plan plan = plan_by(instance, request_to_admit(planner));
    EXPECT_TRUE(plan.unplaced.empty()) << planner;
    EXPECT_EQ(plan.cost, 1) << planner;
    EXPECT_EQ(plan.status, PlanStatus::kOptimal) << planner;
    EXPECT_EQ(plan.left_out, 0);
  }
}

TEST(AdmitTest, TheBaselineKeepsReplicasOfAnAppApart) {
  test::InstanceBuilder builder = test::with_demands({2}, 2);
  builder.data().replicas = {2};
  const Instance instance = builder.must_build();
  EXPECT_EQ(plan_by(instance, request_to_admit("lrasched-ffd")).nodes.size(), 2u);
  builder.data().replicas = {3};
  EXPECT_EQ(plan_by(builder.must_build(), request_to_admit("lrasched-ffd")).left_out, 1) << "three on two nodes";
}

TEST(AdmitTest, PlannersThatCountNodesDoNotPursueIt) {
  const Instance instance = test::with_demands({1}).must_build();
  const auto refused = run_planner(instance, request_to_admit("ff"), nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().path, "objective");
  EXPECT_FALSE(run_planner(instance, test::request_for("admit"), nullptr).ok()) << "nor this one nodes";
}

// The search is never worse than its start, and finds the best plan of nearly every tiny instance.
TEST(AdmitTest, AutoOnTinyInstances) {
  test::Random random(5);
  int best = 0;
  int proven = 0;
  constexpr int kRounds = 120;
  for (int round = 0; round < kRounds; ++round) {
    const Instance instance = test::tiny_admission(random).must_build();
    Request request = request_to_admit("auto");
    request.work_limit = 60'000;
    request.seed = static_cast<std::uint64_t>(round);
    const Plan plan = plan_by(instance, request);
    const double least = test::LeastLeftOut(instance).find();
    SCOPED_TRACE("round " + std::to_string(round));
    EXPECT_TRUE(check_plan(instance, plan).ok);
    EXPECT_GE(plan.left_out, least - 1e-9);
    EXPECT_LE(plan.left_out, plan_by(instance, request_to_admit("admit")).left_out + 1e-9);
    if (plan.places_most) {
      EXPECT_NEAR(plan.left_out, least, 1e-6);
    }
    best += plan.left_out <= least + 1e-9 ? 1 : 0;
    proven += plan.places_most || plan.unplaced.empty() ? 1 : 0;
  }
  EXPECT_GE(best, kRounds * 98 / 100);
  EXPECT_GE(proven, kRounds / 2);
}

}  // namespace
}  // namespace stowage
