// Daemon load: load that goes with the node, from the instance to plans, bounds, verification and explanation.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "core/bounds/bounds.h"
#include "core/explain/explain.h"
#include "core/placement/placement.h"
#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;

TEST(DaemonTest, ClassesAndNodesCarryTheirOwn) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 1, {0.25, 1});
  builder.add_class({8, 16});
  builder.add_class({4, 8});
  builder.add_node(0);
  builder.add_node(1);
  builder.data().classes[0].daemon = {0.5, 2};
  const Instance by_class = builder.must_build();
  EXPECT_TRUE(by_class.has_daemons());
  EXPECT_EQ(by_class.daemon(0, 0, 1, 0), 2) << "a listed node carries its class's";
  EXPECT_EQ(by_class.daemon(kNone, 1, 0, 0), 0);
  EXPECT_EQ(by_class.scaled_capacity(0)[0], 30) << "in quarters";
  EXPECT_EQ(by_class.scaled_capacity(0)[1], 14);
  EXPECT_TRUE(by_class.scaled_standing(kNone, 0).empty());
  EXPECT_EQ(by_class.features() & static_cast<FeatureSet>(Feature::kExistingLoad), 0u);

  builder.data().daemon = {0.25, 3, 1, 0};
  const Instance own = builder.must_build();
  EXPECT_EQ(own.daemon(0, 0, 0, 0), 0.25);
  EXPECT_EQ(own.daemon(kNone, 0, 0, 0), 0.5);
  EXPECT_EQ(own.least_daemon(0, 0), 0.25);
  EXPECT_EQ(own.least_daemon(0, 1), 2);
  EXPECT_EQ(own.least_daemon(1, 0), 0);
  // 7.75 cores at best, a quarter less on new nodes.
  EXPECT_EQ(own.scaled_capacity(0)[0], 31);
  EXPECT_EQ(own.scaled_standing(kNone, 0)[0], 1);
  EXPECT_EQ(own.scaled_standing(0, 0)[0], 0);
  EXPECT_EQ(own.scaled_standing(0, 0)[1], 1);
  EXPECT_EQ(own.scaled_standing(1, 1)[0], 4);
  EXPECT_NE(own.fingerprint(), by_class.fingerprint());
}

TEST(DaemonTest, NoDaemonLoadChangesNothing) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_class({8});
  builder.add_node(0);
  const Instance without = builder.must_build();
  builder.data().classes[0].daemon = {0};
  builder.data().daemon = {0};
  const Instance with = builder.must_build();
  EXPECT_FALSE(with.has_daemons());
  EXPECT_EQ(with.features(), without.features());
  EXPECT_EQ(with.fingerprint(), without.fingerprint());
}

TEST(DaemonTest, WhatIsRefused) {
  const auto refused = [](const std::vector<double>& of_class, const std::vector<double>& of_nodes) {
    InstanceBuilder builder({"cpu", "memory"}, 2);
    builder.add_app("a", 1, {1, 1});
    builder.add_class({8, 16});
    builder.add_node(0);
    builder.data().classes[0].daemon = of_class;
    builder.data().daemon = of_nodes;
    const auto instance = builder.build();
    return instance ? std::string() : instance.error().path;
  };
  EXPECT_EQ(refused({1, 1}, {}), "");
  EXPECT_EQ(refused({1, 1, 1, 1}, {2, 2, 2, 20}), "") << "a node may be broken at the start";
  EXPECT_EQ(refused({1}, {}), "classes[0].daemon");
  EXPECT_EQ(refused({1, 1, 1}, {}), "classes[0].daemon");
  EXPECT_EQ(refused({1, -1}, {}), "classes[0].daemon[1]");
  EXPECT_EQ(refused({8, 16.5}, {}), "classes[0].daemon");
  EXPECT_EQ(refused({}, {1}), "nodes.daemon");
  EXPECT_EQ(refused({}, {1, std::numeric_limits<double>::quiet_NaN()}), "nodes.daemon[1]");
  EXPECT_EQ(refused({}, {1, 1, 1e20, 1}), "nodes.daemon[2]");
}

