// A random day of a cluster, compared with a slow reference model after each operation.
#include <gtest/gtest.h>

#include "tests/effort.h"
#include "tests/unit/session/random_day.h"

namespace stowage::test {
namespace {

constexpr auto kDayLength = static_cast<int>(test::cases(100'000));

TEST(SessionDay, DoesNotDivergeFromTheReference) {
  RandomDay day(1, false);
  day.run(kDayLength);
  // All kinds of outcomes have to be frequent.
  EXPECT_GT(day.accepted, kDayLength / 3);
  EXPECT_GT(day.refused, kDayLength / 20);
  EXPECT_GT(day.as_planned, kDayLength / 1000);
  EXPECT_GT(day.fitted, kDayLength / 1000);
  EXPECT_GT(day.partly, kDayLength / 10000);
  EXPECT_GT(day.conflicts, kDayLength / 1000);
  EXPECT_GT(day.placed, static_cast<std::uint64_t>(kDayLength / 20));
}

TEST(SessionDay, WithUncertainDemand) {
  RandomDay day(2, true);
  day.run(5000);
  EXPECT_GT(day.as_planned, 0);
}

}  // namespace
}  // namespace stowage::test
