#include "core/headroom/headroom_of_apps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;
using AppCounts = std::vector<std::uint64_t>;

HeadroomOfApps headroom_of_apps(const Instance& instance, const Plan* plan, std::uint32_t most) {
  auto result = find_headroom_of_apps(instance, plan, most);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().path + ": " + result.error().message);
  return result.ok() ? std::move(result.value()) : HeadroomOfApps{};
}

TEST(HeadroomOfAppsTest, CountsNodesOfThePlanAndSpareOnes) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 5, {2});
  const AppId db = builder.add_app("db", 1, {3});
  const AppId idle = builder.add_app("idle", 0, {1});
  const ClassId c = builder.add_class({8}, 6);
  builder.limit(db, web, 1);
  builder.add_node(c);
  const Instance instance = builder.must_build();
  // Two copies would be one entry; here they are two nodes with 0 and 3 cores left, and an empty one. Beside db, a second web
  // is refused. Of the six nodes, the plan uses three: the listed one is spare, and two anonymous ones.
  const Plan plan = PlanBuilder(instance).node(c, {{web, 4}}).node(c, {{web, 1}, {db, 1}}).node(c, {}).build();
  const HeadroomOfApps wanted = headroom_of_apps(instance, &plan, 0);
  EXPECT_EQ(wanted.room, (AppCounts{4, 2, 2}));
  EXPECT_EQ(wanted.nodes, (AppCounts{1, 2, 2}));
  EXPECT_EQ(wanted.most, (std::vector<std::uint32_t>{4, 1, 1}));
  EXPECT_EQ(wanted.spare_room, (AppCounts{12, 3, 3}));
  EXPECT_EQ(wanted.coupled, (std::vector<std::uint8_t>{0, 0, 0}));
  const HeadroomOfApps any = headroom_of_apps(instance, &plan, kMostHeadroom);
  EXPECT_EQ(any.room, (AppCounts{4, 3, 11}));
  EXPECT_EQ(any.most[idle], 8u);
  EXPECT_EQ(any.spare_room, (AppCounts{12, 6, 24}));
}

TEST(HeadroomOfAppsTest, RoomsAreExactWhereAReplicaJustFits) {
  test::Random random(36);
  for (int round = 0; round < 200; ++round) {
    // Amounts in whole units, in parts that no power of ten makes whole, or both.
    InstanceBuilder builder({"cpu", "memory"});
    const double part[] = {random.chance(0.5) ? 0.25 : 1.0 / 7, random.chance(0.5) ? 1 : 1.0 / 3};
    const auto amount = [&](std::uint32_t most) {
      return std::vector<double>{random.between(1, most) * part[0], random.between(1, most) * part[1]};
    };
    for (int k = 0; k < 12; ++k) builder.add_app("app-" + std::to_string(k), 2, amount(random.chance(0.5) ? 9 : 400));
    std::vector<ClassId> classes;
    // Of many nodes, a few fit a replica exactly; of few nodes, each is more than a few.
    const int kinds = random.chance(0.5) ? 8 : 150;
    for (int k = 0; k < kinds; ++k) {
      std::vector<double> capacity = amount(4000);
      // By less than single precision tells, too little for the last replica.
      if (random.chance(0.3)) capacity[0] *= 1 - 1e-8;
      classes.push_back(builder.add_class(capacity, 3));
    }
    const Instance instance = builder.must_build();
    PlanBuilder planned(instance);
    for (const ClassId c : classes) planned.node(c, {});
    const Plan plan = planned.build();
    const HeadroomOfApps found = headroom_of_apps(instance, &plan, kMostHeadroom);
    for (AppId app = 0; app < instance.apps(); ++app) {
      std::uint64_t room = 0;
      for (const ClassId c : classes) {
        std::uint32_t here = kNone;
        for (ResourceId r = 0; r < 2; ++r) {
          const double capacity = instance.data().classes[c].capacity[r] * (1 + kCheckerTolerance);
          here = std::min(here, static_cast<std::uint32_t>(capacity / instance.demand(app, r, 0)));
        }
        room += here;
      }
      ASSERT_EQ(found.room[app], room);
      ASSERT_EQ(found.spare_room[app], 2 * room);
    }
  }
}

