#include "core/annealing/annealing_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

constexpr std::int32_t kTenth = ProfileMatrix::kFull / 10;

/// The state of all nodes of a setup.
struct LoadedState {
  explicit LoadedState(SearchSetup& setup)
      : placement(setup.state), rows(setup.instance), state(setup.instance, rows), nodes(setup.state.nodes()) {
    WorkClock clock(Request{}, nullptr);
    EXPECT_TRUE(state.load(placement, nodes, clock));
  }
  /// Any item of the app on the slot, or one that waits.
  [[nodiscard]] std::uint32_t item_of(AppId app, std::uint32_t slot) const {
    for (std::uint32_t item = 0; item < state.items(); ++item) {
      if (state.app(item) == app && state.item(item).slot == slot) return item;
    }
    return kNone;
  }
  void put(std::uint32_t item, std::uint32_t slot, std::int32_t excess) {
    state.put(item, slot, excess);
    state.erase_placed();
  }

  AnnealedPlacementOf<std::int16_t> placement;
  ProfileMatrix rows;
  AnnealingState state;
  std::vector<NodeId> nodes;
};

InstanceBuilder opposite_peaks() {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("morning", 2, {4, 1});
  builder.add_app("evening", 2, {1, 4});
  builder.add_app("flat", 2, {5, 5});
  builder.add_class({10});
  return builder;
}

TEST(AnnealingStateTest, ReadsWhoIsWhere) {
  SearchSetup setup(opposite_peaks());
  setup.open({0, 0});
  setup.open({1});
  const LoadedState loaded(setup);
  const AnnealingState& state = loaded.state;
  EXPECT_EQ(state.slots(), 2u);
  EXPECT_EQ(state.open(), 2u);
  EXPECT_EQ(state.items(), 6u);
  EXPECT_EQ(state.guests(0).size(), 2u);
  EXPECT_EQ(state.waiting().size(), 3u) << "one of evening, two of flat";
  EXPECT_EQ(state.lowest(0), 2 * kTenth);
  EXPECT_EQ(state.lowest(1), 6 * kTenth);
  EXPECT_TRUE(state.all_within());
  EXPECT_DOUBLE_EQ(state.waiting_share(), 1.4);
  // Of 20 in the scarcest period, all demand is 20.
  EXPECT_DOUBLE_EQ(state.spare(), 0);
  EXPECT_FALSE(state.short_of_room());
  for (std::uint32_t item = 0; item < state.items(); ++item) {
    const std::uint32_t slot = state.item(item).slot;
    EXPECT_EQ(state.slot_of_item()[item], slot == kNone ? state.slots() : slot);
    EXPECT_GE(item, state.first(state.item(item).rank));
    EXPECT_LT(item, state.first(state.item(item).rank + 1));
  }
  EXPECT_EQ(state.ranks_in_play().size(), 3u);
}

TEST(AnnealingStateTest, ExcessIsSummedOverPeriods) {
  SearchSetup setup(opposite_peaks());
  setup.open({0, 0});
  setup.open({1, 1});
  LoadedState loaded(setup);
  const std::uint32_t flat = loaded.item_of(2, kNone);
  EXPECT_FALSE(loaded.state.fits(flat, 0));
  loaded.put(flat, 0, 3 * kTenth);
  EXPECT_FALSE(loaded.state.all_within());
  EXPECT_EQ(loaded.state.exceeding(), std::vector<std::uint32_t>{0});
  EXPECT_EQ(loaded.state.lowest(0), -3 * kTenth);
  EXPECT_DOUBLE_EQ(loaded.state.exceeded(), 0.3);
  EXPECT_EQ(loaded.state.cost_of(0), 3.0F * kTenth);
  loaded.state.set_cost({0, 2});
  EXPECT_FLOAT_EQ(loaded.state.cost_of(0), 2 * std::sqrt(3.0F * kTenth));
  loaded.state.evict(flat);
  EXPECT_TRUE(loaded.state.all_within());
  EXPECT_TRUE(loaded.state.exceeding().empty());
  EXPECT_EQ(loaded.state.waiting().size(), 2u);
}

