#include "core/verify/checker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;

// The only violation of the plan. The test fails if there are none or several.
Violation only_violation(const Instance& instance, const Plan& plan) {
  const Verification result = check_plan(instance, plan);
  EXPECT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(result.violation_count + result.inherited_count, 1u);
  if (result.violations.size() != 1) return {.kind = ViolationKind::kFigures, .what = "not one violation"};
  EXPECT_EQ(result.ok, result.violations[0].inherited);
  return result.violations[0];
}

bool reports(const Verification& result, ViolationKind kind) {
  for (const Violation& v : result.violations) {
    if (v.kind == kind && !v.inherited) return true;
  }
  return false;
}

bool reports_figure(const Verification& result, const std::string& what) {
  for (const Violation& v : result.violations) {
    if (v.kind == ViolationKind::kFigures && v.what == what) return true;
  }
  return false;
}

// web: 3 replicas of 2 cores and 4 GiB; db: 2 of 3 cores and 2 GiB; nodes of 8 cores and 16 GiB.
class CheckerTest : public testing::Test {
 protected:
  CheckerTest() : builder_({"cpu", "memory"}) {
    web_ = builder_.add_app("web", 3, {2, 4});
    db_ = builder_.add_app("db", 2, {3, 2});
    small_ = builder_.add_class({8, 16});
  }
  InstanceBuilder builder_;
  AppId web_;
  AppId db_;
  ClassId small_;
};

// web: 3 x 2 cores, db: 2 x 3 cores, on one node of 8 cores.
TEST_F(CheckerTest, ClaimsOnWhatIsLeftOver) {
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  ASSERT_TRUE(check_plan(instance, plan).ok);
  plan.left_over_bound.emplace().add(0, 1, 1);
  EXPECT_TRUE(check_plan(instance, plan).ok) << "two are left over";
  plan.places_most = true;
  EXPECT_TRUE(reports_figure(check_plan(instance, plan), "places_most"));
  plan.left_over_bound->add(0, 1, 1);
  EXPECT_TRUE(check_plan(instance, plan).ok);
  plan.left_over_bound->add(0, 1, 1);
  EXPECT_TRUE(reports_figure(check_plan(instance, plan), "left_over_bound")) << "it leaves less over than possible";
  plan.left_over_bound.reset();
  EXPECT_TRUE(reports_figure(check_plan(instance, plan), "places_most")) << "no bound, no proof";
}

// Running replicas use a node to the last bit of what the tolerance allows: whether that breaks it does not depend on the order
// in which the use is summed, and so not on the scope of the check.
TEST(CheckerScopes, AgreeAtTheBorderOfTheTolerance) {
  test::Random random(5);
  for (int round = 0; round < 2000; ++round) {
    InstanceBuilder builder({"cpu"}, 2);
    double sum = 0;
    for (const bool changes : {false, true, false}) {
      const double demand = 0.1 + random.share();
      builder.add_app("app-" + std::to_string(sum), 1, {demand, changes ? demand / 2 : demand});
      sum += demand;
    }
    const ClassId node_class = builder.add_class({sum / (1 + kCheckerTolerance)});
    const NodeId node = builder.add_node(node_class);
    for (const AppId app : {0u, 1u, 2u}) builder.running(app, node, 1);
    const Instance instance = builder.must_build();
    Plan plan;
    plan.instance = instance.fingerprint();
    plan.status = PlanStatus::kComplete;
    plan.nodes = {{node_class, node}};
    plan.placed = {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}};
    EXPECT_EQ(check_plan(instance, plan, CheckScope::kViolations).inherited_count,
              check_plan(instance, plan, CheckScope::kAll).inherited_count)
        << round;
  }
}

TEST_F(CheckerTest, AcceptsPlanAndCountsIt) {
  const Instance instance = builder_.must_build();
  // Node 0: 2 x 2 + 3 = 7 cores, 2 x 4 + 2 = 10 GiB. Node 1: 2 + 3 = 5 cores, 4 + 2 = 6 GiB.
  const Plan plan = PlanBuilder(instance).node(small_, {{web_, 2}, {db_, 1}}).node(small_, {{web_, 1}, {db_, 1}}).build();
  const Verification result = check_plan(instance, plan);
  EXPECT_TRUE(result.ok);
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(result.nodes, 2u);
  EXPECT_EQ(result.placed, 5u);
  EXPECT_EQ(result.unplaced, 0u);
  EXPECT_EQ(result.moves, 0u);
  EXPECT_EQ(result.cost, -1);
  ASSERT_EQ(result.utilization.size(), 2u);
  EXPECT_DOUBLE_EQ(result.utilization[0], 12.0 / 16);  // (7 + 5) / (2 x 8)
  EXPECT_DOUBLE_EQ(result.utilization[1], 16.0 / 32);  // (10 + 6) / (2 x 16)
}

TEST_F(CheckerTest, AGivenUpCheckSaysNothing) {
  const Instance instance = builder_.must_build();
  const Plan plan = PlanBuilder(instance).node(small_, {{web_, 2}, {db_, 1}}).node(small_, {{web_, 1}, {db_, 1}}).build();
  for (const bool gives_up : {false, true}) {
    const std::atomic<bool> cancelled{gives_up};
    Watch watch(&cancelled, std::nullopt);
    const Verification result = check_plan(instance, plan, CheckScope::kAll, watch);
    EXPECT_EQ(result.given_up, gives_up);
    EXPECT_EQ(result.ok, !gives_up);
  }
}

TEST_F(CheckerTest, AcceptsPartialPlan) {
  const Instance instance = builder_.must_build();
  const Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  const Verification result = check_plan(instance, plan);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.placed, 3u);
  EXPECT_EQ(result.unplaced, 2u);
}

TEST_F(CheckerTest, AcceptsEmptyPlan) {
  const Instance instance = builder_.must_build();
  const Verification result = check_plan(instance, PlanBuilder(instance).build());
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.unplaced, 5u);
  EXPECT_EQ(result.utilization, (std::vector<double>{0, 0}));
}

