#include "core/simd/room_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/unit/support/random.h"

namespace stowage {
namespace {

TEST(RoomKernelsTest, LeastRoomsAgreeWithALoop) {
  test::Random random(31);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = random.below(12);
    const std::size_t stride = kBlock + 3;
    std::vector<double> free(16 * stride);
    for (double& value : free) value = random.below(4000) / 100.0 - 2;
    std::vector<std::uint32_t> row;
    std::vector<double> inverse;
    for (std::size_t h = 0; h < size; ++h) {
      row.push_back(random.below(16));
      inverse.push_back(1 / (0.5 + random.below(200) / 10.0));
    }
    for (const RoomKernels* const* set = all_room_kernels(); *set != nullptr; ++set) {
      std::vector<double> rooms(kBlock, -1);
      const bool open = (*set)->least_rooms(free.data(), stride, row.data(), inverse.data(), size, rooms.data());
      bool any = false;
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        double expected = 1e15;
        for (std::size_t h = 0; h < size; ++h) expected = std::min(expected, free[row[h] * stride + k] * inverse[h]);
        any = any || expected >= 1;
        if (expected >= 1 && size > 0) {
          ASSERT_EQ(rooms[k], expected);
        } else if (size > 0) {
          ASSERT_LT(rooms[k], 1);
        } else {
          ASSERT_GT(rooms[k], 1e15);
        }
      }
      ASSERT_EQ(open, any);
    }
  }
}

TEST(RoomKernelsTest, SumsAgreeWithALoop) {
  test::Random random(32);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint8_t> lives(random.between(1, 4));
    for (std::uint8_t& one : lives) one = random.chance(0.7) ? 1 : 0;
    std::vector<double> rooms(kBlock * lives.size());
    std::vector<double> weight(rooms.size());
    for (double& value : rooms) value = random.below(5000) / 100.0 - 5 + (random.chance(0.01) ? 1e15 : 0);
    for (double& value : weight) value = random.chance(0.3) ? 0 : random.between(1, 3);
    const double most = random.between(1, 40);
    RoomSums expected;
    for (std::size_t k = 0; k < rooms.size(); ++k) {
      if (lives[k / kBlock] == 0) continue;
      const double whole = std::max(0.0, std::floor(std::min(rooms[k], most)));
      expected.room += weight[k] * whole;
      expected.open += whole > 0 ? weight[k] : 0;
      if (weight[k] > 0) expected.most = std::max(expected.most, whole);
    }
    std::vector<double> near(rooms.size(), 2.5);
    near[random.below(static_cast<std::uint32_t>(near.size()))] = 3.001;
    const std::vector<std::uint8_t> all(lives.size(), 1);
    for (const RoomKernels* const* set = all_room_kernels(); *set != nullptr; ++set) {
      const RoomSums sums = (*set)->add_up(rooms.data(), weight.data(), lives.data(), lives.size(), most, 0);
      ASSERT_EQ(sums.room, expected.room);
      ASSERT_EQ(sums.open, expected.open);
      ASSERT_EQ(sums.most, expected.most);
      ASSERT_FALSE(sums.unsure);
      ASSERT_TRUE((*set)->add_up(near.data(), weight.data(), all.data(), all.size(), 40, 0.01).unsure);
      ASSERT_FALSE((*set)->add_up(near.data(), weight.data(), all.data(), all.size(), 40, 0.0001).unsure);
    }
  }
}

