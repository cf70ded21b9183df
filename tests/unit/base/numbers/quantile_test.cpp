#include "core/base/numbers/quantile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/verify/confidence.h"

namespace stowage {
namespace {

// Exact to the last bit, because feasibility must not depend on the platform.
TEST(QuantileTest, KnownValuesToTheLastBit) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_EQ(normal_quantile(0.6), 0x1.036d6c4a04b59p-2);
  EXPECT_EQ(normal_quantile(0.9), 0x1.4813c36e26d33p+0);
  EXPECT_EQ(normal_quantile(0.975), 0x1.f5c0331eeff82p+0);  // 1.96, the two-sided 95 %
  EXPECT_EQ(normal_quantile(0.99), 0x1.29c5c4630ff0cp+1);   // 2.3263 (P1 prints 2.576, the two-sided value)
  EXPECT_EQ(normal_quantile(0.999), 0x1.8b8cbb7204470p+1);  // 3.0902
  EXPECT_EQ(normal_quantile(0.999999), 0x1.30381a97985f1p+2);
  EXPECT_EQ(normal_quantile(1e-10), -0x1.97203597a2154p+2);
  EXPECT_NEAR(normal_quantile(0.01), -normal_quantile(0.99), 1e-14);
}

TEST(QuantileTest, InvertsTheDistribution) {
  for (int k = 1; k < 1000; ++k) {
    const double p = k / 1000.0;
    EXPECT_NEAR(std::erfc(-normal_quantile(p) / std::sqrt(2.0)) / 2, p, 1e-15) << p;
  }
  double last = -1e9;
  for (double p = 1e-12; p < 1; p += 7.7e-4) {
    EXPECT_GT(normal_quantile(p), last) << p;
    last = normal_quantile(p);
  }
}

TEST(QuantileTest, NaturalLog) {
  EXPECT_EQ(natural_log(1), 0);
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    EXPECT_NEAR(natural_log(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
}

TEST(QuantileTest, TheCheckerFindsTheSameByOtherMeans) {
  for (const double p : {0.5, 0.5001, 0.6, 0.8, 0.9, 0.95, 0.99, 0.9938, 0.999, 0.999999, 1 - 1e-9, 1 - 1e-13}) {
    Uncertainty u;
    u.confidence = p;
    EXPECT_NEAR(checked_confidence_factor(u), normal_quantile(p), 1e-12 * std::max(1.0, normal_quantile(p))) << p;
    u.model = ChanceModel::kBoundedSupport;
    const double hoeffding = std::sqrt(-natural_log(1 - p) / 2);
    EXPECT_NEAR(checked_confidence_factor(u), hoeffding, 1e-12 * hoeffding) << p;
    u.model = ChanceModel::kFactor;
    u.factor = 2.5;
    EXPECT_EQ(checked_confidence_factor(u), 2.5);
  }
}

}  // namespace
}  // namespace stowage
