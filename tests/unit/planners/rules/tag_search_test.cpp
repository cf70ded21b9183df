#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/verify/checker.h"
#include "tests/effort.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage::test {
namespace {

TEST(TagSearch, GathersAnApplicationInARackWithRoom) {
  // Rack 0 has most room on one node but only two nodes; ten workers of 1 need a rack of ten: rack 1.
  TaggedBuilder builder;
  builder.app("worker", 10, {"w"});
  builder.nodes(2, 4);
  builder.nodes(5, 2);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3, 4, 5, 6}});
  builder.soft(builder.replicas({"w"}, {"w"}, 9, kNone, rack));
  const Instance instance = builder.must_build();
  EXPECT_GT(plan_by(instance, "medea-tp").rule_costs.violations, 0u);
  const Plan plan = plan_by(instance, "tag-search");
  EXPECT_EQ(plan.rule_costs.violations, 0u);
  EXPECT_EQ(who_sits_where(instance, plan), "worker:2 | worker:2 | worker:2 | worker:2 | worker:2");
}

TEST(TagSearch, LeavesWhatRunsWhereItIs) {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 3, {"a"});
  builder.nodes(3);
  builder.soft(builder.replicas({"a"}, {"a"}, 0, 0));
  builder.running(a, 0, 2);
  const Instance instance = builder.must_build();
  const Plan plan = plan_by(instance, "tag-search");
  EXPECT_EQ(plan.moves, 0u);
  EXPECT_EQ(plan.rule_costs.violations, 2u);
  EXPECT_EQ(who_sits_where(instance, plan), "a:2 | a:1");
}

/// Two replicas that should be apart run on one node, and a third one waits.
TaggedBuilder two_too_near() {
  TaggedBuilder builder;
  const AppId a = builder.app("a", 3, {"a"});
  builder.nodes(3);
  builder.soft(builder.replicas({"a"}, {"a"}, 0, 0));
  builder.running(a, 0, 2);
  return builder;
}

TEST(TagSearch, MovesWhatRunsWithinTheBudget) {
  const Instance instance = two_too_near().must_build();
  Request request = request_for("tag-search");
  request.move_budget = 1;
  const Plan plan = plan_by(instance, request);
  EXPECT_EQ(plan.moves, 1u);
  EXPECT_EQ(plan.rule_costs.violations, 0u);
  EXPECT_EQ(who_sits_where(instance, plan), "a:1 | a:1 | a:1");
  // Both violations that a move ends are of extent 1.
  for (const double cost : {1.9, 2.1}) {
    request.options = {{"move-cost", cost, ""}};
    EXPECT_EQ(plan_by(instance, request).moves, cost < 2 ? 1u : 0u) << cost;
  }
}

TEST(TagSearch, PinnedReplicasNeverMove) {
  TaggedBuilder builder = two_too_near();
  builder.pin(0, 0, 2);
  Request request = request_for("tag-search");
  request.move_budget = 3;
  const Plan plan = plan_by(builder.must_build(), request);
  EXPECT_EQ(plan.moves, 0u);
  EXPECT_EQ(plan.rule_costs.violations, 2u);
}

TEST(TagSearch, GathersWhatRunsApart) {
  // Five replicas, three of them in one rack, want four others near: two moves.
  TaggedBuilder builder;
  const AppId a = builder.app("a", 5, {"a"});
  builder.nodes(4);
  const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}});
  builder.soft(builder.replicas({"a"}, {"a"}, 4, kNone, rack));
  builder.running(a, 0, 2);
  builder.running(a, 1, 1);
  builder.running(a, 2, 1);
  builder.running(a, 3, 1);
  const Instance instance = builder.must_build();
  for (const std::uint32_t budget : {0u, 1u, 2u, 5u}) {
    Request request = request_for("tag-search");
    request.move_budget = budget;
    const Plan plan = plan_by(instance, request);
    EXPECT_EQ(plan.moves, std::min(budget, 2u));
    EXPECT_EQ(plan.rule_costs.violations, budget < 2 ? 5u : 0u);
  }
}

TEST(TagSearch, MovesMakeRoomForWhatWaits) {
  // The new one takes a whole node, and each node holds one that runs.
  TaggedBuilder builder;
  const AppId small = builder.app("small", 2, {"s"}, {2});
  builder.app("large", 1, {"l"}, {10});
  builder.nodes(2);
  builder.soft(builder.replicas({"s"}, {"s"}, 0, 0), 0.5);
  builder.running(small, 0, 1);
  builder.running(small, 1, 1);
  const Instance instance = builder.must_build();
  EXPECT_EQ(plan_by(instance, "tag-search").unplaced.size(), 1u);
  Request request = request_for("tag-search");
  request.move_budget = 1;
  const Plan plan = plan_by(instance, request);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.moves, 1u);
}

