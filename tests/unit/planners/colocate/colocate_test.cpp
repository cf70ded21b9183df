// P4's algorithms as planners, on cases small enough to follow by hand, and compared with the functions that they stand for.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/colocation/heuristics/schedules.h"
#include "core/plan/side_effects.h"
#include "core/planners/colocate/seats.h"
#include "core/planners/planner.h"
#include "core/run/work_clock.h"
#include "tests/effort.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

const std::vector<std::string>& colocating_names() {
  static const std::vector<std::string> kNames = {"fill-greedy",
                                                  "sched-mixed",
                                                  "sched-juxtapose",
                                                  "best-schedule",
                                                  "greedy-dedicated-mixed",
                                                  "greedy-dedicated-juxtapose",
                                                  "greedy-dedicated-best",
                                                  "kind-lpt",
                                                  "mse-exact",
                                                  "mse-ptas"};
  return kNames;
}

Request least_worst(const std::string& planner, std::uint32_t nodes) {
  Request request = test::request_for(planner);
  request.objective = Objective::kWorst;
  request.node_limit = nodes;
  return request;
}

// Kinds web and db, half of whose load the other suffers; two nodes.
test::InstanceBuilder webs_and_dbs(double capacity) {
  test::InstanceBuilder builder;
  builder.add_app("web-large", 1, {4});
  builder.add_app("web-small", 1, {2});
  builder.add_app("db", 2, {3});
  builder.add_class({capacity});
  builder.data().kind = {0, 0, 1};
  builder.data().has_interference = true;
  builder.data().interference = {{"web", "db"}, 2, {1, 0.5, 0.5, 1}};
  return builder;
}

// Millions of replicas take seconds each. A run that its deadline cuts off seats none, as does one that its work cuts off.
TEST(ColocateTest, CrowdsAreSeatedInTimeOrNotAtAll) {
  test::InstanceBuilder builder = webs_and_dbs(1e9);
  builder.data().replicas = {3'000'000, 3'000'000, 3'000'000};
  const Instance instance = builder.must_build();
  for (const std::string& planner : colocating_names()) {
    if (planner == "mse-exact") continue;  // refuses so many
    Request request = least_worst(planner, 1000);
    request.deadline_ms = 20;
    const auto begin = std::chrono::steady_clock::now();
    const Plan cut = test::plan_by(instance, request);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 2 * test::kShare) << planner;
    EXPECT_EQ(cut.status, PlanStatus::kDeadline) << planner;
    EXPECT_TRUE(cut.placed.empty()) << planner;
    request.deadline_ms = 0;
    request.work_limit = cut.work;
    const Plan again = test::plan_by(instance, request);
    EXPECT_EQ(again.work, cut.work) << planner;
    EXPECT_TRUE(again.placed.empty()) << planner;
  }
}

// Questions about a rule with a choice take the longer the more nodes have its subjects.
TEST(SeatsTest, LongQuestionsAreFollowedByALookAtTheClock) {
  constexpr std::uint32_t kReplicas = 1500;
  test::TaggedBuilder builder;
  builder.app("web", kReplicas, {"web"}, {1});
  builder.add_class({10});
  builder.hard({{builder.replicas({"web"}, {"web"}, 0, 0)}, {builder.replicas({"web"}, {"web"}, 1, 5)}});
  builder.data().kind = {0};
  builder.data().has_interference = true;
  builder.data().interference = {{"web"}, 1, {1}};
  const Instance instance = builder.must_build();
  const Request request = least_worst("auto", kReplicas);
  Control control;
  WorkClock clock(request, &control);
  ASSERT_FALSE(clock.step(1));
  Seats<std::int16_t> seats(instance, request, clock);
  Watch watch;
  const ColocationProblem problem = colocation_problem(instance, kReplicas, watch);
  Colocation apart(kReplicas);
  std::iota(apart.begin(), apart.end(), 0u);
  control.cancelled = true;
  EXPECT_FALSE(seats.seat(problem, apart, clock).empty());
  EXPECT_LT(kReplicas - seats.placement().unplaced(0), 100u);
  EXPECT_EQ(clock.stop(), Stop::kCancelled);
}

