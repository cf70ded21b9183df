#include "core/losses/loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/planners/planner.h"
#include "core/run/control.h"
#include "core/verify/checker.h"
#include "tests/unit/losses/brute_force.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"
#include "tests/unit/support/tiny_instances.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;

std::vector<Loss> losses_of_plan(const Instance& instance, const Plan* plan, const LossQuestion& question) {
  auto result = find_losses(instance, plan, question, nullptr);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().path + ": " + result.error().message);
  return result.ok() ? std::move(result.value()) : std::vector<Loss>{};
}

/// Nodes of 10 cores: two in zone a, two in zone b. web has 3 cores per replica, db has 6 and stands apart from web.
struct LossZones {
  InstanceBuilder builder{{"cpu"}};
  AppId web = builder.add_app("web", 5, {3});
  AppId db = builder.add_app("db", 1, {6});
  LossZones() {
    const ClassId a = builder.add_class({10}, 2);
    const ClassId b = builder.add_class({10}, 2);
    builder.data().classes[a].labels = {"zone=a", "zoned"};
    builder.data().classes[b].labels = {"zone=b"};
    for (const ClassId c : {a, a, b, b}) builder.add_node(c);
    builder.limit(db, web, 0);
  }
};

TEST(LossTest, FindsPlacesAndNamesWhatHasNone) {
  LossZones zones;
  const Instance instance = zones.builder.must_build();
  const Plan plan =
      PlanBuilder(instance).listed(0, {{zones.web, 3}}).listed(1, {{zones.db, 1}}).listed(2, {{zones.web, 2}}).build();
  const std::vector<Loss> found = losses_of_plan(instance, &plan, {{}, "zone"});
  ASSERT_EQ(found.size(), 2u);
  // Without a: db needs node 3 for itself, and node 2 takes one of three. 10 + 4 cores are free for 9 + 6.
  const Loss& a = found[0];
  EXPECT_EQ(a.domain.name, "a");
  EXPECT_EQ(a.domain.nodes, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(a.replicas, 4u);
  EXPECT_EQ(a.left, 2u);
  EXPECT_EQ(a.short_resource, 0u);
  EXPECT_NEAR(a.short_amount, 1, 1e-6);
  ASSERT_EQ(a.entries.size(), 3u);
  EXPECT_EQ(a.entries[0].to, 2u);
  EXPECT_EQ(a.entries[0].replicas, 1u);
  EXPECT_EQ(a.entries[1].to, kNone);
  EXPECT_EQ(a.entries[1].replicas, 2u);
  EXPECT_EQ(a.entries[2].to, 3u);
  // Without b: nobody takes two of web: node 0 is full, and db is on node 1.
  EXPECT_EQ(found[1].left, 2u);
  EXPECT_EQ(found[1].short_resource, 0u) << "5 cores are free for 6";

  const std::vector<Loss> single = losses_of_plan(instance, &plan, {});
  ASSERT_EQ(single.size(), 4u);
  EXPECT_EQ(single[0].left, 0u);
  EXPECT_EQ(single[0].replicas, 3u);
  EXPECT_EQ(single[3].domain.nodes, (std::vector<NodeId>{3}));
  EXPECT_EQ(single[3].replicas, 0u);
}

TEST(LossTest, CountsWhatRunsAndLeavesPinnedReplicasBehind) {
  LossZones zones;
  zones.builder.data().running.push_back({zones.web, 0, 2});
  zones.builder.data().pinned.push_back({zones.web, 0, 1});
  zones.builder.data().closed = {0, 0, 1, 0};
  const Instance instance = zones.builder.must_build();
  const std::vector<Loss> found = losses_of_plan(instance, nullptr, {{0, 1, 0}, ""});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].domain.nodes, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(found[0].left, 1u);
  ASSERT_EQ(found[0].entries.size(), 2u);
  EXPECT_EQ(found[0].entries[0].to, 3u) << "node 2 is closed";
}

TEST(LossTest, SkewsDoNotCountWhatIsLost) {
  for (const bool over_zones : {true, false}) {
    SCOPED_TRACE(over_zones);
    test::TaggedBuilder builder;
    const AppId web = builder.app("web", 6, {"web"});
    for (const char* zone : {"zone=a", "zone=b", "zone=c"}) builder.nodes(1, 10, {zone});
    const std::uint32_t group = over_zones ? builder.group_by_label("zones", "zone") : kNone;
    builder.hard(builder.skew({"web"}, 1, group));
    const Instance instance = builder.must_build();
    const Plan plan = PlanBuilder(instance).listed(0, {{web, 2}}).listed(1, {{web, 2}}).listed(2, {{web, 2}}).build();
    // An empty zone a would allow one replica in each of the others. It does not exist any more.
    for (const Loss& loss : losses_of_plan(instance, &plan, {{}, "zone"})) {
      EXPECT_EQ(loss.left, 0u) << loss.domain.name;
      EXPECT_EQ(loss.entries.size(), 2u) << "one replica on each of the others: their skew is 1 at most";
    }
    // The same question again, so that nothing is left of the first.
    EXPECT_EQ(losses_of_plan(instance, &plan, {{0}, ""})[0].left, 0u);
  }
}

