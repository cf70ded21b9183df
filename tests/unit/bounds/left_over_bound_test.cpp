#include "core/bounds/left_over_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "core/bounds/bounds.h"
#include "tests/unit/support/brute_force.h"
#include "tests/unit/support/tiny_instances.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using Counts = std::map<std::int32_t, double, std::greater<>>;

LeftOverBound left_over_of(const Instance& instance, std::uint32_t node_limit) {
  Request request;
  request.node_limit = node_limit;
  return left_over_bound(instance, Supply(instance), request);
}
Counts fewest(const InstanceBuilder& builder, std::uint32_t node_limit) {
  return left_over_of(builder.must_build(), node_limit).fewest.by_priority();
}

TEST(LeftOverBoundTest, TakesTheSmallestFirst) {
  InstanceBuilder builder;
  builder.add_app("small", 5, {2});
  builder.add_app("large", 5, {5});
  builder.add_class({10});
  // 20 cores: five small ones and two large ones.
  EXPECT_EQ(fewest(builder, 2), (Counts{{0, 3}}));
  EXPECT_EQ(fewest(builder, 4), Counts{}) << "40 cores for 35";
  EXPECT_EQ(fewest(builder, 0), Counts{}) << "as many nodes as needed";
  EXPECT_TRUE(left_over_of(builder.must_build(), 0).price.empty());
  EXPECT_EQ(left_over_of(builder.must_build(), 2).price.size(), 1u);
}

TEST(LeftOverBoundTest, HigherPrioritiesFirst) {
  InstanceBuilder builder;
  builder.add_app("small", 5, {2});
  const AppId large = builder.add_app("large", 5, {5});
  builder.add_class({10});
  builder.priority(large, 1);
  EXPECT_EQ(fewest(builder, 2), (Counts{{1, 1}, {0, 5}})) << "20 cores for four large ones";
  EXPECT_EQ(fewest(builder, 3), (Counts{{0, 3}})) << "5 of 30 cores for two small ones";
}

// At most three of each fit on a node of 12 and 12. By either resource alone, five may be placed: 3 x 1 + 2 x 4. Both together
// let 24 / 5 = 4.8 be placed.
TEST(LeftOverBoundTest, ResourcesTogether) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("thinks", 4, {4, 1});
  builder.add_app("keeps", 4, {1, 4});
  builder.add_class({12, 12});
  EXPECT_EQ(fewest(builder, 1), (Counts{{0, 4}}));
}

TEST(LeftOverBoundTest, RunningReplicasStay) {
  InstanceBuilder builder;
  const AppId large = builder.add_app("large", 1, {8});
  builder.add_app("small", 4, {5});
  const ClassId c = builder.add_class({10}, 2);
  builder.add_node(c);
  builder.running(large, 0, 1);
  const Instance instance = builder.must_build();
  Request request;
  EXPECT_EQ(left_over_bound(instance, Supply(instance), request).fewest.by_priority(), (Counts{{0, 2}}));
  request.move_budget = 1;
  EXPECT_EQ(left_over_bound(instance, Supply(instance), request).fewest.by_priority(), (Counts{{0, 1}}));
  builder.close(0);
  const Instance closed = builder.must_build();
  EXPECT_EQ(left_over_bound(closed, Supply(closed), {}).fewest.by_priority(), (Counts{{0, 2}})) << "8 + 10 cores";
}

TEST(LeftOverBoundTest, WhatFitsOnNoNode) {
  InstanceBuilder builder;
  const AppId whale = builder.add_app("whale", 2, {11});
  const AppId alone = builder.add_app("alone", 3, {1});
  builder.limit(alone, alone, 1);
  builder.add_class({10});
  builder.priority(whale, -5);
  EXPECT_EQ(fewest(builder, 0), (Counts{{-5, 2}}));
  EXPECT_EQ(fewest(builder, 2), (Counts{{0, 1}, {-5, 2}})) << "one per node";
}

TEST(LeftOverBoundTest, DearNodesAreTaken) {
  InstanceBuilder builder;
  builder.add_app("a", 10, {5});
  builder.add_class({10}, 3);
  builder.add_class({20}, 1);
  EXPECT_EQ(fewest(builder, 2), (Counts{{0, 4}})) << "30 cores";
  EXPECT_EQ(fewest(builder, 0), Counts{}) << "50 cores";
}

TEST(LeftOverBoundTest, NoPlanLeavesLessOver) {
  int partial = 0;
  int tight = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    test::Random random(seed);
    InstanceBuilder builder = test::tiny_instance(random, {.thirds = seed % 4 == 0});
    for (AppId app = 0; app < builder.data().replicas.size(); ++app) {
      if (random.chance(0.4)) builder.priority(app, static_cast<std::int32_t>(random.below(3)));
    }
    const Instance instance = builder.must_build();
    Request request;
    request.node_limit = random.between(1, 3);
    request.move_budget = random.chance(0.5) ? 100 : 0;
    const LeftOver bound = left_over_bound(instance, Supply(instance), request).fewest;
    std::vector<std::uint8_t> in_use(instance.listed_nodes(), 0);
    for (const Residence& r : instance.data().running) in_use[r.node] = 1;
    for (const Residence& r : instance.data().pinned) in_use[r.node] = 1;
    for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
      for (const std::int32_t units : instance.scaled_load(n)) in_use[n] |= units > 0 ? 1 : 0;
    }
    const auto at_start = static_cast<std::size_t>(std::count(in_use.begin(), in_use.end(), 1));
    test::BruteForce search(instance, request.move_budget > 0);
    const std::optional<LeftOver> least = search.least_left_over(std::max<std::size_t>(request.node_limit, at_start));
    if (!least) continue;
    EXPECT_FALSE(*least < bound) << "seed " << seed;
    partial += least->empty() ? 0 : 1;
    tight += !least->empty() && *least == bound ? 1 : 0;
  }
  EXPECT_GE(partial, 100);
  EXPECT_GE(tight, 40);
}

}  // namespace
}  // namespace stowage
