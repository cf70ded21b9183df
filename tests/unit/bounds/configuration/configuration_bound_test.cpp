#include "core/bounds/configuration/configuration_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "tests/effort.h"
#include "tests/unit/support/brute_force.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tiny_instances.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

ConfigurationBound bound_of(const Instance& instance, std::uint64_t work = 0) {
  Request request;
  request.work_limit = work;
  WorkClock clock(request, nullptr);
  const NodeCost cost = instance.has_prices() ? NodeCost::kPrice : NodeCost::kOne;
  return configuration_bound(instance, Supply(instance), EligibleGroups(instance), cost, clock);
}

// Two replicas of 3 fit on a node of 8, whose capacity would hold 8 / 3.
TEST(ConfigurationBound, WholeReplicas) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {3});
  builder.add_class({8});
  const ConfigurationBound bound = bound_of(builder.must_build());
  EXPECT_EQ(bound.bound, 15);
  EXPECT_NEAR(bound.at_most, 15, 1e-3);
  ASSERT_EQ(bound.patterns.size(), 1u);
  EXPECT_NEAR(bound.patterns[0].nodes, 15, 1e-6);
  EXPECT_EQ(bound.patterns[0].groups, std::vector<std::uint32_t>{0});
  ASSERT_EQ(bound.patterns[0].held.size(), 1u);
  EXPECT_EQ(bound.patterns[0].held[0].second, 2u);
  EXPECT_NEAR(bound.worth[0], 0.5, 1e-6);
}

TEST(ConfigurationBound, SaysNothingWhereThereIsNoCompletePlan) {
  for (const std::uint32_t count : {1u, 2u}) {
    InstanceBuilder builder;
    builder.add_app("a", 4, {3});
    builder.add_class({8}, count);
    const Instance instance = builder.must_build();
    ComputedBounds bounds = compute_bounds(instance);
    const std::size_t others = bounds.of[Objective::kNodes].size();
    WorkClock clock(Request{}, nullptr);
    add_configuration_bound(instance, clock, bounds);
    EXPECT_EQ(bounds.infeasible, count == 1);
    EXPECT_EQ(bounds.of[Objective::kNodes].size(), others + (count == 1 ? 0 : 1));
  }
}

// Fractions are rounded down; equal classes take turns, within their counts. Apps of equal demand share a pattern.
TEST(ConfigurationBound, WholeNodesOfPatterns) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {3});
  const AppId b = builder.add_app("b", 7, {3});
  builder.limit(b, b, 1);
  builder.add_class({8}, 2);
  builder.add_class({8}, 2);
  builder.add_class({8}, 9);
  const Instance instance = builder.must_build();
  const ConfigurationBound bound = bound_of(instance);
  EXPECT_EQ(bound.bound, 7);  // each b on a node of its own
  const Supply supply(instance);
  std::vector<FilledNode> nodes;
  whole_nodes(instance.data().replicas, supply, bound, [&](const FilledNode& node) {
    nodes.push_back(node);
    return true;
  });
  std::vector<std::uint32_t> placed(2, 0);
  std::vector<std::uint32_t> used(3, 0);
  for (const FilledNode& node : nodes) {
    ++used[node.group.node_class];
    double room = 8;
    for (const auto& [item, replicas] : node.held) {
      ASSERT_EQ(bound.items[item].size(), 1u);
      const AppId app = bound.items[item][0];
      placed[app] += replicas;
      room -= 3 * replicas;
      if (app == b) {
        EXPECT_EQ(replicas, 1u);
      }
    }
    EXPECT_GE(room, 0);
  }
  EXPECT_LE(nodes.size(), 7u);
  EXPECT_GE(nodes.size(), 5u);
  EXPECT_LE(placed[0], 4u);
  EXPECT_LE(placed[1], 7u);
  EXPECT_LE(used[0], 2u);
  EXPECT_LE(used[1], 2u);
  std::size_t seen = 0;
  whole_nodes(instance.data().replicas, supply, bound, [&](const FilledNode&) { return ++seen < 3; });
  EXPECT_EQ(seen, 3u);
}

