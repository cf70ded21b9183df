#include "core/base/numbers/halving.h"

#include <gtest/gtest.h>

#include <limits>

namespace stowage {
namespace {

TEST(HalvingTest, IsExactAtWholeNumbersAndCloseBetween) {
  EXPECT_EQ(half_to_the(0), 1);
  EXPECT_EQ(half_to_the(1), 0.5);
  EXPECT_EQ(half_to_the(10), 1.0 / 1024);
  for (double x = 0; x < 40; x += 0.0137) EXPECT_NEAR(half_to_the(x) / std::exp2(-x), 1, 1e-15) << x;
}

TEST(HalvingTest, FallsAndVanishes) {
  for (double x = 0; x < 3; x += 0.001) EXPECT_LT(half_to_the(x + 0.001), half_to_the(x)) << x;
  EXPECT_EQ(half_to_the(2000), 0);
  EXPECT_EQ(half_to_the(std::numeric_limits<double>::infinity()), 0);
}

}  // namespace
}  // namespace stowage
