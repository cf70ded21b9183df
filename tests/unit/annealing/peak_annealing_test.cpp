#include "core/annealing/peak_annealing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

constexpr std::uint64_t kAnnealingSteps = 30'000;

/// A search over all nodes of a setup.
struct AnnealingSetup {
  explicit AnnealingSetup(SearchSetup& setup)
      : state(&setup.state), placement(setup.state), rows(setup.state.instance()), search(placement, rows, 0) {
    search.nodes() = setup.state.nodes();
  }
  void anneal(double spare = std::numeric_limits<double>::infinity()) {
    stowage::Run run(Request{}, nullptr);
    search.begin(kAnnealingSteps, false, spare);
    while (search.under_way() && search.anneal(run, 0) && !state->pool().empty()) {
    }
  }
  SearchState<std::int16_t>* state;
  AnnealedPlacementOf<std::int16_t> placement;
  ProfileMatrix rows;
  PeakAnnealing search;
};

// Capacity is 10 at noon and at midnight. Two replicas of day need 8 at noon, two of night 8 at midnight; one of each needs 5
// in both periods, and leaves room for one of always.
InstanceBuilder day_and_night() {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {4, 1});
  builder.add_app("night", 2, {1, 4});
  builder.add_app("always", 2, {5, 5});
  builder.add_class({10});
  return builder;
}

TEST(AnnealingScheduleTest, CoolsOverAPass) {
  AnnealingSchedule schedule(98);
  EXPECT_FALSE(schedule.under_way());
  schedule.begin(6400, false);
  EXPECT_FALSE(schedule.cool()) << "the cost is the excess";
  const double hottest = schedule.temperature();
  double before = hottest;
  int turns = 0;
  int moments = 0;
  for (schedule.advance(AnnealingSchedule::kBatch); schedule.under_way(); schedule.advance(AnnealingSchedule::kBatch)) {
    turns += schedule.cool() ? 1 : 0;
    moments += schedule.time_to_open() ? 1 : 0;
    EXPECT_LT(schedule.temperature(), before);
    before = schedule.temperature();
  }
  EXPECT_LT(before, hottest / 256);
  EXPECT_GT(before, hottest / 512);
  EXPECT_GE(turns, 25);
  EXPECT_EQ(moments, 16);
  EXPECT_LT(schedule.cost()(1'000'000), 100'000) << "in the end, little of the excess itself counts";
  schedule.begin(6400, true);
  EXPECT_TRUE(schedule.cool());
  EXPECT_EQ(schedule.cost()(1000), 1000);
  EXPECT_LT(schedule.temperature(), hottest / 128);
}

TEST(AnnealingScheduleTest, OpensNodesWhereTheExcessIsUnusual) {
  AnnealingSchedule schedule(98);
  schedule.begin(6400, false);
  schedule.advance(3200);
  schedule.cool();
  EXPECT_TRUE(schedule.time_to_open());
  EXPECT_FALSE(schedule.time_to_open()) << "once for each moment";
  EXPECT_EQ(schedule.nodes_to_open(100, 0), 0u);
  EXPECT_GT(schedule.nodes_to_open(100, 20), 5u);
}

TEST(AnnealingScheduleTest, APassHasABatchOfStepsAtLeast) {
  AnnealingSchedule schedule(2);
  schedule.begin(1, false);
  EXPECT_EQ(schedule.steps(), AnnealingSchedule::kBatch);
  schedule.advance(AnnealingSchedule::kBatch);
  EXPECT_FALSE(schedule.under_way());
}

TEST(PeakAnnealingTest, PeaksThatDoNotCoincideComeTogether) {
  SearchSetup setup(day_and_night());
  const NodeId one = setup.open({0, 0});
  const NodeId two = setup.open({1, 1});
  AnnealingSetup annealing(setup);
  annealing.anneal();
  EXPECT_TRUE(setup.state.pool().empty()) << setup.on(one) << " | " << setup.on(two);
}

// Two nodes take everything once replicas are exchanged. The third node stays empty where it is in reserve.
TEST(PeakAnnealingTest, ReserveThatIsNotNeededStaysEmpty) {
  for (const bool reserve : {false, true}) {
    SearchSetup setup(day_and_night());
    setup.open({0, 0});
    setup.open({1, 1});
    const NodeId three = setup.open({});
    AnnealingSetup annealing(setup);
    annealing.anneal(reserve ? 0 : 1);
    EXPECT_TRUE(setup.state.pool().empty());
    EXPECT_EQ(setup.on(three).empty(), reserve);
  }
}

// Three nodes have the capacity that the large replicas need together, but each of these takes a node.
TEST(PeakAnnealingTest, ReserveIsOpenedWhereNodesAreTooFew) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("large", 5, {6, 5});
  builder.add_class({10});
  SearchSetup setup(builder);
  for (int n = 0; n < 5; ++n) setup.open({});
  AnnealingSetup annealing(setup);
  annealing.anneal(0);
  EXPECT_TRUE(setup.state.pool().empty());
  for (NodeId node = 0; node < 5; ++node) EXPECT_EQ(setup.on(node), "large:1");
}

