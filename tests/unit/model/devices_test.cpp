#include "core/model/devices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

/// Two periods, cpu and GPUs of 1000, two per node.
test::InstanceBuilder two_gpus(double device = 1000) {
  test::InstanceBuilder builder({"cpu", "gpu"}, 2);
  builder.data().resources[1].device = device;
  builder.add_app("part", 3, {1, 500});
  builder.add_class({10, 2000});
  return builder;
}

void expect_refused(const test::InstanceBuilder& builder, const std::string& path, Code code = Code::kInvalid) {
  const auto result = builder.build();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code);
  EXPECT_EQ(result.error().path, path) << result.error().message;
}

TEST(DevicesTest, ADeviceIsAnAmount) {
  for (const double bad : {std::nan(""), -1.0, std::numeric_limits<double>::infinity(), 1e200, 1e-200}) {
    const auto result = two_gpus(bad).build();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().path, "resources[1].device");
  }
}

TEST(DevicesTest, CapacitiesAreWholeNumbersOfDevices) {
  test::InstanceBuilder builder = two_gpus();
  builder.add_class({10, 1500});
  expect_refused(builder, "classes[1].capacity[1]");
  test::InstanceBuilder many = two_gpus(1);
  many.data().classes[0].capacity[1] = 1025;
  expect_refused(many, "classes[0].capacity[1]", Code::kLimitExceeded);
}

TEST(DevicesTest, ADemandIsAPartOfADeviceOrWholeOnes) {
  test::InstanceBuilder builder = two_gpus();
  builder.add_app("whole", 1, {1, 2000});
  EXPECT_TRUE(builder.build());
  builder.add_app("one and a half", 1, {1, 1500});
  expect_refused(builder, "apps.demand[5]");
}

TEST(DevicesTest, NothingOnDevicesChangesOverTime) {
  test::InstanceBuilder demand = two_gpus();
  demand.add_app("varies", 1, {1, 1, 500, 600});
  expect_refused(demand, "apps.demand[7]");
  test::InstanceBuilder load = two_gpus();
  load.add_node(0, {1, 1, 500, 600});
  expect_refused(load, "nodes.load[3]");
  test::InstanceBuilder daemon = two_gpus();
  daemon.data().classes[0].daemon = {1, 1, 500, 600};
  expect_refused(daemon, "classes[0].daemon[3]");
  test::InstanceBuilder own = two_gpus();
  own.add_node(0);
  own.data().daemon = {1, 1, 500, 600};
  expect_refused(own, "nodes.daemon[3]");
}

TEST(DevicesTest, NothingOnDevicesIsUncertain) {
  test::InstanceBuilder builder = two_gpus();
  builder.data().has_uncertainty = true;
  builder.data().variance = {1, 0};
  EXPECT_TRUE(builder.build());
  builder.data().variance = {0, 1};
  expect_refused(builder, "apps.variance[1]");
  builder.data().variance = {1, 0};
  builder.add_node(0, {0, 500});
  builder.data().load_variance = {0, 1};
  expect_refused(builder, "nodes.load_variance[1]");
}

TEST(DevicesTest, DecimalsCountAsWholeNumbersOfDevices) {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 0.1;
  builder.add_app("three", 1, {0.3});  // 0.3 / 0.1 is a little below 3
  builder.add_class({0.8});
  const Instance instance = builder.must_build();
  EXPECT_EQ(instance.devices().demand(0, 0).whole, 3u);
  EXPECT_EQ(instance.devices().devices(0, 0), 8u);
}

TEST(DevicesTest, TheDeviceJoinsTheFingerprint) {
  EXPECT_NE(two_gpus(1000).must_build().fingerprint(), two_gpus(2000).must_build().fingerprint());
  EXPECT_NE(two_gpus(1000).must_build().fingerprint(), two_gpus(0).must_build().fingerprint());
}

}  // namespace
}  // namespace stowage
