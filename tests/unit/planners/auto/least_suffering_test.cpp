// auto with the objectives worst and total.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/verify/checker.h"
#include "tests/unit/losses/brute_force.h"
#include "tests/unit/support/colocation_cases.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::plan_by;
using test::request_for;

/// Adds random kinds and apps of one replica.
void add_suffering(InstanceBuilder& builder, test::Random& random, std::uint32_t apps, std::uint32_t kinds) {
  std::vector<std::uint32_t> kind;
  for (std::uint32_t i = 0; i < apps; ++i) {
    builder.add_app("app-" + std::to_string(i), 1, {static_cast<double>(1 + random.below(20)), 1});
    kind.push_back(random.below(kinds));
  }
  InstanceData& data = builder.data();
  data.has_interference = true;
  data.interference.kind_count = kinds;
  data.interference.coefficient = test::coefficients_of(random, test::kAllCoefficients[random.below(4)], kinds);
  data.kind = kind;
}

Request worst_request(std::uint32_t nodes, std::uint64_t work, Objective objective = Objective::kWorst) {
  Request request = request_for("auto");
  request.objective = objective;
  request.node_limit = nodes;
  request.work_limit = work;
  return request;
}

/// The least worst and total cost of all assignments to `nodes` nodes, by trying them all.
ColocationCost least_of_all(const Instance& instance, std::uint32_t nodes) {
  const ColocationProblem problem = colocation_problem(instance, nodes);
  Colocation colocation(problem.replicas(), 0);
  ColocationCost least = cost_of(problem, colocation);
  for (std::size_t at = 0; at < colocation.size();) {
    if (++colocation[at] == nodes) {
      colocation[at++] = 0;
      continue;
    }
    at = 0;
    const ColocationCost cost = cost_of(problem, colocation);
    least.worst = std::min(least.worst, cost.worst);
    least.total = std::min(least.total, cost.total);
  }
  return least;
}