// Nodes are in reserve only while the open ones have the capacity for everything.
TEST(PeakAnnealingTest, ReserveIsNotMoreThanIsSpare) {
  SearchSetup setup(day_and_night());
  setup.open({});
  setup.open({});
  AnnealingSetup annealing(setup);
  annealing.anneal(0);
  EXPECT_TRUE(setup.state.pool().empty()) << setup.on(0) << " | " << setup.on(1);
}

TEST(PeakAnnealingTest, PlaceFirstLosesLittleCapacity) {
  SearchSetup setup(day_and_night());
  const NodeId one = setup.open({});
  const NodeId two = setup.open({});
  AnnealingSetup annealing(setup);
  stowage::Run run(Request{}, nullptr);
  annealing.search.place_first(run, {1, 0});
  EXPECT_EQ(setup.on(one) + setup.on(two), "day:2 night:2");
  EXPECT_EQ(setup.state.pool(), std::vector<AppId>{2}) << "place_first() was not asked for app 2";
}

TEST(PeakAnnealingTest, OneGoesForSeveral) {
  // Two large replicas leave the second period free, four half ones leave nothing. Memory allows exchanges of one large replica
  // for two half ones.
  InstanceBuilder builder({"cpu", "memory"}, 2);
  builder.add_app("large", 2, {8, 0, 20, 20});
  builder.add_app("half", 4, {4, 5, 10, 10});
  builder.add_app("always", 2, {4, 4, 0, 0});
  builder.add_class({20, 41});
  SearchSetup setup(builder);
  setup.open({0, 0});
  setup.open({1, 1, 1, 1});
  AnnealingSetup annealing(setup);
  annealing.anneal();
  EXPECT_TRUE(setup.state.pool().empty());
}

TEST(PeakAnnealingTest, LimitsAndOtherResourcesHold) {
  for (const int hindrance : {0, 1, 2}) {
    InstanceBuilder builder({"cpu", "memory"}, 2);
    const double memory = hindrance == 2 ? 6 : 1;
    builder.add_app("day", 2, {4, 1, 1, 1});
    builder.add_app("night", 2, {1, 4, memory, 1});
    builder.add_app("always", 2, {5, 5, 4, 4});
    builder.add_class({10, 10});
    if (hindrance == 1) builder.limit(0, 1, 0);
    SearchSetup setup(builder);
    const NodeId one = setup.open({0, 0});
    const NodeId two = hindrance == 2 ? setup.open({1}) : setup.open({1, 1});
    AnnealingSetup annealing(setup);
    annealing.anneal();
    EXPECT_EQ(setup.state.pool().empty(), hindrance == 0);
    for (const NodeId node : {one, two}) {
      const auto& on = setup.placement.contents();
      if (hindrance == 1) {
        EXPECT_EQ(on.count(0, node) * on.count(1, node), 0u);
      }
    }
  }
}

