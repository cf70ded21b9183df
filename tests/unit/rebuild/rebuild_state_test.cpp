#include "core/rebuild/rebuild_state.h"

#include <gtest/gtest.h>

#include "tests/unit/support/random.h"
#include "tests/unit/support/search_setup.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::SearchSetup;
using test::TaggedBuilder;

/// Four apps on six listed nodes in two racks, with a soft maximum, a soft skew, a hard minimum and a choice.
TaggedBuilder two_racks() {
  TaggedBuilder builder;
  builder.app("web", 4, {"web"});
  builder.app("db", 2, {"db"});
  builder.app("log", 3, {"log"});
  builder.app("job", 5, {"job"});
  builder.nodes(6, 10);
  const std::uint32_t rack = builder.group("rack", {{0, 1, 2}, {3, 4, 5}});
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0), 2);
  builder.soft(builder.skew({"job"}, 1, rack), 3);
  builder.hard(builder.replicas({"log"}, {"db"}, 1, kNone, rack));
  builder.soft({{builder.replicas({"db"}, {"web"}, 1, kNone)}, {builder.replicas({"db"}, {"job"}, 0, 0)}}, 5);
  return builder;
}

EnergyPrices unit_prices(const Instance& instance) {
  EnergyPrices prices;
  prices.unplaced.assign(instance.apps(), 7);
  prices.hard = 100;
  prices.soft = 0.5;
  prices.move = 0.1;
  return prices;
}

/// The energy of the same contents, computed afresh.
Energy afresh(SearchSetup& setup) {
  SearchState<std::int16_t> state(setup.placement, setup.request);
  return RebuildState<std::int16_t>(state, unit_prices(setup.instance), std::vector<double>(setup.instance.apps(), 1)).parts();
}

void expect_equal(const Energy& a, const Energy& b) {
  EXPECT_NEAR(a.unplaced, b.unplaced, 1e-9);
  EXPECT_NEAR(a.nodes, b.nodes, 1e-9);
  EXPECT_NEAR(a.hard, b.hard, 1e-9);
  EXPECT_NEAR(a.soft, b.soft, 1e-9);
}

// After any changes, the energy kept by differences is that of the contents.
TEST(RebuildStateTest, EnergyIsExact) {
  SearchSetup setup(two_racks());
  RebuildState<std::int16_t> state(setup.state, unit_prices(setup.instance), std::vector<double>(4, 1));
  test::Random random(5);
  for (int round = 0; round < 300; ++round) {
    const AppId app = random.below(setup.instance.apps());
    const NodeId node = random.below(6);
    const std::uint32_t there = setup.placement.contents().count(app, node);
    if (random.below(2) == 0 && there > 0) {
      state.take(app, node, 1 + random.below(there));
    } else if (setup.placement.unplaced(app) > 0) {
      state.put(app, node, 1);
    }
    expect_equal(state.parts(), afresh(setup));
  }
}

// A sum of differences leaves nothing where nothing waits, whatever the order.
TEST(RebuildStateTest, NothingWaitsExactly) {
  test::InstanceBuilder builder;
  for (int k = 0; k < 3; ++k) builder.add_app("app-" + std::to_string(k), 7, {1});
  const ClassId node_class = builder.add_class({21});
  SearchSetup setup(builder);
  const NodeId node = setup.open({}, node_class);
  EnergyPrices prices = unit_prices(setup.instance);
  prices.unplaced = {0.1, 0.7, 1e7 / 3};
  RebuildState<std::int16_t> state(setup.state, prices, std::vector<double>(3, 1));
  for (int k = 0; k < 7; ++k) {
    for (AppId app = 0; app < 3; ++app) state.put(app, node, 1);
  }
  EXPECT_EQ(state.parts().unplaced, 0);
  state.take(1, node, 2);
  EXPECT_NEAR(state.parts().unplaced, 1.4, 1e-9);
}

// A node that has just been opened holds nothing: all of its price is waste.
TEST(RebuildStateTest, NewNodesAreWaste) {
  test::InstanceBuilder builder;
  builder.add_app("a", 3, {1});
  builder.add_class({1});
  SearchSetup setup(builder);
  RebuildState<std::int16_t> state(setup.state, unit_prices(setup.instance), {1});
  EXPECT_EQ(state.waste(state.empty_node(0)), 1);
}