TEST(TagSearch, RoomForOneApplicationGoesToOne) {
  // Both have two replicas that are in a rule and one that is not, and there is room for four.
  TaggedBuilder builder;
  for (const std::string name : {"A", "B"}) {
    builder.app(name + "-1", 2, {"appID:" + name, "near"});
    builder.app(name + "-2", 1, {"appID:" + name});
  }
  builder.nodes(1, 4);
  builder.soft(builder.replicas({"near"}, {"near"}, 1, kNone));
  const Instance instance = builder.must_build();
  Request request = request_for("tag-search");
  request.all_or_nothing = true;
  const Plan plan = plan_by(instance, request);
  EXPECT_EQ(who_sits_where(instance, plan), "A-1:2 A-2:1");
  EXPECT_EQ(left_over(instance, plan), "B-1:2 B-2:1");
}

/// Racks with room for 6 and 4; of each batch, a pair and a three that each want to be in one rack.
TaggedBuilder racks_that_fill_up(std::uint32_t batches) {
  TaggedBuilder builder;
  builder.nodes(3, 2);
  builder.nodes(2, 2);
  const std::uint32_t rack = builder.group("rack", {{0, 1, 2}, {3, 4}});
  for (std::uint32_t batch = 1; batch <= batches; ++batch) {
    for (const std::uint32_t replicas : {2u, 3u}) {
      const std::string name = "app-" + std::to_string(batch) + "-" + std::to_string(replicas);
      builder.app(name, replicas, {"appID:" + name});
      builder.soft(builder.replicas({"appID:" + name}, {"appID:" + name}, replicas - 1, kNone, rack));
    }
  }
  return builder;
}

TEST(TagSearch, LeavesRoomForWhatIsLikelyToCome) {
  for (const double foresight : {0.0, 1.0, 8.0}) {
    Request request = request_for("tag-search");
    request.options = {{"foresight", foresight, ""}};
    const Plan first = plan_by(racks_that_fill_up(1).must_build(), request);
    EXPECT_EQ(first.rule_costs.violations, 0u);
    TaggedBuilder builder = racks_that_fill_up(2);
    for (const Placed& placed : first.placed) builder.running(placed.app, first.nodes[placed.node].listed, placed.replicas);
    const Plan second = plan_by(builder.must_build(), request);
    EXPECT_TRUE(second.unplaced.empty());
    EXPECT_EQ(second.rule_costs.violations > 0, foresight == 0) << foresight;
  }
}

TEST(TagSearch, LookingAheadKeepsToRulesOnSetsThatNodeTagsMake) {
  // Its two replicas want to be together and have to be in two racks.
  TaggedBuilder builder;
  builder.app("a", 2, {"a"});
  builder.nodes(2, 2, {"rack=0"});
  builder.nodes(2, 2, {"rack=1"});
  const std::uint32_t rack = builder.group_by_label("rack", "rack");
  builder.hard(builder.replicas({"a"}, {"a"}, 0, 0, rack));
  builder.soft(builder.replicas({"a"}, {"a"}, 1, kNone));
  const Plan plan = plan_by(builder.must_build(), "tag-search");
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_EQ(plan.rule_costs.violations, 2u);
}

TEST(TagSearch, WhatMayComeNeverMakesThePlanWorse) {
  Random random(5);
  int looked_ahead = 0;
  for (std::uint64_t round = 0; round < test::cases(60); ++round) {
    TaggedBuilder builder;
    const std::uint32_t apps = 2 + random.below(4);
    for (std::uint32_t i = 0; i < apps; ++i) {
      const std::string application = "appID:" + std::to_string(i / 2);
      builder.app("app-" + std::to_string(i), 1 + random.below(4), {application, i % 2 == 0 ? "even" : "odd"},
                  {1.0 + random.below(2)});
    }
    builder.nodes(6, 4);
    const std::uint32_t rack = builder.group("rack", {{0, 1, 2}, {3, 4, 5}});
    const bool runs = random.below(2) == 0;
    if (runs) builder.running(0, random.below(6), 1);
    builder.soft(builder.replicas({"appID:0"}, {"appID:0"}, 2, kNone, rack), 1 + random.below(3));
    builder.soft(builder.replicas({"even"}, {"odd"}, 0, random.below(2)));
    builder.soft(builder.replicas({"odd"}, {"odd"}, 0, 1, random.below(2) == 0 ? rack : kNone), 2);
    if (random.below(3) == 0) builder.hard(builder.replicas({"even"}, {"even"}, 0, 1));
    if (random.below(3) == 0) builder.limit(0, 1, random.below(2));
    const Instance instance = builder.must_build();
    Request request = request_for("tag-search");
    request.all_or_nothing = random.below(2) == 0;
    request.move_budget = random.below(3);
    request.options = {{"foresight", 0, ""}};
    const Plan without = plan_by(instance, request);
    request.options = {{"foresight", 1000, ""}};
    const Plan with = plan_by(instance, request);
    EXPECT_LE(with.rule_costs.cost, without.rule_costs.cost + 1e-9) << round;
    EXPECT_EQ(left_over(instance, with), left_over(instance, without)) << round;
    EXPECT_EQ(with.moves, without.moves) << round;
    looked_ahead += with.work > without.work ? 1 : 0;
  }
  EXPECT_GE(looked_ahead, static_cast<int>(test::cases(15)));
}

