// Searches in turns: what does not matter to the user does not decide which of them plans, and pauses change nothing.

#include "core/planners/auto/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

constexpr std::uint64_t kWork = 1'000'000;

// Two thirds of a small node each, and three on a large one.
InstanceBuilder thirds() {
  InstanceBuilder builder;
  builder.add_app("web", 60, {2.5});
  builder.add_app("api", 40, {2.4});
  return builder;
}

InstanceBuilder services(std::uint64_t seed) {
  InstanceBuilder builder({"cpu", "memory"});
  test::Random random(seed);
  for (AppId app = 0; app < 60; ++app) {
    const double cpu = 0.5 * random.between(1, 6);
    const double memory = random.between(1, 12);
    builder.add_app("a" + std::to_string(app), random.between(1, 6), {cpu, memory});
  }
  return builder;
}

// Sizes as clouds sell them: twice the node for twice the price.
TEST(TurnsTest, SizesInProportionAreChosenByWhatTheyHold) {
  InstanceBuilder builder = thirds();
  builder.add_class({4}, 0, 1);
  builder.add_class({8}, 0, 2);
  const Plan plan = test::plan_within(builder.must_build(), "auto", kWork);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  // 33 large nodes and one for the replica that is left.
  EXPECT_DOUBLE_EQ(plan.cost, 67);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    InstanceBuilder more = services(seed);
    more.add_class({4, 16}, 0, 0.192);
    more.add_class({8, 32}, 0, 0.384);
    more.add_class({16, 64}, 0, 0.768);
    EXPECT_LE(test::plan_within(more.must_build(), "auto", kWork).gap, 0.02) << seed;
  }
}

// A price that differs by a little is no other problem.
TEST(TurnsTest, ALittleInAPriceChangesLittle) {
  const auto cost = [](double large) {
    InstanceBuilder builder = services(4);
    builder.add_class({4, 16}, 0, 1);
    builder.add_class({16, 64}, 0, large);
    return test::plan_within(builder.must_build(), "auto", kWork).cost;
  };
  const double in_proportion = cost(4);
  EXPECT_LE(cost(3.98), in_proportion * 1.01);
  EXPECT_LE(in_proportion, cost(4.02) * 1.01);
}

// The same nodes, by number or one by one.
TEST(TurnsTest, ListedNodesArePlannedLikeCountedOnes) {
  const auto cost = [](bool listed) {
    InstanceBuilder builder = services(5);
    builder.add_class({4, 16}, 80, 1);
    builder.add_class({8, 32}, 40, 1.9);
    for (int node = 0; listed && node < 120; ++node) builder.add_node(node < 80 ? 0 : 1);
    return test::plan_within(builder.must_build(), "auto", kWork).cost;
  };
  EXPECT_LE(cost(true), cost(false) * 1.01);
  EXPECT_LE(cost(false), cost(true) * 1.01);
}

// Hosts of many sorts, each with a label that no rule speaks of.
TEST(TurnsTest, ListedHostsOfManySortsArePlannedLikeCountedOnes) {
  const auto plan = [](bool listed) {
    InstanceBuilder builder = services(8);
    NodeId hosts = 0;
    for (int sort = 0; sort < 100; ++sort) {
      const ClassId c = builder.add_class({8 + 0.2 * (sort % 17), 24.0 + sort}, 2);
      for (int k = 0; listed && k < 2; ++k, ++hosts) builder.add_node(c);
    }
    for (NodeId host = 0; host < hosts; ++host) {
      builder.data().tags.push_back("rack=" + std::to_string(host));
      if (host == 0) builder.data().node_tags.begin.push_back(0);
      builder.data().node_tags.begin.push_back(host + 1);
      builder.data().node_tags.index.push_back(host);
    }
    return test::plan_within(builder.must_build(), "auto", kWork);
  };
  const Plan counted = plan(false);
  const Plan listed = plan(true);
  EXPECT_EQ(counted.placed.empty(), false);
  EXPECT_LE(listed.gap, 0.02);
  EXPECT_LE(counted.gap, 0.02);
  EXPECT_LE(std::max(listed.nodes.size(), counted.nodes.size()), std::min(listed.nodes.size(), counted.nodes.size()) + 1);
}

// A second size that nobody needs takes a turn of the exchanges away, and no more.
TEST(TurnsTest, ASizeThatIsTooDearDoesNotMatter) {
  const auto nodes = [](bool more) {
    InstanceBuilder builder = services(6);
    builder.add_class({16, 64}, 0, 1);
    if (more) builder.add_class({16, 64}, 0, 5);
    return test::plan_within(builder.must_build(), "auto", kWork).cost;
  };
  EXPECT_LE(nodes(true), nodes(false) * 1.01);
}

// What stays does not lengthen turns: 6,000 replicas run on 500 nodes, and a few are new.
TEST(TurnsTest, AnIntervalOfASessionEndsSoon) {
  test::Random random(8);
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_class({32, 128}, 0, 1);
  for (NodeId node = 0; node < 500; ++node) builder.add_node(0);
  for (AppId app = 0; app < 200; ++app) {
    builder.add_app("app-" + std::to_string(app), 30, {0.25 * random.between(1, 8), 1.0 * random.between(1, 8)});
    for (std::uint32_t k = 0; k < 30; ++k) builder.running(app, (app * 7 + k * 17) % 500, 1);
  }
  builder.add_app("new", 5, {1, 4});
  const Plan plan = test::plan_within(builder.must_build(), "auto", kWork);
  EXPECT_EQ(plan.status, PlanStatus::kOptimal);
  EXPECT_LT(plan.work, 20'000u);
}

TEST(TurnsTest, AWorkLimitWithinAnyTurnRepeatsItself) {
  InstanceBuilder builder = services(7);
  builder.add_class({4, 16}, 0, 1);
  builder.add_class({8, 32}, 0, 1.9);
  const Instance instance = builder.must_build();
  for (const std::uint64_t work : {1u, 500u, 5'000u, 20'000u, 90'000u, 400'000u}) {
    const Plan once = test::plan_within(instance, "auto", work);
    const Plan again = test::plan_within(instance, "auto", once.work);
    EXPECT_EQ(once.work, again.work) << work;
    EXPECT_EQ(once.cost, again.cost) << work;
    EXPECT_EQ(once.placed.size(), again.placed.size()) << work;
  }
}

}  // namespace
}  // namespace stowage
