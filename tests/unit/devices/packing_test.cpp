#include "core/devices/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/unit/support/random.h"

namespace stowage {
namespace {

DevicePacking packing_of(std::int32_t size, const std::vector<std::int32_t>& parts) {
  DevicePacking packing(size);
  for (const std::int32_t part : parts) packing.add(part, 1);
  return packing;
}

/// Tries every device for each part.
bool can_be_packed(std::vector<std::int32_t> parts, std::uint32_t devices, std::int32_t size) {
  std::sort(parts.begin(), parts.end(), std::greater<>());
  std::vector<std::int32_t> free(devices, size);
  const std::function<bool(std::size_t)> place = [&](std::size_t next) {
    if (next == parts.size()) return true;
    for (std::size_t k = 0; k < free.size(); ++k) {
      if (free[k] < parts[next]) continue;
      free[k] -= parts[next];
      const bool placed = place(next + 1);
      free[k] += parts[next];
      if (placed) return true;
      if (free[k] == size) return false;  // all empty devices are equal
    }
    return false;
  };
  return place(0);
}

TEST(DevicePackingTest, EmptyDevicesTakeWhatFits) {
  const DevicePacking packing(10);
  EXPECT_TRUE(packing.fit(0));
  EXPECT_EQ(packing.more(3, 2, 100), 6u);  // three on each
  EXPECT_EQ(packing.more(3, 2, 4), 4u);
  EXPECT_EQ(packing.more(11, 2, 1), 0u);
  EXPECT_EQ(packing.whole(2, 5, 100), 2u);
}

TEST(DevicePackingTest, FreeUnitsOfTwoDevicesAreNoRoomForOnePart) {
  const DevicePacking packing = packing_of(10, {6, 5});
  EXPECT_EQ(packing.more(5, 2, 9), 1u);  // beside the 5
  EXPECT_EQ(packing.more(7, 2, 9), 0u);  // 9 are free in all
  EXPECT_EQ(packing.whole(1, 2, 9), 0u);
  EXPECT_EQ(packing.whole(1, 4, 9), 2u);
}

TEST(DevicePackingTest, PartsMayBePackedAnew) {
  const DevicePacking packing = packing_of(10, {5, 4, 4, 3, 2, 2});
  EXPECT_TRUE(packing.fit(2));  // {5, 3, 2} and {4, 4, 2}; first fit decreasing needs three
  EXPECT_GT(packing.left_over(2), 0u);
}

TEST(DevicePackingTest, NoMoreWhereThePresentPartsDoNotFit) {
  const DevicePacking packing = packing_of(10, {6, 6, 6});
  EXPECT_FALSE(packing.fit(2));
  EXPECT_EQ(packing.more(1, 2, 1), 0u);
  EXPECT_EQ(packing.whole(1, 2, 1), 0u);
  EXPECT_EQ(packing.left_over(2), 1u);
}

TEST(DevicePackingTest, ManySizesAndManyPartsTakeNoTime) {
  DevicePacking packing(1'000'000);
  for (std::int32_t size = 1; size <= 200; ++size) packing.add(size * 37, 1'000);
  EXPECT_TRUE(packing.fit(1024));
  packing.add(1, 4'000'000'000u);
  EXPECT_FALSE(packing.fit(1024));
}

TEST(DevicePackingTest, AgreesWithBruteForce) {
  test::Random random(7);
  std::uint32_t tight = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto size = static_cast<std::int32_t>(random.between(5, 20));
    const std::uint32_t devices = random.between(1, 4);
    std::vector<std::int32_t> parts;
    const std::uint32_t sizes = random.between(1, 8);
    std::vector<std::int32_t> drawn;
    for (std::uint32_t k = 0; k < sizes; ++k) drawn.push_back(static_cast<std::int32_t>(random.between(1, size)));
    std::int64_t sum = 0;
    const std::int64_t enough = devices * size * random.between(70, 97) / 100;
    while (sum < enough && parts.size() < 12) {
      parts.push_back(drawn[random.below(sizes)]);
      sum += parts.back();
    }
    const DevicePacking packing = packing_of(size, parts);
    const bool fits = can_be_packed(parts, devices, size);
    ASSERT_EQ(packing.fit(devices), fits) << "round " << round;
    tight += fits && packing.left_over(devices) > 0 ? 1 : 0;
    const std::int32_t part = drawn[0];
    std::uint32_t more = 0;
    std::vector<std::int32_t> with = parts;
    for (with.push_back(part); fits && more < 3 && can_be_packed(with, devices, size); with.push_back(part)) ++more;
    ASSERT_EQ(packing.more(part, devices, 3), more) << "round " << round;
    std::uint32_t whole = 0;
    while (fits && whole < devices && can_be_packed(parts, devices - whole - 1, size)) ++whole;
    ASSERT_EQ(packing.whole(1, devices, 9), whole) << "round " << round;
  }
  EXPECT_GT(tight, 0u) << "the search is never needed";
}

// First fit decreasing fails, L2 does not refuse, and the search takes all steps that it may.
TEST(DevicePackingTest, WhatAQuestionTakesIsCountedAndLimited) {
  DevicePacking hard(97);
  for (std::int32_t size = 20; size < 70; ++size) hard.add(size, 2);
  std::uint64_t devices = hard.least_needed();
  while (devices > 0 && hard.left_over(devices) == 0) --devices;
  PackingEffort usual{DevicePacking::kMostSteps};
  const bool fits = hard.fit(devices, &usual);
  EXPECT_EQ(fits, hard.fit(devices));
  EXPECT_GT(usual.steps, 0u);
  PackingEffort few{10};
  EXPECT_FALSE(hard.fit(devices, &few));
  EXPECT_LT(few.steps, usual.steps);
  PackingEffort none{0};
  EXPECT_FALSE(hard.fit(devices, &none));
  EXPECT_EQ(none.steps, 0u);
  EXPECT_TRUE(hard.fit(1000, &none)) << "what needs no search is answered";
  EXPECT_EQ(none.steps, 0u);
}

}  // namespace
}  // namespace stowage
