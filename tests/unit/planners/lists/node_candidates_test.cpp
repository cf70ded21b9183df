// Node candidates on cases small enough to follow by hand, and against counting anew.

#include "core/planners/families.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/measures/order.h"
#include "core/placement/placement.h"
#include "core/planners/planner.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/random.h"

namespace stowage {
namespace {

// Once a is on the first node, b has one candidate, c none, since a keeps it away: c comes before b.
TEST(NodeCandidatesTest, TakesTheAppWithTheFewestNodesFirst) {
  test::InstanceBuilder builder({"cpu"});
  const AppId a = builder.add_app("a", 1, {2});
  builder.add_app("b", 1, {9});
  const AppId c = builder.add_app("c", 1, {5});
  builder.limit(a, c, 0);
  builder.add_class({10});
  const Instance instance = builder.must_build();
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, "ff")), "a:1 | b:1 | c:1");
  EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, "medea-nc")), "a:1 | c:1 | b:1");
}

// Five a are more than b bears beside it, two are not.
TEST(NodeCandidatesTest, LimitsInTheOtherDirectionCountToo) {
  for (const std::uint32_t replicas : {5u, 2u}) {
    test::InstanceBuilder builder({"cpu"});
    const AppId a = builder.add_app("a", replicas, {1});
    builder.add_app("c", 1, {9});
    const AppId b = builder.add_app("b", 1, {9});
    builder.limit(b, a, 2);
    builder.add_class({10});
    const Instance instance = builder.must_build();
    const std::string expected = replicas == 5 ? "a:5 | b:1 | c:1" : "a:2 | c:1 | b:1";
    EXPECT_EQ(test::who_sits_where(instance, test::plan_by(instance, "medea-nc")), expected);
  }
}

// Counts every candidate anew before every app.
template <class Unit>
Plan by_the_word(const Instance& instance) {
  const Request request;
  Placement<Unit> placement(instance, request);
  typename Placement<Unit>::Candidate candidate(placement);
  const std::vector<ClassId> classes = class_order(instance);
  std::vector<std::uint8_t> waiting(instance.apps(), 1);
  while (true) {
    AppId best = kNone;
    std::uint32_t fewest = 0;
    for (AppId app = 0; app < instance.apps(); ++app) {
      if (waiting[app] == 0 || placement.unplaced(app) == 0) continue;
      std::uint32_t count = 0;
      for (NodeId node = 0; node < placement.nodes(); ++node) {
        const bool closed = node < instance.data().closed.size() && instance.data().closed[node] != 0;
        if (!closed && placement.allowed(app, node, 1) > 0) ++count;
      }
      const bool first = best == kNone || instance.priority(app) > instance.priority(best);
      if (first || (instance.priority(app) == instance.priority(best) && count < fewest)) {
        best = app;
        fewest = count;
      }
    }
    if (best == kNone) break;
    waiting[best] = 0;
    candidate.start(placement, best);
    for (NodeId node = 0; node < placement.nodes(); ++node) {
      const std::uint32_t replicas = placement.headroom(candidate, node, placement.unplaced(best));
      if (replicas > 0) placement.place(best, node, replicas);
    }
    while (placement.unplaced(best) > 0) {
      const NodeId node = placement.open_for(candidate, classes);
      if (node == kNone) break;
      placement.place(best, node, placement.headroom(candidate, node, placement.unplaced(best)));
    }
  }
  Plan plan;
  placement.write(plan);
  return plan;
}

TEST(NodeCandidatesTest, AgreesWithCountingAnew) {
  test::Random random(23);
  for (int round = 0; round < 80; ++round) {
    test::InstanceBuilder builder({"cpu", "memory"});
    const std::uint32_t apps = 5 + random.below(20);
    for (std::uint32_t i = 0; i < apps; ++i) {
      builder.add_app("app-" + std::to_string(i), 2 + random.below(5), {1.0 + random.below(6), 1.0 + random.below(6)});
      if (round % 4 == 1) builder.priority(i, static_cast<std::int32_t>(random.below(3)));
      if (random.chance(0.2)) builder.limit(i, i, 1 + random.below(3));
    }
    for (AppId i = 0; i < apps; ++i) {
      for (AppId j = 0; j < apps; ++j) {
        if (i != j && random.chance(0.15)) builder.limit(i, j, random.below(4));
      }
    }
    builder.add_class({10, 12}, round % 5 == 3 ? 6 : 0);
    builder.add_class({8, 8});
    if (round % 3 == 2) {
      builder.add_node(0);
      builder.add_node(1, {2, 1});
      builder.close(builder.add_node(1));
      builder.running(0, 0, 1).running(1, 0, 1).running(2, 1, 1).running(3, 2, 1);
    }
    const Instance instance = builder.must_build();
    const Plan plan = test::plan_by(instance, "medea-nc");
    const Plan expected = instance.visit_unit([&](auto unit) { return by_the_word<decltype(unit)>(instance); });
    ASSERT_EQ(test::who_sits_where(instance, plan), test::who_sits_where(instance, expected)) << "round " << round;
    ASSERT_EQ(test::left_over(instance, plan), test::left_over(instance, expected)) << "round " << round;
  }
}

}  // namespace
}  // namespace stowage