TEST(LossTest, RefusesWhatDoesNotExist) {
  LossZones zones;
  const Instance instance = zones.builder.must_build();
  Plan plan = PlanBuilder(instance).listed(0, {{zones.web, 3}}).build();
  const auto node = find_losses(instance, &plan, {{4}, ""}, nullptr);
  ASSERT_FALSE(node.ok());
  EXPECT_EQ(node.error().path, "nodes");
  for (const char* key : {"rack", "zone=", "zone=a", "zoned", "zon"}) {
    const auto label = find_losses(instance, &plan, {{}, key}, nullptr);
    ASSERT_FALSE(label.ok()) << key;
    EXPECT_EQ(label.error().path, "label");
  }
  plan.placed[0].replicas = 4;
  const auto broken = find_losses(instance, &plan, {}, nullptr);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().path, "plan");
}

TEST(LossTest, ACancelledCallLeavesDomainsOut) {
  LossZones zones;
  const Instance instance = zones.builder.must_build();
  Control control;
  control.cancelled = true;
  const auto found = find_losses(instance, nullptr, {}, &control);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found.value().empty());
}

TEST(LossTest, AgreesWithBruteForceAndTheChecker) {
  test::Random random(21);
  std::uint64_t bearable = 0;
  std::uint64_t missed = 0;
  std::uint64_t proven = 0;
  for (int round = 0; round < 400; ++round) {
    InstanceBuilder builder = test::tiny_instance(random, {.running = false, .overload = false});
    const Instance instance = builder.must_build();
    Request request;
    request.planner = "wfd-max";
    auto planned = run_planner(instance, request, nullptr);
    if (!planned.ok()) request.planner = "ff", planned = run_planner(instance, request, nullptr);
    if (!planned.ok()) continue;
    const Plan& plan = planned.value();
    const std::vector<NodeId> number = test::numbers_of_nodes(instance, plan);
    for (const Loss& loss : losses_of_plan(instance, &plan, {})) {
      if (!instance.data().pinned.empty()) continue;
      SCOPED_TRACE(round);
      EXPECT_TRUE(test::keeps_constraints(instance, test::after_loss(plan, instance, loss, number)));
      Plan bare = plan;
      std::erase_if(bare.placed, [&](const Placed& one) { return number[one.node] == loss.domain.nodes[0]; });
      for (NodeId n = 0; n < instance.listed_nodes(); ++n) {
        const bool in_plan = std::find(number.begin(), number.end(), n) != number.end();
        if (!in_plan) bare.nodes.push_back({instance.data().node_class[n], n});
      }
      std::vector<NodeId> open;
      for (NodeId n = 0; n < bare.nodes.size(); ++n) {
        const NodeId called = n < number.size() ? number[n] : bare.nodes[n].listed;
        if (called != loss.domain.nodes[0]) open.push_back(n);
      }
      std::vector<AppId> lost;
      for (const Placed& one : plan.placed) {
        if (number[one.node] == loss.domain.nodes[0]) lost.insert(lost.end(), one.replicas, one.app);
      }
      ASSERT_EQ(loss.replicas, lost.size());
      const std::uint32_t fewest = test::fewest_left(instance, bare, lost, open);
      EXPECT_GE(loss.left, fewest);
      if (loss.short_resource != kNone) {
        EXPECT_GT(fewest, 0u);
        ++proven;
      }
      bearable += fewest == 0 && !lost.empty() ? 1 : 0;
      missed += loss.left > 0 && fewest == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(bearable, 20u);
  EXPECT_GT(proven, 20u);
  EXPECT_LE(missed * 20, bearable) << "of " << bearable << " losses that can be borne, " << missed << " were not found to be";
}

TEST(LossTest, ACallWithoutTimeLeavesDomainsOut) {
  LossZones zones;
  const Instance instance = zones.builder.must_build();
  Control control;
  control.ends_at = 1;
  const auto found = find_losses(instance, nullptr, {}, &control);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found.value().empty());
}

}  // namespace
}  // namespace stowage
