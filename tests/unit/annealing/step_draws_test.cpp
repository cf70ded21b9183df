#include "core/annealing/step_draws.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

constexpr int kDraws = 20'000;

/// 40 nodes with 10 replicas each, of 50 profiles; some are large.
struct DrawsSetup {
  DrawsSetup() : setup(instance()), placement(setup.state), rows(setup.instance), state(setup.instance, rows), random(0) {
    for (NodeId node = 0; node < 40; ++node) {
      std::vector<AppId> apps;
      for (AppId k = 0; k < 10; ++k) apps.push_back((node * 10 + k) % 50);
      setup.open(apps);
    }
    WorkClock clock(Request{}, nullptr);
    EXPECT_TRUE(state.load(placement, setup.state.nodes(), clock));
  }
  static InstanceBuilder instance() {
    InstanceBuilder builder({"cpu"}, 2);
    for (int k = 0; k < 50; ++k) builder.add_app("app-" + std::to_string(k), 9, {1.0 + k % 10, 2.0 + k / 10});
    builder.add_class({100});
    return builder;
  }
  void find_neighbours() {
    WorkClock clock(Request{}, nullptr);
    EXPECT_TRUE(neighbours.find(rows, state.ranks_in_play(), std::vector<double>(rows.lanes(), 0), clock));
  }

  SearchSetup setup;
  AnnealedPlacementOf<std::int16_t> placement;
  ProfileMatrix rows;
  AnnealingState state;
  ProfileNeighbours neighbours;
  Random random;
};

TEST(StepDrawsTest, PartnersExist) {
  DrawsSetup setup;
  setup.find_neighbours();
  StepDraws draws(setup.state, setup.rows, setup.neighbours, setup.random);
  draws.restart();
  std::array<int, 4> of_kind{};
  for (int k = 0; k < kDraws; ++k) {
    const StepDraw& draw = draws.next();
    ASSERT_LT(draw.item, setup.state.items()) << "every slot has items";
    if (setup.state.item(draw.item).slot == kNone) continue;
    ++of_kind[static_cast<std::size_t>(draw.kind)];
    std::uint32_t partners = 0;
    for (std::uint32_t r = 0; r < draw.ranges; ++r) {
      const auto [first, count] = draw.partners[r];
      partners += count;
      EXPECT_LE(first + count, draw.kind == PartnerKind::kSlots ? setup.state.slots() : setup.state.items());
      if (draw.kind != PartnerKind::kNeighbours) continue;
      EXPECT_EQ(setup.state.item(first).rank, setup.state.item(first + count - 1).rank) << "of one profile";
    }
    EXPECT_LE(partners, StepDraw::kPartners);
    if (draw.kind == PartnerKind::kSeveral) {
      EXPECT_LT(draw.slot, setup.state.slots());
    } else if (draw.kind != PartnerKind::kNeighbours) {
      EXPECT_EQ(partners, StepDraw::kPartners);
    }
  }
  for (const int count : of_kind) EXPECT_GT(count, 100);
}

TEST(StepDrawsTest, WithoutNeighboursAllAreAlike) {
  DrawsSetup setup;
  StepDraws draws(setup.state, setup.rows, setup.neighbours, setup.random);
  draws.restart();
  for (int k = 0; k < kDraws; ++k) EXPECT_NE(draws.next().kind, PartnerKind::kNeighbours);
}

TEST(StepDrawsTest, MostStepsBeginWhereMuchIsExceeded) {
  DrawsSetup setup;
  setup.state.put(setup.state.take_waiting(0), 7, ProfileMatrix::kFull);
  StepDraws draws(setup.state, setup.rows, setup.neighbours, setup.random);
  draws.restart();
  int there = 0;
  for (int k = 0; k < kDraws; ++k) {
    const StepDraw& draw = draws.next();
    there += setup.state.item(draw.item).slot == 7 ? 1 : 0;
  }
  EXPECT_GT(there, kDraws * 4 / 10);
  EXPECT_LT(there, kDraws * 7 / 10);
}

TEST(StepDrawsTest, TheSameSeedDrawsTheSame) {
  std::array<std::vector<std::uint32_t>, 2> items;
  for (std::vector<std::uint32_t>& drawn : items) {
    DrawsSetup setup;
    StepDraws draws(setup.state, setup.rows, setup.neighbours, setup.random);
    draws.restart();
    for (int k = 0; k < 100; ++k) drawn.push_back(draws.next().item);
  }
  EXPECT_EQ(items[0], items[1]);
}

}  // namespace
}  // namespace stowage
