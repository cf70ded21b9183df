#include "core/moves/move_order.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/verify/checker.h"
#include "tests/unit/support/plan_builder.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::PlanBuilder;

MoveOrder ordered(const Instance& instance, const Plan& plan, const MoveLimits& limits = {}) {
  WorkClock clock(Request{}, nullptr);
  return order_moves(instance, plan, limits, clock).value();
}

/// What runs where; nodes as in MoveOrder.
using Contents = std::map<std::pair<NodeId, AppId>, std::int64_t>;

Contents running_in(const Instance& instance) {
  Contents contents;
  for (const Residence& one : instance.data().running) contents[{one.node, one.app}] += one.replicas;
  return contents;
}

std::size_t all_moves(const MoveOrder& order) {
  std::size_t all = 0;
  for (const auto& wave : order.waves) all += wave.size();
  return all;
}

/// The independent checker's view of contents on listed nodes. The instance has replicas to spare, and nothing runs in it.
std::uint64_t violations(const Instance& roomy, const Contents& contents) {
  PlanBuilder builder(roomy);
  for (NodeId n = 0; n < roomy.listed_nodes(); ++n) {
    std::vector<test::Seat> seats;
    for (const auto& [where, replicas] : contents) {
      if (where.first == n && replicas > 0) seats.push_back({where.second, static_cast<std::uint32_t>(replicas)});
    }
    if (!seats.empty()) builder.listed(n, seats);
  }
  return check_plan(roomy, builder.build(), CheckScope::kViolations).violation_count;
}

struct Replay {
  std::uint64_t broken = 0;
  Contents end;
};

/// Plays the waves: `during` judges what is there while a wave runs, `after` what it leaves.
Replay replay(const MoveOrder& order, const Contents& start, const Instance& during, const Instance& after) {
  Replay result{0, start};
  for (const auto& wave : order.waves) {
    for (const Move& move : wave) {
      if (move.to != kNone) ++result.end[{move.to, move.app}];
    }
    result.broken += violations(during, result.end);
    for (const Move& move : wave) {
      if (move.from == kNone) continue;
      if (--result.end[{move.from, move.app}] < 0) ++result.broken;
    }
    result.broken += violations(after, result.end);
  }
  std::erase_if(result.end, [](const auto& entry) { return entry.second == 0; });
  return result;
}

TEST(MoveOrder, RoomIsMadeFirst) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {6});
  const AppId b = builder.add_app("b", 1, {6});
  const ClassId c = builder.add_class({10}, 3);
  for (int n = 0; n < 3; ++n) builder.add_node(c);
  builder.running(a, 0, 1).running(b, 1, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(1, {{a, 1}}).listed(2, {{b, 1}}).build();
  const MoveOrder order = ordered(instance, plan);
  ASSERT_EQ(order.waves.size(), 2u);
  EXPECT_EQ(order.waves[0][0].app, b);
  EXPECT_EQ(order.waves[1][0].app, a);
  EXPECT_TRUE(order.stuck.empty());
  EXPECT_EQ(order.moves, 2u);
}

/// Two full nodes whose replicas change places; `spare` nodes beside them.
MoveOrder swap_with(std::uint32_t spare) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {6});
  const AppId b = builder.add_app("b", 1, {7});
  const ClassId c = builder.add_class({10}, 2 + spare);
  for (std::uint32_t n = 0; n < 2 + spare; ++n) builder.add_node(c);
  builder.running(a, 0, 1).running(b, 1, 1);
  const Instance instance = builder.must_build();
  return ordered(instance, PlanBuilder(instance).listed(0, {{b, 1}}).listed(1, {{a, 1}}).build());
}

TEST(MoveOrder, ASwapNeedsAThirdPlace) {
  const MoveOrder without = swap_with(0);
  EXPECT_EQ(without.stuck.size(), 2u);
  EXPECT_EQ(all_moves(without), 0u);
  const MoveOrder with = swap_with(1);
  EXPECT_TRUE(with.stuck.empty());
  EXPECT_EQ(with.detours, 1u);
  EXPECT_EQ(with.moves, 2u);
  EXPECT_EQ(all_moves(with), 3u);
}