TEST(ColocateTest, PlansAreWhatTheFunctionsFind) {
  const Instance instance = webs_and_dbs(100).must_build();
  const auto sits = [&](const std::string& planner) {
    return test::who_sits_where(instance, test::plan_by(instance, least_worst(planner, 2)));
  };
  // See SchedulesTest: the fuller node comes first.
  EXPECT_EQ(sits("sched-mixed"), "web-large:1 web-small:1 | db:2");
  EXPECT_EQ(sits("sched-juxtapose"), "web-large:1 db:1 | web-small:1 db:1");
  EXPECT_EQ(sits("best-schedule"), "web-large:1 db:1 | web-small:1 db:1");
  // Both kinds are one cluster.
  EXPECT_EQ(sits("greedy-dedicated-best"), sits("best-schedule"));
  EXPECT_EQ(test::plan_by(instance, least_worst("best-schedule", 2)).max_cost, 5.5);
}

TEST(ColocateTest, CapacityIsHard) {
  // On nodes of 6, the second db has no room beside web-large, and 1 is left beside the first db and web-small.
  const Instance tight = webs_and_dbs(6).must_build();
  EXPECT_EQ(test::left_over(tight, test::plan_by(tight, least_worst("sched-juxtapose", 2))), "db:1");
  // A third node takes it.
  EXPECT_EQ(test::left_over(tight, test::plan_by(tight, least_worst("fill-greedy", 3))), "");
  const Instance roomy = webs_and_dbs(8).must_build();
  EXPECT_EQ(test::left_over(roomy, test::plan_by(roomy, least_worst("sched-juxtapose", 2))), "");
}

TEST(ColocateTest, LargeNodesTakeTheLargeLoads) {
  test::InstanceBuilder builder;
  builder.add_app("large", 1, {9});
  builder.add_app("small", 1, {4});
  builder.add_class({5}, 1);
  builder.add_class({10}, 1);
  builder.data().kind = {0, 0};
  builder.data().has_interference = true;
  builder.data().interference = {{"one"}, 1, {1}};
  const Instance instance = builder.must_build();
  for (const std::string& name : colocating_names()) {
    const Plan plan = test::plan_by(instance, least_worst(name, 0));
    EXPECT_TRUE(plan.unplaced.empty()) << name;
    EXPECT_EQ(plan.max_cost, 9) << name;
  }
}

TEST(ColocateTest, RefusesWhatItDoesNotHonour) {
  test::InstanceBuilder builder = webs_and_dbs(100);
  builder.limit(0, 1, 0);
  const Instance limited = builder.must_build();
  const Instance plain = webs_and_dbs(100).must_build();
  for (const std::string& name : colocating_names()) {
    const auto refused = run_planner(limited, least_worst(name, 2), nullptr);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::kUnsupported);
    EXPECT_NE(refused.error().message.find("affinity-limits"), std::string::npos) << refused.error().message;
    Request fewest = test::request_for(name);
    const auto nodes = run_planner(plain, fewest, nullptr);
    ASSERT_FALSE(nodes.ok());
    EXPECT_EQ(nodes.error().code, Code::kUnsupported);
    EXPECT_FALSE(run_planner(plain, least_worst(name, 0), nullptr).ok()) << "no number of nodes";
  }
  test::InstanceBuilder crowd = webs_and_dbs(1e9);
  crowd.data().replicas = {1, 1, 10'000'000};
  const Instance crowded = crowd.must_build();
  for (const std::string& name : colocating_names()) {
    EXPECT_EQ(run_planner(crowded, least_worst(name, 2), nullptr).error().code, Code::kUnsupported) << name;
  }
}

