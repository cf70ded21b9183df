#include <gtest/gtest.h>

#include "core/bounds/bounds.h"
#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

BoundValue devices_of(const test::InstanceBuilder& builder) {
  const Instance instance = builder.must_build();
  return device_bound(instance, Supply(instance));
}

// Parts of 6 need a device of 10 each, and parts of 5 have none beside them: 4 + 2 devices, and 2 whole ones.
test::InstanceBuilder eight_devices() {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 10;
  builder.add_app("large", 4, {6});
  builder.add_app("half", 4, {5});
  builder.add_app("two", 1, {20});
  builder.add_class({20});
  return builder;
}

TEST(DeviceBoundTest, LargePartsNeedADeviceEach) {
  const test::InstanceBuilder builder = eight_devices();
  EXPECT_EQ(devices_of(builder).value, 4);
  const Instance instance = builder.must_build();
  EXPECT_EQ(capacity_bound(instance, Supply(instance)).value, 4) << "64 of 20";
  EXPECT_FALSE(devices_of(builder).infeasible);
}

TEST(DeviceBoundTest, IsMoreThanTheSum) {
  test::InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 10;
  builder.add_app("large", 8, {6});
  builder.add_class({40});
  const Instance instance = builder.must_build();
  EXPECT_EQ(capacity_bound(instance, Supply(instance)).value, 2);
  EXPECT_EQ(dual_feasible_bound(instance, Supply(instance)).value, 2);
  EXPECT_EQ(devices_of(builder).value, 2);
  builder.data().replicas[0] = 9;
  EXPECT_EQ(devices_of(builder).value, 3) << "54 of 40 by the sum";
}

TEST(DeviceBoundTest, TakesTheNodesWithMostDevices) {
  test::InstanceBuilder builder = eight_devices();
  builder.data().classes[0].count = 3;
  builder.add_class({50}, 1);
  EXPECT_EQ(devices_of(builder).value, 3);  // 5 + 2 + 2
  builder.data().classes[0].count = 1;
  EXPECT_TRUE(devices_of(builder).infeasible);  // 5 + 2
}

TEST(DeviceBoundTest, SaysNothingWhereTheStartLacksDevices) {
  test::InstanceBuilder builder = eight_devices();
  builder.add_node(0);
  builder.running(0, 0, 3);
  EXPECT_EQ(devices_of(builder).value, 0);
}

}  // namespace
}  // namespace stowage