TEST(MoveOrder, LimitsOnWhatMovesAtTheSameTime) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 8, {1});
  const ClassId c = builder.add_class({10}, 2);
  for (int n = 0; n < 2; ++n) builder.add_node(c);
  builder.running(a, 0, 8);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(1, {{a, 8}}).build();
  EXPECT_EQ(ordered(instance, plan).waves.size(), 1u);
  const MoveOrder by_node = ordered(instance, plan, {3, 1});
  EXPECT_EQ(by_node.waves.size(), 3u);
  EXPECT_EQ(by_node.least_waves, 3u);
  const MoveOrder by_app = ordered(instance, plan, {0, 0.1});
  EXPECT_EQ(by_app.waves.size(), 8u);
  EXPECT_EQ(by_app.least_waves, 8u);
}

TEST(MoveOrder, WhatTheClockCutsOffIsStuck) {
  InstanceBuilder builder;
  for (AppId app = 0; app < 8; ++app) builder.add_app("app-" + std::to_string(app), 1, {1});
  const ClassId c = builder.add_class({10}, 2);
  for (int n = 0; n < 2; ++n) builder.add_node(c);
  std::vector<test::Seat> seats;
  for (AppId app = 0; app < 8; ++app) {
    builder.running(app, 0, 1);
    seats.push_back({app, 1});
  }
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(1, seats).build();
  for (const std::uint64_t work : {1u, 3u, 8u, 100u}) {
    Request request;
    request.work_limit = work;
    WorkClock clock(request, nullptr);
    const MoveOrder order = order_moves(instance, plan, {}, clock).value();
    EXPECT_EQ(order.stuck.size(), work > 8 ? 0 : 8 - (work - 1)) << work;
    EXPECT_EQ(all_moves(order) + order.stuck.size(), 8u) << work;
  }
}

TEST(MoveOrder, EndsWithItsCaller) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {6});
  const ClassId c = builder.add_class({10}, 2);
  for (int n = 0; n < 2; ++n) builder.add_node(c);
  builder.running(a, 0, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(1, {{a, 1}}).build();
  Control control;
  control.cancelled = true;
  WorkClock clock(Request{}, &control);
  const auto order = order_moves(instance, plan, {}, clock);
  ASSERT_FALSE(order.ok());
  EXPECT_EQ(order.error().code, Code::kCancelled);
}

TEST(MoveOrder, StartsComeLastAndEndsFirst) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 2, {6});
  const AppId b = builder.add_app("b", 1, {6});
  const ClassId c = builder.add_class({10}, 3);
  for (int n = 0; n < 2; ++n) builder.add_node(c);
  builder.running(a, 0, 1).running(b, 1, 1);
  const Instance instance = builder.must_build();
  // a moves to node 1, b ends, and the second replica of a starts on an anonymous node.
  const Plan plan = PlanBuilder(instance).listed(1, {{a, 1}}).node(c, {{a, 1}}).build();
  const MoveOrder order = ordered(instance, plan);
  ASSERT_EQ(order.waves.size(), 3u);
  EXPECT_EQ(order.waves[0][0].to, kNone);
  EXPECT_EQ(order.waves[0][0].app, b);
  EXPECT_EQ(order.waves[1][0].from, 0u);
  EXPECT_EQ(order.waves[2][0].from, kNone);
  EXPECT_EQ(order.waves[2][0].to, 2u) << "the first anonymous node";
}

TEST(MoveOrder, ASkewIsKeptAfterEveryWave) {
  test::TaggedBuilder builder;
  const AppId a = builder.app("a", 4, {"web"});
  builder.nodes(4);
  const std::uint32_t zone = builder.group("zone", {{0, 1}, {2, 3}});
  Cardinality even;
  even.kind = CardinalityKind::kSkew;
  even.subject = {builder.tag("web")};
  even.max = 1;
  even.group = zone;
  PlacementRule rule;
  rule.any_of = {{even}};
  rule.hard = true;
  builder.data().rules.push_back(rule);
  InstanceBuilder& plain = builder;
  const Instance roomy = [&] {
    InstanceBuilder copy = plain;
    copy.data().replicas = {8};
    return copy.must_build();
  }();
  plain.running(a, 0, 2).running(a, 2, 2);
  const Instance instance = plain.must_build();
  const MoveOrder order = ordered(instance, PlanBuilder(instance).listed(1, {{a, 2}}).listed(3, {{a, 2}}).build());
  EXPECT_TRUE(order.stuck.empty());
  const Replay played = replay(
      order, running_in(instance),
      [&] {
        InstanceBuilder copy = plain;
        copy.data().running.clear();
        copy.data().rules.clear();
        copy.data().replicas = {8};
        return copy.must_build();
      }(),
      roomy);
  EXPECT_EQ(played.broken, 0u);
  EXPECT_EQ(played.end, (Contents{{{1, a}, 2}, {{3, a}, 2}}));
}

