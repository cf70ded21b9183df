#include "core/measures/measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stowage {
namespace {

TEST(PortableExpTest, AgreesWithTheLibrary) {
  double worst = 0;
  for (int k = 0; k <= 64'000; ++k) {
    const double x = k * 1e-3;
    const double expected = std::exp(x);
    worst = std::max(worst, std::abs(portable_exp(x, halvings_for(x)) - expected) / expected);
  }
  EXPECT_LT(worst, 1e-12);
}

// Where the number of halvings comes from the largest of many arguments, the others are halved more than they need.
TEST(PortableExpTest, MoreHalvingsThanNeededDoNoHarm) {
  const int halvings = halvings_for(kLargestExponent);
  double worst = 0;
  for (int k = 0; k <= 64'000; ++k) {
    const double x = k * 1e-3;
    worst = std::max(worst, std::abs(portable_exp(x, halvings) - std::exp(x)) / std::exp(x));
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_EQ(portable_exp(0, halvings), 1);
}

TEST(PortableExpTest, HalvingsBringTheArgumentBelowASixteenth) {
  EXPECT_EQ(halvings_for(0), 0);
  EXPECT_EQ(halvings_for(0x1p-4), 0);
  EXPECT_EQ(halvings_for(0x1p-4 + 1e-9), 1);
  EXPECT_EQ(halvings_for(64), 10);  // 64 / 2^10 = 1 / 16
}

TEST(MeasureTest, NamesAreThoseOfThePlanners) {
  EXPECT_EQ(measure_name(Measure::kAverage), "avg");
  EXPECT_EQ(measure_name(Measure::kMax), "max");
  EXPECT_EQ(measure_name(Measure::kAverageExponential), "avgexp");
  EXPECT_EQ(measure_name(Measure::kSurrogate), "surrogate");
  EXPECT_EQ(measure_name(Measure::kExtendedSum), "extsum");
}

}  // namespace
}  // namespace stowage