/// Large applications that need nothing, on nodes in many sets: half of the room is left.
Instance easy_crowd(std::uint32_t replicas) {
  TaggedBuilder builder;
  for (const std::string name : {"a", "b", "c"}) builder.app(name, replicas, {name});
  builder.nodes(200, replicas * 6 / 200.0);
  std::vector<std::vector<std::uint32_t>> hosts;
  for (std::uint32_t node = 0; node < 200; ++node) hosts.push_back({node});
  const std::uint32_t host = builder.group("host", hosts);
  builder.soft(builder.replicas({"a"}, {"a"}, 0, replicas, host));
  builder.soft(builder.replicas({"b"}, {"c"}, 0, replicas, host));
  return builder.must_build();
}

TEST(TagSearch, TheEndOfARunThatLooksAheadLeavesThePlan) {
  const Instance instance = easy_crowd(400);
  Request request = request_for("tag-search");
  request.options = {{"foresight", 0, ""}};
  const Plan without = plan_by(instance, request);
  request.options.clear();
  const Plan with = plan_by(instance, request);
  // What it seats counts: each of the copies, and three times what waits.
  EXPECT_GT(with.work, without.work + 3 * instance.total_replicas() / 4);
  for (std::uint64_t limit = without.work + 1; limit < with.work; limit += (with.work - without.work) / 50 + 1) {
    request.work_limit = limit;
    const Plan plan = plan_by(instance, request);
    EXPECT_EQ(who_sits_where(instance, plan), who_sits_where(instance, without)) << limit;
    // It ends within the turn of an app.
    EXPECT_LE(plan.work, limit + 400) << limit;
  }
}

TEST(TagSearch, DoesNotLookAheadWhereThatTakesLongerThanPlanning) {
  // Limits among all apps of one application: copies of them would be most of the work.
  TaggedBuilder builder;
  constexpr std::uint32_t kApps = 700;
  for (std::uint32_t k = 0; k < kApps; ++k) builder.app("app-" + std::to_string(k), 1, {"appID:all"});
  for (std::uint32_t k = 0; k < kApps; ++k) {
    for (std::uint32_t other = 0; other < kApps; ++other) {
      if (other != k) builder.limit(k, other, 100);
    }
  }
  builder.nodes(140, 40);
  builder.soft(builder.replicas({"appID:all"}, {"appID:all"}, 0, 300));
  const Instance instance = builder.must_build();
  Request request = request_for("tag-search");
  const std::uint64_t work = plan_by(instance, request).work;
  request.options = {{"foresight", 0, ""}};
  EXPECT_EQ(plan_by(instance, request).work, work);
}

TEST(TagSearch, ProgressIsThatOfTheRunItself) {
  const Instance instance = racks_that_fill_up(1).must_build();
  Control control;
  const Plan plan = plan_by(instance, request_for("tag-search"), &control);
  EXPECT_TRUE(plan.unplaced.empty());
  EXPECT_LE(control.done.load(), control.total.load());
}