// The dear class holds three replicas at 4, the cheap one holds one at 1.5: 4 / 3 per replica.
TEST(ConfigurationBound, PricesOfWholeReplicas) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {3});
  builder.add_class({11}, 0, 4);
  builder.add_class({5}, 0, 1.5);
  EXPECT_NEAR(bound_of(builder.must_build()).bound, 40, 1e-6);
  // Six nodes of the dear class hold 18; the others are at 1.5 each.
  builder.data().classes[0].count = 6;
  EXPECT_NEAR(bound_of(builder.must_build()).bound, 6 * 4 + 12 * 1.5, 1e-6);
}

// At most one replica per node, whatever fits.
TEST(ConfigurationBound, SelfLimits) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 10, {1});
  builder.add_app("b", 6, {2});
  builder.add_class({8}, 0, 5);
  builder.limit(a, a, 1);
  EXPECT_NEAR(bound_of(builder.must_build()).bound, 50, 1e-6);
}

// No pair fits: two that need cores, or one of each, exceed the cores, and two that need memory exceed the memory.
TEST(ConfigurationBound, TwoResources) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("cores", 10, {5, 1});
  builder.add_app("memory", 10, {4, 5});
  builder.add_class({8, 8});
  EXPECT_EQ(bound_of(builder.must_build()).bound, 20);
}

TEST(ConfigurationBound, MandatoryNodesCarryForNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 7, {3});
  const ClassId c = builder.add_class({8}, 0, 5);
  builder.add_node(c, {1});
  EXPECT_NEAR(bound_of(builder.must_build()).bound, 5 + 15, 1e-6);  // 2 beside the load, 5 on 2.5 nodes: paid whole
}

// Mean 2, deviation 1, factor 2: 3 replicas need 6 + 2 sqrt(3) = 9.46 of 10, and nothing smaller is left.
TEST(ConfigurationBound, UncertainDemand) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {2});
  builder.add_class({10}, 0, 3);
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 2};
  const double bound = bound_of(builder.must_build()).bound;
  EXPECT_GE(bound, 27);  // by capacity: s^2 * 2 + 2 s = 10 gives 3.24 replicas on a node
  EXPECT_LE(bound, 30);
}

// Many apps that differ: rows stand for many of them. The bound is at least that of the capacity, and proven: every pattern of
// a plan that fills nodes one by one is worth no more than its price.
TEST(ConfigurationBound, ManyDifferentApps) {
  test::Random random(5);
  InstanceBuilder builder({"cpu", "memory"});
  for (int i = 0; i < 200; ++i) {
    builder.add_app("app-" + std::to_string(i), random.between(1, 5),
                    {random.between(50, 400) / 100.0, random.between(100, 900) / 100.0});
  }
  builder.add_class({8, 16}, 0, 2);
  builder.add_class({16, 64}, 0, 5);
  const Instance instance = builder.must_build();
  const ConfigurationBound bound = bound_of(instance);
  const double capacity = capacity_prices(instance, Supply(instance), EligibleGroups(instance), NodeCost::kPrice).bound;
  EXPECT_GE(bound.bound, capacity * (1 - 1e-9));
  EXPECT_LE(bound.bound, std::ceil(bound.at_most));
  EXPECT_LE(bound.at_most, capacity * 1.05);
  for (ClassId c = 0; c < 2; ++c) {
    for (int n = 0; n < 200; ++n) {
      double cpu = c == 0 ? 8 : 16;
      double memory = c == 0 ? 16 : 64;
      double worth = 0;
      std::map<AppId, std::uint32_t> held;
      for (int k = 0; k < 400; ++k) {
        const AppId i = random.below(200);
        if (held[i] == instance.replicas(i) || instance.demand(i, 0, 0) > cpu || instance.demand(i, 1, 0) > memory) continue;
        ++held[i];
        cpu -= instance.demand(i, 0, 0);
        memory -= instance.demand(i, 1, 0);
        worth += bound.worth[i];
      }
      ASSERT_LE(worth, (c == 0 ? 2 : 5) * (1 + 1e-8));
    }
  }
}

