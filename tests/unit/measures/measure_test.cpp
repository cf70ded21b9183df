#include "core/measures/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stowage {
namespace {

double worst_error(const std::vector<double>& exponents) {
  std::vector<double> values = exponents;
  exponentiate(values);
  double worst = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    worst = std::max(worst, std::abs(values[k] - std::exp(exponents[k])) / std::exp(exponents[k]));
  }
  return worst;
}

TEST(ExponentiateTest, AgreesWithTheLibrary) {
  for (int k = 0; k <= 64'000; ++k) ASSERT_LT(worst_error({k * 1e-3}), 1e-12) << k;
}

// The largest argument decides how often all arguments are halved, so small ones are halved more often than necessary.
TEST(ExponentiateTest, LargeArgumentsDoTheOthersNoHarm) {
  std::vector<double> exponents;
  for (int k = 0; k <= 64'000; ++k) exponents.push_back(k * 1e-3);
  EXPECT_LT(worst_error(exponents), 1e-12);
}

TEST(ExponentiateTest, AnExponentOfZeroGivesOne) {
  std::vector<double> values = {0, kLargestExponent, 0};
  exponentiate(values);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[2], 1);
  values.clear();
  exponentiate(values);
  EXPECT_TRUE(values.empty());
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
