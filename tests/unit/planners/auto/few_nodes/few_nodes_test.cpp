// Plans of `auto` where nodes are too few for everything.

#include <gtest/gtest.h>

#include <cstdint>

#include "core/plan/objective.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

Plan plan_on(const Instance& instance, std::uint32_t nodes, std::uint64_t work, const std::string& planner = "auto") {
  Request request = test::request_for(planner);
  request.node_limit = nodes;
  request.work_limit = work;
  return test::plan_by(instance, request);
}

// Whether plan `a` leaves less over than `b`.
bool leaves_less(const Instance& instance, const Plan& a, const Plan& b) {
  return LeftOver(instance, a, false) < LeftOver(instance, b, false);
}

// As P0's workloads are: small integers, memory is scarce, each app has limits with some others.
InstanceBuilder workload(std::uint64_t seed, std::uint32_t apps) {
  test::Random random(seed);
  InstanceBuilder builder({"cpu", "memory"});
  const std::vector<double> cpu = {1, 2, 4, 8};
  const std::vector<double> memory = {4, 8, 16, 32};
  for (AppId app = 0; app < apps; ++app) {
    const std::uint32_t size = random.below(4);
    builder.add_app("app-" + std::to_string(app), random.between(1, 9), {cpu[random.between(0, size)], memory[size]});
  }
  for (AppId app = 0; app < apps; ++app) {
    const AppId other = random.below(apps);
    builder.limit(app, other, other == app ? 2 : 0);
  }
  builder.add_class({64, 128});
  return builder;
}

TEST(FewNodesTest, TheBoundIsReached) {
  const Instance instance = workload(1, 300).must_build();
  const double needed = plan_on(instance, 0, 1'000'000).bounds[Objective::kNodes]->value;
  for (const double share : {0.6, 0.8, 0.95}) {
    const Plan plan = plan_on(instance, static_cast<std::uint32_t>(share * needed), 1'000'000);
    EXPECT_TRUE(places_most(instance, plan)) << share << " of the nodes";
    EXPECT_EQ(plan.status, PlanStatus::kInfeasibleProven);
  }
}

TEST(FewNodesTest, PriorityByPriority) {
  InstanceBuilder builder = workload(2, 300);
  for (AppId app = 0; app < 300; ++app) builder.priority(app, static_cast<std::int32_t>(app % 3));
  const Instance instance = builder.must_build();
  const double needed = plan_on(instance, 0, 1'000'000).bounds[Objective::kNodes]->value;
  for (const double share : {0.2, 0.5, 0.9}) {
    const Plan plan = plan_on(instance, static_cast<std::uint32_t>(share * needed), 1'000'000);
    EXPECT_TRUE(places_most(instance, plan)) << share << " of the nodes";
  }
}

TEST(FewNodesTest, MoreTimeGivesNoWorsePlan) {
  InstanceBuilder builder = workload(3, 300);
  for (AppId app = 0; app < 300; ++app) builder.priority(app, static_cast<std::int32_t>(app % 2));
  const Instance instance = builder.must_build();
  Plan last = plan_on(instance, 30, 1000);
  for (const std::uint64_t work : {3000u, 10'000u, 30'000u, 100'000u, 300'000u, 1'000'000u}) {
    Plan plan = plan_on(instance, 30, work);
    EXPECT_FALSE(leaves_less(instance, last, plan)) << work;
    last = std::move(plan);
  }
}

// Small and with everything the model has: no list planner places more, and no plan is below the bound.
TEST(FewNodesTest, NoWorseThanTheListPlanners) {
  int partial = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    test::Random random(seed);
    InstanceBuilder builder({"cpu", "memory"});
    const std::uint32_t apps = random.between(3, 12);
    for (AppId app = 0; app < apps; ++app) {
      builder.add_app("app-" + std::to_string(app), random.between(1, 5), {1.0 + random.below(7), 1.0 + random.below(7)});
      builder.priority(app, static_cast<std::int32_t>(random.below(2)));
    }
    for (AppId app = 0; app < apps; ++app) builder.limit(app, random.below(apps), random.below(3) + 1);
    const ClassId small = builder.add_class({10, 10}, 4, 2);
    builder.add_class({16, 12}, random.between(1, 3), 3);
    const NodeId busy = builder.add_node(small, {2, 1});
    builder.running(0, busy, 1);
    const NodeId closed = builder.add_node(small);
    builder.running(1, closed, 1).close(closed);
    const Instance instance = builder.must_build();
    const std::uint32_t limit = random.chance(0.5) ? random.between(2, 5) : 0;
    const Plan plan = plan_on(instance, limit, 300'000);
    partial += plan.unplaced.empty() ? 0 : 1;
    for (const char* name : {"ff", "ffd-avg", "bfd-avg", "bfd-max", "ncd-dotproduct", "match-dotproduct"}) {
      const Plan other = plan_on(instance, limit, 0, name);
      EXPECT_FALSE(leaves_less(instance, other, plan)) << "seed " << seed << ", " << name;
    }
    if (!plan.unplaced.empty()) {
      EXPECT_FALSE(LeftOver(instance, plan, false) < *plan.left_over_bound) << "seed " << seed;
    }
  }
  EXPECT_GE(partial, 30);
}

}  // namespace
}  // namespace stowage
