#include "core/measures/size.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

// Two apps with 2 and 3 replicas, on nodes of 10 cores and 40 GiB. In shares of a node:
//   web   1 core, 10 GiB   s = (0.1, 0.25)
//   db    5 cores, 4 GiB   s = (0.5, 0.1)
// W = (2 x 0.1 + 3 x 0.5, 2 x 0.25 + 3 x 0.1) = (1.7, 0.8); D = W / 5 = (0.34, 0.16); lambda = W / 2.5 = (0.68, 0.32).
Instance two_apps() {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("web", 2, {1, 10});
  builder.add_app("db", 3, {5, 4});
  builder.add_class({10, 40});
  return builder.must_build();
}

void expect_sizes(const Instance& instance, Measure measure, double epsilon, double web, double db) {
  const std::vector<double> size = sizes(instance, measure, epsilon);
  ASSERT_EQ(size.size(), 2);
  EXPECT_NEAR(size[0], web, 1e-12) << measure_name(measure);
  EXPECT_NEAR(size[1], db, 1e-12) << measure_name(measure);
}

TEST(SizeTest, TotalDemandInShares) {
  const Instance instance = two_apps();
  const NormalizedDemand demand(instance);
  EXPECT_NEAR(demand.total()[0], 1.7, 1e-12);
  EXPECT_NEAR(demand.total()[1], 0.8, 1e-12);
}

TEST(SizeTest, TableOne) {
  const Instance instance = two_apps();
  expect_sizes(instance, Measure::kAverage, 0, (0.1 + 0.25) / 2, (0.5 + 0.1) / 2);
  expect_sizes(instance, Measure::kMax, 0, 0.25, 0.5);
  expect_sizes(instance, Measure::kAverageExponential, 0.01, std::exp(0.0034) * 0.1 + std::exp(0.0016) * 0.25,
               std::exp(0.0034) * 0.5 + std::exp(0.0016) * 0.1);
  expect_sizes(instance, Measure::kAverageExponential, 10, std::exp(3.4) * 0.1 + std::exp(1.6) * 0.25,
               std::exp(3.4) * 0.5 + std::exp(1.6) * 0.1);
  expect_sizes(instance, Measure::kSurrogate, 0, 0.68 * 0.1 + 0.32 * 0.25, 0.68 * 0.5 + 0.32 * 0.1);
  // The sum of R_i x s_ih / W_h: all replicas of the app together.
  expect_sizes(instance, Measure::kExtendedSum, 0, 2 * (0.1 / 1.7 + 0.25 / 0.8), 3 * (0.5 / 1.7 + 0.1 / 0.8));
}

TEST(SizeTest, PeriodsAreDimensions) {
  InstanceBuilder builder({"cpu"}, 4);
  builder.add_app("day", 1, {8, 4, 0, 0});
  builder.add_app("night", 1, {2, 2, 2, 2});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  // 1/d sum: d = 4 periods x 1 resource.
  expect_sizes(instance, Measure::kAverage, 0, (0.8 + 0.4) / 4, 0.2);
  expect_sizes(instance, Measure::kMax, 0, 0.8, 0.2);
  // W = (1.0, 0.6, 0.2, 0.2); lambda = (0.5, 0.3, 0.1, 0.1).
  expect_sizes(instance, Measure::kSurrogate, 0, 0.5 * 0.8 + 0.3 * 0.4, 0.2);
}

TEST(SizeTest, TheLargestClassIsOneNode) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("web", 2, {1, 10});
  builder.add_app("db", 3, {5, 4});
  builder.add_class({10, 20});
  builder.add_class({5, 40});
  expect_sizes(builder.must_build(), Measure::kMax, 0, 0.25, 0.5);
}

TEST(SizeTest, WithoutDemandWeightsAreNothing) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("idle", 2, {0});
  builder.add_app("also-idle", 0, {0});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  for (const Measure measure : kMeasures) expect_sizes(instance, measure, 0.01, 0, 0);
}

TEST(SizeTest, HugeExponentsStayFinite) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("whale", 1, {1e9});
  builder.add_app("minnow", 1, {1});
  builder.add_class({10});
  const std::vector<double> size = sizes(builder.must_build(), Measure::kAverageExponential, 64);
  EXPECT_TRUE(std::isfinite(size[0]));
  EXPECT_GT(size[0], size[1]);
}

// Eq. 3 with alpha = 0.25. Mean size of (0.3, 0.1, 0.2) is 0.2; degrees are (1, 2, 1), mean 4/3.
TEST(SizeTest, EquationThree) {
  InstanceBuilder builder({"cpu"});
  const AppId a = builder.add_app("a", 1, {3});
  const AppId b = builder.add_app("b", 1, {1});
  const AppId c = builder.add_app("c", 1, {2});
  builder.limit(a, b, 0).limit(b, a, 1).limit(c, b, 2);
  builder.limit(b, b, 1);  // a self limit does not count as a neighbour
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const std::vector<double> hybrid = hybrid_sizes(instance, sizes(instance, Measure::kAverage, 0), 0.25);
  EXPECT_NEAR(hybrid[a], 0.25 * 0.3 / 0.2 + 0.75 * 1 / (4.0 / 3), 1e-12);
  EXPECT_NEAR(hybrid[b], 0.25 * 0.1 / 0.2 + 0.75 * 2 / (4.0 / 3), 1e-12);
  EXPECT_NEAR(hybrid[c], 0.25 * 0.2 / 0.2 + 0.75 * 1 / (4.0 / 3), 1e-12);
}

TEST(SizeTest, EquationThreeWithoutLimitsIsDemandAlone) {
  const Instance instance = two_apps();
  const std::vector<double> size = sizes(instance, Measure::kAverage, 0);
  const std::vector<double> hybrid = hybrid_sizes(instance, size, 0.5);
  // Mean size (0.175 + 0.3) / 2 = 0.2375.
  EXPECT_NEAR(hybrid[0], 0.5 * 0.175 / 0.2375, 1e-12);
  EXPECT_NEAR(hybrid[1], 0.5 * 0.3 / 0.2375, 1e-12);
}

}  // namespace
}  // namespace stowage
