#include "core/improve/anneal.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/unit/support/repack_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::RepackSetup;

constexpr std::uint64_t kAnnealPatience = 100'000;

// Two of day (4, 1) leave 2 of 10 free at noon, two of night (1, 4) at midnight. One of each leaves 5 all the time: room for
// what waits.
InstanceBuilder opposite_peaks() {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {4, 1});
  builder.add_app("night", 2, {1, 4});
  builder.add_app("always", 2, {5, 5});
  builder.add_class({10});
  return builder;
}

TEST(AnnealTest, OppositePeaksEndUpTogether) {
  RepackSetup setup(opposite_peaks());
  const NodeId one = setup.open({0, 0});
  const NodeId two = setup.open({1, 1});
  Anneal<std::int16_t> anneal(setup.repack, 0);
  EXPECT_NEAR(anneal.free_share(one), 0.2, 1e-3);
  EXPECT_NEAR(anneal.waiting(), 1, 1e-3);
  stowage::Run run(Request{}, nullptr);
  EXPECT_TRUE(anneal.run(run, 0, kAnnealPatience));
  EXPECT_EQ(setup.on(one), "day:1 night:1 always:1");
  EXPECT_EQ(setup.on(two), "day:1 night:1 always:1");
  EXPECT_NEAR(anneal.free_share(one), 0, 1e-3);
  EXPECT_EQ(anneal.waiting(), 0);
}

// Memory has room for one of always beside day and night, and not for two.
TEST(AnnealTest, OtherResourcesAndLimitsHold) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  builder.add_app("day", 2, {4, 1, 1, 1});
  builder.add_app("night", 2, {1, 4, 1, 1});
  builder.add_app("always", 2, {3, 3, 7, 7});
  builder.add_class({10, 10});
  for (const bool limited : {false, true}) {
    if (limited) builder.limit(0, 1, 0);
    RepackSetup setup(builder);
    const NodeId one = setup.open({0, 0});
    const NodeId two = setup.open({1, 1});
    Anneal<std::int16_t> anneal(setup.repack, 0);
    stowage::Run run(Request{}, nullptr);
    EXPECT_EQ(anneal.run(run, 0, 20'000), !limited);
    EXPECT_EQ(setup.on(one) + " | " + setup.on(two),
              limited ? "day:2 | night:2" : "day:1 night:1 always:1 | day:1 night:1 always:1");
  }
}

TEST(AnnealTest, EndsWithTheRunWithPatienceAndWithEnough) {
  InstanceBuilder builder = opposite_peaks();
  builder.limit(0, 1, 0);
  RepackSetup setup(builder);
  setup.open({0, 0});
  setup.open({1, 1});
  Anneal<std::int16_t> anneal(setup.repack, 0);
  Request request;
  request.work_limit = 2000;
  stowage::Run limited(request, nullptr);
  EXPECT_FALSE(anneal.run(limited, 0, ~std::uint64_t{0}));
  EXPECT_EQ(limited.stop(), Stop::kDeadline);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(anneal.run(run, 0, 1000));
  EXPECT_GT(run.work(), 1000u);
  const std::uint64_t before = run.work();
  EXPECT_TRUE(anneal.run(run, 1.01, 1000)) << "a node's worth may wait";
  EXPECT_EQ(run.work(), before);
}

TEST(AnnealTest, NothingToExchangeWith) {
  RepackSetup none(opposite_peaks());
  Anneal<std::int16_t> nowhere(none.repack, 0);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(nowhere.run(run, 0, kAnnealPatience));
  RepackSetup one(opposite_peaks());
  one.open({0, 1});
  Anneal<std::int16_t> alone(one.repack, 0);
  EXPECT_FALSE(alone.run(run, 0, kAnnealPatience));
  EXPECT_EQ(run.work(), 0u);
}

TEST(AnnealTest, NodesComeAndGo) {
  RepackSetup setup(opposite_peaks());
  const NodeId one = setup.open({0, 1});
  setup.open({0, 1});
  Anneal<std::int16_t> anneal(setup.repack, 0);
  const NodeId three = setup.open({});
  anneal.look_again(three);
  EXPECT_EQ(anneal.free_share(three), 1);
  setup.repack.close(three);
  anneal.forget(three);
  stowage::Run run(Request{}, nullptr);
  EXPECT_TRUE(anneal.run(run, 0, kAnnealPatience));
  EXPECT_EQ(setup.on(one), "day:1 night:1 always:1");
  EXPECT_EQ(setup.on(three), "");
}

// Listed nodes: capacity less load, pinned replicas in place.
TEST(AnnealTest, LoadAndPinsHold) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("day", 2, {4, 1});
  builder.add_app("night", 2, {1, 4});
  builder.add_app("always", 1, {5, 5});
  builder.add_class({10}, 2);
  builder.add_node(0, {2, 0});
  builder.add_node(0);
  builder.pin(0, 0, 2);
  builder.pin(1, 1, 2);
  RepackSetup setup(builder);
  Anneal<std::int16_t> anneal(setup.repack, 0);
  EXPECT_NEAR(anneal.free_share(0), 0, 1e-3);
  EXPECT_NEAR(anneal.free_share(1), 0.2, 1e-3);
  stowage::Run run(Request{}, nullptr);
  EXPECT_FALSE(anneal.run(run, 0, 5000));
  EXPECT_EQ(setup.on(0) + " | " + setup.on(1), "day:2 | night:2");
}

// A start that breaks capacity by far more than 16 bits hold. What is free must not come out of a wrapped sum.
TEST(AnnealTest, OverloadedNodesTakeNothing) {
  InstanceBuilder builder({"cpu", "memory"}, 2);
  const AppId heavy = builder.add_app("heavy", 3, {10, 9, 1, 1});
  const AppId wide = builder.add_app("wide", 3, {1, 1, 10, 9});
  builder.add_app("small", 4, {2, 3, 3, 2});
  builder.add_class({10, 10}, 4);
  for (NodeId n = 0; n < 4; ++n) builder.add_node(0);
  builder.running(heavy, 0, 3);
  builder.running(wide, 1, 3);
  RepackSetup setup(builder);
  Anneal<std::int16_t> anneal(setup.repack, 0);
  EXPECT_LT(anneal.free_share(0), 0);
  EXPECT_LT(anneal.free_share(1), 0);
  stowage::Run run(Request{}, nullptr);
  anneal.run(run, 0, 5000);
  EXPECT_EQ(setup.on(0), "heavy:3");
  EXPECT_EQ(setup.on(1), "wide:3");
}

// Each of 70,000 replicas takes a third of the smallest step, and is rounded up to one.
TEST(AnnealTest, ManyTinyReplicasDoNotWrap) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("tiny", 70'000, {10, 9});
  builder.add_class({1e6});
  const Instance instance = builder.must_build();
  ASSERT_FALSE(instance.narrow());
  const Request request;
  Placement<std::int32_t> placement(instance, request);
  Repack<std::int32_t> repack(placement, request);
  const NodeId node = placement.open(0);
  placement.place(0, node, 70'000);
  repack.add(node);
  repack.collect_pool();
  const Anneal<std::int32_t> anneal(repack, 0);
  EXPECT_LE(anneal.free_share(node), 0.3) << "no more than there is";
}

}  // namespace
}  // namespace stowage