TEST(ConfigurationBound, StopsEarlyWithAValidBound) {
  test::Random random(7);
  InstanceBuilder builder({"cpu", "memory"});
  for (int i = 0; i < 30; ++i) {
    builder.add_app("app-" + std::to_string(i), random.between(1, 5), {random.between(1, 9) * 0.5, random.between(1, 9) * 1.0});
  }
  builder.add_class({8, 16}, 0, 2);
  builder.add_class({16, 24}, 3, 3);
  const Instance instance = builder.must_build();
  const double solved = bound_of(instance).at_most;
  double last = 0;
  for (const std::uint64_t work : {1, 10, 100, 1000, 10'000, 1'000'000}) {
    const ConfigurationBound bound = bound_of(instance, work);
    EXPECT_GE(bound.bound, last);
    EXPECT_LE(bound.bound, std::ceil(solved));
    last = bound.bound;
  }
  EXPECT_GE(last, std::floor(solved));
}

TEST(ConfigurationBound, HostileNumbers) {
  InstanceBuilder builder({"cpu", "none", "huge"});
  builder.add_app("a", 99'999'000, {0, 0, 1e90});
  builder.add_app("b", 0, {1, 1, 1});
  builder.add_app("c", 3, {1e-9, 0, 0});
  builder.add_app("d", 5, {0, 0, 0});
  builder.add_app("e", 5, {9, 0, 0});
  builder.add_class({8, 0, 3e91}, 0, 1e100);
  builder.add_class({8, 0, 1e90}, 0, 1e-100);
  builder.add_class({0, 8, 0}, 0, 0);
  builder.add_class({8, 0, 1e90}, 10, 0);
  const ConfigurationBound bound = bound_of(builder.must_build());
  EXPECT_GE(bound.bound, 0);
  EXPECT_LE(bound.bound, 1e-91);
}

// Against all plans of tiny instances.
class ConfigurationAgainstBruteForce : public testing::Test {
 protected:
  void look_at(const Instance& instance, bool may_move, std::uint64_t seed) {
    const std::optional<test::Best> best = test::BruteForce(instance, may_move).run();
    if (!best) return;
    ++feasible_;
    const double value = instance.has_prices() ? best->cost : best->nodes;
    const double bound = bound_of(instance).bound;
    EXPECT_LE(bound, value) << "seed " << seed;
    EXPECT_LE(bound_of(instance, 20).bound, value) << "seed " << seed;
    tight_ += bound >= value * (1 - 1e-9) ? 1 : 0;
  }
  std::uint64_t feasible_ = 0;
  std::uint64_t tight_ = 0;
};

TEST_F(ConfigurationAgainstBruteForce, TinyInstances) {
  for (std::uint64_t seed = 0; seed < test::cases(600); ++seed) {
    test::Random random(seed);
    look_at(test::tiny_instance(random, {.running = false}).must_build(), true, seed);
  }
  for (std::uint64_t seed = 10'000; seed < 10'000 + test::cases(600); ++seed) {
    test::Random random(seed);
    look_at(test::tiny_instance(random).must_build(), false, seed);
  }
  for (std::uint64_t seed = 30'000; seed < 30'000 + test::cases(400); ++seed) {
    test::Random random(seed);
    look_at(test::tiny_instance(random, {.running = false, .thirds = true}).must_build(), true, seed);
  }
  EXPECT_GT(feasible_, test::cases(600));
  EXPECT_GT(tight_, feasible_ / 2);
}

// Uncertain demand, prices, counts, limits.
TEST_F(ConfigurationAgainstBruteForce, UncertainDemand) {
  for (std::uint64_t seed = 50'000; seed < 50'000 + test::cases(600); ++seed) {
    test::Random random(seed);
    InstanceBuilder builder = test::tiny_instance(random, {.running = random.chance(0.5)});
    std::vector<double> variance;
    const auto cells = builder.data().replicas.size() * builder.data().resources.size();
    for (std::size_t k = 0; k < cells; ++k) variance.push_back(random.chance(0.3) ? 0 : random.between(1, 20) / 100.0);
    builder.data().variance = variance;
    builder.data().uncertainty = {ChanceModel::kFactor, 0.9, random.between(1, 6) / 2.0};
    builder.data().has_uncertainty = true;
    look_at(builder.must_build(), false, seed);
  }
  EXPECT_GT(feasible_, test::cases(100));
}

}  // namespace
}  // namespace stowage
