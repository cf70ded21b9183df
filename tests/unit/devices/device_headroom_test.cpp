#include "core/devices/device_headroom.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

constexpr DeviceSite kNewNode{kNone, 0};

/// Parts of 700 and 300, one device, two devices, and an app that uses none. Nodes have four devices of 1000.
test::InstanceBuilder gpu_apps() {
  test::InstanceBuilder builder({"cpu", "gpu"});
  builder.data().resources[1].device = 1000;
  builder.add_app("large", 50, {1, 700});
  builder.add_app("small", 50, {1, 300});
  builder.add_app("one", 50, {1, 1000});
  builder.add_app("two", 50, {1, 2000});
  builder.add_app("none", 50, {1, 0});
  builder.add_class({100, 4000});
  return builder;
}

TEST(DeviceHeadroomTest, PartsShareADeviceAndWholeOnesDoNot) {
  const Instance instance = gpu_apps().must_build();
  ASSERT_FALSE(instance.devices().empty());
  EXPECT_FALSE(instance.devices().uses(4));
  EXPECT_EQ(device_headroom(instance, 0, kNewNode, {}, 99), 4u);
  EXPECT_EQ(device_headroom(instance, 1, kNewNode, {}, 99), 12u);
  EXPECT_EQ(device_headroom(instance, 3, kNewNode, {}, 99), 2u);
  const std::vector<Tenant> tenants = {{0, 2}, {2, 1}, {4, 7}};  // two devices with 300 free, one free, one taken
  EXPECT_EQ(device_headroom(instance, 0, kNewNode, tenants, 99), 1u);
  EXPECT_EQ(device_headroom(instance, 1, kNewNode, tenants, 99), 5u);
  EXPECT_EQ(device_headroom(instance, 2, kNewNode, tenants, 99), 1u);
  EXPECT_EQ(device_headroom(instance, 3, kNewNode, tenants, 99), 0u);
  EXPECT_TRUE(devices_admit(instance, 3, 2, kNewNode, tenants));  // once the whole one has left
  EXPECT_FALSE(devices_admit(instance, 3, 1, kNewNode, std::vector<Tenant>{{0, 2}, {2, 1}, {1, 1}}));
  EXPECT_EQ(devices_lacking(instance, kNewNode, tenants), 0u);
  EXPECT_EQ(devices_lacking(instance, kNewNode, std::vector<Tenant>{{0, 5}}), 1u);
  EXPECT_EQ(devices_lacking(instance, kNewNode, std::vector<Tenant>{{3, 3}, {0, 1}}), 3u);
}

TEST(DeviceHeadroomTest, LoadTakesWholeDevicesAndAPartOfOneMore) {
  test::InstanceBuilder builder = gpu_apps();
  builder.data().classes[0].daemon = {0, 200};
  builder.add_node(0, {0, 2300});  // with the daemon load 2500: two devices, and half of the third
  builder.add_node(0, {0, 3900});  // more than there is
  const Instance instance = builder.must_build();
  EXPECT_EQ(device_headroom(instance, 0, {0, 0}, {}, 99), 1u);
  EXPECT_EQ(device_headroom(instance, 1, {0, 0}, {}, 99), 4u);
  EXPECT_EQ(device_headroom(instance, 1, {1, 0}, {}, 99), 0u);
  EXPECT_EQ(device_headroom(instance, 2, kNewNode, {}, 99), 3u);  // the daemon load is on one device
}

TEST(DeviceHeadroomTest, OneDevicePerNodeIsDivisible) {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 10;
  builder.add_app("a", 5, {3});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_TRUE(instance.devices().empty());
  EXPECT_FALSE(contains(instance.features(), Feature::kDevices));
}

TEST(DeviceHeadroomTest, SizesThatAreNoDivisorsOfADeviceStayExact) {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 0.125;
  builder.add_app("a", 50, {0.05});  // two on a device
  builder.add_class({1});
  const Instance instance = builder.must_build();
  EXPECT_EQ(device_headroom(instance, 0, kNewNode, {}, 99), 16u);
}

}  // namespace
}  // namespace stowage