TEST(ColocateTest, PtasRefusesTooManyConfigurations) {
  test::Random random(11);
  test::InstanceBuilder builder;
  for (int i = 0; i < 60; ++i) {
    builder.add_app("app-" + std::to_string(i), 1, {1 + random.below(1000) / 100.0});
    builder.data().kind.push_back(random.below(3));
  }
  builder.add_class({1000});
  builder.data().has_interference = true;
  builder.data().interference = {{}, 3, {1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1}};
  const Instance instance = builder.must_build();
  Request request = least_worst("mse-ptas", 10);
  request.options = {{"precision", 20, ""}, {"configurations", 1000, ""}};
  const auto refused = run_planner(instance, request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  EXPECT_NE(refused.error().message.find("configurations"), std::string::npos);
}

TEST(ColocateTest, TheExactMethodProvesItsPlan) {
  // 4 + 1.5 and 3 + 2 on one node, 2 + 1.5 and 3 + 1 on the other; the two webs together cost 6.
  const Instance instance = webs_and_dbs(100).must_build();
  const Plan plan = test::plan_by(instance, least_worst("mse-exact", 2));
  EXPECT_EQ(plan.max_cost, 5.5);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  ASSERT_TRUE(plan.bounds[Objective::kWorst].has_value());
  EXPECT_NEAR(plan.bounds[Objective::kWorst]->value, 5.5, 1e-9);
  test::InstanceBuilder builder;
  builder.add_app("many", 65, {1});
  builder.add_class({1000});
  builder.data().kind = {0};
  builder.data().has_interference = true;
  builder.data().interference = {{"one"}, 1, {1}};
  const auto refused = run_planner(builder.must_build(), least_worst("mse-exact", 4), nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
}

TEST(ColocateTest, PtasStatesItsBound) {
  const Instance instance = webs_and_dbs(100).must_build();
  const Plan plan = test::plan_by(instance, least_worst("mse-ptas", 2));
  ASSERT_TRUE(plan.bounds[Objective::kWorst].has_value());
  EXPECT_GE(plan.bounds[Objective::kWorst]->value, 4);
  EXPECT_LE(plan.bounds[Objective::kWorst]->value, 5.5);
  EXPECT_LE(plan.max_cost, 1.5 * plan.bounds[Objective::kWorst]->value * (1 + 1e-8));
}

// Small capacities, several classes and periods: every plan passes the checker inside run_planner(), and no replica that fits
// on a node is left over.
TEST(ColocateTest, WhatIsLeftOverFitsNowhere) {
  test::Random random(12);
  std::uint32_t partial = 0;
  for (std::uint64_t k = 0; k < test::cases(150); ++k) {
    test::InstanceBuilder builder({"cpu", "memory"}, 2);
    const std::uint32_t apps = random.between(1, 12);
    for (std::uint32_t i = 0; i < apps; ++i) {
      std::vector<double> demand;
      for (int d = 0; d < 4; ++d) demand.push_back(random.between(1, 9));
      builder.add_app("app-" + std::to_string(i), random.between(1, 3), demand);
      builder.data().kind.push_back(random.below(3));
    }
    builder.add_class({12, 15}, random.between(1, 3), 2);
    builder.add_class({20, 12}, random.between(1, 3), 1);
    builder.data().has_interference = true;
    builder.data().interference = {{}, 3, {1, 0.5, 2, 0.2, 1, 0, 3, 1.5, 1}};
    const Instance instance = builder.must_build();
    for (const std::string& name : colocating_names()) {
      Request request = least_worst(name, random.below(6));
      // Ends the exact method, and what it has found is placed all the same.
      if (name == "mse-exact") request.work_limit = 500;
      const Plan plan = test::plan_by(instance, request);
      partial += plan.unplaced.empty() ? 0 : 1;
      for (const Unplaced& left : plan.unplaced) {
        for (NodeId n = 0; n < plan.nodes.size(); ++n) {
          const std::vector<double>& capacity = instance.data().classes[plan.nodes[n].node_class].capacity;
          bool fits = true;
          for (std::uint32_t d = 0; d < 4; ++d) {
            double sum = instance.data().demand[left.app * 4 + d];
            for (const Placed& p : plan.placed) {
              if (p.node == n) sum += p.replicas * instance.data().demand[p.app * 4 + d];
            }
            fits = fits && sum <= capacity[d / 2];
          }
          EXPECT_FALSE(fits) << name << ", case " << k;
        }
      }
    }
  }
  EXPECT_GT(partial, 0u);
}

}  // namespace
}  // namespace stowage
