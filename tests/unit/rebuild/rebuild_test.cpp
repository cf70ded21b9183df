// The search that rebuilds, as `auto` runs it: each feature that once switched the search off.

#include "core/rebuild/search/rebuild.h"

#include <gtest/gtest.h>

#include "core/plan/compact_plan.h"
#include "core/rebuild/neighbourhoods/drain.h"
#include "core/rebuild/worth.h"
#include "core/verify/checker.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/search_setup.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::TaggedBuilder;

Request within(std::uint64_t work) {
  Request request;
  request.planner = "auto";
  request.work_limit = work;
  return request;
}

/// Two sizes: the large one costs less per core, but its last core is wasted.
TEST(RebuildTest, ChoosesClassesByWhatTheyCost) {
  InstanceBuilder builder;
  builder.add_app("a", 6, {4});
  builder.add_app("b", 3, {3});
  builder.add_class({8}, 0, 1);
  builder.add_class({3}, 0, 0.3);
  const Plan plan = test::plan_by(builder.must_build(), within(500'000));
  // Three pairs of a on large nodes, and each b on a node of its size.
  EXPECT_NEAR(plan.cost, 3.9, 1e-9);
  EXPECT_TRUE(plan.unplaced.empty());
}

TEST(RebuildTest, SoftRulesAreKeptWhereThatIsFree) {
  TaggedBuilder builder;
  builder.app("web", 4, {"web"}, {2});
  builder.app("job", 12, {"job"}, {1});
  builder.nodes(4, 5);
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0));
  const Plan plan = test::plan_by(builder.must_build(), within(500'000));
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.nodes.size(), 4u);
  EXPECT_EQ(plan.rule_costs.violations, 0u);
}

// Of plans that cost the same, the one of fewest nodes is chosen, whether or not there is a soft rule that holds anyway.
TEST(RebuildTest, ASoftRuleThatHoldsDecidesNothing) {
  for (const bool ruled : {false, true}) {
    TaggedBuilder builder;
    builder.app("web", 16, {"web"}, {1});
    builder.add_class({1}, 0, 0.25);
    builder.add_class({4}, 0, 1);
    if (ruled) builder.soft(builder.replicas({"nobody"}, {"nobody"}, 0, 0));
    const Plan plan = test::plan_by(builder.must_build(), within(500'000));
    EXPECT_EQ(plan.status, PlanStatus::kOptimal);
    EXPECT_EQ(plan.nodes.size(), 4u);
    EXPECT_LT(plan.work, 100'000u);
  }
}

// One node would do. Each policy pays for spreading what it says it pays.
TEST(RebuildTest, PoliciesDecideWhatSoftRulesCost) {
  TaggedBuilder builder;
  builder.app("web", 3, {"web"}, {1});
  builder.add_class({10}, 0, 1);
  builder.soft(builder.replicas({"web"}, {"web"}, 0, 0));
  const Instance instance = builder.must_build();
  Request request = within(300'000);
  EXPECT_EQ(test::plan_by(instance, request).nodes.size(), 3u);
  request.soft = SoftPolicy::kLast;
  EXPECT_EQ(test::plan_by(instance, request).nodes.size(), 1u);
  // All together violate 3 x 2; two and one: 2 x 1.
  request.soft = SoftPolicy::kPrice;
  request.soft_price = 0.1;
  EXPECT_EQ(test::plan_by(instance, request).nodes.size(), 1u);
  request.soft_price = 0.3;
  EXPECT_EQ(test::plan_by(instance, request).nodes.size(), 2u);
  request.soft_price = 1;
  EXPECT_EQ(test::plan_by(instance, request).nodes.size(), 3u);
}

// The largest app leaves 2 of 7 cores unused; the other two fill the node.
TEST(RebuildTest, NodesWithLoadAreFilledByTrials) {
  InstanceBuilder builder;
  builder.add_app("five", 1, {5});
  builder.add_app("four", 1, {4});
  builder.add_app("three", 1, {3});
  const ClassId node_class = builder.add_class({10}, 0, 1);
  const NodeId loaded = builder.add_node(node_class, {3});
  test::SearchSetup setup(builder);
  EnergyPrices prices;
  prices.unplaced.assign(3, 4);
  RebuildState<std::int16_t> state(setup.state, prices, {0.5, 0.4, 0.3});
  Request limited;
  limited.work_limit = 1'000'000;
  stowage::Run run(limited, nullptr);
  Rebuild<std::int16_t>(state, SoftPolicy::kFirst, 0).place_waiting(run, 12);
  EXPECT_EQ(setup.on(loaded), "four:1 three:1");
  EXPECT_EQ(state.parts().unplaced, 0);
}

// Each log needs a db on its node, and each db a log: they come together.
TEST(RebuildTest, WhatIsNeededComesAlong) {
  TaggedBuilder builder;
  builder.app("log", 6, {"log"}, {1});
  builder.app("db", 3, {"db"}, {2});
  builder.app("job", 6, {"job"}, {3});
  builder.add_class({7}, 0, 1);
  builder.add_class({14}, 0, 2.1);
  builder.hard(builder.replicas({"log"}, {"db"}, 1, kNone));
  builder.hard(builder.replicas({"db"}, {"log"}, 1, kNone));
  const Plan plan = test::plan_by(builder.must_build(), within(1'000'000));
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_NEAR(plan.cost, 5, 1e-9) << "30 cores on nodes of 7";
}

TEST(RebuildTest, DrainsWithinTheBudget) {
  InstanceBuilder builder;
  builder.add_app("a", 4, {1});
  builder.add_app("b", 4, {1});
  const ClassId node = builder.add_class({8}, 4);
  for (NodeId n = 0; n < 4; ++n) builder.add_node(node);
  // Nodes 0 and 1 hold one replica, node 2 holds two, node 3 four.
  builder.running(0, 0, 1).running(0, 1, 1).running(0, 2, 2).running(1, 3, 4);
  Request request;
  request.move_budget = 3;
  test::SearchSetup setup(builder, request);
  EnergyPrices prices;
  prices.unplaced.assign(2, 100);
  RebuildState<std::int16_t> state(setup.state, prices, worth_of_apps(setup.instance));
  const Request limited = within(100'000);
  WorkClock clock(limited, nullptr);
  EXPECT_DOUBLE_EQ(drain(state, clock), 1) << "two nodes for two moves; the third move empties nothing";
  EXPECT_EQ(state.used().size(), 2u);
  EXPECT_EQ(setup.state.moves(), 2u);
}

// A replica that runs on each node and must stay does not keep the rest of the node from being rebuilt.
TEST(RebuildTest, WithoutABudgetOnlyWhatRunsStays) {
  InstanceBuilder builder;
  builder.add_app("stays", 4, {1});
  builder.add_app("a", 4, {4});
  builder.add_app("b", 4, {3});
  builder.add_app("c", 4, {2});
  const ClassId node = builder.add_class({10}, 0, 1);
  for (NodeId n = 0; n < 4; ++n) {
    builder.add_node(node);
    builder.running(0, n, 1);
  }
  // Two nodes hold a and a, two hold c, c and b: the last two replicas of b wait.
  test::SearchSetup setup(builder, Request{});
  EnergyPrices prices;
  prices.unplaced.assign(4, 100);
  RebuildState<std::int16_t> state(setup.state, prices, worth_of_apps(setup.instance));
  for (NodeId n = 0; n < 4; ++n) {
    EXPECT_EQ(setup.state.removable(0, n), 0u);
    state.put(n < 2 ? 1 : 3, n, 2);
    EXPECT_EQ(setup.state.removable(n < 2 ? 1 : 3, n), 2u);
  }
  for (NodeId n = 0; n < 2; ++n) state.put(2, n + 2, 1);
  state.keep();
  const Request limited = within(200'000);
  stowage::Run run(limited, nullptr);
  Rebuild<std::int16_t> rebuild(state, SoftPolicy::kFirst, 0);
  rebuild.round(run, 3000, 0.13, 0.026, [&] { return state.kept().unplaced == 0 && state.kept().nodes <= 4; });
  // Each node: the one that stays, a, b and c.
  EXPECT_EQ(state.kept().unplaced, 0);
  EXPECT_DOUBLE_EQ(state.kept().nodes, 4);
  EXPECT_EQ(setup.state.moves(), 0u);
}

// Two nodes hold 5 + 1, the third 6: three moves make 5 + 5 and 6 + 1 + 1 of them. That saves 1, and a move costs 5 at first.
TEST(RebuildTest, MovesGetCheaperWhileTheBudgetIsUnused) {
  InstanceBuilder builder;
  builder.add_app("five", 2, {5});
  builder.add_app("one", 2, {1});
  builder.add_app("six", 1, {6});
  const ClassId node = builder.add_class({10}, 3, 1);
  for (NodeId n = 0; n < 3; ++n) builder.add_node(node);
  builder.running(0, 0, 1).running(1, 0, 1).running(0, 1, 1).running(1, 1, 1).running(2, 2, 1);
  Request request;
  request.move_budget = 3;
  test::SearchSetup setup(builder, request);
  EnergyPrices prices;
  prices.unplaced.assign(3, 100);
  prices.move = 5;
  RebuildState<std::int16_t> state(setup.state, prices, worth_of_apps(setup.instance));
  state.keep();
  const Request limited = within(2'000'000);
  stowage::Run run(limited, nullptr);
  Rebuild<std::int16_t> rebuild(state, SoftPolicy::kFirst, 0);
  const auto is_good = [&] { return state.kept().nodes <= 2; };
  EXPECT_TRUE(rebuild.round(run, 500, 0.13, 0.026, is_good)) << "too dear";
  EXPECT_DOUBLE_EQ(state.prices().move, 5 * 0.25);
  for (int round = 0; round < 12 && !is_good(); ++round) rebuild.round(run, 500, 0.13, 0.026, is_good);
  EXPECT_DOUBLE_EQ(state.kept().nodes, 2);
  EXPECT_EQ(setup.state.moves(), 3u);
  const double before = state.prices().move;
  rebuild.round(run, 500, 0.13, 0.026, [] { return false; });
  EXPECT_DOUBLE_EQ(state.prices().move, before * 4) << "the budget is used up";
}

TEST(RebuildTest, MovesStayWithinTheBudget) {
  InstanceBuilder builder;
  builder.add_app("a", 12, {1});
  const ClassId node = builder.add_class({6}, 6, 1);
  for (NodeId n = 0; n < 6; ++n) {
    builder.add_node(node);
    builder.running(0, n, 2);
  }
  const Instance instance = builder.must_build();
  for (const std::uint32_t budget : {0u, 1u, 2u, 4u, 6u, 100u}) {
    Request request = within(200'000);
    request.move_budget = budget;
    const Plan plan = test::plan_by(instance, request);
    EXPECT_LE(plan.moves, budget);
    EXPECT_EQ(plan.nodes.size(), budget >= 8 ? 2u : 6u - budget / 2) << budget;
  }
}

// A repair moves the replica that may not be where it runs: the other one may not leave as well.
TEST(RebuildTest, RepairsCountAmongTheMovesOfAStartFromPatterns) {
  TaggedBuilder builder;
  builder.app("a", 4, {"picky"}, {1});
  const AppId b = builder.app("b", 6, {}, {0});
  const AppId c = builder.app("c", 5, {"picky"}, {0});
  builder.limit(c, c, 1).priority(0, -1).priority(b, 1);
  builder.nodes(1, 15, {"pool=b", "ssd"});
  builder.nodes(1, 15, {"ssd"});
  builder.nodes(1, 15, {"pool=a", "pool=b"});
  builder.hard({{builder.replicas({"picky"}, {"pool=b"}, 0, 0), builder.replicas({"picky"}, {"ssd"}, 0, 0)},
                {builder.replicas({"picky"}, {"pool=a"}, 1, kNone),
                 TaggedBuilder::negated(builder.replicas({"picky"}, {"ssd"}, 1, kNone))}});
  builder.running(b, 0, 1).running(c, 0, 1);
  const Instance instance = builder.must_build();
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    Request request = within(30'000);
    request.move_budget = 1;
    request.node_limit = 1;
    request.seed = seed;
    const Plan plan = test::plan_by(instance, request);
    EXPECT_LE(plan.moves, 1u);
    for (const Note& note : plan.notes) EXPECT_NE(note.code, NoteCode::kStartPlan);
  }
}

// A replica waits to return to a node that was emptied; the one that could return in its place is pinned elsewhere. New nodes
// are cheap, so that its node would be left.
TEST(RebuildTest, PinnedReplicasDoNotReturnForOthers) {
  InstanceBuilder builder;
  builder.add_app("a", 2, {4});
  const ClassId dear = builder.add_class({4}, 2, 4);
  builder.add_class({8}, 0, 1);
  builder.add_node(dear);
  builder.add_node(dear);
  builder.running(0, 0, 1);
  builder.data().pinned = {{0, 1, 1}};
  Request request;
  request.move_budget = 2;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    test::SearchSetup setup(builder, request);
    EnergyPrices prices;
    prices.unplaced.assign(1, 100);
    RebuildState<std::int16_t> state(setup.state, prices, worth_of_apps(setup.instance));
    state.keep();
    const Request limited = within(200'000);
    stowage::Run run(limited, nullptr);
    Rebuild<std::int16_t> rebuild(state, SoftPolicy::kFirst, seed);
    rebuild.round(run, 1000, 0.13, 0.026, [&] { return setup.placement.contents().count(0, 1) == 0; });
    EXPECT_EQ(setup.placement.contents().count(0, 1), 1u) << seed;
    EXPECT_DOUBLE_EQ(state.kept().nodes, 5) << seed;
  }
}

/// Six nodes in three zones, each with two replicas that stay on it; `held` replicas of db per node.
TaggedBuilder db_in_zones(const std::vector<std::uint32_t>& held) {
  TaggedBuilder builder;
  std::uint32_t replicas = 0;
  for (const std::uint32_t here : held) replicas += here;
  const AppId db = builder.app("db", replicas, {"db"}, {2});
  const AppId web = builder.app("web", 12, {"web"}, {2});
  builder.nodes(6, 8);
  for (NodeId node = 0; node < 6; ++node) {
    builder.running(web, node, 2);
    if (held[node] > 0) builder.running(db, node, held[node]);
  }
  return builder;
}

// A move budget is spent on rules that are broken before it is spent on nodes.
TEST(RebuildTest, MovesMendHardRulesThatAreBroken) {
  TaggedBuilder skewed = db_in_zones({0, 0, 1, 0, 1, 1});
  skewed.hard(skewed.skew({"db"}, 1, skewed.group("zone", {{0, 1}, {2, 3}, {4, 5}})));
  TaggedBuilder gathered = db_in_zones({0, 0, 0, 0, 1, 1});
  gathered.hard(gathered.node_sets({"db"}, 2, kNone, gathered.group("zone", {{0, 1}, {2, 3}, {4, 5}})));
  for (const Instance& instance : {skewed.must_build(), gathered.must_build()}) {
    for (std::uint32_t moves = 1; moves <= 3; ++moves) {
      SCOPED_TRACE(moves);
      Request request = within(100'000);
      request.move_budget = moves;
      const Plan plan = test::plan_by(instance, request);
      EXPECT_TRUE(plan.unplaced.empty());
      EXPECT_EQ(plan.inherited_violations, 0u);
    }
  }
}

// Each move mends as many rules as it can: five apps need 1, 1, 1, 2 and 3 moves.
TEST(RebuildTest, MovesMendTheRulesThatNeedFewestFirst) {
  TaggedBuilder builder;
  builder.nodes(30, 8);
  const std::uint32_t zone = builder.group(
      "zone",
      {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, {20, 21, 22, 23, 24, 25, 26, 27, 28, 29}});
  const std::vector<std::uint32_t> replicas = {2, 2, 2, 3, 5};
  for (std::uint32_t k = 0; k < replicas.size(); ++k) {
    const std::string name = "app-" + std::to_string(k);
    const AppId app = builder.app(name, replicas[k], {name}, {2});
    for (std::uint32_t r = 0; r < replicas[k]; ++r) builder.running(app, (3 * k + r) % 10, 1);
    builder.hard(builder.skew({name}, 1, zone));
  }
  const Instance instance = builder.must_build();
  const std::vector<std::uint32_t> least = {5, 4, 3, 2, 2, 1, 1, 1, 0};
  for (std::uint32_t moves = 0; moves < least.size(); ++moves) {
    SCOPED_TRACE(moves);
    Request request = within(500'000);
    request.move_budget = moves;
    EXPECT_EQ(test::plan_by(instance, request).inherited_violations, least[moves]);
  }
}

}  // namespace
}  // namespace stowage