// Four nodes with one replica each and an agent of a tenth of a core: one node carries them all, and three are left empty.
TEST(DaemonTest, ItKeepsNoNodeInUse) {
  for (const bool own : {true, false}) {
    InstanceBuilder builder;
    const AppId app = builder.add_app("a", 4, {1});
    builder.add_class({8});
    if (!own) builder.data().classes[0].daemon = {0.1};
    for (NodeId n = 0; n < 4; ++n) {
      builder.add_node(0);
      builder.running(app, n, 1);
      if (own) builder.data().daemon.push_back(0.1);
    }
    const Instance instance = builder.must_build();
    Request request = test::request_for("auto");
    request.work_limit = 100'000;
    request.move_budget = 100;
    const Plan plan = test::plan_by(instance, request);
    EXPECT_EQ(plan.nodes.size(), 1u);
    EXPECT_EQ(plan.status, PlanStatus::kOptimal);
    EXPECT_EQ(plan.moves, 3u);
    const Verification checked = check_plan(instance, plan);
    EXPECT_TRUE(checked.ok);
    EXPECT_DOUBLE_EQ(checked.utilization[0], 4.1 / 8);
    // As load, it keeps all four.
    builder.data().daemon.clear();
    builder.data().classes[0].daemon.clear();
    InstanceBuilder loaded;
    loaded.add_app("a", 4, {1});
    loaded.add_class({8});
    for (NodeId n = 0; n < 4; ++n) {
      loaded.add_node(0, {0.1});
      loaded.running(app, n, 1);
    }
    EXPECT_EQ(test::plan_by(loaded.must_build(), request).nodes.size(), 4u);
  }
}

TEST(DaemonTest, EveryNewNodeCarriesIt) {
  InstanceBuilder builder({"cpu"}, 2);
  builder.add_app("a", 6, {1, 2});
  builder.add_class({8});
  builder.data().classes[0].daemon = {1, 3};
  const Instance instance = builder.must_build();
  EXPECT_EQ(instance.periods(), 2u);
  // 7 units by day and 5 by night: two replicas per node.
  for (const char* planner : {"ff", "ncd-fitness", "match-fitness", "spread-wfd-avg-binsearch", "medea-nc", "j-kube", "auto"}) {
    Request request = test::request_for(planner);
    if (std::string(planner) == "auto") request.work_limit = 100'000;
    const Plan plan = test::plan_by(instance, request);
    EXPECT_EQ(plan.nodes.size(), 3u) << planner;
    EXPECT_TRUE(check_plan(instance, plan).ok);
  }
  EXPECT_EQ(replica_bound(instance, Supply(instance)).value, 2) << "by the least load, 3 replicas share a node";
  EXPECT_EQ(capacity_bound(instance, Supply(instance)).value, 3) << "12 by night, 5 per node";
}

// Amounts without a common unit are rounded: capacity down, load up. A daemon load of all there is leaves nothing, and not
// less.
TEST(DaemonTest, ItMayTakeExactlyTheCapacity) {
  InstanceBuilder builder({"cpu", "pods"});
  const AppId none = builder.add_app("none", 2, {0, 1});
  const AppId some = builder.add_app("some", 2, {0.01, 1});
  builder.add_class({0.07, 9});
  builder.add_class({3.9000000000000004, 9});
  builder.data().classes[0].daemon = {0.07, 1};
  const Instance instance = builder.must_build();
  EXPECT_EQ(instance.scaled_capacity(0)[0], 0);
  instance.visit_unit([&](auto unit) {
    using Unit = decltype(unit);
    const Residuals<Unit> residuals(instance);
    typename Residuals<Unit>::Need need;
    residuals.prepare(none, need);
    EXPECT_EQ(residuals.copies_on_empty(need, 0, 20), 8u);
    residuals.prepare(some, need);
    EXPECT_EQ(residuals.copies_on_empty(need, 0, 20), 0u);
  });
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(0, {{none, 2}}).node(1, {{some, 2}}).build()).ok);
}