// Two nodes have room for eight small replicas or four large ones. Priority decides, then the number of replicas placed.
TEST(PeakAnnealingTest, WithoutRoomForEverythingTheLargeOnesWait) {
  for (const bool large_first : {false, true}) {
    InstanceBuilder builder({"cpu"}, 2);
    builder.add_app("large", 4, {5, 4});
    builder.add_app("day", 4, {4, 1});
    builder.add_app("night", 4, {1, 4});
    builder.add_class({10});
    if (large_first) builder.data().priority = {1, 0, 0};
    SearchSetup setup(builder);
    const NodeId one = setup.open({0, 0});
    const NodeId two = setup.open({0, 0});
    AnnealingSetup annealing(setup);
    annealing.anneal();
    if (large_first) {
      EXPECT_EQ(setup.on(one) + " | " + setup.on(two), "large:2 | large:2");
    } else {
      EXPECT_EQ(setup.on(one) + " | " + setup.on(two), "day:2 night:2 | day:2 night:2");
    }
  }
}

TEST(PeakAnnealingTest, WhatIsTiedStays) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {4, 1});
  builder.add_app("night", 2, {1, 4});
  builder.add_app("always", 1, {5, 5});
  builder.add_class({10}, 2);
  builder.add_node(0, {2, 0});
  builder.add_node(0);
  builder.pin(0, 0, 2);
  builder.pin(1, 1, 2);
  SearchSetup setup(builder);
  AnnealingSetup annealing(setup);
  annealing.anneal();
  EXPECT_EQ(setup.on(0) + " | " + setup.on(1), "day:2 | night:2");
}

// In rows, a seventh of a node is rounded up: a full node of seven sevenths exceeds its capacity in its row alone.
TEST(PeakAnnealingTest, NodesThatExceedByRoundingAloneTakePart) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {3, 1});
  builder.add_app("night", 2, {1, 3});
  builder.add_app("one", 2, {1, 1});
  builder.add_app("always", 1, {2, 2});
  builder.add_class({7});
  SearchSetup setup(builder);
  const NodeId one = setup.open({0, 0, 2});
  const NodeId two = setup.open({1, 1, 2});
  AnnealingSetup annealing(setup);
  annealing.anneal();
  EXPECT_TRUE(setup.state.pool().empty()) << setup.on(one) << " | " << setup.on(two);
}

// Seven pinned replicas exceed the capacity by rounding, eight really do: both nodes are left as they are.
TEST(PeakAnnealingTest, NodesThatExceedForGoodStayAsTheyAre) {
  for (const double pinned : {7.0, 8.0}) {
    InstanceBuilder builder({"cpu"}, 2);
    builder.add_app("pinned", 7, {1, 1});
    builder.add_app("eighth", 1, {pinned - 7, pinned - 7});
    builder.add_app("day", 1, {3, 1});
    builder.add_app("night", 1, {1, 3});
    builder.add_app("always", 1, {2, 2});
    builder.add_class({7}, 3);
    for (int n = 0; n < 3; ++n) builder.add_node(0);
    builder.pin(0, 0, 7);
    builder.pin(1, 0, 1);
    SearchSetup setup(builder);
    AnnealingSetup annealing(setup);
    annealing.anneal();
    EXPECT_EQ(setup.on(0), "pinned:7 eighth:1");
    EXPECT_TRUE(setup.state.pool().empty());
  }
}

// The hermit tolerates no other app, so that the others share one node: either the two small replicas wait, or a large one.
TEST(PeakAnnealingTest, WhatWaitsInTheEndIsTheLeast) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("hermit", 1, {1, 1});
  builder.add_app("six", 1, {6, 6});
  builder.add_app("five", 1, {5, 4});
  builder.add_app("two", 2, {2, 2});
  builder.add_class({12}, 2);
  builder.add_node(0);
  builder.add_node(0);
  builder.pin(0, 0, 1);
  for (AppId app = 1; app < 4; ++app) builder.limit(0, app, 0);
  SearchSetup setup(builder);
  setup.placement.place(1, 1, 1);
  setup.placement.place(3, 1, 2);
  setup.state.collect_pool();
  ASSERT_EQ(setup.on(1), "six:1 two:2");
  AnnealingSetup annealing(setup);
  annealing.anneal();
  EXPECT_EQ(setup.on(0) + " | " + setup.on(1), "hermit:1 | six:1 five:1");
}