TEST(RoomKernelsTest, CoarseRoomsOfWholeUnitsAreExact) {
  test::Random random(34);
  for (const RoomKernels* const* set = all_room_kernels(); *set != nullptr; ++set) {
    for (int round = 0; round < 2000; ++round) {
      const std::uint32_t demand = random.between(1, random.chance(0.5) ? 40 : 32767);
      const std::uint32_t most = 32767 / demand;
      std::vector<std::uint32_t> units(kBlock);
      std::vector<float> free(kBlock);
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        // As many as fit, one more, or one less.
        units[k] = std::min(random.between(0, most) * demand + random.below(3), 32768U);
        units[k] = units[k] > 0 ? units[k] - 1 : 0;
        free[k] = static_cast<float>(units[k]) + 0.5F;
      }
      const std::uint32_t row = 0;
      const float inverse = static_cast<float>(1.0 / demand);
      std::vector<float> rooms(kBlock);
      (*set)->least_rooms_coarse(free.data(), kBlock, &row, &inverse, 1, rooms.data());
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        ASSERT_EQ(std::floor(rooms[k]), units[k] / demand) << units[k] << " / " << demand;
      }
    }
  }
}

TEST(RoomKernelsTest, CoarseSumsAgreeWithALoop) {
  test::Random random(35);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint8_t> lives(random.between(1, 4));
    for (std::uint8_t& one : lives) one = random.chance(0.7) ? 1 : 0;
    std::vector<float> rooms(kBlock * lives.size());
    std::vector<std::int32_t> counts(rooms.size());
    for (float& value : rooms) value = static_cast<float>(random.below(5000)) / 128 - 5;
    for (std::int32_t& value : counts) value = random.chance(0.3) ? 0 : -1;
    const auto most = static_cast<float>(random.between(1, 40));
    RoomSums expected;
    for (std::size_t k = 0; k < rooms.size(); ++k) {
      if (lives[k / kBlock] == 0 || counts[k] == 0) continue;
      const double whole = std::max(0.0F, std::floor(std::min(rooms[k], most)));
      expected.room += whole;
      expected.open += whole > 0 ? 1 : 0;
      expected.most = std::max(expected.most, whole);
    }
    std::vector<float> near(rooms.size(), 2.5F);
    near[random.below(static_cast<std::uint32_t>(near.size()))] = 3.001F;
    const std::vector<std::uint8_t> all(lives.size(), 1);
    for (const RoomKernels* const* set = all_room_kernels(); *set != nullptr; ++set) {
      const RoomSums sums = (*set)->add_up_coarse(rooms.data(), counts.data(), lives.data(), lives.size(), most, 0);
      ASSERT_EQ(sums.room, expected.room);
      ASSERT_EQ(sums.open, expected.open);
      ASSERT_EQ(sums.most, expected.most);
      ASSERT_FALSE(sums.unsure);
      ASSERT_TRUE((*set)->add_up_coarse(near.data(), counts.data(), all.data(), all.size(), 40, 0.01F).unsure);
      ASSERT_FALSE((*set)->add_up_coarse(near.data(), counts.data(), all.data(), all.size(), 40, 0.0001F).unsure);
    }
  }
}

TEST(RoomKernelsTest, ConfidentRoomsFillWhatIsLeft) {
  test::Random random(33);
  for (const RoomKernels* const* set = all_room_kernels(); *set != nullptr; ++set) {
    for (int round = 0; round < 100; ++round) {
      std::vector<double> free(kBlock);
      std::vector<double> spread(kBlock);
      for (double& value : free) value = random.below(4000) / 100.0 - 2;
      for (double& value : spread) value = random.chance(0.3) ? 0 : random.below(1000) / 100.0;
      const ConfidentNeed need{random.chance(0.2) ? 0 : 0.1 + random.below(50) / 10.0, 0.01 + random.below(100) / 50.0, 2.3};
      std::vector<double> rooms(kBlock, 1e9);
      (*set)->confident_rooms(free.data(), spread.data(), need, rooms.data());
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        const double margin = need.factor * std::sqrt(spread[k]);
        if (free[k] <= margin) {
          ASSERT_LE(rooms[k], 1e-9);
          continue;
        }
        const double used = rooms[k] * need.mean + need.factor * std::sqrt(spread[k] + rooms[k] * need.spread);
        ASSERT_NEAR(used, free[k], 1e-9 * free[k]);
      }
    }
  }
}

}  // namespace
}  // namespace stowage
