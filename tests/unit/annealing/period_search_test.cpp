#include "core/annealing/period_search.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/verify/checker.h"
#include "tests/unit/support/search_setup.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

constexpr std::uint64_t kPeriodPace = 2'000'000;

// Four nodes' worth of demand that varies, in pairs of opposite peaks, and four of constant demand.
InstanceBuilder varying_and_constant() {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 8, {7, 1});
  builder.add_app("night", 8, {1, 7});
  builder.add_app("always", 10, {6, 6});
  builder.add_class({16});
  return builder;
}

// Each replica would be an item: an instance of three numbers could take gigabytes.
TEST(PeriodSearchTest, IsNotForMoreReplicasThanItCanSort) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", static_cast<std::uint32_t>(kMostAnnealed), {7, 1});
  builder.add_class({16});
  EXPECT_TRUE(anneals(builder.must_build()));
  builder.add_app("night", 1, {1, 7});
  EXPECT_FALSE(anneals(builder.must_build()));
}

TEST(PeriodSearchTest, WhatVariesAndWhatIsConstantAreKeptApart) {
  // Two replicas of day and two of night fill a node, or four of always: 40 nodes of each side.
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 80, {7, 1});
  builder.add_app("night", 80, {1, 7});
  builder.add_app("always", 160, {4, 4});
  builder.add_class({16});
  SearchSetup setup(builder);
  for (int n = 0; n < 82; ++n) setup.open({});
  stowage::Run run(Request{}, nullptr);
  PeriodSearch<std::int16_t> search(setup.state, run, kPeriodPace, true, 0);
  EXPECT_TRUE(search.run(run, 0, 100'000));
  EXPECT_EQ(search.waiting(), 0);
  int constant_alone = 0;
  for (NodeId node = 0; node < 82; ++node) {
    const std::string on = setup.on(node);
    constant_alone +=
        on.find("always") != std::string::npos && on.find("day") == std::string::npos && on.find("night") == std::string::npos
            ? 1
            : 0;
  }
  EXPECT_GE(constant_alone, 36);
}

// To read all nodes takes long where there are many.
TEST(PeriodSearchTest, ACancelWhileNodesAreReadLeavesTheStateAsItWas) {
  constexpr int kManyNodes = 5000;
  SearchSetup setup(varying_and_constant());
  for (int n = 0; n < kManyNodes; ++n) setup.open({});
  Control control;
  stowage::Run run(Request{}, &control);
  ASSERT_FALSE(run.clock.step(1));
  control.cancelled = true;
  const PeriodSearch<std::int16_t> search(setup.state, run, kPeriodPace, true, 0);
  EXPECT_TRUE(search.is_cut());
  EXPECT_EQ(run.clock.stop(), Stop::kCancelled);
  EXPECT_EQ(run.clock.work(), 1u);
  for (NodeId node = 0; node < kManyNodes; ++node) EXPECT_EQ(setup.on(node), "");
}

TEST(PeriodSearchTest, NodesComeAndGo) {
  SearchSetup setup(varying_and_constant());
  for (int n = 0; n < 9; ++n) setup.open({});
  stowage::Run run(Request{}, nullptr);
  PeriodSearch<std::int16_t> search(setup.state, run, kPeriodPace, true, 0);
  ASSERT_TRUE(search.run(run, 0, 100'000));
  NodeId emptiest = 0;
  for (NodeId node = 0; node < 9; ++node) {
    if (search.free_share(node) > search.free_share(emptiest)) emptiest = node;
  }
  const std::string before = setup.on(emptiest);
  setup.state.close(emptiest);
  search.forget(emptiest);
  EXPECT_FALSE(search.run(run, 0, 1000)) << "eight nodes have no room for everything";
  EXPECT_GT(search.waiting(), 0);
  setup.state.reopen(emptiest);
  search.look_again(emptiest);
  EXPECT_TRUE(search.run(run, 0, 100'000));
}

// Apps that placement rules speak of do not anneal: they are exchanged one by one, and the rules are asked each time.
TEST(PeriodSearchTest, RulesHold) {
  test::TaggedBuilder builder;
  builder.data().periods = 2;
  builder.app("day", 8, {}, {7, 1});
  builder.app("night", 8, {}, {1, 7});
  builder.app("alone", 4, {"a"}, {2, 6});
  builder.nodes(8, 16);
  builder.hard(builder.replicas({"a"}, {"a"}, 0, 0));
  SearchSetup setup(builder);
  stowage::Run run(Request{}, nullptr);
  PeriodSearch<std::int16_t> search(setup.state, run, kPeriodPace, true, 0);
  EXPECT_TRUE(search.run(run, 0, 100'000));
  Plan plan;
  plan.instance = setup.instance.fingerprint();
  setup.placement.write(plan);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_TRUE(check_plan(setup.instance, plan).rule_violations.empty());
}

TEST(PeriodSearchTest, EndsWithTheRun) {
  SearchSetup setup(varying_and_constant());
  for (int n = 0; n < 8; ++n) setup.open({});
  Request request;
  request.work_limit = 100'000;
  stowage::Run run(request, nullptr);
  PeriodSearch<std::int16_t> search(setup.state, run, kPeriodPace, true, 0);
  EXPECT_FALSE(search.run(run, 0, ~std::uint64_t{0}));
  EXPECT_EQ(run.clock.stop(), Stop::kDeadline);
  EXPECT_LT(run.clock.work(), 200'000u);
}

}  // namespace
}  // namespace stowage