// What a load costs is no waste: only what is left is.
TEST(RebuildStateTest, LoadIsNoWaste) {
  test::InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("app", 4, {1, 1});
  const ClassId node_class = builder.add_class({10, 20}, 0, 5);
  const NodeId loaded = builder.add_node(node_class, {6, 2});
  const NodeId free = builder.add_node(node_class);
  SearchSetup setup(builder);
  RebuildState<std::int16_t> state(setup.state, unit_prices(setup.instance), {0.25});
  // 4 of 10 cpu are left, and 18 of 20 memory.
  EXPECT_NEAR(state.waste(loaded), 5 * 0.4, 1e-9);
  state.put(0, loaded, 3);
  EXPECT_NEAR(state.waste(loaded), 5 * 0.1, 1e-9);
  state.put(0, free, 1);
  EXPECT_NEAR(state.waste(free), 5 - 0.25, 1e-9);
}

TEST(RebuildStateTest, RollsBack) {
  SearchSetup setup(two_racks());
  RebuildState<std::int16_t> state(setup.state, unit_prices(setup.instance), std::vector<double>(4, 1));
  state.put(0, 0, 2);
  state.put(1, 3, 1);
  const double before = state.energy();
  const std::string first = setup.on(0);
  state.begin();
  state.take(0, 0, 1);
  state.put(3, 0, 4);
  state.put(0, 5, 1);
  state.take(1, 3, 1);
  EXPECT_EQ(state.journal().size(), 4u);
  EXPECT_EQ(state.used().size(), 2u);
  state.roll_back();
  EXPECT_EQ(state.energy(), before);
  EXPECT_EQ(setup.on(0), first);
  EXPECT_EQ(setup.on(3), "db:1");
  EXPECT_EQ(setup.on(5), "");
  EXPECT_EQ(state.used().size(), 2u);
}

TEST(RebuildStateTest, ReturnsToWhatWasKept) {
  SearchSetup setup(two_racks());
  RebuildState<std::int16_t> state(setup.state, unit_prices(setup.instance), std::vector<double>(4, 1));
  state.put(0, 0, 4);
  state.keep();
  const double kept = state.energy();
  state.take(0, 0, 4);
  state.put(2, 4, 3);
  EXPECT_NE(state.energy(), kept);
  state.return_to_kept();
  EXPECT_EQ(state.energy(), kept);
  EXPECT_EQ(setup.on(0), "web:4");
  EXPECT_EQ(setup.on(4), "");
  EXPECT_EQ(state.kept_contents().count(0, 0), 4u);
}

// Wasted is what a node costs beyond the worth of what it holds.
TEST(RebuildStateTest, Waste) {
  SearchSetup setup(two_racks());
  RebuildState<std::int16_t> state(setup.state, unit_prices(setup.instance), {0.25, 0.5, 0, 0});
  state.put(0, 1, 2);
  EXPECT_DOUBLE_EQ(state.waste(1), 0.5);
  state.put(1, 1, 1);
  EXPECT_DOUBLE_EQ(state.waste(1), 0);
  EXPECT_DOUBLE_EQ(state.waste(2), 1);
}

// New nodes are chosen from sizes that somebody would buy.
TEST(SpareNodesTest, WhatAnotherSizeReplacesIsNoChoice) {
  TaggedBuilder builder;
  builder.app("web", 4, {"web"});
  builder.app("gpu", 1, {"gpu"});
  builder.add_class({4}, 0, 1);
  builder.add_class({4}, 0, 2);    // dearer
  builder.add_class({3}, 0, 1);    // smaller
  builder.add_class({4}, 0, 1.5);  // dearer, with a label that counts
  builder.add_class({8}, 2, 1);    // there are few
  builder.add_class({4}, 0, 2);    // dearer, with a label that nobody asks for
  builder.data().classes[3].labels = {"gpu"};
  builder.data().classes[5].labels = {"shiny"};
  const std::uint32_t only = builder.tag("gpu");
  builder.data().app_only = {{0, 0, 1}, {only}};
  const Instance instance = builder.must_build();
  const SpareNodes nodes(instance);
  std::vector<ClassId> chosen;
  for (const std::uint32_t family : nodes.choice()) {
    for (const std::uint32_t kind : nodes.families()[family]) chosen.push_back(nodes.all()[kind].node_class);
  }
  EXPECT_EQ(chosen, (std::vector<ClassId>{0, 3, 4}));
}

}  // namespace
}  // namespace stowage
