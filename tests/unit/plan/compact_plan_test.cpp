#include "core/plan/compact_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/explain/explain.h"
#include "core/verify/checker.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;
using test::TaggedBuilder;

/// "class[listed]xcopies:app*replicas,..." per node.
std::string text_of(const Plan& plan) {
  std::string text;
  std::size_t next = 0;
  for (NodeId n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    text += (n == 0 ? "" : " ") + std::to_string(node.node_class);
    if (node.listed != kNone) text += "[" + std::to_string(node.listed) + "]";
    text += "x" + std::to_string(node.copies) + ":";
    for (; next < plan.placed.size() && plan.placed[next].node == n; ++next) {
      text += std::to_string(plan.placed[next].app) + "*" + std::to_string(plan.placed[next].replicas) + ",";
    }
  }
  return text;
}

TEST(CompactPlanTest, NodesThatHoldTheSameStandOnce) {
  Plan plan;
  plan.nodes = {{0, 0}, {0, kNone}, {1, kNone}, {0, kNone}, {0, kNone}, {0, kNone}};
  plan.placed = {{0, 0, 2}, {0, 1, 2}, {0, 2, 2}, {0, 3, 2}, {1, 3, 1}, {0, 4, 2}, {0, 5, 1}};
  plan.node_ucac = {7, 8, 9, 10, 8, 11};
  plan.node_max_cost = {1, 2, 3, 4, 2, 5};
  const Plan before = plan;
  EXPECT_EQ(nodes_in_use(plan), 6u);
  EXPECT_EQ(compact(plan), (std::vector<NodeId>{0, 1, 2, 3, 1, 4}));
  // The listed node and the nodes of another class or with other content are not merged.
  EXPECT_EQ(text_of(plan), "0[0]x1:0*2, 0x2:0*2, 1x1:0*2, 0x1:0*2,1*1, 0x1:0*1,");
  EXPECT_EQ(plan.node_ucac, (std::vector<double>{7, 8, 9, 10, 11}));
  EXPECT_EQ(plan.node_max_cost, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(nodes_in_use(plan), 6u);
  Plan again = plan;
  compact(again);
  EXPECT_EQ(text_of(again), text_of(plan));
  expand(plan);
  EXPECT_EQ(text_of(plan), "0[0]x1:0*2, 0x1:0*2, 0x1:0*2, 1x1:0*2, 0x1:0*2,1*1, 0x1:0*1,");
  EXPECT_EQ(plan.node_ucac, (std::vector<double>{7, 8, 8, 9, 10, 11}));
  EXPECT_EQ(plan.node_max_cost, (std::vector<double>{1, 2, 2, 3, 4, 5}));
  Plan same = before;
  expand(same);
  EXPECT_EQ(text_of(same), text_of(before)) << "every copy stands by itself already";
}

// Contents that differ from node to node are found among many.
TEST(CompactPlanTest, ThousandsOfContentsStandOnceEach) {
  constexpr std::uint32_t kContents = 3000;
  Plan plan;
  for (NodeId n = 0; n < 3 * kContents; ++n) {
    plan.nodes.push_back({0, kNone});
    plan.placed.push_back({0, n, 1 + n % kContents});
  }
  Plan before;
  const std::vector<NodeId> entry_of = compact(plan, &before);
  EXPECT_EQ(before.nodes.size(), 3 * kContents);
  EXPECT_EQ(before.placed.size(), 3 * kContents);
  ASSERT_EQ(plan.nodes.size(), kContents);
  for (NodeId n = 0; n < entry_of.size(); ++n) EXPECT_EQ(entry_of[n], n % kContents);
  for (NodeId n = 0; n < kContents; ++n) {
    EXPECT_EQ(plan.nodes[n].copies, 3u);
    EXPECT_EQ(plan.placed[n].replicas, 1 + n);
  }
}

TEST(CompactPlanTest, NothingIsNothing) {
  Plan plan;
  compact(plan);
  expand(plan);
  EXPECT_EQ(nodes_in_use(plan), 0u);
}

/// Replicas of five apps on nodes of two classes, one of which is a rack; many nodes have the same content.
Instance alike(test::Random& random, bool uncertain, bool rules) {
  TaggedBuilder builder({"cpu", "memory"});
  for (int i = 0; i < 5; ++i) {
    const std::string name = "app-" + std::to_string(i);
    builder.app(name, 10 + random.below(30), {name}, {1.0 + random.below(3), 1.0 + random.below(3)});
  }
  if (rules) {
    const std::uint32_t rack = builder.group_by_label("rack", "rack");
    builder.hard(builder.replicas({"app-1"}, {"app-1"}, 0, 1 + random.below(2)));
    builder.hard(builder.replicas({"app-4"}, {"app-4"}, 0, 3, rack));
    builder.soft(builder.replicas({"app-0"}, {"app-3"}, 1, kNone));
    builder.soft(builder.replicas({"app-2"}, {"app-3"}, 2, 5, rack), 2);
    builder.soft(builder.node_sets({"app-3"}, 2, 4, kNone));
    builder.soft(builder.skew({"app-3"}, 1, kNone));
  }
  builder.limit(0, 1, random.below(2));
  builder.limit(2, 2, 1 + random.below(2));
  builder.add_class({8, 8}, 0, 2);
  builder.add_class({16, 16}, 6, 3);
  builder.data().classes[1].labels = {"rack=r1"};
  builder.add_node(1, {3, 1});
  builder.add_node(0);
  if (rules) builder.data().node_tags.begin = {0, 0, 0};
  if (uncertain) {
    builder.data().variance.assign(10, 0);
    for (int i = 0; i < 5; ++i) builder.data().variance[2 * i] = 0.1 * i;
    builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  }
  return builder.must_build();
}

void expect_same_findings(const Verification& a, const Verification& b) {
  EXPECT_EQ(a.ok, b.ok);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.placed, b.placed);
  EXPECT_EQ(a.unplaced, b.unplaced);
  EXPECT_NEAR(a.cost, b.cost, 1e-9);
  EXPECT_NEAR(a.ucac, b.ucac, 1e-9);
  ASSERT_EQ(a.utilization.size(), b.utilization.size());
  for (std::size_t r = 0; r < a.utilization.size(); ++r) EXPECT_NEAR(a.utilization[r], b.utilization[r], 1e-12);
  EXPECT_EQ(a.metrics.nodes, b.metrics.nodes);
  EXPECT_EQ(a.metrics.nodes_used, b.metrics.nodes_used);
  EXPECT_EQ(a.metrics.fragmented_nodes, b.metrics.fragmented_nodes);
  for (std::size_t r = 0; r < a.metrics.imbalance.size(); ++r) {
    EXPECT_NEAR(a.metrics.imbalance[r], b.metrics.imbalance[r], 1e-9);
  }
  const auto kinds = [](const Verification& one) {
    std::vector<std::pair<ViolationKind, AppId>> result;
    for (const Violation& v : one.violations) result.emplace_back(v.kind, v.app);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  };
  EXPECT_EQ(kinds(a), kinds(b));
  EXPECT_EQ(a.violation_count, b.violation_count);
  EXPECT_EQ(a.rule_costs.violations, b.rule_costs.violations);
  EXPECT_EQ(a.rule_costs.replicas, b.rule_costs.replicas);
  EXPECT_NEAR(a.rule_costs.cost, b.rule_costs.cost, 1e-9);
}

