#include "core/bounds/prices/spread_classes.h"

#include <gtest/gtest.h>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

Instance with_variances(const std::vector<double>& variances) {
  InstanceBuilder builder({"cpu", "memory"});
  for (std::size_t k = 0; k < variances.size(); ++k) builder.add_app("app-" + std::to_string(k), 1, {1, 1});
  builder.add_class({10, 10});
  for (const double v : variances) {
    builder.data().variance.push_back(v);
    builder.data().variance.push_back(0);
  }
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 2};
  return builder.must_build();
}

TEST(SpreadClasses, GrowWithTheRatio) {
  const Instance instance = with_variances({0.01, 0.05, 0.2, 0.8, 1});
  const SpreadClasses classes(instance, Supply(instance), 1);
  EXPECT_EQ(classes.count(), 8u);
  EXPECT_EQ(classes.of(0, 1, 0), 0u);
  EXPECT_EQ(classes.of(0, 0, 1e9), 7u);
  EXPECT_EQ(classes.of(0, 0, 0), 7u);
  std::uint32_t last = 0;
  for (double spread = 1e-3; spread < 1e12; spread *= 1.3) {
    const std::uint32_t now = classes.of(0, 1000, spread);
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_EQ(last, 7u);
}

TEST(SpreadClasses, OneWhereNothingDiffers) {
  const Instance instance = with_variances({0.2, 0.2});
  const SpreadClasses classes(instance, Supply(instance), 1);
  EXPECT_EQ(classes.of(0, 1, 0.1), classes.of(0, 1, 0.9));
  EXPECT_EQ(classes.of(1, 1, 0), 0u);
  EXPECT_EQ(SpreadClasses().of(0, 1, 0), 0u);
}

TEST(SpreadClasses, FewerForManyGroups) {
  const Instance instance = with_variances({0.01, 1});
  const Supply supply(instance);
  EXPECT_EQ(SpreadClasses(instance, supply, 4).count(), 8u);
  EXPECT_EQ(SpreadClasses(instance, supply, 6).count(), 4u);
  EXPECT_EQ(SpreadClasses(instance, supply, 32).count(), 1u);
}

}  // namespace
}  // namespace stowage
