// Spreading and the searches over the number of nodes, on cases small enough to follow by hand.

#include "core/planners/spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/planners/node_ranking.h"
#include "core/planners/node_search.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

Plan plan_by(const Instance& instance, const std::string& planner, std::uint32_t node_limit = 0) {
  Request request;
  request.planner = planner;
  request.node_limit = node_limit;
  auto result = run_planner(instance, request, nullptr);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? std::move(*result) : Plan{};
}

// Replicas go to the emptiest of the three nodes one by one: a (4 of 10) to 0, 1, 2, 0; then 2, 6, 6 is left on the nodes, and
// b (3) goes to 1 and 2.
TEST(SpreadTest, SpreadsReplicasOverTheGivenNodes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 4, {4});
  builder.add_app("b", 2, {3});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::who_sits_where(instance, plan_by(instance, "spread-wf", 3)), "a:2 | a:1 b:1 | a:1 b:1");
}

// The bound is 20 / 10 = 2 nodes. First fit puts three of a on the first node, where b tolerates two, and one beside b on the
// second, which is full then: it needs a third. Spread over 2 nodes, both hold a:2 b:1.
TEST(SpreadTest, SpreadingLeavesLimitsRoom) {
  test::InstanceBuilder builder({"cpu"});
  const AppId a = builder.add_app("a", 4, {3});
  const AppId b = builder.add_app("b", 2, {4});
  builder.limit(b, a, 2);
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::who_sits_where(instance, plan_by(instance, "ff")), "a:3 | a:1 b:1 | b:1");
  for (const char* planner : {"spread-wf", "spread-wf-binsearch", "spread-wfd-avg-decr2"}) {
    const Plan plan = plan_by(instance, planner);
    EXPECT_EQ(plan.nodes.size(), 2u) << planner;
    EXPECT_EQ(plan.status, PlanStatus::kOptimal) << planner;
  }
}

class SpreadSearchTest : public testing::TestWithParam<const char*> {};

TEST_P(SpreadSearchTest, NeverWorseThanFirstFitAndNeverBelowTheBound) {
  test::Random random(7);
  for (int round = 0; round < 30; ++round) {
    test::InstanceBuilder builder({"cpu", "memory"});
    const std::uint32_t apps = 4 + random.below(8);
    for (std::uint32_t i = 0; i < apps; ++i) {
      builder.add_app("app-" + std::to_string(i), 1 + random.below(6), {1.0 + random.below(5), 1.0 + random.below(5)});
    }
    for (std::uint32_t k = 0; k < apps; ++k) builder.limit(k, (k + 1) % apps, random.below(3));
    builder.add_class({10, 10});
    const Instance instance = builder.must_build();
    const Plan first_fit = plan_by(instance, "ff");
    const Plan plan = plan_by(instance, GetParam());
    EXPECT_TRUE(plan.unplaced.empty());
    EXPECT_LE(plan.nodes.size(), first_fit.nodes.size());
    EXPECT_GE(static_cast<double>(plan.nodes.size()), plan.node_bound.value);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpreadSearchTest,
                         testing::Values("spread-wf-binsearch", "spread-wf-decr5", "spread-wfd-avg-binsearch",
                                         "spread-wfd-max-decr2", "spread-wfd-avgexp-binsearch", "spread-wfd-extsum-decr3"),
                         [](const auto& member) {
                           std::string name = member.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// What does not fit the given nodes is reported, not an error.
TEST(SpreadTest, ReportsWhatDoesNotFitTheGivenNodes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 3, {6});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Plan plan = plan_by(instance, "spread-wf", 2);
  EXPECT_EQ(test::left_over(instance, plan), "a:1");
  EXPECT_EQ(plan.nodes.size(), 2u);
}

std::vector<std::uint32_t> tried(NodeSearch search, std::uint32_t bound, std::uint32_t known, double step,
                                 std::uint32_t enough) {
  Run run(Request{}, nullptr);
  std::vector<std::uint32_t> numbers;
  search_nodes(search, bound, known, step, run, [&](std::uint32_t nodes) {
    numbers.push_back(nodes);
    return nodes >= enough;
  });
  return numbers;
}

TEST(NodeSearchTest, BinarySearchHalvesTheInterval) {
  EXPECT_EQ(tried(NodeSearch::kBinary, 10, 20, 0, 13), (std::vector<std::uint32_t>{15, 12, 14, 13}));
  EXPECT_EQ(tried(NodeSearch::kBinary, 10, 10, 0, 10), std::vector<std::uint32_t>{});
}

TEST(NodeSearchTest, DecrementFallsByPercentOfTheBoundUntilATrialFails) {
  EXPECT_EQ(tried(NodeSearch::kDecrement, 100, 110, 3, 105), (std::vector<std::uint32_t>{107, 104}));
  EXPECT_EQ(tried(NodeSearch::kDecrement, 100, 104, 3, 100), (std::vector<std::uint32_t>{101, 100}));
}

// Against sorting anew each time.
TEST(NodeRankingTest, PassesGoThroughTheNodesInOrderOfTheirKeys) {
  test::Random random(3);
  const std::uint32_t nodes = 700;
  std::vector<double> keys(nodes);
  for (double& key : keys) key = 5.0 + random.below(40);
  NodeRanking ranking;
  ranking.assign(keys);
  for (int pass_number = 0; pass_number < 60; ++pass_number) {
    std::vector<NodeRanking::Ranked> heap;
    for (NodeId n = 0; n < nodes; ++n) heap.push_back({keys[n], n});
    NodeRanking::Pass pass(ranking);
    for (std::uint32_t step = 0; step < 300 && !heap.empty(); ++step) {
      const auto best = std::min_element(heap.begin(), heap.end());
      const NodeId node = pass.next();
      ASSERT_EQ(node, best->node) << "pass " << pass_number << " step " << step;
      if (random.below(3) == 0) {
        keys[node] -= 0.5 * (1 + random.below(4));
        best->key = keys[node];
        pass.lower(node, keys[node]);
      } else {
        heap.erase(best);
      }
    }
  }
}

}  // namespace
}  // namespace stowage