TEST_F(CheckerTest, Capacity) {
  const Instance instance = builder_.must_build();
  // 3 x 2 + 3 = 9 of 8 cores; 3 x 4 + 2 = 14 of 16 GiB.
  const Violation v = only_violation(instance, PlanBuilder(instance).node(small_, {{web_, 3}, {db_, 1}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kCapacity);
  EXPECT_FALSE(v.inherited);
  EXPECT_EQ(v.node, 0u);
  EXPECT_EQ(v.resource, 0u);
  EXPECT_EQ(v.period, 0u);
  EXPECT_DOUBLE_EQ(v.amount, 9);
  EXPECT_DOUBLE_EQ(v.limit, 8);
}

TEST_F(CheckerTest, CapacityCountsLoad) {
  builder_.add_node(small_, {5, 0});
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(0, {{web_, 1}}).build()).ok);
  // 5 + 2 x 2 = 9 of 8 cores.
  const Violation v = only_violation(instance, PlanBuilder(instance).listed(0, {{web_, 2}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kCapacity);
  EXPECT_DOUBLE_EQ(v.amount, 9);
}

TEST(Checker, CapacityLooksAtEveryPeriod) {
  InstanceBuilder builder({"cpu"}, 3);
  const AppId day = builder.add_app("day", 1, {6, 1, 1});
  const AppId night = builder.add_app("night", 1, {1, 1, 6});
  const AppId noon = builder.add_app("noon", 1, {1, 3, 2});
  const ClassId c = builder.add_class({8});
  const Instance instance = builder.must_build();
  // 6 + 1 + 1 = 8, 1 + 1 + 3 = 5, 1 + 6 + 2 = 9: only the last period is over.
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(c, {{day, 1}, {night, 1}}).build()).ok);
  const Violation v = only_violation(instance, PlanBuilder(instance).node(c, {{day, 1}, {night, 1}, {noon, 1}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kCapacity);
  EXPECT_EQ(v.period, 2u);
  EXPECT_DOUBLE_EQ(v.amount, 9);
}

TEST(Checker, CapacityHoldsForDecimalFractions) {
  // Ten times 0.1 as doubles is 0.9999999999999999, three times 0.1 is above 0.3: both are full, not over.
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 3, {0.1});
  const AppId b = builder.add_app("b", 7, {0.1});
  const ClassId exact = builder.add_class({0.3});
  const ClassId ten = builder.add_class({1});
  const Instance instance = builder.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(exact, {{a, 3}}).build()).ok);
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(ten, {{a, 3}, {b, 7}}).build()).ok);
}

TEST(Checker, CapacityToleratesNoMoreThanRounding) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {1 + 1e-6});
  const ClassId c = builder.add_class({1});
  const Instance instance = builder.must_build();
  EXPECT_EQ(only_violation(instance, PlanBuilder(instance).node(c, {{a, 1}}).build()).kind, ViolationKind::kCapacity);
}

TEST(Checker, CapacityOfNothing) {
  InstanceBuilder builder({"cpu", "gpu"});
  const AppId plain = builder.add_app("plain", 1, {1, 0});
  const AppId learning = builder.add_app("learning", 1, {1, 1});
  const ClassId c = builder.add_class({4, 0});
  const Instance instance = builder.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(c, {{plain, 1}}).build()).ok);
  const Violation v = only_violation(instance, PlanBuilder(instance).node(c, {{learning, 1}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kCapacity);
  EXPECT_EQ(v.resource, 1u);
  EXPECT_DOUBLE_EQ(v.limit, 0);
}

TEST_F(CheckerTest, CapacityInheritedFromLoad) {
  builder_.add_node(small_, {9, 0});
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).listed(0, {}).build();
  plan.inherited_violations = 1;
  const Violation v = only_violation(instance, plan);
  EXPECT_EQ(v.kind, ViolationKind::kCapacity);
  EXPECT_TRUE(v.inherited);
}

TEST_F(CheckerTest, CapacityInheritedFromRunningReplicas) {
  const NodeId n = builder_.add_node(small_);
  builder_.running(web_, n, 3).running(db_, n, 1);
  const Instance instance = builder_.must_build();
  // 9 of 8 cores run there. The same replicas: inherited. One more: not inherited.
  Plan plan = PlanBuilder(instance).listed(n, {{web_, 3}, {db_, 1}}).build();
  plan.inherited_violations = 1;
  EXPECT_TRUE(only_violation(instance, plan).inherited);
  const Violation worse = only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 3}, {db_, 2}}).build());
  EXPECT_EQ(worse.kind, ViolationKind::kCapacity);
  EXPECT_FALSE(worse.inherited);
  EXPECT_DOUBLE_EQ(worse.amount, 12);
}

TEST_F(CheckerTest, CapacityInheritedFromPins) {
  const NodeId n = builder_.add_node(small_);
  // Two of the three pinned replicas run there already, so the node holds three, not five.
  builder_.running(web_, n, 2).pin(web_, n, 3).pin(db_, n, 1);
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).listed(n, {{web_, 3}, {db_, 1}}).build();
  plan.inherited_violations = 1;
  EXPECT_TRUE(only_violation(instance, plan).inherited);
  EXPECT_FALSE(only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 3}, {db_, 2}}).build()).inherited);
}

