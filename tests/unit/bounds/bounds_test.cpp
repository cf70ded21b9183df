#include "core/bounds/bounds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "core/base/watch.h"
#include "tests/effort.h"
#include "tests/unit/support/brute_force.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tiny_instances.h"

namespace stowage {
namespace {

using test::Best;
using test::BruteForce;
using test::InstanceBuilder;
using test::PlanBuilder;
using test::Seat;

TEST(Bounds, TableNamesEveryBoundOnce) {
  std::set<std::string_view> names;
  for (const BoundInfo& info : bound_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.source.empty());
    EXPECT_EQ((info.function != nullptr) + (info.of_nodes != nullptr) + (info.of_limit != nullptr), 1) << info.name;
  }
  EXPECT_EQ(names.size(), 18u);
}

TEST(Bounds, BestFirst) {
  InstanceBuilder builder;
  builder.add_app("large", 3, {5});
  builder.add_app("dust", 1, {1});
  const AppId spread = builder.add_app("spread", 4, {0});
  builder.add_class({8});
  builder.limit(spread, spread, 1);
  const ComputedBounds bounds = compute_bounds(builder.must_build());
  const std::vector<std::pair<std::string_view, double>> expected = {{"replicas", 4},   {"dual-feasible", 3}, {"matching", 3},
                                                                     {"clique", 3},     {"capacity", 2},  // 16 / 8
                                                                     {"lagrangian", 2}, {"solitary", 0}};
  ASSERT_EQ(bounds.of[Objective::kNodes].size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(bounds.of[Objective::kNodes][k].info->name, expected[k].first);
    EXPECT_EQ(bounds.of[Objective::kNodes][k].value.value, expected[k].second);
  }
  EXPECT_TRUE(bounds.of[Objective::kCost].empty());
  EXPECT_FALSE(bounds.infeasible);
}

TEST(Bounds, CostOnlyWithPrices) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {4});
  builder.add_class({8}, 0, 6);
  const ComputedBounds bounds = compute_bounds(builder.must_build());
  ASSERT_EQ(bounds.of[Objective::kCost].size(), 3u);
  // Half a node, which a plan has to pay whole.
  for (const ComputedBound& bound : bounds.of[Objective::kCost]) EXPECT_NEAR(bound.value.value, 6, 1e-8) << bound.info->name;
}

TEST(Bounds, OneProofOfInfeasibilityIsEnough) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {9});
  builder.add_class({8});  // by capacity, the demand needs two nodes; the replica bound shows that a replica fits on none
  EXPECT_TRUE(compute_bounds(builder.must_build()).infeasible);
}

// Bounds of random tiny instances, against all possible plans.
class BoundsAgainstBruteForce : public testing::Test {
 protected:
  void look_at(const Instance& instance, bool may_move, std::uint64_t seed) {
    const std::optional<Best> best = BruteForce(instance, may_move).run();
    const ComputedBounds bounds = compute_bounds(instance);
    if (!best) {
      ++infeasible_;
      proven_ += bounds.infeasible ? 1 : 0;
      return;
    }
    ++feasible_;
    EXPECT_FALSE(bounds.infeasible) << "seed " << seed;
    for (const ComputedBound& bound : bounds.of[Objective::kNodes])
      EXPECT_LE(bound.value.value, best->nodes) << bound.info->name << ", seed " << seed;
    for (const ComputedBound& bound : bounds.of[Objective::kCost])
      EXPECT_LE(bound.value.value, best->cost) << bound.info->name << ", seed " << seed;
    tight_ += bounds.fewest_nodes() == best->nodes ? 1 : 0;
  }

  std::uint64_t feasible_ = 0;
  std::uint64_t infeasible_ = 0;
  std::uint64_t proven_ = 0;
  std::uint64_t tight_ = 0;
};

TEST_F(BoundsAgainstBruteForce, NothingRuns) {
  for (std::uint64_t seed = 0; seed < test::cases(1500); ++seed) {
    test::Random random(seed);
    look_at(test::tiny_instance(random, {.running = false}).must_build(), true, seed);
  }
  // Both outcomes have to be frequent and bounds often reached, or the comparison would mean little.
  EXPECT_GT(feasible_, test::cases(600));
  EXPECT_GT(infeasible_, test::cases(100));
  EXPECT_GT(proven_, infeasible_ / 4);
  EXPECT_GT(tight_, feasible_ / 2);
}

