#include "core/base/numbers/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace stowage {
namespace {

// Published outputs of SplitMix64 for this seed.
TEST(ImproveRandomTest, IsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(ImproveRandomTest, BelowStaysBelowAndReachesEverything) {
  Random random(1);
  for (const std::uint32_t n : {1u, 2u, 1000u, 0x80000001u, 0xFFFFFFFFu}) {
    for (int k = 0; k < 1000; ++k) ASSERT_LT(random.below(n), n);
  }
  std::array<int, 7> hits{};
  for (int k = 0; k < 70'000; ++k) ++hits[random.below(7)];
  for (const int count : hits) EXPECT_NEAR(count, 10'000, 500);  // five standard deviations
}

TEST(ImproveRandomTest, SharesLieInTheUnitInterval) {
  Random random(2);
  double sum = 0;
  for (int k = 0; k < 10'000; ++k) {
    const double share = random.share();
    ASSERT_GE(share, 0);
    ASSERT_LT(share, 1);
    sum += share;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.015);
}

TEST(PortableLogTest, AgreesWithTheLibrary) {
  EXPECT_EQ(portable_log(1), 0);
  Random random(3);
  for (int k = 0; k < 20'000; ++k) {
    double x = 1 - random.share();
    for (std::uint32_t halvings = random.below(64); halvings > 0; --halvings) x /= 2;
    ASSERT_NEAR(portable_log(x), std::log(x), 1e-12 * std::abs(std::log(x))) << x;
  }
  for (const double x : {0x1p-64, 0x1p-1, 1 - 0x1p-53, 0x1.fffffffffffffp-2}) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-12 * std::abs(std::log(x))) << x;
  }
}

// Of n values, the k-th is -log(-log p) at p = (k + 1/2) / n, and all values are equally frequent.
TEST(LogTableTest, DrawsAreQuantiles) {
  const LogTable table;
  constexpr int kRounds = 1'000'000;
  Random random(4);
  std::map<double, int> hits;
  for (int k = 0; k < kRounds; ++k) ++hits[table.draw(random)];
  const auto n = static_cast<double>(hits.size());
  ASSERT_EQ(n, 4096);
  double k = 0;
  for (const auto& [draw, count] : hits) {
    ASSERT_NEAR(draw, std::log((k + 0.5) / n), 1e-9);
    ASSERT_NEAR(count, kRounds / n, 6 * std::sqrt(kRounds / n));
    ++k;
  }
}

// A loss of T is accepted with probability 1 / e.
TEST(LogTableTest, AcceptsAsMetropolis) {
  const LogTable table;
  Random random(5);
  int accepted = 0;
  constexpr int kRounds = 100'000;
  for (int k = 0; k < kRounds; ++k) accepted += -1 >= table.draw(random) ? 1 : 0;
  EXPECT_NEAR(accepted / static_cast<double>(kRounds), std::exp(-1), 0.02);
}

}  // namespace
}  // namespace stowage