TEST_F(CheckerTest, AffinityLimit) {
  builder_.limit(web_, db_, 1);
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(small_, {{web_, 1}, {db_, 1}}).build()).ok);
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(small_, {{db_, 2}}).build()).ok);
  // 2 + 2 x 3 = 8 cores: only the limit is broken.
  const Violation v = only_violation(instance, PlanBuilder(instance).node(small_, {{web_, 1}, {db_, 2}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kAffinityLimit);
  EXPECT_FALSE(v.inherited);
  EXPECT_EQ(v.node, 0u);
  EXPECT_EQ(v.app, db_);
  EXPECT_EQ(v.other, web_);
  EXPECT_EQ(v.amount, 2);
  EXPECT_EQ(v.limit, 1);
}

TEST_F(CheckerTest, AffinityLimitOfTheLaterApp) {
  // The same with the limiting app at the higher index, so that the pair is found from the other side.
  builder_.limit(db_, web_, 0);
  const Instance instance = builder_.must_build();
  const Violation v = only_violation(instance, PlanBuilder(instance).node(small_, {{web_, 1}, {db_, 1}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kAffinityLimit);
  EXPECT_EQ(v.app, web_);
  EXPECT_EQ(v.other, db_);
  EXPECT_EQ(v.limit, 0);
}

TEST_F(CheckerTest, AffinityLimitsBothWays) {
  builder_.limit(db_, web_, 0).limit(web_, db_, 0);
  const Instance instance = builder_.must_build();
  const Verification result = check_plan(instance, PlanBuilder(instance).node(small_, {{web_, 1}, {db_, 1}}).build());
  ASSERT_EQ(result.violations.size(), 2u);
  EXPECT_EQ(result.violations[0].kind, ViolationKind::kAffinityLimit);
  EXPECT_EQ(result.violations[1].kind, ViolationKind::kAffinityLimit);
  EXPECT_NE(result.violations[0].app, result.violations[1].app);
}

TEST_F(CheckerTest, AffinityLimitInherited) {
  const NodeId n = builder_.add_node(small_);
  builder_.limit(web_, db_, 0).running(web_, n, 1).running(db_, n, 1);
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).listed(n, {{web_, 1}, {db_, 1}}).build();
  plan.inherited_violations = 1;
  const Violation v = only_violation(instance, plan);
  EXPECT_EQ(v.kind, ViolationKind::kAffinityLimit);
  EXPECT_TRUE(v.inherited);
  // One more replica of the limited app makes the violation worse; one more of the limiting app does not.
  EXPECT_FALSE(only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 1}, {db_, 2}}).build()).inherited);
  Plan more = PlanBuilder(instance).listed(n, {{web_, 2}, {db_, 1}}).build();
  more.inherited_violations = 1;
  EXPECT_TRUE(only_violation(instance, more).inherited);
}

TEST_F(CheckerTest, AffinityLimitNotInheritedWhereTheLimitingAppIsNew) {
  const NodeId n = builder_.add_node(small_);
  builder_.limit(web_, db_, 0).running(db_, n, 1);
  const Instance instance = builder_.must_build();
  EXPECT_FALSE(only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 1}, {db_, 1}}).build()).inherited);
}

TEST_F(CheckerTest, SelfLimit) {
  builder_.limit(web_, web_, 2);
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(small_, {{web_, 2}}).node(small_, {{web_, 1}}).build()).ok);
  const Violation v = only_violation(instance, PlanBuilder(instance).node(small_, {{web_, 3}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kSelfLimit);
  EXPECT_FALSE(v.inherited);
  EXPECT_EQ(v.app, web_);
  EXPECT_EQ(v.amount, 3);
  EXPECT_EQ(v.limit, 2);
}

TEST_F(CheckerTest, SelfLimitInherited) {
  const NodeId n = builder_.add_node(small_);
  builder_.limit(web_, web_, 1).running(web_, n, 2);
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).listed(n, {{web_, 2}}).build();
  plan.inherited_violations = 1;
  const Violation v = only_violation(instance, plan);
  EXPECT_EQ(v.kind, ViolationKind::kSelfLimit);
  EXPECT_TRUE(v.inherited);
  EXPECT_FALSE(only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 3}}).build()).inherited);
}

TEST_F(CheckerTest, ReplicaCountTooFew) {
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  plan.unplaced[0].replicas = 1;  // of two
  const Violation v = only_violation(instance, plan);
  EXPECT_EQ(v.kind, ViolationKind::kReplicaCount);
  EXPECT_EQ(v.app, db_);
  EXPECT_EQ(v.amount, 1);
  EXPECT_EQ(v.limit, 2);
}

TEST_F(CheckerTest, ReplicaCountTooMany) {
  const Instance instance = builder_.must_build();
  const Violation v =
      only_violation(instance, PlanBuilder(instance).node(small_, {{web_, 1}, {db_, 2}}).node(small_, {{web_, 3}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kReplicaCount);
  EXPECT_EQ(v.app, web_);
  EXPECT_EQ(v.amount, 4);
  EXPECT_EQ(v.limit, 3);
}

TEST_F(CheckerTest, ReplicaCountPlacedAndReportedUnplaced) {
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  plan.unplaced.push_back({web_, 1});
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kReplicaCount);
}

TEST_F(CheckerTest, Pin) {
  const NodeId pinned = builder_.add_node(small_);
  const NodeId other = builder_.add_node(small_);
  builder_.pin(web_, pinned, 2);
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(pinned, {{web_, 2}}).build()).ok);
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(pinned, {{web_, 3}}).build()).ok);
  // One of two pinned replicas is on the node.
  const Violation few =
      only_violation(instance, PlanBuilder(instance).listed(pinned, {{web_, 1}}).listed(other, {{web_, 2}}).build());
  EXPECT_EQ(few.kind, ViolationKind::kPin);
  EXPECT_EQ(few.app, web_);
  EXPECT_EQ(few.other, pinned);
  EXPECT_EQ(few.amount, 1);
  EXPECT_EQ(few.limit, 2);
  // The node is not in use.
  const Violation none = only_violation(instance, PlanBuilder(instance).listed(other, {{web_, 3}}).build());
  EXPECT_EQ(none.kind, ViolationKind::kPin);
  EXPECT_EQ(none.node, kNone);
  EXPECT_EQ(none.amount, 0);
}

TEST_F(CheckerTest, ClassCount) {
  builder_.data().classes[small_].count = 2;
  builder_.add_node(small_);
  const Instance instance = builder_.must_build();
  // The class has two nodes, one of them listed: only one can be anonymous.
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(0, {{web_, 3}}).node(small_, {{db_, 2}}).build()).ok);
  const Violation v =
      only_violation(instance, PlanBuilder(instance).node(small_, {{web_, 3}}).node(small_, {{db_, 2}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kClassCount);
  EXPECT_EQ(v.other, small_);
  EXPECT_EQ(v.limit, 2);
}

TEST_F(CheckerTest, BadNode) {
  const ClassId large = builder_.add_class({16, 32});
  const NodeId listed = builder_.add_node(small_);
  const Instance instance = builder_.must_build();
  const Plan good = PlanBuilder(instance).listed(listed, {{web_, 3}}).node(small_, {{db_, 2}}).build();
  ASSERT_TRUE(check_plan(instance, good).ok);

  Plan plan = good;
  plan.nodes[1].node_class = 2;  // no such class
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadNode);
  plan = good;
  plan.nodes[1].node_class = kNone;
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadNode);
  plan = good;
  plan.nodes[1].listed = 1;  // no such listed node
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadNode);
  plan = good;
  plan.nodes[1].listed = listed;  // twice
  const Violation twice = only_violation(instance, plan);
  EXPECT_EQ(twice.kind, ViolationKind::kBadNode);
  EXPECT_EQ(twice.node, 1u);
  plan = good;
  plan.nodes[0].node_class = large;  // not its class
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadNode);
}