TEST_F(BoundsAgainstBruteForce, AmountsThatNoScaleHolds) {
  for (std::uint64_t seed = 30'000; seed < 30'000 + test::cases(1500); ++seed) {
    test::Random random(seed);
    look_at(test::tiny_instance(random, {.running = false, .thirds = true}).must_build(), true, seed);
  }
  EXPECT_GT(feasible_, test::cases(600));
  EXPECT_GT(tight_, feasible_ / 2);
}

TEST_F(BoundsAgainstBruteForce, RunningReplicasStay) {
  for (std::uint64_t seed = 10'000; seed < 10'000 + test::cases(1500); ++seed) {
    test::Random random(seed);
    look_at(test::tiny_instance(random).must_build(), false, seed);
  }
  EXPECT_GT(feasible_, test::cases(600));
  EXPECT_GT(tight_, feasible_ / 2);
}

TEST_F(BoundsAgainstBruteForce, RunningReplicasMove) {
  for (std::uint64_t seed = 20'000; seed < 20'000 + test::cases(1500); ++seed) {
    test::Random random(seed);
    const Instance instance = test::tiny_instance(random, {.overload = false}).must_build();
    // Only starts that break nothing: on a node that is overloaded at the start, the checker accepts other replicas in place of
    // removed ones.
    PlanBuilder start(instance);
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      std::vector<Seat> seats;
      for (const Residence& r : instance.data().running) {
        if (r.node == n) seats.push_back({r.app, r.replicas});
      }
      start.listed(n, seats);
    }
    if (check_plan(instance, start.build()).inherited_count > 0) continue;
    look_at(instance, true, seed);
  }
  EXPECT_GT(feasible_, test::cases(500));
  EXPECT_GT(tight_, feasible_ / 2);
}

TEST(Bounds, WhatIsNotKnownInTimeIsNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 3, {5});
  const ClassId c = builder.add_class({8}, 2, 6);
  builder.add_node(c);
  const Instance instance = builder.must_build();
  ASSERT_TRUE(compute_bounds(instance).infeasible);
  const std::atomic<bool> cancelled{true};
  Watch watch(&cancelled, std::nullopt);
  ASSERT_TRUE(watch.look());
  const ComputedBounds bounds = compute_bounds(instance, 0, watch);
  EXPECT_FALSE(bounds.infeasible);
  for (const Objective objective : {Objective::kNodes, Objective::kCost}) {
    ASSERT_FALSE(bounds.of[objective].empty());
    for (const ComputedBound& bound : bounds.of[objective]) EXPECT_EQ(bound.value.value, 0) << bound.info->name;
  }
  LazyBounds lazy(instance, Request{});
  lazy.end_by(watch);
  EXPECT_TRUE(lazy.left_over().fewest.empty());
  EXPECT_TRUE(lazy.left_over().price.empty());
}

// Otherwise what a run states would depend on when its deadline passed.
TEST(Bounds, ADeadlineDoesNotCutWhatTakesMilliseconds) {
  test::Random random(5);
  InstanceBuilder builder({"cpu", "memory", "disk", "network"}, 24);
  for (int k = 0; k < 60; ++k) {
    std::vector<double> demand(std::size_t{4} * 24);
    for (double& d : demand) d = random.between(1, 20);
    builder.add_app("a" + std::to_string(k), random.between(1, 6), demand);
  }
  builder.add_class({64, 64, 64, 64}, 0, 3);
  builder.add_class({100, 60, 40, 80}, 0, 4);
  const Instance instance = builder.must_build();
  const ComputedBounds all = compute_bounds(instance);
  const Request request;
  LazyBounds late(instance, request);
  late.end_by(Watch(nullptr, Watch::Time::now()));
  for (const Objective objective : {Objective::kNodes, Objective::kCost}) {
    ASSERT_GT(all.of[objective].front().value.value, 0);
    EXPECT_EQ(late.get().of[objective].front().value.value, all.of[objective].front().value.value);
  }
}

}  // namespace
}  // namespace stowage