// Every step of every order passes the independent checker, and what is not stuck arrives.
TEST(MoveOrder, EveryStepIsValid) {
  test::Random random(11);
  std::size_t stuck = 0;
  std::size_t moves = 0;
  for (int round = 0; round < 60; ++round) {
    InstanceBuilder builder({"cpu", "memory"});
    const std::uint32_t apps = 6 + random.below(10);
    for (AppId i = 0; i < apps; ++i) {
      // One by one: the order of arguments is the compiler's.
      const std::uint32_t replicas = 1 + random.below(6);
      const double cpu = 1.0 + random.below(4);
      builder.add_app("app-" + std::to_string(i), replicas, {cpu, 1.0 + random.below(4)});
    }
    for (AppId i = 0; i < apps; ++i) {
      const AppId other = random.below(apps);
      builder.limit(i, other, 1 + random.below(3));
    }
    const std::uint32_t nodes = 12 + random.below(8);
    const ClassId c = builder.add_class({12, 12}, nodes);
    for (NodeId n = 0; n < nodes; ++n) builder.add_node(c);
    const Instance empty = builder.must_build();
    const Plan before = test::plan_by(empty, "wfd-max");
    const Plan after = test::plan_by(empty, "bfd-avg");
    if (!before.unplaced.empty() || !after.unplaced.empty()) continue;
    InstanceBuilder running = builder;
    for (const Placed& one : before.placed) running.running(one.app, before.nodes[one.node].listed, one.replicas);
    for (std::uint32_t& replicas : builder.data().replicas) replicas *= 2;
    const Instance roomy = builder.must_build();
    const Instance instance = running.must_build();
    const MoveLimits limits{random.below(3) == 0 ? 0 : 1 + random.below(4), random.chance(.5) ? 1 : .1};
    const MoveOrder order = ordered(instance, after, limits);
    const Replay played = replay(order, running_in(instance), roomy, roomy);
    EXPECT_EQ(played.broken, 0u) << "round " << round;
    EXPECT_GE(order.waves.size(), order.stuck.empty() ? order.least_waves : 0);
    EXPECT_EQ(all_moves(order) + order.stuck.size(), std::size_t{order.moves} + order.detours);
    Contents end = played.end;
    for (const Move& move : order.stuck) {
      if (--end[{move.from, move.app}] == 0) end.erase({move.from, move.app});
      ++end[{move.to, move.app}];
    }
    Contents planned;
    for (const Placed& one : after.placed) planned[{after.nodes[one.node].listed, one.app}] += one.replicas;
    EXPECT_EQ(end, planned) << "round " << round;
    stuck += order.stuck.size();
    moves += order.moves;
  }
  EXPECT_GT(moves, 500u);
  EXPECT_LT(stuck * 20, moves) << stuck << " of " << moves;
}

TEST(MoveOrder, MovesThatAreNotKnownInTimeAreNoAnswer) {
  InstanceBuilder builder;
  const AppId a = builder.add_app("a", 1, {1});
  const ClassId c = builder.add_class({10}, 2);
  for (int n = 0; n < 2; ++n) builder.add_node(c);
  builder.running(a, 0, 1);
  const Instance instance = builder.must_build();
  const Plan plan = PlanBuilder(instance).listed(1, {{a, 1}}).build();
  Control control;
  control.cancelled = true;
  const auto order = find_move_order(instance, plan, {}, &control);
  ASSERT_FALSE(order.ok());
  EXPECT_EQ(order.error().code, Code::kCancelled);
}

}  // namespace
}  // namespace stowage
