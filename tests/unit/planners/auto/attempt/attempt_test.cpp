#include "core/planners/auto/attempt/attempt.h"

#include <gtest/gtest.h>

#include "core/run/run.h"
#include "core/verify/checker.h"
#include "tests/unit/support/plan_text.h"
#include "tests/unit/support/planning.h"
#include "tests/unit/support/search_setup.h"
#include "tests/unit/support/tagged_builder.h"

namespace stowage {
namespace {

/// Two replicas of web and one of db run on the first node, one of db on the second; log waits.
test::InstanceBuilder two_of_three_run() {
  test::InstanceBuilder builder({"cpu"});
  const AppId web = builder.add_app("web", 2, {3});
  const AppId db = builder.add_app("db", 2, {2});
  builder.add_app("log", 1, {4});
  const ClassId machine = builder.add_class({10});
  const NodeId first = builder.add_node(machine);
  const NodeId second = builder.add_node(machine);
  builder.running(web, first, 2).running(db, first, 1).running(db, second, 1);
  return builder;
}

TEST(LoadPlan, EndsWithItsWatch) {
  test::SearchSetup setup(two_of_three_run(), Request{});
  Plan plan;
  plan.nodes = {{.node_class = 0, .listed = 1}};
  plan.placed = {{0, 0, 2}};
  Watch watch(nullptr, Watch::Time::now());
  watch.look();
  EXPECT_FALSE(load_plan(plan, setup.placement, setup.state, watch));
}

// What the plan moved is on its new node and no longer on the old one.
TEST(LoadPlan, AMovedReplicaIsPlacedOnce) {
  Request request;
  request.move_budget = 3;
  test::SearchSetup setup(two_of_three_run(), request);
  Plan plan;
  plan.nodes = {{.node_class = 0, .listed = 1}, {.node_class = 0, .listed = kNone}};
  plan.placed = {{0, 0, 2}, {1, 0, 2}, {2, 1, 1}};
  load_plan(plan, setup.placement, setup.state);
  EXPECT_EQ(setup.on(0), "");
  EXPECT_EQ(setup.on(1), "web:2 db:2");
  EXPECT_EQ(setup.on(2), "log:1");
  Plan written;
  setup.placement.write(written);
  written.instance = setup.instance.fingerprint();
  written.moves = 3;
  written.status = PlanStatus::kDeadline;
  EXPECT_TRUE(check_plan(setup.instance, written).ok);
  EXPECT_EQ(test::who_sits_where(setup.instance, written), test::who_sits_where(setup.instance, plan));
}

/// An attempt at replicas that a rule with a choice is about, each on a node of its own.
struct ChoiceOfMany {
  explicit ChoiceOfMany(std::uint32_t replicas)
      : instance(of(replicas)),
        request(test::request_for("auto")),
        run(request, &control),
        bounds(instance, request),
        info(*find_planner("auto")),
        input{instance, request, info, Options(info.options, request), run, bounds},
        tied(instance),
        attempt(input, 0, tied, {0}) {
    attempt.state.collect_pool();
  }
  static Instance of(std::uint32_t replicas) {
    test::TaggedBuilder builder;
    builder.app("web", replicas, {"web"}, {1});
    builder.add_class({1});
    builder.hard({{builder.replicas({"web"}, {"web"}, 0, 0)}, {builder.replicas({"web"}, {"web"}, 1, 5)}});
    return builder.must_build();
  }

  const Instance instance;
  const Request request;
  Control control;
  Run run;
  LazyBounds bounds;
  const PlannerInfo& info;
  PlannerInput input;
  TiedApps tied;
  Attempt<std::int16_t> attempt;
};

// Each question about the rule takes as many steps as there are replicas placed: 4000 of them take a second.
TEST(PlaceRest, LongQuestionsAfterTheEndAreFew) {
  constexpr std::uint32_t kReplicas = 4000;
  ChoiceOfMany many(kReplicas);
  ASSERT_TRUE(many.attempt.place_rest(many.run, true));
  EXPECT_GT(many.attempt.placement.unplaced(0), kReplicas / 2);
  EXPECT_LT(many.attempt.placement.unplaced(0), kReplicas);
}

TEST(PlaceRest, LongQuestionsAreFollowedByALookAtTheClock) {
  constexpr std::uint32_t kReplicas = 1000;
  ChoiceOfMany many(kReplicas);
  ASSERT_FALSE(many.run.clock.step(1));  // the next 255 units do not look
  many.control.cancelled = true;
  many.attempt.place_rest(many.run);
  EXPECT_EQ(many.run.clock.stop(), Stop::kCancelled);
  EXPECT_LT(many.run.clock.work(), 200u);
}

TEST(PlaceRest, EmptyNodesAreSetAsideUntilTheWatchEnds) {
  ChoiceOfMany few(3);
  const std::size_t empty = few.attempt.state.nodes().size();
  ASSERT_GT(empty, 0u);
  Watch watch(nullptr, Watch::Time::now());
  watch.look();
  EXPECT_FALSE(few.attempt.place_rest(few.run, false, watch));
  EXPECT_EQ(few.attempt.state.nodes().size(), empty);
}

}  // namespace
}  // namespace stowage
