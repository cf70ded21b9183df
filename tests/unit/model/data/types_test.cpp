#include "core/model/data/types.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "core/base/status.h"

namespace stowage {
namespace {

TEST(FeatureTest, EveryFeatureHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (FeatureSet bit = 1; bit < static_cast<FeatureSet>(Feature::kEnd); bit <<= 1) {
    const std::string_view name = feature_name(static_cast<Feature>(bit));
    EXPECT_NE(name, "unknown") << bit;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(feature_name(Feature::kEnd), "unknown");
}

TEST(FeatureTest, SetsAreBits) {
  const FeatureSet set = Feature::kPeriods | Feature::kPins | Feature::kPrices;
  EXPECT_TRUE(contains(set, Feature::kPeriods));
  EXPECT_TRUE(contains(set, Feature::kPrices));
  EXPECT_FALSE(contains(set, Feature::kRunning));
}

TEST(StatusTest, PathsOfElements) { EXPECT_EQ(indexed("apps.demand", 51), "apps.demand[51]"); }

TEST(StatusTest, AResultIsAValueOrAnError) {
  const Result<int> value = 7;
  EXPECT_TRUE(value.ok());
  EXPECT_EQ(value.value(), 7);
  const Result<int> error = Error{Code::kNotFound, "no", "there"};
  EXPECT_FALSE(error);
  EXPECT_EQ(error.error().path, "there");
}

}  // namespace
}  // namespace stowage
