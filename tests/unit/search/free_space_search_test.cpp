#include "core/search/free_space_search.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

constexpr std::uint64_t kPatience = 100'000;

// 6 + 4 and 7 + 3 fill two nodes of ten. With 3 beside 6, one core is free there and six cores beside 4; 7 stays pending until
// 3 and 4 are exchanged.
InstanceBuilder scattered() {
  InstanceBuilder builder;
  builder.add_app("three", 1, {3});
  builder.add_app("four", 1, {4});
  builder.add_app("six", 1, {6});
  builder.add_app("seven", 1, {7});
  builder.add_class({10});
  return builder;
}

TEST(FreeSpaceSearchTest, ExchangesMakeRoomForWhatWaits) {
  SearchSetup setup(scattered());
  const NodeId one = setup.open({2, 0});
  const NodeId two = setup.open({1});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  EXPECT_NEAR(search.free_share(one), 0.1, 1e-12);
  EXPECT_NEAR(search.free_share(two), 0.6, 1e-12);
  stowage::Run run(Request{}, nullptr);
  EXPECT_TRUE(search.run(run, 0, kPatience));
  EXPECT_TRUE(setup.state.pool().empty());
  EXPECT_GT(run.clock.work(), 0u);
  EXPECT_EQ(setup.on(one) == "four:1 six:1" ? setup.on(two) : setup.on(one), "three:1 seven:1");
}

TEST(FreeSpaceSearchTest, KeepsLimits) {
  InstanceBuilder builder = scattered();
  builder.limit(1, 2, 0);
  SearchSetup setup(builder);
  setup.open({2, 0});
  setup.open({1});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(search.run(run, 0, kPatience));
  EXPECT_EQ(setup.state.pool().size(), 1u);
}

TEST(FreeSpaceSearchTest, FillsWhatFitsAtOnceWithLittleWork) {
  SearchSetup setup(scattered());
  setup.open({2});
  setup.open({0});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_TRUE(search.run(run, 0, kPatience));
  EXPECT_TRUE(setup.state.pool().empty()) << "4 beside 6, 7 beside 3";
  EXPECT_LT(run.clock.work(), 20u);
}

