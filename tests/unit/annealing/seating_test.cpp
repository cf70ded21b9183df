#include "core/annealing/seating.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

/// Seating on all nodes of a setup.
struct SeatingSetup {
  explicit SeatingSetup(SearchSetup& setup)
      : placement(setup.state),
        rows(setup.instance),
        nodes(setup.state.nodes()),
        state(setup.instance, rows),
        random(0),
        seating(state, rows, random),
        clock(Request{}, nullptr) {
    EXPECT_TRUE(state.load(placement, nodes, clock));
  }
  void store() { state.store(placement, nodes); }

  AnnealedPlacementOf<std::int16_t> placement;
  ProfileMatrix rows;
  std::vector<NodeId> nodes;
  AnnealingState state;
  Random random;
  Seating seating;
  WorkClock clock;
};

TEST(SeatingTest, PlacesWhereLeastIsLost) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {6, 1});
  builder.add_app("night", 1, {1, 6});
  builder.add_app("steady", 1, {4, 4});
  builder.add_class({10});
  SearchSetup setup(builder);
  setup.open({0});
  setup.open({2});
  SeatingSetup seats(setup);
  seats.seating.place(seats.state.waiting_largest_first(), seats.clock);
  seats.store();
  EXPECT_EQ(setup.on(0) + " | " + setup.on(1), "day:1 night:1 | day:1 steady:1");
  EXPECT_TRUE(seats.state.waiting().empty());
  EXPECT_GT(seats.clock.work(), 48u);
}

TEST(SeatingTest, PlacesOnOneSlotWhatFits) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("small", 3, {4, 4});
  builder.add_class({10});
  SearchSetup setup(builder);
  setup.open({});
  SeatingSetup seats(setup);
  seats.seating.place_on(0);
  seats.store();
  EXPECT_EQ(setup.on(0), "small:2");
  EXPECT_EQ(seats.state.waiting().size(), 1u);
}

// Each node has 4 left, and 5 waits: together there is room.
TEST(SeatingTest, PlacesBeyondCapacityWhatHasRoomInAll) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("six", 2, {6, 6});
  builder.add_app("five", 2, {5, 5});
  builder.add_class({10});
  SearchSetup setup(builder);
  setup.open({0});
  setup.open({0});
  SeatingSetup seats(setup);
  EXPECT_TRUE(seats.state.short_of_room()) << "8 are free, 10 wait";
  seats.seating.place(seats.state.waiting_largest_first(), seats.clock);
  EXPECT_EQ(seats.state.waiting().size(), 2u);
  seats.seating.place_beyond_capacity(seats.clock);
  EXPECT_EQ(seats.state.waiting().size(), 1u);
  EXPECT_DOUBLE_EQ(seats.state.exceeded(), 0.1);
  EXPECT_EQ(seats.state.exceeding().size(), 1u);
}

// 11 on a node of 10: every replica would be enough, and one of the smallest leaves.
TEST(SeatingTest, RelievesByTheLeastBurden) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("five", 1, {5, 5});
  builder.add_app("two", 2, {2, 2});
  builder.add_app("one", 2, {1, 1});
  builder.add_class({10}, 2);
  builder.add_node(0);
  builder.add_node(0);
  SearchSetup setup(builder);
  setup.placement.place(0, 0, 1);
  setup.placement.place(1, 0, 2);
  setup.state.collect_pool();
  SeatingSetup seats(setup);
  seats.state.put(seats.state.take_waiting(0), 0, 0);
  seats.state.put(seats.state.take_waiting(0), 0, 2 * ProfileMatrix::kFull / 10);
  ASSERT_EQ(seats.state.lowest(0), -ProfileMatrix::kFull / 10);
  seats.seating.relieve(seats.clock);
  EXPECT_TRUE(seats.state.all_within());
  seats.store();
  EXPECT_EQ(setup.on(0), "five:1 two:2 one:1");
}

TEST(SeatingTest, RelievesByAPairWhereOneIsNotEnough) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("large", 1, {9, 9});
  builder.add_app("small", 5, {2, 2});
  builder.add_class({20}, 2);
  builder.add_node(0, {5, 5});
  builder.add_node(0);
  SearchSetup setup(builder);
  setup.placement.place(0, 0, 1);
  setup.placement.place(1, 0, 3);
  setup.state.collect_pool();
  SeatingSetup seats(setup);
  const std::int32_t unit = ProfileMatrix::kFull / 20;
  for (int k = 0; k < 2; ++k) seats.state.put(seats.state.take_waiting(0), 0, 2 * (2 * k + 2) * unit);
  ASSERT_EQ(seats.state.lowest(0), -4 * unit);
  seats.seating.relieve(seats.clock);
  seats.store();
  EXPECT_EQ(setup.on(0), "large:1 small:3") << "two small ones demand less than the large one";
}

TEST(SeatingTest, ShedsLowPriorityFirstThenTheLargest) {
  for (const bool large_first : {false, true}) {
    InstanceBuilder builder({"cpu"}, 2);
    builder.add_app("large", 2, {6, 6});
    builder.add_app("small", 5, {2, 2});
    builder.add_class({10});
    if (large_first) builder.data().priority = {1, 0};
    SearchSetup setup(builder);
    setup.open({0});
    setup.open({0});
    SeatingSetup seats(setup);
    ASSERT_TRUE(seats.state.short_of_room());
    seats.seating.shed();
    EXPECT_EQ(seats.state.guests(0).size() + seats.state.guests(1).size(), large_first ? 2u : 1u);
  }
}

}  // namespace
}  // namespace stowage