TEST(PeakAnnealingTest, FewOrEmptyNodes) {
  SearchSetup none(day_and_night());
  AnnealingSetup nowhere(none);
  nowhere.anneal();
  SearchSetup one(day_and_night());
  one.open({0, 1});
  AnnealingSetup alone(one);
  alone.anneal();
  SearchSetup empty(day_and_night());
  empty.open({});
  empty.open({});
  AnnealingSetup nothing(empty);
  nothing.anneal();
  EXPECT_EQ(one.on(0), "day:1 night:1 always:1") << "one node: what fits is placed without exchanges";
  EXPECT_EQ(empty.on(0) + " | " + empty.on(1), "day:2 night:2 | always:2");
}

TEST(PeakAnnealingTest, EndsWithTheRun) {
  SearchSetup setup(day_and_night());
  setup.open({0, 0});
  setup.open({1, 1});
  AnnealingSetup annealing(setup);
  Request request;
  request.work_limit = 1;
  stowage::Run run(request, nullptr);
  annealing.search.begin(kAnnealingSteps, false);
  annealing.search.anneal(run, 0);
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
  EXPECT_TRUE(annealing.search.under_way());
  EXPECT_LT(run.clock.work(), 2000u);
}

// Capacity, limits and ties hold after every pass, and no replica is lost.
TEST(PeakAnnealingTest, PlansHoldOnRandomInstances) {
  for (std::uint64_t seed = 0; seed < test::cases(20); ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    InstanceBuilder builder({"cpu", "memory"}, 5);
    for (int k = 0; k < 30; ++k) {
      std::vector<double> demand;
      demand.reserve(10);
      for (int h = 0; h < 10; ++h) demand.push_back(random.between(1, random.chance(0.2) ? 40 : 9));
      builder.add_app("app-" + std::to_string(k), random.between(1, 6), demand);
    }
    for (AppId i = 0; i < 30; ++i) {
      for (AppId j = 0; j < 30; ++j) {
        if (random.chance(0.15)) builder.limit(i, j, i == j ? random.between(1, 3) : random.between(0, 2));
      }
    }
    builder.add_class({64, 64});
    for (int n = 0; n < 3; ++n)
      builder.add_node(0, n == 0 ? std::vector<double>{9, 4, 3, 2, 1, 0, 0, 5, 0, 1} : std::vector<double>{});
    builder.pin(4, 1, 1);
    builder.running(7, 2, 1);
    SearchSetup setup(builder);
    for (int n = 0; n < 9; ++n) setup.open({});
    AnnealingSetup annealing(setup);
    stowage::Run run(Request{}, nullptr);
    std::vector<AppId> all(30);
    std::iota(all.begin(), all.end(), 0);
    annealing.search.place_first(run, all);
    for (int pass = 0; pass < 3; ++pass) {
      annealing.search.begin(3000, pass > 0);
      std::uint32_t replicas = 0;
      const auto waiting = [&] {
        replicas = 0;
        return annealing.rows.share([&](auto&& visit) {
          for (const AppId app : setup.state.pool()) {
            visit(app, setup.placement.unplaced(app));
            replicas += setup.placement.unplaced(app);
          }
        });
      };
      const double before = waiting();
      const std::uint32_t replicas_before = replicas;
      annealing.search.anneal(run, 0);
      // Where there is not room for everything, the number of replicas decides.
      EXPECT_TRUE(waiting() <= before || replicas < replicas_before);
      Plan plan;
      plan.instance = setup.instance.fingerprint();
      setup.placement.write(plan);
      EXPECT_TRUE(check_plan(setup.instance, plan).ok);
      EXPECT_GE(setup.placement.contents().count(4, 1), 1u);
      EXPECT_GE(setup.placement.contents().count(7, 2), 1u);
    }
  }
}

}  // namespace
}  // namespace stowage
