#include "core/bounds/cost_unit.h"

#include <gtest/gtest.h>

#include "tests/unit/support/instance_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

CostUnit unit_of(const std::vector<double>& prices) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  for (const double price : prices) builder.add_class({8}, 0, price);
  return CostUnit(Supply(builder.must_build()));
}

TEST(CostUnit, WhatPricesHaveInCommon) {
  EXPECT_DOUBLE_EQ(unit_of({0.096, 0.192, 0.68, 1.008}).value(), 0.008);
  EXPECT_DOUBLE_EQ(unit_of({3}).value(), 3);
  EXPECT_DOUBLE_EQ(unit_of({0, 6, 4}).value(), 2);
  EXPECT_EQ(unit_of({0}).value(), 0);
}

TEST(CostUnit, PricesThatAreNoDecimals) {
  EXPECT_EQ(unit_of({1.0 / 3, 1.0 / 7}).value(), 0);
  EXPECT_EQ(unit_of({1.0 / 3, 0, 1.0 / 3}).value(), 1.0 / 3);
  EXPECT_EQ(unit_of({1e-100}).value(), 1e-100);
  EXPECT_EQ(unit_of({1e100, 1e-100}).value(), 0);
}

TEST(CostUnit, RoundsUpToAMultiple) {
  const CostUnit unit = unit_of({0.096, 0.68});
  EXPECT_NEAR(unit.round_up(88.2421), 88.248, 1e-9);
  EXPECT_LT(unit.round_up(88.2421), 88.248);
  EXPECT_NEAR(unit.round_up(88.248 * (1 - 1e-10)), 88.248, 1e-9);
  EXPECT_EQ(unit.round_up(0), 0);
  EXPECT_NEAR(unit_of({1.0 / 3, 1.0 / 7}).round_up(5.3), 5.3, 1e-9);
}

}  // namespace
}  // namespace stowage
