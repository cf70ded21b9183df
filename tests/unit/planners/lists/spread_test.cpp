// Spreading and the searches over the number of nodes, on cases small enough to follow by hand.

#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/placement/node_ranking.h"
#include "core/planners/lists/node_search.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

// Replicas go to the emptiest of the three nodes one by one: a (4 of 10) to 0, 1, 2, 0; then 2, 6, 6 is left on the nodes, and
// b (3) goes to 1 and 2.
TEST(SpreadTest, SpreadsReplicasOverTheGivenNodes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 4, {4});
  builder.add_app("b", 2, {3});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, "spread-wf", 3)), "a:2 | a:1 b:1 | a:1 b:1");
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
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, "ff")), "a:3 | a:1 b:1 | b:1");
  for (const char* planner : {"spread-wf", "spread-wf-binsearch", "spread-wfd-avg-decr2"}) {
    const Plan plan = test::plan_by(instance, planner);
    EXPECT_EQ(plan.nodes.size(), 2u) << planner;
    EXPECT_EQ(plan.status, PlanStatus::kOptimal) << planner;
  }
}

// An app of a million replicas is left in the middle, whether or not the measure has weights that change.
TEST(SpreadTest, ALimitEndsTheRunInTheMiddleOfAnApp) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 1'000'000, {1});
  builder.add_class({64});
  const Instance instance = builder.must_build();
  for (const char* planner : {"spread-wfd-avg", "spread-wfd-extsum", "spread-wfd-surrogate"}) {
    Request request;
    request.planner = planner;
    request.work_limit = 50'000;
    const auto plan = run_planner(instance, request, nullptr);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    EXPECT_LT(plan.value().work, 100'000u) << planner;
    EXPECT_EQ(plan.value().status, PlanStatus::kDeadline) << planner;
  }
}

class SpreadSearchTest : public testing::TestWithParam<const char*> {};

TEST_P(SpreadSearchTest, NeverWorseThanFirstFitAndNeverBelowTheBound) { test::expect_between_bound_and_first_fit(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, SpreadSearchTest,
                         testing::Values("spread-wf-binsearch", "spread-wf-decr5", "spread-wfd-avg-binsearch",
                                         "spread-wfd-max-decr2", "spread-wfd-avgexp-binsearch", "spread-wfd-extsum-decr3"),
                         test::test_name);

// Replicas that do not fit on the given nodes are reported; this is no error.
TEST(SpreadTest, ReportsWhatDoesNotFitTheGivenNodes) {
  test::InstanceBuilder builder({"cpu"});
  builder.add_app("a", 3, {6});
  builder.add_class({10});
  const Instance instance = builder.must_build();
  const Plan plan = test::plan_by(instance, "spread-wf", 2);
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

// Compared with sorting each time.
TEST(NodeRankingTest, PassesGoThroughTheFittingNodesInOrderOfTheirKeys) {
  test::Random random(3);
  constexpr std::uint32_t kColumns = 3;
  using Ranking = NodeRanking<std::int16_t>;
  std::vector<RankedNode> nodes;
  std::vector<std::vector<std::int16_t>> columns;
  Ranking ranking(kColumns);
  const auto any_columns = [&] {
    std::vector<std::int16_t> values;
    for (std::uint32_t c = 0; c < kColumns; ++c) values.push_back(static_cast<std::int16_t>(random.below(20)));
    return values;
  };
  for (std::uint32_t round = 0; round < 400; ++round) {
    // Nodes are added, and then keys and columns of some nodes change.
    for (std::uint32_t k = 0; k < 10 && nodes.size() < 1500; ++k) {
      columns.push_back(any_columns());
      nodes.push_back({5.0 + random.below(40), static_cast<NodeId>(nodes.size())});
      ranking.add(nodes.back().node, nodes.back().key, columns.back().data());
    }
    const double share = 0.001 * random.below(60);
    const std::vector<std::int16_t> nothing(kColumns, 0);
    std::vector<Ranking::Change> changes;
    for (Ranking::Pass pass(ranking, nothing.data()); !pass.at_end(); pass.pop()) {
      if (!random.chance(share)) continue;
      const NodeId node = pass.front().node;
      nodes[node].key = random.chance(0.3) ? 0.5 : nodes[node].key - 0.25 * random.below(5);
      columns[node] = any_columns();
      changes.push_back({nodes[node], pass.place(), {}});
      std::copy(columns[node].begin(), columns[node].end(), changes.back().columns.begin());
    }
    ranking.change(changes);
    std::vector<std::int16_t> need = any_columns();
    if (random.chance(0.3)) need.assign(kColumns, 0);
    if (random.chance(0.1)) need[1] = 20;
    std::vector<RankedNode> expected;
    for (const RankedNode& entry : nodes) {
      bool fits = true;
      for (std::uint32_t c = 0; c < kColumns; ++c) fits = fits && columns[entry.node][c] >= need[c];
      if (fits) expected.push_back(entry);
    }
    std::sort(expected.begin(), expected.end());
    Ranking::Pass pass(ranking, need.data());
    for (const RankedNode& entry : expected) {
      ASSERT_FALSE(pass.at_end()) << "round " << round;
      ASSERT_EQ(pass.front().node, entry.node) << "round " << round;
      ASSERT_EQ(pass.front().key, entry.key) << "round " << round;
      pass.pop();
    }
    ASSERT_TRUE(pass.at_end()) << "round " << round;
  }
}

// If first fit leaves replicas unplaced, a search keeps the algorithm's better plan: first fit fills a node with both a, while
// spreading leaves room for b beside each.
TEST(SpreadTest, SearchesPlaceMoreThanFirstFitOnTooFewNodes) {
  test::InstanceBuilder builder({"cpu"});
  const AppId a = builder.add_app("a", 2, {4});
  const AppId b = builder.add_app("b", 2, {6});
  builder.limit(b, a, 1);
  builder.add_class({10}, 2);
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::left_over(instance, test::plan_by(instance, "ff")), "b:1");
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, "spread-wf-binsearch")), "a:1 b:1 | a:1 b:1");
}

}  // namespace
}  // namespace stowage