TEST(FreeSpaceSearchTest, EndsWithTheRunAndWithPatience) {
  InstanceBuilder builder = scattered();
  builder.limit(1, 2, 0);
  for (const std::uint64_t limit : {std::uint64_t{64}, std::uint64_t{10'000}}) {
    SearchSetup setup(builder);
    setup.open({2, 0});
    setup.open({1});
    FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
    Request request;
    request.work_limit = limit;
    stowage::Run run(request, nullptr);
    EXPECT_FALSE(search.run(run, 0, ~std::uint64_t{0}));
    EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
    EXPECT_GE(run.clock.work(), limit);
    EXPECT_LT(run.clock.work(), limit + 250) << "four trials of a look per app";
  }
  SearchSetup setup(builder);
  setup.open({2, 0});
  setup.open({1});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(search.run(run, 0, 640));
  EXPECT_EQ(run.clock.stop(), Stop::kNo);
  EXPECT_GE(run.clock.work(), 640u);
  EXPECT_LT(run.clock.work(), 50 * 640u);
}

TEST(FreeSpaceSearchTest, NothingToExchangeWith) {
  InstanceBuilder builder = scattered();
  SearchSetup none(builder);
  FreeSpaceSearch<std::int16_t> nowhere(none.state, none.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(nowhere.run(run, 0, kPatience));
  SearchSetup one(builder);
  one.open({2});
  FreeSpaceSearch<std::int16_t> alone(one.state, one.state.nodes(), 0);
  EXPECT_FALSE(alone.run(run, 0, kPatience));
  EXPECT_LT(run.clock.work(), 10u);
}

// Memory binds. On one node only memory is free; it is filled there, and freed on a node with free cores.
TEST(FreeSpaceSearchTest, WhatIsFreeAloneIsOfNoUse) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId heavy = builder.add_app("heavy", 1, {7, 1});
  const AppId small = builder.add_app("small", 1, {1, 1});
  const AppId large = builder.add_app("large", 2, {1, 4});
  builder.add_app("waits", 1, {1, 2});
  builder.add_class({8, 8});
  SearchSetup setup(builder);
  const NodeId without_cores = setup.open({heavy, small});
  const NodeId without_memory = setup.open({large, large});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_TRUE(search.run(run, 0, kPatience));
  EXPECT_EQ(setup.on(without_cores), "heavy:1 large:1");
  EXPECT_EQ(setup.on(without_memory), "small:1 large:1 waits:1");
}

// Memory binds, and cores nearly as much, but these nodes have many free cores. The pending replica needs the memory that is
// free on two nodes.
TEST(FreeSpaceSearchTest, WhatThereIsPlentyOfHidesNothing) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId crowd = builder.add_app("crowd", 30, {1, 8});
  const AppId small = builder.add_app("small", 4, {1, 2});
  const AppId wide = builder.add_app("wide", 8, {64, 117});
  builder.add_app("waits", 1, {1, 8});
  builder.add_class({64, 128});
  SearchSetup setup(builder);
  std::vector<AppId> content(15, crowd);
  content.insert(content.end(), 2, small);
  setup.open(content);
  setup.open(content);
  for (int k = 0; k < 8; ++k) setup.open({wide});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  // No replica is ejected at this point.
  EXPECT_TRUE(search.run(run, 0, 500));
}

TEST(FreeSpaceSearchTest, NodesComeAndGo) {
  SearchSetup setup(scattered());
  const NodeId one = setup.open({2, 0});
  const NodeId two = setup.open({1});
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  const NodeId three = setup.open({});
  search.look_again(three);
  EXPECT_EQ(setup.on(three), "seven:1") << "what waits goes in at once";
  EXPECT_NEAR(search.free_share(three), 0.3, 1e-12);
  setup.state.close(two);
  search.forget(two);
  stowage::Run run(Request{}, nullptr);
  EXPECT_TRUE(search.run(run, 0, kPatience));
  EXPECT_EQ(setup.on(one) == "four:1 six:1" ? setup.on(three) : setup.on(one), "three:1 seven:1");
  EXPECT_EQ(setup.on(two), "");
}

// No replica may go onto an overloaded node, and its overload does not grow.
TEST(FreeSpaceSearchTest, OverloadedNodesTakeNothing) {
  InstanceBuilder builder;
  const AppId heavy = builder.add_app("heavy", 3, {6});
  builder.add_app("light", 3, {3});
  builder.add_app("waits", 1, {7});
  builder.add_class({10}, 2);
  builder.add_node(0);
  builder.add_node(0);
  builder.running(heavy, 0, 3);
  SearchSetup setup(builder);
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(search.run(run, 0, 10'000));
  EXPECT_EQ(setup.on(0), "heavy:3");
}

// An overload counts as no free space: an exchange that repairs it loses nothing.
TEST(FreeSpaceSearchTest, OverloadedNodesMayBeRelieved) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId heavy = builder.add_app("heavy", 2, {4, 6});
  const AppId light = builder.add_app("light", 2, {4, 2});
  builder.add_app("waits", 3, {0, 10});
  builder.add_class({8, 10}, 2);
  builder.add_node(0);
  builder.add_node(0);
  builder.running(heavy, 0, 2);
  builder.running(light, 1, 2);
  Request request;
  request.move_budget = 2;
  SearchSetup setup(builder, request);
  FreeSpaceSearch<std::int16_t> search(setup.state, setup.state.nodes(), 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(search.run(run, 0, 500));
  EXPECT_EQ(setup.on(0), "heavy:1 light:1");
  EXPECT_EQ(setup.on(1), "heavy:1 light:1");
}

}  // namespace
}  // namespace stowage