TEST_F(CheckerTest, BadEntryAmongPlaced) {
  const Instance instance = builder_.must_build();
  const Plan good = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  const auto with = [&](Placed entry) {
    Plan plan = good;
    plan.placed.push_back(entry);
    return plan;
  };
  EXPECT_EQ(only_violation(instance, with({7, 0, 1})).kind, ViolationKind::kBadEntry);      // no such app
  EXPECT_EQ(only_violation(instance, with({kNone, 0, 1})).kind, ViolationKind::kBadEntry);  // no such app
  EXPECT_EQ(only_violation(instance, with({db_, 1, 1})).kind, ViolationKind::kBadEntry);    // no such node
  EXPECT_EQ(only_violation(instance, with({db_, kNone, 1})).kind, ViolationKind::kBadEntry);
  EXPECT_EQ(only_violation(instance, with({db_, 0, 0})).kind, ViolationKind::kBadEntry);  // no replicas
}

TEST_F(CheckerTest, BadEntryThatStandsTwice) {
  builder_.limit(web_, web_, 2);
  const Instance instance = builder_.must_build();
  // Without this check, three replicas in two entries would evade the self limit.
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 2}, {web_, 1}}).build();
  const Violation v = only_violation(instance, plan);
  EXPECT_EQ(v.kind, ViolationKind::kBadEntry);
  EXPECT_EQ(v.app, web_);
  EXPECT_FALSE(v.inherited);
}

TEST_F(CheckerTest, BadEntryAmongUnplaced) {
  const Instance instance = builder_.must_build();
  const Plan good = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  Plan plan = good;
  plan.unplaced.push_back({9, 1});  // no such app
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadEntry);
  plan = good;
  plan.unplaced.push_back({web_, 0});  // no replicas
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadEntry);
  plan = good;
  plan.unplaced.push_back({db_, 2});  // twice
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kBadEntry);
}

TEST_F(CheckerTest, CountsMoves) {
  const NodeId a = builder_.add_node(small_);
  const NodeId b = builder_.add_node(small_);
  builder_.running(web_, a, 2).running(db_, b, 1);
  const Instance instance = builder_.must_build();
  EXPECT_EQ(check_plan(instance, PlanBuilder(instance).listed(a, {{web_, 3}}).listed(b, {{db_, 2}}).build()).moves, 0u);
  // One of two web replicas stays, db leaves: two moves.
  Plan plan = PlanBuilder(instance).listed(a, {{web_, 1}, {db_, 2}}).node(small_, {{web_, 2}}).build();
  EXPECT_EQ(check_plan(instance, plan).moves, 2u);
  EXPECT_TRUE(check_plan(instance, plan).ok);
  plan.moves = 1;
  EXPECT_EQ(only_violation(instance, plan).what, "moves");
}

TEST_F(CheckerTest, ClosedNode) {
  const NodeId n = builder_.add_node(small_);
  builder_.running(web_, n, 2).close(n);
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(n, {{web_, 2}}).build()).ok);
  const Violation more = only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 3}}).build());
  EXPECT_EQ(more.kind, ViolationKind::kClosedNode);
  EXPECT_FALSE(more.inherited);
  EXPECT_EQ(more.app, web_);
  EXPECT_EQ(more.amount, 3);
  EXPECT_EQ(more.limit, 2);
  EXPECT_EQ(only_violation(instance, PlanBuilder(instance).listed(n, {{web_, 2}, {db_, 1}}).build()).kind,
            ViolationKind::kClosedNode);
}

TEST_F(CheckerTest, ClosedNodeTakesWhatIsPinned) {
  const NodeId n = builder_.add_node(small_);
  builder_.pin(web_, n, 1).close(n);
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(n, {{web_, 1}}).build()).ok);
}

TEST_F(CheckerTest, FiguresOfCost) {
  builder_.data().classes[small_].price = 2.5;
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).node(small_, {{db_, 2}}).build();
  const Verification result = check_plan(instance, plan);
  EXPECT_TRUE(result.ok);
  EXPECT_DOUBLE_EQ(result.cost, 5);
  plan.cost = 4;
  EXPECT_EQ(only_violation(instance, plan).what, "cost");
  plan.cost = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(only_violation(instance, plan).what, "cost");
  plan.cost = 5;
  plan.bounds[Objective::kCost] = Bound{.name = "", .value = 5.5};  // above the cost of a complete plan
  plan.gap = -0.5 / 5.5;
  EXPECT_EQ(only_violation(instance, plan).what, "cost_bound");
}

TEST_F(CheckerTest, FiguresOfBoundAndGap) {
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 2}}).node(small_, {{web_, 1}}).node(small_, {{db_, 2}}).build();
  plan.bounds[Objective::kNodes] = Bound{.name = "", .value = 2};
  plan.gap = 0.5;  // (3 - 2) / 2
  EXPECT_TRUE(check_plan(instance, plan).ok);
  plan.gap = 0.25;
  EXPECT_EQ(only_violation(instance, plan).what, "gap");
  plan.gap = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(only_violation(instance, plan).what, "gap");
  plan.bounds[Objective::kNodes] = Bound{.name = "", .value = 4};
  plan.gap = -0.25;
  EXPECT_EQ(only_violation(instance, plan).what, "node_bound");
}

