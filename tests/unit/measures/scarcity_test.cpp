#include "core/measures/scarcity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

// The scaled unit is the greatest common divisor of all amounts. An app without replicas that demands 1 makes the unit 1.
InstanceBuilder in_ones(const std::vector<std::string>& resources, std::uint32_t periods = 1) {
  InstanceBuilder builder(resources, periods);
  builder.add_app("none", 0, std::vector<double>(resources.size(), 1));
  return builder;
}

// Needs in nodes: 2 for cpu, 1.9 for memory, 1.6 for disk, 0 for net.
TEST(ScarcityTest, TheScarcestResourceCountsOneAndOthersQuicklyLess) {
  InstanceBuilder builder = in_ones({"cpu", "memory", "disk", "net"});
  builder.add_app("a", 2, {10, 19, 32, 0});
  builder.add_class({10, 20, 40, 5});
  const auto scarcity = resource_scarcity(builder.must_build());
  ASSERT_EQ(scarcity.size(), 4u);
  EXPECT_EQ(scarcity[0], 1);
  EXPECT_NEAR(scarcity[1], std::pow(0.95, 24), 1e-12);
  EXPECT_NEAR(scarcity[2], std::pow(0.8, 24), 1e-12);
  EXPECT_EQ(scarcity[3], 0);
}

// At peak, cpu needs 0.9 nodes and memory 1. At the mean over time, cpu would need more than memory.
TEST(ScarcityTest, PeaksOverTimeCount) {
  InstanceBuilder builder = in_ones({"cpu", "memory"}, 2);
  builder.add_app("a", 1, {9, 9, 1, 10});
  builder.add_class({10, 10});
  const auto scarcity = resource_scarcity(builder.must_build());
  EXPECT_NEAR(scarcity[0], std::pow(0.9, 24), 1e-12);
  EXPECT_EQ(scarcity[1], 1);
}

TEST(ScarcityTest, TheLargestClassIsTheMeasure) {
  InstanceBuilder builder = in_ones({"cpu", "memory"});
  builder.add_app("a", 1, {16, 16});
  builder.add_class({10, 16});
  builder.add_class({20, 10});
  const auto scarcity = resource_scarcity(builder.must_build());
  EXPECT_NEAR(scarcity[0], std::pow(0.8, 24), 1e-12);
  EXPECT_EQ(scarcity[1], 1);
}

TEST(ScarcityTest, NothingBindsWhereNothingIsAskedFor) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_class({10, 0});
  EXPECT_EQ(resource_scarcity(builder.must_build()), (std::vector<double>{0, 0}));
  builder.add_app("a", 3, {0, 0});
  EXPECT_EQ(resource_scarcity(builder.must_build()), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace stowage