TEST(AnnealingStateTest, ExchangesWhatIsAffordable) {
  SearchSetup setup(opposite_peaks());
  setup.open({0, 0});
  setup.open({1, 1});
  LoadedState loaded(setup);
  AnnealingState& state = loaded.state;
  const std::uint32_t x = loaded.item_of(0, 0);
  const std::uint32_t y = loaded.item_of(1, 1);
  EXPECT_FALSE(state.try_exchange(x, 1, {&y, 1}, state.demand(y), -1, 0, 0)) << "costs 0";
  EXPECT_TRUE(state.try_exchange(x, 1, {&y, 1}, state.demand(y), 0, 0, 0));
  EXPECT_EQ(state.item(x).slot, 1u);
  EXPECT_EQ(state.item(y).slot, 0u);
  EXPECT_EQ(state.lowest(0), 5 * kTenth);
  EXPECT_TRUE(state.changed(0) && state.changed(1));
  EXPECT_EQ(setup.on(0), "morning:2") << "the placement does not know";
  state.store(loaded.placement, loaded.nodes);
  EXPECT_EQ(setup.on(0) + " | " + setup.on(1), "morning:1 evening:1 | morning:1 evening:1");
}

TEST(AnnealingStateTest, LimitsCountWhatLeaves) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("shy", 1, {1, 1});
  builder.add_app("crowd", 3, {1, 1});
  builder.add_app("pair", 3, {1, 1});
  builder.add_class({10});
  builder.limit(0, 1, 1);
  builder.limit(2, 2, 2);
  SearchSetup setup(builder);
  setup.open({0, 2});
  setup.open({1, 1, 1, 2, 2});
  LoadedState loaded(setup);
  const AnnealingState& state = loaded.state;
  const std::uint32_t shy = loaded.item_of(0, 0);
  const std::uint32_t crowd = loaded.item_of(1, 1);
  const std::uint32_t pair = loaded.item_of(2, 0);
  const std::uint32_t other_of_pair = loaded.item_of(2, 1);
  EXPECT_TRUE(state.admits({&crowd, 1}, 0, {})) << "one of crowd is tolerated";
  EXPECT_FALSE(state.admits({&shy, 1}, 1, {}));
  std::vector<std::uint32_t> crowds;
  for (std::uint32_t item = 0; item < state.items(); ++item) {
    if (state.app(item) == 1) crowds.push_back(item);
  }
  EXPECT_FALSE(state.admits(crowds, 0, {}));
  EXPECT_TRUE(state.admits(crowds, 0, {&shy, 1}));
  EXPECT_TRUE(state.admits({&shy, 1}, 1, std::span(crowds).first(2)));
  EXPECT_FALSE(state.admits({&pair, 1}, 1, {})) << "two of itself are the most";
  EXPECT_TRUE(state.admits({&pair, 1}, 1, {&other_of_pair, 1}));
}

TEST(AnnealingStateTest, NodesThatExceedTheirCapacityAreFrozen) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("pinned", 2, {6, 6});
  builder.add_app("free", 1, {1, 2});
  builder.add_class({10});
  builder.add_node(0);
  builder.add_node(0);
  builder.pin(0, 0, 2);
  SearchSetup setup(builder);
  const LoadedState loaded(setup);
  EXPECT_TRUE(loaded.state.frozen(0));
  EXPECT_FALSE(loaded.state.frozen(1));
  EXPECT_TRUE(loaded.state.all_within()) << "what is frozen counts as it is";
  EXPECT_LT(loaded.state.cost_of(0), -1e20F);
  for (const AnnealingState::Guest& guest : loaded.state.guests(0)) EXPECT_EQ(guest.item, kNone);
}

TEST(AnnealingStateTest, ReserveIsEmptyNodesAtTheEnd) {
  SearchSetup setup(opposite_peaks());
  setup.open({0, 0});
  for (int n = 0; n < 4; ++n) setup.open({});
  LoadedState loaded(setup);
  EXPECT_DOUBLE_EQ(loaded.state.spare(), 3);
  loaded.state.keep_in_reserve(1.5);
  EXPECT_EQ(loaded.state.open(), 4u) << "a second node would leave 1";
  loaded.state.open_further(1);
  EXPECT_EQ(loaded.state.open(), 5u);
  loaded.state.keep_in_reserve(-10);
  EXPECT_EQ(loaded.state.open(), 2u) << "exchanges take two";
}

TEST(AnnealingStateTest, EndsWithTheRun) {
  SearchSetup setup(opposite_peaks());
  setup.open({0});
  setup.open({1});
  const AnnealedPlacementOf<std::int16_t> placement(setup.state);
  const ProfileMatrix rows(setup.instance);
  AnnealingState state(setup.instance, rows);
  Request request;
  request.work_limit = 1;
  WorkClock clock(request, nullptr);
  EXPECT_FALSE(state.load(placement, setup.state.nodes(), clock));
  EXPECT_EQ(clock.stop(), Stop::kDeadline);
}

}  // namespace
}  // namespace stowage