TEST_F(CheckerTest, FiguresOfStatus) {
  const Instance instance = builder_.must_build();
  Plan complete = PlanBuilder(instance).node(small_, {{web_, 2}, {db_, 1}}).node(small_, {{web_, 1}, {db_, 1}}).build();
  complete.status = PlanStatus::kOptimal;
  EXPECT_EQ(only_violation(instance, complete).what, "status");  // without a bound, nothing is proven
  complete.bounds[Objective::kNodes] = Bound{.name = "", .value = 2};
  complete.gap = 0;
  EXPECT_TRUE(check_plan(instance, complete).ok);

  Plan partial = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  for (const PlanStatus status :
       {PlanStatus::kPartial, PlanStatus::kInfeasibleProven, PlanStatus::kCancelled, PlanStatus::kDeadline}) {
    partial.status = status;
    EXPECT_TRUE(check_plan(instance, partial).ok) << static_cast<int>(status);
  }
  partial.status = PlanStatus::kComplete;
  EXPECT_EQ(only_violation(instance, partial).what, "status");
  partial.status = PlanStatus::kOptimal;
  EXPECT_TRUE(reports_figure(check_plan(instance, partial), "status"));
}

TEST_F(CheckerTest, FiguresOfOptimalCost) {
  builder_.data().classes[small_].price = 3;
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 2}, {db_, 1}}).node(small_, {{web_, 1}, {db_, 1}}).build();
  plan.status = PlanStatus::kOptimal;
  plan.bounds[Objective::kNodes] = Bound{.name = "", .value = 2};
  // With prices, the cost has to be proven optimal, and the gap is that of the cost.
  EXPECT_EQ(only_violation(instance, plan).what, "status");
  plan.bounds[Objective::kCost] = Bound{.name = "", .value = 4};
  plan.gap = 0;
  EXPECT_TRUE(reports_figure(check_plan(instance, plan), "gap"));
  plan.gap = 0.5;
  EXPECT_EQ(only_violation(instance, plan).what, "status");
  plan.bounds[Objective::kCost]->value = 6;
  plan.gap = 0;
  EXPECT_TRUE(check_plan(instance, plan).ok);
}

TEST_F(CheckerTest, FiguresOfInheritedViolations) {
  builder_.add_node(small_, {9, 0});
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).listed(0, {}).build();
  plan.inherited_violations = 0;  // there is one
  const Verification result = check_plan(instance, plan);
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(reports_figure(result, "inherited_violations"));
  EXPECT_EQ(result.violation_count, 1u);
  EXPECT_EQ(result.inherited_count, 1u);
}

TEST_F(CheckerTest, LoadedNodeIsInUse) {
  builder_.add_node(small_, {1, 0});
  builder_.add_node(small_, {0, 0});
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(0, {}).build()).ok);
  const Violation v = only_violation(instance, PlanBuilder(instance).build());
  EXPECT_EQ(v.kind, ViolationKind::kFigures);
  EXPECT_EQ(v.other, 0u);
}

TEST_F(CheckerTest, WrongInstance) {
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).build();
  plan.instance ^= 1;
  EXPECT_EQ(only_violation(instance, plan).kind, ViolationKind::kWrongInstance);
}

TEST_F(CheckerTest, HostilePlanOfExtremes) {
  builder_.add_node(small_);
  builder_.pin(db_, 0, 1).limit(web_, db_, 0).limit(db_, db_, 1);
  const Instance instance = builder_.must_build();
  Plan plan;
  plan.instance = ~std::uint64_t{0};
  plan.status = PlanStatus::kOptimal;
  plan.cost = std::numeric_limits<double>::infinity();
  plan.gap = -std::numeric_limits<double>::infinity();
  plan.bounds[Objective::kNodes] = Bound{.name = "", .value = std::numeric_limits<double>::quiet_NaN()};
  plan.moves = kNone;
  plan.inherited_violations = kNone;
  plan.nodes = {{kNone, kNone}, {0, kNone - 1}, {0, 0}, {0, 0}, {kNone - 1, 0}};
  constexpr std::uint32_t kMany = kNone;
  for (NodeId n = 0; n < 7; ++n) {
    for (AppId i = 0; i < 4; ++i) {
      plan.placed.push_back({i, n, kMany});
      plan.placed.push_back({i, n, kMany});
    }
  }
  for (AppId i = 0; i < 4; ++i) plan.unplaced.push_back({i, kMany});
  const Verification result = check_plan(instance, plan);
  EXPECT_FALSE(result.ok);
  for (const ViolationKind kind :
       {ViolationKind::kCapacity, ViolationKind::kAffinityLimit, ViolationKind::kSelfLimit, ViolationKind::kReplicaCount,
        ViolationKind::kBadNode, ViolationKind::kBadEntry, ViolationKind::kFigures, ViolationKind::kWrongInstance}) {
    EXPECT_TRUE(reports(result, kind)) << static_cast<int>(kind);
  }
  // Of five nodes only the third is right; each is given 2 x (2^32 - 1) of both apps, and both are reported unplaced.
  EXPECT_EQ(result.placed, 2ull * 5 * 2 * kMany);
  EXPECT_EQ(result.unplaced, 2ull * kMany);
}

TEST_F(CheckerTest, ListsTheFirstThousandAndCountsAll) {
  const Instance instance = builder_.must_build();
  Plan plan = PlanBuilder(instance).node(small_, {{web_, 3}}).node(small_, {{db_, 2}}).build();
  for (int k = 0; k < 1500; ++k) plan.placed.push_back({99, 0, 1});
  const Verification result = check_plan(instance, plan);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.violation_count, 1500u);
  EXPECT_EQ(result.violations.size(), Verification::kMaxListed);
}

TEST_F(CheckerTest, InheritedDoNotCrowdOutNewViolations) {
  // 1200 listed nodes are overloaded from the start; the one new violation is on the last node.
  for (int n = 0; n < 1200; ++n) builder_.add_node(small_, {9, 0});
  const Instance instance = builder_.must_build();
  PlanBuilder plan_builder(instance);
  for (NodeId n = 0; n < 1200; ++n) plan_builder.listed(n, {});
  Plan plan = plan_builder.node(small_, {{web_, 3}, {db_, 1}}).build();
  plan.inherited_violations = 1200;
  const Verification result = check_plan(instance, plan);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.inherited_count, 1200u);
  EXPECT_EQ(result.violation_count, 1u);
  EXPECT_EQ(result.violations.size(), Verification::kMaxListed + 1);
  EXPECT_TRUE(reports(result, ViolationKind::kCapacity));
}

