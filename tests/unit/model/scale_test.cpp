#include "core/model/scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stowage {
namespace {

TEST(ScaleTest, WholeNumbersKeepTheirUnit) {
  const Scale scale = Scale::choose(std::vector<double>{1, 2, 3}, std::vector<double>{64});
  EXPECT_TRUE(scale.exact());
  EXPECT_EQ(scale.unit(), 1);
  EXPECT_EQ(scale.demand(3), 3);
  EXPECT_EQ(scale.load(3), 3);
  EXPECT_EQ(scale.capacity(64), 64);
  EXPECT_EQ(scale.largest_capacity(), 64);
}

TEST(ScaleTest, TheCoarsestUnitThatIsExactForEveryValue) {
  // 0.7351 needs four decimals; gcd(5000, 7351) = 1, so that the unit stays 10^-4.
  const Scale scale = Scale::choose(std::vector<double>{0.5, 0.7351, 0.5}, std::vector<double>{64, 92});
  EXPECT_TRUE(scale.exact());
  EXPECT_EQ(scale.unit(), 1e-4);
  EXPECT_EQ(scale.demand(0.5), 5000);
  EXPECT_EQ(scale.demand(0.7351), 7351);
  EXPECT_EQ(scale.capacity(92), 920000);
  EXPECT_EQ(scale.largest_capacity(), 920000);
}

TEST(ScaleTest, CapacitiesCountForTheNumberOfDecimals) {
  const Scale scale = Scale::choose(std::vector<double>{1}, std::vector<double>{31.58});
  EXPECT_TRUE(scale.exact());
  // Only demands determine the divisor: one unit is gcd(100) = 100 hundredths, and the capacity rounds down to 31 units.
  EXPECT_EQ(scale.unit(), 1);
  EXPECT_EQ(scale.capacity(31.58), 31);
}

TEST(ScaleTest, TheGreatestCommonDivisorCoarsensTheUnit) {
  const Scale scale = Scale::choose(std::vector<double>{4, 6, 10}, std::vector<double>{64, 65});
  EXPECT_EQ(scale.unit(), 2);
  EXPECT_EQ(scale.demand(6), 3);
  EXPECT_EQ(scale.capacity(64), 32);
  EXPECT_EQ(scale.capacity(65), 32) << "no set of even demands fills the odd unit";
}

TEST(ScaleTest, DecimalsThatDoublesCannotHoldStayExact) {
  // 0.1 + 0.2 > 0.3 in doubles; in units, 1 + 2 = 3.
  const Scale scale = Scale::choose(std::vector<double>{0.1, 0.2}, std::vector<double>{0.3});
  EXPECT_TRUE(scale.exact());
  EXPECT_EQ(scale.demand(0.1) + scale.demand(0.2), scale.capacity(0.3));
}

TEST(ScaleTest, NineDecimalsAreTheFinest) {
  const Scale fits = Scale::choose(std::vector<double>{1e-9, 1}, std::vector<double>{1});
  EXPECT_TRUE(fits.exact());
  EXPECT_EQ(fits.capacity(1), 1'000'000'000);
  // 1.1 x 10^9 is above 2^30 = 1073741824.
  const Scale too_large = Scale::choose(std::vector<double>{1e-9}, std::vector<double>{1.1});
  EXPECT_FALSE(too_large.exact());
  EXPECT_LE(too_large.largest_capacity(), kMaxScaled);
}

TEST(ScaleTest, FractionsAreExact) {
  const Scale thirds = Scale::choose(std::vector<double>{5.0 / 3, 16.0 / 3}, std::vector<double>{7, 43.0 / 3});
  ASSERT_TRUE(thirds.exact());
  EXPECT_EQ(thirds.demand(5.0 / 3) + thirds.demand(16.0 / 3), thirds.capacity(7));
  EXPECT_EQ(thirds.capacity(43.0 / 3), 43);
  const Scale mixed = Scale::choose(std::vector<double>{1.0 / 3, 0.1, 1.0 / 1024}, std::vector<double>{2});
  ASSERT_TRUE(mixed.exact());
  EXPECT_EQ(mixed.capacity(2), 2 * 3 * 5 * 1024);
  EXPECT_EQ(mixed.demand(1.0 / 3), 5 * 1024);
}

TEST(ScaleTest, RoundedFractionsAreExact) {
  const double third = 31.0 / 3;
  const double below = std::nextafter(std::nextafter(third, 0), 0);
  const Scale scale = Scale::choose(std::vector<double>{third, 2.0 / 3}, std::vector<double>{below});
  ASSERT_TRUE(scale.exact());
  EXPECT_EQ(scale.demand(third), scale.capacity(below));
  EXPECT_EQ(scale.load(third), scale.capacity(below));
  EXPECT_GT(scale.demand(third + 1e-6), scale.capacity(below));
}

TEST(ScaleTest, LargeNumbersWithACommonDivisorAreExact) {
  const double gibibyte = 0x1p30;
  const Scale bytes = Scale::choose(std::vector<double>{gibibyte, 0.5 * gibibyte}, std::vector<double>{1000 * gibibyte});
  ASSERT_TRUE(bytes.exact());
  EXPECT_EQ(bytes.demand(gibibyte), 2);
  EXPECT_EQ(bytes.capacity(1000 * gibibyte), 2000);
}

TEST(ScaleTest, APowerOfTwoWhereNoMultipleIsExact) {
  const double root = std::sqrt(0.111);
  const std::vector<double> capacities = {1.5, 3.7, 10.1};
  const Scale scale = Scale::choose(std::vector<double>{root, 0.1}, capacities);
  EXPECT_FALSE(scale.exact());
  int exponent = 0;
  EXPECT_EQ(std::frexp(scale.unit(), &exponent), 0.5) << "not a power of two";
  EXPECT_GE(scale.largest_capacity(), kMaxScaled / 2);
  EXPECT_LE(scale.largest_capacity(), kMaxScaled);
  for (const double value : {root, 0.1, 0.25, 9.999}) {
    const double units = scale.demand(value);
    EXPECT_GE(units * scale.unit(), value) << "demand must round up";
    EXPECT_LT((units - 1) * scale.unit(), value) << "demand must round up by less than a unit";
  }
  for (const double value : capacities) {
    const double units = scale.capacity(value);
    EXPECT_LE(units * scale.unit(), value) << "capacity must round down";
    EXPECT_GT((units + 1) * scale.unit(), value) << "capacity must round down by less than a unit";
  }
  EXPECT_LE(scale.unit(), 10.1 * 0x1p-29) << "one unit is at most 2^-29 of the largest capacity";
}

// Lower bounds round in the other direction: demand is never above the original, capacity never below.
TEST(ScaleTest, BoundsRoundTheOtherWay) {
  const double third = 1.0 / 3;
  // No unit that is small enough has all three as multiples.
  const Scale scale = Scale::choose(std::vector<double>{third, std::sqrt(0.5), std::sqrt(0.3)}, std::vector<double>{1});
  ASSERT_FALSE(scale.exact());
  EXPECT_EQ(scale.least_demand(third), scale.demand(third) - 1);
  EXPECT_GT(3 * scale.demand(third), scale.capacity(1)) << "planners do not see that three thirds fit";
  EXPECT_LE(3 * scale.least_demand(third), scale.most_left(1, 0)) << "bounds must";
  EXPECT_GE(scale.most_left(1, 0) * scale.unit(), 1 + 1e-9) << "the checker grants that much";
  EXPECT_GT(scale.least_demand(1.1), scale.most_left(1, 0)) << "what is too large stays too large";
  EXPECT_GT(scale.least_demand(1e300), scale.most_left(1, 0));

  const Scale exact = Scale::choose(std::vector<double>{0.25, 0.5}, std::vector<double>{1.1});
  ASSERT_TRUE(exact.exact());
  EXPECT_EQ(exact.least_demand(0.5), exact.demand(0.5));
  EXPECT_EQ(exact.most_left(1.1, 0), exact.capacity(1.1));
  // With 10^9 units, the checker's tolerance is one unit.
  const Scale finest = Scale::choose(std::vector<double>{1e-9}, std::vector<double>{1});
  EXPECT_EQ(finest.most_left(1, 0), finest.capacity(1) + 1);
}

TEST(ScaleTest, UnitsGrowWithWhatNodesHoldAtTheStart) {
  const std::vector<double> amounts = {1.0 / 3, std::sqrt(0.5), std::sqrt(0.3)};
  const std::vector<double> capacities = {10};
  const double usual = Scale::choose(amounts, capacities).unit();
  EXPECT_EQ(Scale::choose(amounts, capacities, 15).unit(), usual) << "half as much again is expected";
  for (const double heaviest : {20.0, 100.0, 10'000.0}) {
    const Scale scale = Scale::choose(amounts, capacities, heaviest);
    EXPECT_LE(scale.load(heaviest), std::int64_t{kMaxScaled} * 3 / 2 + 1) << heaviest;
    EXPECT_GE(scale.load(heaviest), kMaxScaled / 2) << heaviest;
  }
  EXPECT_EQ(Scale::choose(amounts, capacities, 1e12).unit(), Scale::choose(amounts, capacities, 10 * kMostOverload).unit())
      << "no app loses precision to a node that is out of all proportion";
  EXPECT_TRUE(Scale::choose(std::vector<double>{0.5}, capacities, 100).exact());
}

TEST(ScaleTest, WhatIsAboveEveryCapacityStaysAbove) {
  for (const double above : {5.0000000001, 5.5, 6.0, 1e9, 1e300}) {
    const Scale scale = Scale::choose(std::vector<double>{2, 4, above}, std::vector<double>{5, 3});
    EXPECT_TRUE(scale.exact()) << "a value that fits nowhere must not cost the others their exactness";
    // 5 is two units of gcd(2, 4) = 2 and a remainder.
    EXPECT_EQ(scale.largest_capacity(), 2);
    EXPECT_EQ(scale.demand(above), 3) << above;
    EXPECT_GT(scale.load(above), 2) << above;
  }
}

TEST(ScaleTest, LoadIsNotCapped) {
  const Scale scale = Scale::choose(std::vector<double>{0.5}, std::vector<double>{64});
  EXPECT_EQ(scale.load(1'000'000), 2'000'000);
  EXPECT_EQ(scale.load(1e300), std::int64_t{1} << 61);
}

TEST(ScaleTest, ZeroIsZeroAndAnythingMoreIsMoreThanNoCapacity) {
  const Scale scale = Scale::choose(std::vector<double>{0, 0.3}, std::vector<double>{0});
  EXPECT_TRUE(scale.exact());
  EXPECT_EQ(scale.capacity(0), 0);
  EXPECT_EQ(scale.demand(0), 0);
  EXPECT_GT(scale.demand(0.3), 0);
}

TEST(ScaleTest, NothingAtAll) {
  const Scale scale = Scale::choose({}, {});
  EXPECT_TRUE(scale.exact());
  EXPECT_EQ(scale.demand(1), 1) << "above the largest capacity, which is 0";
  EXPECT_EQ(scale.largest_capacity(), 0);
}

// The extremes of doubles: no intermediate overflow, and demand that equals the capacity is not rounded to 0.
TEST(ScaleTest, ExtremeMagnitudes) {
  for (const double capacity : {1e300, 1.7e308, 1e-290, 1e-300, 1e-305, 5e-324}) {
    const Scale scale = Scale::choose(std::vector<double>{capacity / 3, capacity}, std::vector<double>{capacity});
    EXPECT_TRUE(scale.unit() > 0 && std::isfinite(scale.unit())) << capacity;
    EXPECT_GE(scale.capacity(capacity), 0) << capacity;
    EXPECT_LE(scale.capacity(capacity), kMaxScaled) << capacity;
    EXPECT_EQ(scale.demand(0), 0) << capacity;
    EXPECT_GT(scale.demand(capacity), 0) << capacity;
    EXPECT_LE(scale.demand(capacity), scale.largest_capacity() + 1) << capacity;
  }
}

}  // namespace
}  // namespace stowage