// Checker and explainer report the same for a compact plan and for its expansion, whether right or wrong.
TEST(CompactPlanTest, IsJudgedAsThePlanItStandsFor) {
  test::Random random(5);
  for (int round = 0; round < 60; ++round) {
    const Instance instance = alike(random, round % 2 == 0, round % 3 == 1);
    Request request = test::request_for(round % 3 == 0 ? "biheu" : "ff");
    if (round % 5 == 0) request.node_limit = 4;
    const Plan each = test::plan_by(instance, request);
    request.compact = true;
    const Plan once = test::plan_by(instance, request);
    Plan compacted = each;
    compact(compacted);
    EXPECT_EQ(text_of(once), text_of(compacted));
    EXPECT_EQ(once.cost, each.cost);
    EXPECT_EQ(once.ucac, each.ucac);
    EXPECT_EQ(once.gap, each.gap);
    EXPECT_EQ(once.work, each.work);
    expect_same_findings(check_plan(instance, once), check_plan(instance, each));

    const auto a = explain_plan(instance, once, round % 4 == 0 ? 0 : kNone, nullptr);
    const auto b = explain_plan(instance, each, round % 4 == 0 ? 0 : kNone, nullptr);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(a.value().nodes, b.value().nodes);
    EXPECT_EQ(a.value().drivers.size(), b.value().drivers.size());
    ASSERT_EQ(a.value().apps.size(), b.value().apps.size());
    for (std::size_t k = 0; k < a.value().apps.size(); ++k) {
      EXPECT_EQ(a.value().apps[k].open_nodes, b.value().apps[k].open_nodes);
      EXPECT_EQ(a.value().apps[k].blocked_by_capacity, b.value().apps[k].blocked_by_capacity);
      EXPECT_EQ(a.value().apps[k].blocked_by_limits, b.value().apps[k].blocked_by_limits);
      EXPECT_EQ(a.value().apps[k].blocked_by_both, b.value().apps[k].blocked_by_both);
      EXPECT_EQ(a.value().apps[k].relaxations.size(), b.value().apps[k].relaxations.size());
    }
    for (std::size_t r = 0; r < a.value().resources.size(); ++r) {
      EXPECT_NEAR(a.value().resources[r].capacity, b.value().resources[r].capacity, 1e-9);
      EXPECT_NEAR(a.value().resources[r].demand, b.value().resources[r].demand, 1e-9);
      EXPECT_NEAR(a.value().resources[r].stranded, b.value().resources[r].stranded, 1e-9);
    }

    Plan spoiled = once;
    for (Placed& placed : spoiled.placed) placed.replicas += random.below(3);
    Plan as_bad = spoiled;
    expand(as_bad);
    expect_same_findings(check_plan(instance, spoiled), check_plan(instance, as_bad));
  }
}