TEST(Checker, UtilizationIsOfTheWorstPeriod) {
  InstanceBuilder builder({"cpu"}, 2);
  const AppId a = builder.add_app("a", 1, {6, 1});
  const AppId b = builder.add_app("b", 1, {1, 7});
  const ClassId c = builder.add_class({10});
  builder.add_node(c, {1, 2});
  const Instance instance = builder.must_build();
  // Over both nodes: 1 + 6 + 1 = 8, 2 + 1 + 7 = 10, of 20.
  const Verification result = check_plan(instance, PlanBuilder(instance).listed(0, {{a, 1}}).node(c, {{b, 1}}).build());
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.utilization, std::vector<double>{0.5});
}

// web asks for "ssd" and refuses "old"; the listed node is old.
TEST_F(CheckerTest, Eligibility) {
  builder_.add_node(small_);
  InstanceData& data = builder_.data();
  data.tags = {"ssd", "old"};
  data.classes[small_].labels = {"ssd"};
  const ClassId plain = builder_.add_class({8, 16});
  data.node_tags = {{0, 1}, {1}};
  data.app_only = {{0, 1, 1}, {0}};
  data.app_not = {{0, 1, 1}, {1}};
  const auto plan = [&](const Instance& instance, std::uint32_t listed, std::uint32_t bare) {
    PlanBuilder result(instance);
    if (listed > 0) result.listed(0, {{web_, listed}});
    if (bare > 0) result.node(plain, {{web_, bare}});
    Plan made = result.node(small_, {{db_, 2}}).build();
    made.inherited_violations = instance.data().running.empty() || listed > 1 ? 0 : listed;
    return made;
  };
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(small_, {{web_, 3}}).node(plain, {{db_, 2}}).build()).ok);
  const Violation lacks = only_violation(instance, plan(instance, 0, 1));
  EXPECT_EQ(lacks.kind, ViolationKind::kEligibility);
  EXPECT_EQ(lacks.app, web_);
  EXPECT_EQ(lacks.other, 0u);
  EXPECT_EQ(lacks.what, "ssd");
  EXPECT_EQ(lacks.amount, 0);
  EXPECT_EQ(lacks.limit, 1);
  const Violation refuses = only_violation(instance, plan(instance, 1, 0));
  EXPECT_EQ(refuses.kind, ViolationKind::kEligibility);
  EXPECT_EQ(refuses.what, "old");
  EXPECT_EQ(refuses.amount, 1);
  EXPECT_EQ(refuses.limit, 0);
  EXPECT_FALSE(refuses.inherited);
  // What ran there before may stay, and no more of it.
  builder_.running(web_, 0, 1);
  const Instance busy = builder_.must_build();
  EXPECT_TRUE(only_violation(busy, plan(busy, 1, 0)).inherited);
  EXPECT_FALSE(only_violation(busy, plan(busy, 2, 0)).inherited);
}

/// Parts of 700 and of 400, and two whole devices; nodes have four devices of 1000.
InstanceBuilder gpu_builder() {
  InstanceBuilder builder({"gpu"});
  builder.data().resources[0].device = 1000;
  builder.add_app("large", 3, {700});
  builder.add_app("small", 3, {400});
  builder.add_app("two", 1, {2000});
  builder.add_class({4000}, 2);
  return builder;
}

TEST(DeviceViolations, ASumThatFitsIsNotEnough) {
  const Instance instance = gpu_builder().must_build();
  // 3 x 700 + 3 x 400 = 3300: the small ones take a device and a half, beside three with 300 free each.
  const Plan plan = PlanBuilder(instance).node(0, {{0, 3}, {1, 3}}).node(0, {{2, 1}}).build();
  const Verification result = check_plan(instance, plan);
  ASSERT_EQ(result.violation_count, 1u);
  EXPECT_EQ(result.violations[0].kind, ViolationKind::kDevices);
  EXPECT_EQ(result.violations[0].node, 0u);
  EXPECT_EQ(result.violations[0].resource, 0u);
  EXPECT_EQ(result.violations[0].amount, 5);
  EXPECT_EQ(result.violations[0].limit, 4);
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).node(0, {{0, 3}, {1, 2}}).node(0, {{1, 1}, {2, 1}}).build()).ok);
}

TEST(DeviceViolations, WhatWasThereMayStay) {
  InstanceBuilder builder = gpu_builder();
  builder.add_node(0);
  builder.running(0, 0, 3).running(1, 0, 3);
  const Instance instance = builder.must_build();
  Plan stays = PlanBuilder(instance).listed(0, {{0, 3}, {1, 3}}).node(0, {{2, 1}}).build();
  stays.inherited_violations = 1;
  const Verification result = check_plan(instance, stays);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.inherited_count, 1u);
}

TEST(DeviceViolations, LoadTakesDevicesAsWell) {
  InstanceBuilder builder = gpu_builder();
  builder.add_node(0, {1500});  // one, and half of another
  const Instance instance = builder.must_build();
  EXPECT_TRUE(check_plan(instance, PlanBuilder(instance).listed(0, {{0, 2}, {1, 1}}).build()).ok);
  EXPECT_FALSE(check_plan(instance, PlanBuilder(instance).listed(0, {{0, 3}}).build()).ok);
}

// Loads are memory: 4 of a web, 2 of a db. web costs 1 per load of web and 2 per load of db, db 0.5 and 1.
class SideEffectsTest : public CheckerTest {
 protected:
  SideEffectsTest() {
    InstanceData& data = builder_.data();
    data.kind = {0, 1};
    data.has_interference = true;
    data.interference = {{"calm", "noisy"}, 2, {1, 2, 0.5, 1}, 1};
  }
  // Node 0: 2 web, 1 db; web costs 8 + 2 x 2 = 12, db 0.5 x 8 + 2 = 6. Node 1: one of each; web costs 8, db 4.
  [[nodiscard]] Plan two_nodes(const Instance& instance) const {
    return PlanBuilder(instance).node(small_, {{web_, 2}, {db_, 1}}).node(small_, {{web_, 1}, {db_, 1}}).build();
  }
  // States what is true.
  [[nodiscard]] Plan with_costs(const Instance& instance) const {
    Plan plan = two_nodes(instance);
    plan.max_cost = 12;
    plan.total_cost = 2 * 12 + 6 + 8 + 4;
    plan.node_max_cost = {12, 8};
    return plan;
  }
};