TEST(LeastSufferingTest, FindsTheBestOfSmallInstances) {
  test::Random random(4);
  for (int round = 0; round < 25; ++round) {
    InstanceBuilder builder({"load", "memory"});
    add_suffering(builder, random, 4 + random.below(4), 1 + random.below(3));
    builder.add_class({1000, 1000});
    const Instance instance = builder.must_build();
    const std::uint32_t nodes = 2 + random.below(2);
    const ColocationCost least = least_of_all(instance, nodes);
    const Plan worst = plan_by(instance, worst_request(nodes, 300'000));
    EXPECT_EQ(worst.status, PlanStatus::kOptimal);
    EXPECT_NEAR(worst.max_cost, least.worst, least.worst * 1e-9);
    const Plan total = plan_by(instance, worst_request(nodes, 300'000, Objective::kTotal));
    EXPECT_NEAR(total.total_cost, least.total, least.total * 1e-9);
  }
}

// run_planner() refuses plans that the checker finds wrong, and those with more moves than allowed.
TEST(LeastSufferingTest, HeedsHardConstraintsAndTheMoveBudget) {
  test::Random random(5);
  for (int round = 0; round < 20; ++round) {
    InstanceBuilder builder({"load", "memory"});
    constexpr std::uint32_t kApps = 40;
    constexpr std::uint32_t kNodes = 5;
    add_suffering(builder, random, kApps, 3);
    builder.add_class({1000, 10}, kNodes);
    for (std::uint32_t n = 0; n < kNodes; ++n) builder.add_node(0);
    for (AppId i = 0; i < kApps; ++i) {
      if (i % 7 == 0) builder.limit(i, (i + 3) % kApps, 0);
      const NodeId home = i % kNodes;
      if (i % 5 == 1) {
        builder.pin(i, home, 1);
      } else if (i % 3 == 0) {
        builder.running(i, home, 1);
      }
    }
    const Instance instance = builder.must_build();
    double before = std::numeric_limits<double>::infinity();
    for (const std::uint32_t budget : {0u, 3u, 1000u}) {
      Request request = worst_request(kNodes, 400'000);
      request.move_budget = budget;
      const Plan plan = plan_by(instance, request);
      EXPECT_TRUE(plan.unplaced.empty());
      EXPECT_LE(plan.moves, budget);
      EXPECT_LE(plan.bounds[Objective::kWorst]->value, plan.max_cost * (1 + kCheckerTolerance));
      // More moves never hurt but for luck.
      EXPECT_LE(plan.max_cost, before * 1.1);
      before = plan.max_cost;
    }
  }
}

TEST(LeastSufferingTest, FullNodesTakeWhatFits) {
  test::Random random(6);
  InstanceBuilder builder({"load", "memory"});
  add_suffering(builder, random, 60, 3);
  builder.add_class({1000, 6}, 10);  // exactly as much memory as the replicas need
  const Plan plan = plan_by(builder.must_build(), worst_request(0, 500'000));
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_LE(plan.max_cost, 1.5 * plan.bounds[Objective::kWorst]->value);
}

// An exchange may make room for what found no place before.
TEST(LeastSufferingTest, NothingThatFitsIsLeftOver) {
  test::Random random(9);
  std::uint32_t partial = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(round);
    InstanceBuilder builder({"load", "memory"});
    constexpr std::uint32_t kApps = 14;
    add_suffering(builder, random, kApps, 3);
    for (AppId i = 0; i < kApps; ++i) builder.data().replicas[i] = 1 + random.below(3);
    for (AppId k = 0; k < kApps * kApps; ++k) {
      if (random.chance(0.3)) builder.limit(k / kApps, k % kApps, k / kApps == k % kApps ? 1 : random.below(2));
    }
    builder.add_class({60, 6}, 5);
    Request request = worst_request(5, 30'000, round % 2 == 0 ? Objective::kWorst : Objective::kTotal);
    const Instance instance = builder.must_build();
    const Plan plan = plan_by(instance, request);
    partial += plan.unplaced.empty() ? 0 : 1;
    for (const Unplaced& left : plan.unplaced) {
      for (NodeId n = 0; n < plan.nodes.size(); ++n) {
        Plan more = plan;
        test::add_replica(more, left.app, n);
        EXPECT_FALSE(test::keeps_constraints(instance, more)) << "app " << left.app << " fits on node " << n;
      }
    }
  }
  EXPECT_GT(partial, 30u);
}

// What an exchange makes room for is placed at once, and the next exchanges heed it: here, all of them have a place in the end.
TEST(LeastSufferingTest, ExchangesGoOnFromWhatTheyMadeRoomFor) {
  for (const std::uint64_t seed : {943u, 2007u}) {
    test::Random random(seed);
    InstanceBuilder builder({"load", "memory"});
    constexpr std::uint32_t kApps = 8;
    add_suffering(builder, random, kApps, 3);
    for (AppId k = 0; k < kApps * kApps; ++k) {
      if (random.chance(0.15)) builder.limit(k / kApps, k % kApps, k / kApps == k % kApps ? 1 : random.below(2));
    }
    builder.add_class({50, 5}, 2);
    EXPECT_TRUE(plan_by(builder.must_build(), worst_request(2, 30'000)).unplaced.empty()) << seed;
  }
}

TEST(LeastSufferingTest, NeedsATableAndANumberOfNodes) {
  InstanceBuilder plain;
  plain.add_app("a", 1, {1});
  plain.add_class({10}, 3);
  EXPECT_EQ(run_planner(plain.must_build(), worst_request(2, 1000), nullptr).error().path, "objective");
  test::Random random(7);
  InstanceBuilder endless({"load", "memory"});
  add_suffering(endless, random, 3, 2);
  endless.add_class({100, 10});
  EXPECT_EQ(run_planner(endless.must_build(), worst_request(0, 1000), nullptr).error().path, "node_limit");
}

TEST(LeastSufferingTest, ALimitOnCostsTakesMoreNodes) {
  test::Random random(8);
  InstanceBuilder builder({"load", "memory"});
  add_suffering(builder, random, 60, 3);
  builder.add_class({1000, 1000});
  const Instance instance = builder.must_build();
  std::size_t before = 0;
  for (const double limit : {400.0, 100.0, 40.0, 25.0}) {
    Request request = request_for("auto");
    request.work_limit = 1'000'000;
    request.max_cost = limit;
    const Plan plan = plan_by(instance, request);
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_LE(plan.max_cost, limit * (1 + kCheckerTolerance));
    EXPECT_GE(plan.nodes.size(), before);
    EXPECT_EQ(plan.bounds[Objective::kNodes]->name, "side-effects");
    EXPECT_LE(static_cast<double>(plan.nodes.size()), std::ceil(1.2 * plan.bounds[Objective::kNodes]->value) + 1);
    before = plan.nodes.size();
  }
}

}  // namespace
}  // namespace stowage