TEST(HeadroomOfAppsTest, CountsWhatRunsWithoutAPlan) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 3, {2});
  const ClassId c = builder.add_class({8}, 2);
  const NodeId busy = builder.add_node(c);
  builder.add_node(c);
  builder.data().running.push_back({web, busy, 2});
  builder.data().closed = {0, 1};
  const Instance instance = builder.must_build();
  const HeadroomOfApps found = headroom_of_apps(instance, nullptr, kMostHeadroom);
  EXPECT_EQ(found.room, (AppCounts{2}));
  EXPECT_EQ(found.spare_room, (AppCounts{0})) << "the other node is closed";
}

TEST(HeadroomOfAppsTest, SaysWhereRulesCoupleNodes) {
  test::TaggedBuilder builder;
  const AppId web = builder.app("web", 2, {"web"});
  const AppId lone = builder.app("lone", 1, {"lone"});
  const AppId free = builder.app("free", 1, {"free"});
  builder.nodes(4);
  const std::uint32_t racks = builder.group("rack", {{0, 1}, {2, 3}});
  builder.hard(builder.replicas({"web"}, {"web"}, 0, 1, racks));
  builder.hard(builder.replicas({"lone"}, {"lone"}, 0, 0));
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {{web, 1}}).listed(1, {}).listed(2, {{web, 1}}).build();
  const HeadroomOfApps found = headroom_of_apps(instance, &plan, kMostHeadroom);
  // Each node takes a second one of its rack, but not three of them together.
  EXPECT_EQ(found.room[web], 3u);
  EXPECT_EQ(found.room[lone], 3u);
  EXPECT_EQ(found.room[free], 28u);
  EXPECT_EQ(found.coupled, (std::vector<std::uint8_t>{1, 0, 0}));
}

// One more on each side, and then another one: what a skew refuses now, it takes later.
TEST(HeadroomOfAppsTest, ReplicasElsewhereMayRaiseWhatARuleAllows) {
  test::TaggedBuilder builder;
  const AppId web = builder.app("web", 2, {"web"});
  builder.nodes(2);
  builder.hard(builder.skew({"web"}, 1, builder.group("rack", {{0}, {1}})));
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(0, {{web, 1}}).listed(1, {{web, 1}}).build();
  const HeadroomOfApps found = headroom_of_apps(instance, &plan, kMostHeadroom);
  EXPECT_EQ(found.coupled[web], 1);
  // All that capacity holds: the skew of equal racks is 0.
  test::TaggedBuilder plain;
  plain.app("web", 2, {"web"});
  plain.nodes(2);
  const Instance without = plain.must_build();
  const Plan same = PlanBuilder(without).listed(0, {{0, 1}}).listed(1, {{0, 1}}).build();
  EXPECT_EQ(found.room[web], headroom_of_apps(without, &same, kMostHeadroom).room[0]);
  EXPECT_GT(found.room[web], 2u);
}

TEST(HeadroomOfAppsTest, ZeroDemandAndHugeAmountsAreCounted) {
  InstanceBuilder builder({"cpu"});
  const AppId nothing = builder.add_app("nothing", 1, {0});
  const AppId tiny = builder.add_app("tiny", 1, {1e-6});
  const ClassId c = builder.add_class({8});
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{nothing, 1}, {tiny, 1}}).build();
  const HeadroomOfApps found = headroom_of_apps(instance, &plan, kMostHeadroom);
  EXPECT_EQ(found.room[nothing], kMostHeadroom);
  EXPECT_EQ(found.room[tiny], 7'999'999u);
}

TEST(HeadroomOfAppsTest, SumsEndWithin64Bits) {
  InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 1, {0});
  ClassId c = 0;
  for (int k = 0; k < 70; ++k) c = builder.add_class({4}, 4'000'000'000);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(c, {{web, 1}}).build();
  EXPECT_EQ(headroom_of_apps(instance, &plan, kMostHeadroom).spare_room[web], 1'000'000'000'000'000'000U);
}

TEST(HeadroomOfAppsTest, RefusesWhatItCannotCount) {
  InstanceBuilder builder({"cpu"});
  builder.add_app("web", 1, {1});
  const ClassId c = builder.add_class({4});
  const Instance instance = builder.must_build();
  Plan plan = PlanBuilder(instance).node(c, {{0, 1}}).build();
  const auto most = find_headroom_of_apps(instance, &plan, kMostHeadroom + 1);
  ASSERT_FALSE(most.ok());
  EXPECT_EQ(most.error().path, "most");
  plan.instance ^= 1;
  const auto other = find_headroom_of_apps(instance, &plan, 0);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().path, "instance");
}

}  // namespace
}  // namespace stowage