TEST_F(SideEffectsTest, AreRecomputed) {
  const Instance instance = builder_.must_build();
  const Verification result = check_plan(instance, two_nodes(instance));
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.max_cost, 12);
  EXPECT_EQ(result.total_cost, 42);
  EXPECT_EQ(result.node_max_cost, (std::vector<double>{12, 8}));
  // Node 1 twice, in place of node 0.
  Plan copied = PlanBuilder(instance).node(small_, {{web_, 1}, {db_, 1}}).build();
  copied.nodes[0].copies = 2;
  copied.unplaced = {{web_, 1}};
  const Verification both = check_plan(instance, copied);
  EXPECT_TRUE(both.ok);
  EXPECT_EQ(both.max_cost, 8);
  EXPECT_EQ(both.total_cost, 24);
  EXPECT_EQ(both.node_max_cost, std::vector<double>{8});
}

// A replica suffers from the largest demand over time.
TEST_F(SideEffectsTest, LoadIsTheLargestDemand) {
  InstanceBuilder builder({"cpu"}, 3);
  const AppId app = builder.add_app("tide", 2, {1, 5, 2});
  builder.add_class({20});
  builder.data().kind = {0};
  builder.data().has_interference = true;
  builder.data().interference = {{}, 1, {3}};
  const Instance instance = builder.must_build();
  EXPECT_EQ(check_plan(instance, PlanBuilder(instance).node(0, {{app, 2}}).build()).max_cost, 30);
}

TEST_F(SideEffectsTest, MayCostNoMoreThanTheKindsLimit) {
  builder_.data().interference.max_cost = {12, std::numeric_limits<double>::infinity()};
  const Instance at_limit = builder_.must_build();
  EXPECT_TRUE(check_plan(at_limit, two_nodes(at_limit)).ok);
  builder_.data().interference.max_cost[0] = 11;
  const Instance instance = builder_.must_build();
  const Violation v = only_violation(instance, two_nodes(instance));
  EXPECT_EQ(v.kind, ViolationKind::kSideEffects);
  EXPECT_FALSE(v.inherited);
  EXPECT_EQ(v.node, 0u);
  EXPECT_EQ(v.app, kNone);
  EXPECT_EQ(v.other, 0u);
  EXPECT_EQ(v.amount, 12);
  EXPECT_EQ(v.limit, 11);
}

// The limit of the request holds for every kind, and the lower of both limits counts.
TEST_F(SideEffectsTest, MayCostNoMoreThanTheRequestsLimit) {
  builder_.data().interference.max_cost = {7, 100};
  const Instance instance = builder_.must_build();
  Plan plan = two_nodes(instance);
  plan.max_cost_limit = 5.5;
  const Verification result = check_plan(instance, plan);
  ASSERT_EQ(result.violations.size(), 3u);
  EXPECT_EQ(result.violations[0].limit, 5.5);
  EXPECT_EQ(result.violations[1].other, 1u);
  EXPECT_EQ(result.violations[1].amount, 6);
  EXPECT_EQ(result.violations[2].node, 1u);
  EXPECT_EQ(result.violations[2].amount, 8);
  plan.max_cost_limit = 50;
  const Verification lower = check_plan(instance, plan);
  ASSERT_EQ(lower.violations.size(), 2u);
  EXPECT_EQ(lower.violations[0].limit, 7);
}

TEST_F(SideEffectsTest, InheritedWhereTheStartCostsAsMuch) {
  builder_.data().interference.max_cost = {11, 100};
  builder_.add_node(builder_.add_class({100, 100}));
  builder_.running(web_, 0, 2).running(db_, 0, 1);
  const Instance instance = builder_.must_build();
  const auto verdict = [&](std::uint32_t webs, std::uint32_t dbs) {
    std::vector<test::Seat> here = {{web_, webs}};
    if (dbs > 0) here.push_back({db_, dbs});
    PlanBuilder builder(instance);
    builder.listed(0, here);
    if (webs < 3) builder.node(small_, {{web_, 3 - webs}});
    if (dbs < 2) builder.node(small_, {{db_, 2 - dbs}});
    Plan plan = builder.build();
    const Verification result = check_plan(instance, plan);
    plan.inherited_violations = static_cast<std::uint32_t>(result.inherited_count);
    return only_violation(instance, plan);
  };
  EXPECT_TRUE(verdict(2, 1).inherited);
  const Violation joined = verdict(3, 0);
  EXPECT_FALSE(joined.inherited) << "three web suffer 12 where two did beside a db";
  EXPECT_EQ(joined.amount, 12);
  const Violation worse = verdict(2, 2);
  EXPECT_FALSE(worse.inherited);
  EXPECT_EQ(worse.amount, 16);
}