TEST(DaemonTest, TheCheckerAddsItUp) {
  InstanceBuilder builder;
  const AppId app = builder.add_app("a", 3, {3});
  builder.add_class({8});
  builder.data().classes[0].daemon = {2.5};
  builder.add_node(0);
  const Instance instance = builder.must_build();
  const Plan over = PlanBuilder(instance).node(0, {{app, 2}}).listed(0, {{app, 1}}).build();
  const Verification checked = check_plan(instance, over);
  ASSERT_EQ(checked.violations.size(), 1u);
  EXPECT_EQ(checked.violations[0].kind, ViolationKind::kCapacity);
  EXPECT_DOUBLE_EQ(checked.violations[0].amount, 8.5);
  EXPECT_EQ(checked.violations[0].limit, 8);
  EXPECT_DOUBLE_EQ(checked.utilization[0], (9 + 2 * 2.5) / 16);
  // An empty node with daemon load alone is not in use.
  const Plan idle = PlanBuilder(instance).listed(0, {}).node(0, {{app, 1}}).node(0, {{app, 1}}).node(0, {{app, 1}}).build();
  ASSERT_EQ(check_plan(instance, idle).violations.size(), 1u);
  EXPECT_EQ(check_plan(instance, idle).violations[0].kind, ViolationKind::kFigures);
  // Overloaded at the start: inherited.
  builder.running(app, 0, 2);
  const Instance busy = builder.must_build();
  Plan kept = PlanBuilder(busy).listed(0, {{app, 2}}).node(0, {{app, 1}}).build();
  kept.inherited_violations = 1;
  EXPECT_TRUE(check_plan(busy, kept).ok);
}

TEST(DaemonTest, ExplanationsCountIt) {
  InstanceBuilder builder;
  const AppId app = builder.add_app("a", 2, {6});
  builder.add_class({8}, 1);
  builder.data().classes[0].daemon = {1};
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).node(0, {{app, 1}}).build();
  const auto explained = explain_plan(instance, plan, kNone, nullptr);
  ASSERT_TRUE(explained);
  const Explanation& explanation = explained.value();
  EXPECT_EQ(explanation.resources[0].demand, 7);
  EXPECT_EQ(explanation.resources[0].capacity, 8);
  ASSERT_EQ(explanation.apps.size(), 1u);
  EXPECT_EQ(explanation.apps[0].closest[0].obstacles[0].amount, 5) << "1 + 6 + 6 - 8";
}

// The daemon load is certain: used capacity at confidence leaves it out, and the capacity has room for less.
TEST(DaemonTest, UncertainDemandBesideIt) {
  InstanceBuilder builder;
  builder.add_app("a", 8, {1});
  builder.add_class({8});
  builder.data().variance = {0.04};
  builder.data().has_uncertainty = true;
  builder.data().uncertainty.model = ChanceModel::kFactor;
  builder.data().uncertainty.factor = 2;
  // Without daemon load 6 + 2 sqrt(.24) = 6.98 fit, and 7 + 2 sqrt(.28) = 8.06 do not; beside 1.5, 5 + 2 sqrt(.2) = 5.9 do.
  builder.data().classes[0].daemon = {1.5};
  const Instance instance = builder.must_build();
  for (const char* planner : {"ff", "bf-ucac", "bf-nsigma", "biheu"}) {
    const Plan plan = test::plan_by(instance, planner);
    EXPECT_TRUE(check_plan(instance, plan).ok) << planner;
    EXPECT_EQ(plan.nodes.size(), 2u);
    for (const Placed& placed : plan.placed) EXPECT_LE(placed.replicas, 5u) << planner;
    EXPECT_LE(plan.ucac, 8 + 2 * 2 * 0.45);
  }
}

}  // namespace
}  // namespace stowage
