#include "core/bounds/prices/capacity_prices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

CapacityPrices prices_of(const Instance& instance, NodeCost cost) {
  return capacity_prices(instance, Supply(instance), EligibleGroups(instance), cost);
}

// Nodes (10, 2) and (2, 10), both at 3: a core and a GiB are worth 1/4 each, as 10 / 4 + 2 / 4 = 3.
TEST(CapacityPrices, WorthOfReplicas) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("cores", 100, {1, 0});
  builder.add_app("memory", 100, {0, 1});
  builder.add_app("both", 20, {2, 2});
  builder.add_class({10, 2}, 0, 3);
  builder.add_class({2, 10}, 0, 3);
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kPrice);
  const EligibleGroups groups(instance);
  EXPECT_NEAR(prices.worth(instance, groups, 0), 0.25, 1e-9);
  EXPECT_NEAR(prices.worth(instance, groups, 1), 0.25, 1e-9);
  EXPECT_NEAR(prices.worth(instance, groups, 2), 1, 1e-9);
  EXPECT_LT(prices.bound, 70);  // 100 / 4 + 100 / 4 + 20
  EXPECT_GT(prices.bound, 70 * (1 - 1e-9));
}

// What is worth something only at nodes that are dear: the count of the cheap class is used up.
TEST(CapacityPrices, CountsLimitCheapNodes) {
  InstanceBuilder builder;
  builder.add_app("a", 100, {1});
  builder.add_class({10}, 4, 1);
  builder.add_class({10}, 0, 2);
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kPrice);
  EXPECT_NEAR(prices.bound, 4 + 12, 1e-7);
  EXPECT_NEAR(prices.worth(instance, EligibleGroups(instance), 0), 0.2, 1e-9);
}

// Hosts as they were bought over the years: the largest ones first, however many sorts there are.
TEST(CapacityPrices, AnyNumberOfSorts) {
  for (const std::uint32_t sorts : {10u, 100u, 200u, 1000u}) {
    InstanceBuilder builder;
    const auto capacity = [&](std::uint32_t sort) { return 1000 + 3000 / sorts * sort; };
    std::uint32_t half = 0;
    for (std::uint32_t k = 0; k < sorts; ++k) {
      builder.add_class({static_cast<double>(capacity(k))}, 2);
      half += capacity(k);
    }
    builder.add_app("a", half, {1});
    std::uint32_t left = half;
    double nodes = 0;
    for (std::uint32_t k = sorts; k-- > 0;) {
      const std::uint32_t of_sort = std::min(left, 2 * capacity(k));
      nodes += static_cast<double>(of_sort) / capacity(k);
      left -= of_sort;
    }
    const double bound = prices_of(builder.must_build(), NodeCost::kOne).bound;
    EXPECT_LE(bound, nodes * (1 + 1e-9)) << sorts;
    EXPECT_GE(bound, nodes * 0.999) << sorts;
  }
}

// Cores are cheaper on arm, where half of the apps may not be: (80 / 8) x 3 and (80 / 8) x 2.
TEST(CapacityPrices, AppsThatSomeNodesDoNotAdmit) {
  InstanceBuilder builder;
  builder.add_app("any", 80, {1});
  builder.add_app("x86", 80, {1});
  builder.add_class({8}, 0, 2);
  builder.add_class({8}, 0, 3);
  builder.data().classes[0].labels = {"arch=arm"};
  builder.data().classes[1].labels = {"arch=x86"};
  builder.data().tags = {"arch=x86"};
  builder.data().app_only = {{0, 0, 1}, {0}};
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kPrice);
  const EligibleGroups groups(instance);
  EXPECT_EQ(groups.count(), 2u);
  EXPECT_NEAR(prices.bound, 50, 1e-7);
  EXPECT_NEAR(prices.worth(instance, groups, 0), 0.25, 1e-9);
  EXPECT_NEAR(prices.worth(instance, groups, 1), 0.375, 1e-9);
}

// Mean 1, variance 1, factor 3, capacity 10: k + 3 sqrt(k) <= 10 for k = 4.
TEST(CapacityPrices, UncertainDemand) {
  InstanceBuilder builder;
  builder.add_app("a", 18, {1});
  builder.add_class({10}, 0, 7);
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 3};
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kPrice);
  EXPECT_NEAR(prices.bound, 18 / 4.0 * 7, 1e-5);
  EXPECT_LE(prices.bound, 18 / 4.0 * 7);
  EXPECT_NEAR(prices.worth(instance, EligibleGroups(instance), 0), 7 / 4.0, 0.001);
}

// Apps of different uncertainty have prices of their own: each costs what nodes would that hold nothing else. One price for all
// means and one for all spreads would give "middle" less.
TEST(CapacityPrices, DemandOfDifferentUncertainty) {
  InstanceBuilder builder;
  builder.add_app("steady", 100, {1});
  builder.add_app("middle", 100, {1});
  builder.add_app("wild", 100, {1});
  builder.add_class({10}, 0, 7);
  builder.data().variance = {0.01, 0.5, 4};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 3};
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kPrice);
  double cost = 0;
  for (AppId app = 0; app < 3; ++app) {
    // The number k of replicas on a full node: k + 3 sqrt(variance k) = 10.
    const double half = 1.5 * std::sqrt(builder.data().variance[app]);
    const double root = std::sqrt(half * half + 10) - half;
    EXPECT_NEAR(prices.worth(instance, EligibleGroups(instance), app), 7 / (root * root), 1e-5);
    cost += 100 * 7 / (root * root);
  }
  EXPECT_NEAR(prices.bound, cost, 1e-3);
  EXPECT_LE(prices.bound, cost);
}

// A node that exceeds its capacity at confidence may keep what runs there, or the like: spreads do not count.
TEST(CapacityPrices, UncertainDemandThatExceedsAtTheStart) {
  InstanceBuilder builder;
  builder.add_app("a", 8, {1});
  const ClassId c = builder.add_class({10}, 0, 7);
  builder.add_node(c);
  builder.running(0, 0, 8);
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 3};
  const Instance instance = builder.must_build();
  EXPECT_LE(prices_of(instance, NodeCost::kPrice).bound, 7);
}

TEST(CapacityPrices, NodesWithoutPrices) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 9, {4, 1});
  builder.add_class({8, 8});
  builder.add_class({8, 8});
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kOne);
  EXPECT_NEAR(prices.bound, 4.5, 1e-8);
  EXPECT_EQ(prices.resource, 0u);
  EXPECT_NEAR(prices.worth(instance, EligibleGroups(instance), 0), 0.5, 1e-9);
}

TEST(CapacityPrices, HostileNumbers) {
  InstanceBuilder builder({"cpu", "none", "huge"});
  builder.add_app("a", 1'000'000, {0, 0, 1e90});
  builder.add_app("b", 0, {1, 1, 1});
  builder.add_app("c", 3, {1e-9, 0, 0});
  builder.add_class({8, 0, 3e91}, 0, 1e100);
  builder.add_class({8, 0, 1e90}, 0, 1e-100);
  builder.add_class({0, 8, 0}, 0, 0);
  builder.add_class({8, 0, 1e90}, 10, 0);
  const Instance instance = builder.must_build();
  const CapacityPrices prices = prices_of(instance, NodeCost::kPrice);
  EXPECT_GE(prices.bound, 0);
  EXPECT_LE(prices.bound, 1e-94);  // a million nodes of the second class
  for (const double unit : prices.per_unit) EXPECT_GE(unit, 0);
}

}  // namespace
}  // namespace stowage
