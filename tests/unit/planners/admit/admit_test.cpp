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

// A limit on the nodes says how many may be opened; their class need not have a count.
TEST(AdmitTest, NodesWithoutACountAreOpenedWithinALimit) {
  const Instance instance = test::with_demands({6, 5, 5, 4, 9}).must_build();
  Request request = request_to_admit("auto");
  request.node_limit = 2;
  request.work_limit = 20'000;
  const Plan plan = plan_by(instance, request);
  EXPECT_EQ(plan.left_out, 1);
  EXPECT_EQ(plan.nodes.size(), 2u);
}

// Six nodes that exist are nearly enough; what has no room goes to nodes that are added.
TEST(AdmitTest, TheSearchForRoomSavesAddedNodes) {
  test::Random random(11);
  int saved = 0;
  for (int round = 0; round < 8; ++round) {
    test::InstanceBuilder builder({"cpu", "memory"});
    for (int app = 0; app < 30; ++app) {
      builder.add_app("app-" + std::to_string(app), 1,
                      {static_cast<double>(random.between(1, 40)), static_cast<double>(random.between(1, 40))});
    }
    for (int node = 0; node < 6; ++node) {
      builder.add_class({static_cast<double>(random.between(60, 100)), static_cast<double>(random.between(60, 100))}, 1, 0);
    }
    builder.add_class({100, 100}, 0, 1);
    const Instance instance = builder.must_build();
    const double start = plan_by(instance, request_to_admit("admit")).cost;
    Request to_admit = request_to_admit("auto");
    to_admit.work_limit = 100'000;
    Request to_pack = test::request_for("auto");
    to_pack.work_limit = 100'000;
    const Plan admitted = plan_by(instance, to_admit);
    const Plan packed = plan_by(instance, to_pack);
    SCOPED_TRACE("round " + std::to_string(round));
    EXPECT_TRUE(admitted.unplaced.empty());
    EXPECT_LE(admitted.cost, start);
    EXPECT_LE(packed.cost, start);
    saved += admitted.cost < start ? 1 : 0;
  }
  EXPECT_GE(saved, 2);
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