TEST(TagSearch, AWorkLimitCutsItAnywhere) {
  TaggedBuilder builder;
  for (int k = 0; k < 8; ++k) builder.app("app-" + std::to_string(k), 4, {"all", k % 2 == 0 ? "even" : "odd"}, {2});
  builder.nodes(8);
  builder.soft(builder.replicas({"even"}, {"odd"}, 0, 0));
  builder.soft(builder.replicas({"odd"}, {"odd"}, 2, 4));
  const Instance instance = builder.must_build();
  Request request;
  request.planner = "tag-search";
  double before = -1;
  for (std::uint64_t limit = 1; limit < 2000; limit = limit * 3 + 1) {
    request.work_limit = limit;
    const auto plan = run_planner(instance, request, nullptr);
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    EXPECT_TRUE(check_plan(instance, plan.value()).ok);
    if (plan.value().unplaced.empty()) {
      if (before >= 0) {
        EXPECT_LE(plan.value().rule_costs.cost, before + 1e-9);
      }
      before = plan.value().rule_costs.cost;
    }
  }
  EXPECT_GE(before, 0);
}

/// The least cost of any way to place everything, by trying all of them.
double least_cost_of_rules(const Instance& instance) {
  std::vector<PlannedNode> nodes;
  for (NodeId n = 0; n < instance.listed_nodes(); ++n) nodes.push_back({instance.data().node_class[n], n});
  std::vector<std::vector<std::uint32_t>> held(nodes.size(), std::vector<std::uint32_t>(instance.apps(), 0));
  double best = -1;
  const std::function<void(AppId, std::uint32_t, NodeId)> place = [&](AppId app, std::uint32_t left, NodeId from) {
    if (app == instance.apps()) {
      std::vector<Placed> placed;
      for (NodeId n = 0; n < nodes.size(); ++n) {
        double used = 0;
        for (AppId i = 0; i < instance.apps(); ++i) {
          used += held[n][i] * instance.demand(i, 0, 0);
          if (held[n][i] > 0) placed.push_back({i, n, held[n][i]});
        }
        if (used > instance.data().classes[nodes[n].node_class].capacity[0]) return;
      }
      const double cost = check_rules(instance, nodes, placed).costs.cost;
      if (best < 0 || cost < best) best = cost;
      return;
    }
    if (left == 0) {
      const AppId next = app + 1;
      return place(next, next < instance.apps() ? instance.replicas(next) : 0, 0);
    }
    for (NodeId n = from; n < nodes.size(); ++n) {
      ++held[n][app];
      place(app, left - 1, n);
      --held[n][app];
    }
  };
  place(0, instance.replicas(0), 0);
  return best;
}

TEST(TagSearch, FindsTheLeastCostOfTinyInstances) {
  Random random(11);
  int solved = 0;
  int optimal = 0;
  for (std::uint64_t round = 0; round < test::cases(120); ++round) {
    TaggedBuilder builder;
    const std::vector<std::string> names = {"r", "s", "t"};
    const std::uint32_t apps = 2 + random.below(2);
    for (std::uint32_t i = 0; i < apps; ++i) {
      std::vector<std::string> tags;
      for (const std::string& name : names) {
        if (random.below(2) == 0) tags.push_back(name);
      }
      const double demand = 1 + random.below(2);
      builder.app("app-" + std::to_string(i), 1 + random.below(3), tags, {demand});
    }
    builder.nodes(4, 4);
    const std::uint32_t rack = builder.group("rack", {{0, 1}, {2, 3}});
    for (std::uint32_t k = 2 + random.below(3); k > 0; --k) {
      const auto part = [&] {
        const std::uint32_t min = random.below(2) == 0 ? 0 : 1 + random.below(2);
        const std::uint32_t max = min > 0 && random.below(2) == 0 ? kNone : min + random.below(3);
        const std::uint32_t kind = random.below(6);
        const std::vector<std::string> subject = {names[random.below(3)]};
        const std::uint32_t group = random.below(2) == 0 ? rack : kNone;
        if (kind == 0) return builder.node_sets(subject, min, std::max(max, 1u), rack);
        if (kind == 1) return builder.skew(subject, 1, rack);
        return builder.replicas(subject, {names[random.below(3)]}, min, max, group);
      };
      std::vector<std::vector<Cardinality>> any_of = {{part()}};
      if (random.below(4) == 0) any_of.push_back({part()});
      builder.soft(any_of, 1 + random.below(3));
    }
    const Instance instance = builder.must_build();
    const double least = least_cost_of_rules(instance);
    if (least < 0) continue;
    const Plan plan = test::plan_within(instance, "tag-search", 100'000);
    if (!plan.unplaced.empty()) continue;
    ++solved;
    EXPECT_GE(plan.rule_costs.cost, least - 1e-9) << round;
    optimal += plan.rule_costs.cost <= least + 1e-9 ? 1 : 0;
  }
  EXPECT_GE(solved, static_cast<int>(test::cases(100)));
  EXPECT_GE(optimal, solved * 97 / 100);
}

}  // namespace
}  // namespace stowage::test
