#include "core/annealing/profiles/profile_matrix.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;
using Rows = ProfileMatrix;

// Memory is scarcer than cpu, and most of it is demanded at night.
InstanceBuilder nightly() {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  builder.add_app("day", 3, {1, 1, 4, 3});
  builder.add_app("night", 2, {2, 1, 2, 6});
  builder.add_app("also-night", 1, {2, 1, 2, 6});
  builder.add_app("small", 1, {0, 0, 1, 1});
  builder.add_class({10, 7});
  return builder;
}

constexpr std::int16_t rounded_up(int sevenths) { return static_cast<std::int16_t>((sevenths * Rows::kFull + 6) / 7); }

TEST(ProfileMatrixTest, TheScarcestComesFirst) {
  const Instance instance = nightly().must_build();
  const Rows rows(instance);
  ASSERT_EQ(rows.periods(), 2u);
  ASSERT_EQ(rows.lanes() % Rows::kChunk, 0u);
  ASSERT_EQ(rows.width(), 2 * rows.lanes());
  const std::int16_t* day = rows.demand(0);
  EXPECT_EQ(std::vector<std::int16_t>(day, day + 3), (std::vector<std::int16_t>{rounded_up(3), rounded_up(4), 0}));
  const std::int16_t* cpu = day + rows.lanes();
  EXPECT_EQ(std::vector<std::int16_t>(cpu, cpu + 3), (std::vector<std::int16_t>{Rows::kFull / 10, Rows::kFull / 10, 0}));
  EXPECT_EQ(rows.least(0), rounded_up(3));
  EXPECT_EQ(rows.most(0), rounded_up(4));
  EXPECT_EQ(rows.mean(0), (rounded_up(3) + rounded_up(4)) / 2);
  EXPECT_EQ(rows.most_of_others(1), Rows::kFull / 5);
  EXPECT_TRUE(rows.varies(0));
  EXPECT_FALSE(rows.varies(3));
}

TEST(ProfileMatrixTest, AppsWithTheSameDemandShareARow) {
  const Instance instance = nightly().must_build();
  const Rows rows(instance);
  EXPECT_EQ(rows.ranks(), 3u);
  EXPECT_EQ(rows.rank(1), rows.rank(2));
  EXPECT_EQ(rows.demand(1), rows.row(rows.rank(2)));
  EXPECT_LT(rows.rank(3), rows.rank(0));
  EXPECT_LT(rows.rank(0), rows.rank(1));
}

TEST(ProfileMatrixTest, WhatIsFreeIsRoundedDown) {
  InstanceBuilder builder = nightly();
  builder.add_node(0, {0, 0, 1, 2});
  SearchSetup setup(builder);
  setup.placement.place(0, 0, 1);
  Rows rows(setup.instance);
  std::vector<std::int16_t> free(rows.width());
  rows.read_free(0, 0, setup.placement.contents().at(0), free.data());
  EXPECT_EQ(free[0], 5 * Rows::kFull / 7 - rounded_up(3));
  EXPECT_EQ(free[1], 6 * Rows::kFull / 7 - rounded_up(4));
  EXPECT_EQ(free[2], Rows::kFull) << "nothing is demanded in lanes behind the last period";
  EXPECT_EQ(free[rows.lanes()], Rows::kFull - Rows::kFull / 10);
}

TEST(ProfileMatrixTest, WhatWouldWrapIsTooFull) {
  for (const double load : {11.0, 20.0}) {
    InstanceBuilder builder = nightly();
    builder.add_node(0, {load, 0, 0, 0});
    SearchSetup setup(builder);
    Rows rows(setup.instance);
    std::vector<std::int16_t> free(rows.width());
    rows.read_free(0, 0, setup.placement.contents().at(0), free.data());
    const std::int16_t at_night = load == 11 ? Rows::kFull : Rows::kTooFull;
    EXPECT_EQ(free[0], at_night);
    EXPECT_EQ(free[rows.lanes() + 1], load == 11 ? -Rows::kFull / 10 : Rows::kTooFull) << "by day, cpu";
  }
}

TEST(ProfileMatrixTest, ShareIsThatOfTheWorstPeriod) {
  const Instance instance = nightly().must_build();
  const Rows rows(instance);
  const double share = rows.share([](auto&& visit) {
    visit(AppId{0}, 2U);
    visit(AppId{1}, 1U);
  });
  EXPECT_DOUBLE_EQ(share, (2 * rounded_up(3) + rounded_up(6)) / double{Rows::kFull});
}

}  // namespace
}  // namespace stowage