class WrongCopiesTest : public testing::Test {
 protected:
  WrongCopiesTest() {
    InstanceBuilder builder;
    web_ = builder.add_app("web", 9, {2});
    builder.add_class({8}, 3);
    builder.add_node(0);
    instance_.emplace(builder.must_build());
    plan_ = PlanBuilder(*instance_).listed(0, {{web_, 3}}).node(0, {{web_, 3}}).build();
    plan_.unplaced.clear();
    plan_.status = PlanStatus::kComplete;
  }
  [[nodiscard]] bool finds(ViolationKind kind, NodeId node) const {
    const Verification found = check_plan(*instance_, plan_);
    return !found.ok && std::any_of(found.violations.begin(), found.violations.end(),
                                    [&](const Violation& v) { return v.kind == kind && v.node == node; });
  }
  [[nodiscard]] std::string explained() const {
    const auto explanation = explain_plan(*instance_, plan_, kNone, nullptr);
    return explanation ? "explained" : explanation.error().path;
  }

  AppId web_;
  std::optional<Instance> instance_;
  Plan plan_;
};

TEST_F(WrongCopiesTest, TwoCopiesAreRight) {
  plan_.nodes[1].copies = 2;
  EXPECT_TRUE(check_plan(*instance_, plan_).ok);
  EXPECT_EQ(explained(), "explained");
}
TEST_F(WrongCopiesTest, MoreThanThereAreNodesOrReplicas) {
  plan_.nodes[1].copies = 3;
  EXPECT_TRUE(finds(ViolationKind::kClassCount, kNone));
  EXPECT_TRUE(finds(ViolationKind::kReplicaCount, kNone));
  EXPECT_EQ(explained(), "placed");
}
TEST_F(WrongCopiesTest, EveryCopyCountsAndEveryNodeIsListed) {
  plan_.nodes.assign(3, {0, kNone, 2000});
  plan_.placed = {{web_, 0, 5}, {web_, 1, 6}, {web_, 2, 4}};
  const Verification found = check_plan(*instance_, plan_);
  std::vector<NodeId> overloaded;
  for (const Violation& v : found.violations) {
    if (v.kind == ViolationKind::kCapacity) overloaded.push_back(v.node);
  }
  EXPECT_EQ(overloaded, (std::vector<NodeId>{0, 1}));
  EXPECT_GE(found.violation_count, 4000u);
}
TEST_F(WrongCopiesTest, NoneOrOfAListedNode) {
  plan_.nodes[1].copies = 0;
  EXPECT_TRUE(finds(ViolationKind::kBadNode, 1));
  EXPECT_EQ(explained(), "copies[1]");
  plan_.nodes[1].copies = 2;
  plan_.nodes[0].copies = 2;
  EXPECT_TRUE(finds(ViolationKind::kBadNode, 0));
  EXPECT_EQ(explained(), "copies[0]");
}
TEST_F(WrongCopiesTest, MoreThanCanBeTold) {
  plan_.nodes.push_back({0, kNone, 6'000'000});
  plan_.nodes.push_back({0, kNone, 6'000'000});
  plan_.nodes.push_back({0, kNone, kNone});
  EXPECT_FALSE(finds(ViolationKind::kBadNode, 2)) << "the default of max_nodes is 10 million";
  EXPECT_TRUE(finds(ViolationKind::kBadNode, 3));
  EXPECT_TRUE(finds(ViolationKind::kBadNode, 4));
  EXPECT_EQ(explained(), "copies[3]");
  plan_.nodes.resize(3);
  plan_.nodes[2].copies = 5;
  EXPECT_EQ(explained(), "copies[2]") << "an empty node needs no copies";
}
TEST_F(WrongCopiesTest, EntriesInAnyOrder) {
  plan_.nodes[1].copies = 2;
  std::swap(plan_.placed[0], plan_.placed[1]);
  EXPECT_TRUE(check_plan(*instance_, plan_).ok);
  expand(plan_);
  EXPECT_EQ(text_of(plan_), "0[0]x1:0*3, 0x1:0*3, 0x1:0*3,");
}

}  // namespace
}  // namespace stowage
