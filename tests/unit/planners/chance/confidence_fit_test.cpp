#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/plan/compact_plan.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

using test::InstanceBuilder;

/// Replicas per app on each node.
std::vector<std::map<AppId, std::uint32_t>> seats(const Plan& plan) {
  std::vector<std::map<AppId, std::uint32_t>> result(plan.nodes.size());
  for (const Placed& p : plan.placed) result[p.node][p.app] = p.replicas;
  return result;
}

// Two busy nodes with the same mean; the second varies more, so its used capacity is larger and it is the best fit.
TEST(ConfidenceFitTest, BestFitTakesTheNodeWithMostUsedCapacity) {
  InstanceBuilder builder;
  builder.add_app("new", 1, {1});
  builder.add_class({10});
  builder.add_node(0, {4});
  builder.add_node(0, {4});
  builder.data().load_variance = {1, 4};
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const Plan plan = test::plan_by(builder.must_build(), "bf-ucac");
  ASSERT_EQ(plan.nodes.size(), 2u);
  ASSERT_EQ(plan.placed.size(), 1u);
  EXPECT_EQ(plan.nodes[plan.placed[0].node].listed, 1u);
  EXPECT_NEAR(plan.ucac, (4 + 1) + (5 + std::sqrt(5.0)), 1e-12);
}

TEST(ConfidenceFitTest, BestFitFillsANodeBeforeTheNext) {
  // Mean 1, variance 1, factor 1, capacity 6: k + sqrt(k) <= 6 allows 4.
  InstanceBuilder builder;
  builder.add_app("a", 9, {1});
  builder.add_class({6});
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const auto held = seats(test::plan_by(builder.must_build(), "bf-ucac"));
  ASSERT_EQ(held.size(), 3u);
  EXPECT_EQ(held[0].at(0), 4u);
  EXPECT_EQ(held[1].at(0), 4u);
  EXPECT_EQ(held[2].at(0), 1u);
}

// Nodes like the last one are not planned one by one, whatever ends them: replicas, nodes of the class, the caller's limits.
TEST(ConfidenceFitTest, BiLevelRepeatsNodesUpToEveryLimit) {
  const auto cluster = [](std::uint32_t count, std::uint32_t replicas) {
    InstanceBuilder builder;
    builder.add_app("a", replicas, {2});
    builder.add_app("b", 5, {3});
    builder.add_class({8}, count);
    builder.add_class({4}, 2);
    return builder;
  };
  const auto in_use = [](const Instance& instance, Request request) {
    request.planner = "biheu";
    const Plan each = test::plan_by(instance, request);
    request.compact = true;
    const Plan once = test::plan_by(instance, request);
    EXPECT_EQ(nodes_in_use(once), each.nodes.size());
    EXPECT_LT(once.nodes.size(), 8u);
    return std::pair(each.nodes.size(), each.unplaced.size());
  };
  // 4 a on a node; 1000 of them and 5 b: 250 nodes, and 3 for b.
  EXPECT_EQ(in_use(cluster(0, 1000).must_build(), {}), std::pair(std::size_t{253}, std::size_t{0}));
  EXPECT_EQ(in_use(cluster(100, 1000).must_build(), {}), std::pair(std::size_t{102}, std::size_t{2}));
  Request few;
  few.node_limit = 40;
  EXPECT_EQ(in_use(cluster(100, 1000).must_build(), few), std::pair(std::size_t{40}, std::size_t{2}));
  // The last node that max_nodes allows is used; the one after it is too many.
  Limits limits;
  limits.max_nodes = 253;
  EXPECT_EQ(in_use(cluster(0, 1000).must_build(limits), {}), std::pair(std::size_t{253}, std::size_t{0}));
  limits.max_nodes = 252;
  Request request;
  request.planner = "biheu";
  const auto refused = run_planner(cluster(0, 1000).must_build(limits), request, nullptr);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kLimitExceeded);
}

// Copies that took something are preferred to those that did not, as nodes one by one would be: b, c and d share.
TEST(ConfidenceFitTest, AmongEqualNodesTheBegunOnesComeFirst) {
  InstanceBuilder builder({"cpu", "memory"});
  builder.add_app("a", 4, {10, 0});
  builder.add_app("b", 2, {0, 6});
  builder.add_app("c", 2, {0, 4});
  builder.add_app("d", 2, {0, 10});
  builder.add_class({10, 10});
  const Instance instance = builder.must_build();
  for (const char* planner : {"bf-ucac", "bf-nsigma", "biheu"}) {
    EXPECT_EQ(test::plan_by(instance, planner).nodes.size(), 4u) << planner;
  }
}

