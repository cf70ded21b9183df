#include "core/verify/devices/device_check.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/devices/packing.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

TEST(DeviceCheckTest, PartsWholeDevicesAndLoad) {
  DeviceCheck check;
  check.begin(0.1);
  check.add_load(0.23);  // two devices, and .03 of a third
  check.add_demand(0.3, 1);
  check.add_demand(0.07, 1);
  EXPECT_TRUE(check.fits(6));
  EXPECT_EQ(check.taken(), 6);
  EXPECT_FALSE(check.fits(5));
  check.add_demand(0.01, 1);
  EXPECT_FALSE(check.fits(6));
  EXPECT_EQ(check.taken(), 7);
}

TEST(DeviceCheckTest, HostileNumbersTakeNoTime) {
  DeviceCheck check;
  check.begin(1);
  check.add_demand(1e-90, 4'000'000'000u);
  EXPECT_TRUE(check.fits(1));
  check.add_demand(0.3, 4'000'000'000u);
  EXPECT_FALSE(check.fits(1024));
  EXPECT_EQ(check.taken(), 1'333'333'334);
}

TEST(DeviceCheckTest, AgreesWithThePlanners) {
  test::Random random(11);
  std::uint32_t fitting = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t devices = random.between(1, 8);
    DeviceCheck check;
    check.begin(100);
    DevicePacking packing(100);
    for (std::uint32_t k = random.between(1, 3 * devices); k > 0; --k) {
      const std::uint32_t part = random.between(10, 90);
      check.add_demand(part, 1);
      packing.add(static_cast<std::int32_t>(part), 1);
    }
    ASSERT_EQ(check.fits(devices), packing.fit(devices)) << "round " << round;
    fitting += packing.fit(devices) ? 1 : 0;
  }
  EXPECT_GT(fitting, 500u);
  EXPECT_LT(fitting, 2500u);
}

}  // namespace
}  // namespace stowage