// A replica without load costs nobody anything, and suffers itself.
TEST_F(SideEffectsTest, WhatJoinsTheirVictimsIsNotInherited) {
  InstanceData& data = builder_.data();
  data.interference.max_cost = {11, 100};
  data.kind.push_back(0);
  const AppId idle = builder_.add_app("idle", 1, {1, 0});
  builder_.add_node(builder_.add_class({100, 100}));
  builder_.running(web_, 0, 2).running(db_, 0, 1);
  builder_.data().replicas[web_] = 2;
  builder_.data().replicas[db_] = 1;
  const Instance instance = builder_.must_build();
  const Violation v = only_violation(instance, PlanBuilder(instance).listed(0, {{web_, 2}, {db_, 1}, {idle, 1}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kSideEffects);
  EXPECT_FALSE(v.inherited);
  EXPECT_EQ(v.amount, 12);
}

TEST_F(SideEffectsTest, NotInheritedWhereTheKindIsNew) {
  builder_.data().interference.max_cost = {10, 100};
  builder_.add_node(small_);
  builder_.running(db_, 0, 2);
  const Instance instance = builder_.must_build();
  // Beside 2 db, a web costs 4 + 2 x 4 = 12. At the start none was there.
  const Violation v = only_violation(instance, PlanBuilder(instance).listed(0, {{web_, 1}, {db_, 2}}).build());
  EXPECT_EQ(v.kind, ViolationKind::kSideEffects);
  EXPECT_FALSE(v.inherited);
  EXPECT_EQ(v.amount, 12);
}

TEST_F(SideEffectsTest, FiguresOfTheirCosts) {
  const Instance instance = builder_.must_build();
  EXPECT_TRUE(check_plan(instance, with_costs(instance)).ok);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spoiled = [&](const std::function<void(Plan&)>& spoil) {
    Plan plan = with_costs(instance);
    spoil(plan);
    return check_plan(instance, plan);
  };
  for (const double wrong : {11.0, 13.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(reports_figure(spoiled([&](Plan& p) { p.max_cost = wrong; }), "max_cost")) << wrong;
    EXPECT_TRUE(reports_figure(spoiled([&](Plan& p) { p.total_cost = wrong; }), "total_cost")) << wrong;
    EXPECT_TRUE(reports_figure(spoiled([&](Plan& p) { p.node_max_cost[1] = wrong; }), "node_max_cost")) << wrong;
  }
  EXPECT_TRUE(reports_figure(spoiled([](Plan& p) { p.node_max_cost.pop_back(); }), "node_max_cost"));
  EXPECT_TRUE(reports_figure(spoiled([](Plan& p) { p.node_max_cost.push_back(0); }), "node_max_cost"));
  for (const double wrong : {-1.0, nan}) {
    EXPECT_TRUE(reports_figure(spoiled([&](Plan& p) { p.max_cost_limit = wrong; }), "max_cost_limit")) << wrong;
  }
  for (const double wrong : {12.1, -1.0, nan}) {
    EXPECT_TRUE(reports_figure(spoiled([&](Plan& p) { p.bounds[Objective::kWorst] = {"fluid", wrong}; }), "max_cost_bound"));
  }
  for (const double wrong : {42.1, -1.0, nan}) {
    EXPECT_TRUE(reports_figure(spoiled([&](Plan& p) { p.bounds[Objective::kTotal] = {"fluid", wrong}; }), "total_cost_bound"));
  }
  EXPECT_TRUE(spoiled([](Plan& p) {
                p.bounds[Objective::kWorst] = {"fluid", 12};
                p.bounds[Objective::kTotal] = {"fluid", 42};
                p.max_cost_limit = 12;
              }).ok);
}

TEST_F(SideEffectsTest, FiguresOfTheirObjectives) {
  const Instance instance = builder_.must_build();
  for (const Objective objective : {Objective::kWorst, Objective::kTotal}) {
    const double value = objective == Objective::kWorst ? 12 : 42;
    Plan plan = with_costs(instance);
    plan.objective = objective;
    plan.bounds[objective] = {"fluid", value / 1.5};
    plan.gap = 0.5;
    EXPECT_TRUE(check_plan(instance, plan).ok);
    plan.gap = 0.4;
    EXPECT_TRUE(reports_figure(check_plan(instance, plan), "gap"));
    plan.gap = 0.5;
    plan.status = PlanStatus::kOptimal;
    EXPECT_TRUE(reports_figure(check_plan(instance, plan), "status"));
    plan.bounds[objective] = {"fluid", value};
    plan.gap = 0;
    EXPECT_TRUE(check_plan(instance, plan).ok);
  }
}

// Plans of instances without interference state no costs.
TEST_F(CheckerTest, FiguresOfCostsThatNothingHas) {
  const Instance instance = builder_.must_build();
  const Plan plan = PlanBuilder(instance).node(small_, {{web_, 2}, {db_, 1}}).node(small_, {{web_, 1}, {db_, 1}}).build();
  EXPECT_EQ(check_plan(instance, plan).max_cost, -1);
  Plan other = plan;
  other.max_cost = 0;
  EXPECT_TRUE(reports_figure(check_plan(instance, other), "max_cost"));
  other = plan;
  other.max_cost_limit = 1;
  EXPECT_TRUE(reports_figure(check_plan(instance, other), "max_cost_limit"));
}

// web has 4 replicas and db 2; one node keeps a quarter of the traffic of 8, the other a half.
TEST(CheckerTrafficTest, FiguresOfRemoteTraffic) {
  test::InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 4, {1});
  const AppId db = builder.add_app("db", 2, {1});
  builder.add_class({20}, 4);
  builder.data().traffic = {{db, web, 8}};
  const Instance instance = builder.must_build();
  Plan plan = test::PlanBuilder(instance).node(0, {{web, 1}, {db, 1}}).node(0, {{web, 3}, {db, 1}}).build();
  EXPECT_EQ(check_plan(instance, plan).remote_traffic, 2);
  EXPECT_TRUE(check_plan(instance, plan).ok) << "a plan may state nothing";
  plan.remote_traffic = 2;
  plan.bounds[Objective::kTraffic] = Bound{"traffic-pairs", 1};
  EXPECT_TRUE(check_plan(instance, plan).ok);
  for (const double wrong : {1.9, 2.1, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Plan other = plan;
    other.remote_traffic = wrong;
    EXPECT_TRUE(reports_figure(check_plan(instance, other), "remote_traffic")) << wrong;
  }
  for (const double wrong : {2.1, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Plan other = plan;
    other.bounds[Objective::kTraffic]->value = wrong;
    EXPECT_TRUE(reports_figure(check_plan(instance, other), "remote_traffic_bound")) << wrong;
  }
  plan.objective = Objective::kTraffic;
  plan.gap = 1.0 / 6;
  EXPECT_TRUE(check_plan(instance, plan).ok) << "1 more than the bound, of 6 that stay";
  plan.status = PlanStatus::kOptimal;
  EXPECT_TRUE(reports_figure(check_plan(instance, plan), "status"));
}

}  // namespace
}  // namespace stowage