// By fixed sizes of 2 and 3 on nodes of 12: what splits off has as much left as it had.
TEST(ConfidenceFitTest, NSigmaKnowsWhatIsLeftOfCopies) {
  InstanceBuilder builder;
  builder.add_app("a", 30, {1.5});
  builder.add_app("b", 7, {2.5});
  builder.add_app("c", 9, {0.5});
  builder.add_class({12});
  builder.data().variance = {0.25, 0.25, 0};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  // 6 a on each of 5 nodes fill them by fixed sizes; 4 b on a sixth, 3 on a seventh with 6 c, 3 c on an eighth.
  const auto held = seats(test::plan_by(builder.must_build(), "bf-nsigma"));
  std::map<AppId, std::uint32_t> all;
  for (const auto& node : held) {
    double used = 0;
    for (const auto& [app, replicas] : node) {
      all[app] += replicas;
      used += replicas * (app == 0 ? 2.0 : app == 1 ? 3.0 : 0.5);
    }
    EXPECT_LE(used, 12);
  }
  EXPECT_EQ(held.size(), 8u);
  EXPECT_EQ(all, (std::map<AppId, std::uint32_t>{{0, 30}, {1, 7}, {2, 9}}));
}

TEST(ConfidenceFitTest, NSigmaCountsFixedSizes) {
  // The same, each replica counting 1 + n: 3 of 2 on a node; with n = 2, 2 of 3.
  InstanceBuilder builder;
  builder.add_app("a", 6, {1});
  builder.add_class({6});
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::plan_by(instance, "bf-nsigma").nodes.size(), 2u);
  Request request;
  request.planner = "bf-nsigma";
  request.options = {{"n", 2, ""}};
  EXPECT_EQ(test::plan_by(instance, request).nodes.size(), 3u);
  // A smaller n does not break the confidence: 4 fit by 4 + sqrt(4), a fifth does not, though 5 x 1.01 would.
  request.options = {{"n", 0.01, ""}};
  EXPECT_EQ(seats(test::plan_by(instance, request))[0].at(0), 4u);
}

// Algorithm 2: on a node, the app with the largest ratio of spread to mean first.
TEST(ConfidenceFitTest, BiLevelTakesSpreadFirst) {
  InstanceBuilder builder;
  builder.add_app("calm", 4, {2});
  builder.add_app("wild", 4, {2});
  builder.add_class({8});
  builder.data().variance = {0.01, 4};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const auto held = seats(test::plan_by(builder.must_build(), "biheu"));
  // wild: 4 + sqrt(8) <= 8 < 6 + sqrt(12), so 2; no calm beside them: 6 + sqrt(8.01) > 8.
  ASSERT_EQ(held.size(), 4u);
  EXPECT_EQ(held[0].at(1), 2u);
  EXPECT_EQ(held[1].at(1), 2u);
  EXPECT_EQ(held[2].at(0), 3u);
  EXPECT_EQ(held[3].at(0), 1u);
}

TEST(ConfidenceFitTest, BiLevelFillsBusyNodesBySpread) {
  InstanceBuilder builder;
  builder.add_app("a", 1, {1});
  builder.add_class({10});
  builder.add_node(0, {5});
  builder.add_node(0, {3});
  builder.add_node(0);
  builder.data().load_variance = {1, 9, 0};
  builder.data().variance = {1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  const Plan plan = test::plan_by(builder.must_build(), "biheu");
  ASSERT_EQ(plan.placed.size(), 1u);
  EXPECT_EQ(plan.nodes[plan.placed[0].node].listed, 1u);
}

TEST(ConfidenceFitTest, BiLevelGoesOnToAClassThatFits) {
  InstanceBuilder builder;
  builder.add_app("small", 2, {1});
  builder.add_app("large", 2, {7});
  builder.add_class({2});
  builder.add_class({9});
  builder.data().variance = {0.1, 0.1};
  builder.data().uncertainty = {ChanceModel::kFactor, 0.9, 1};
  for (const char* planner : {"biheu", "bf-ucac", "bf-nsigma"}) {
    EXPECT_TRUE(test::plan_by(builder.must_build(), planner).unplaced.empty()) << planner;
  }
}

}  // namespace
}  // namespace stowage
