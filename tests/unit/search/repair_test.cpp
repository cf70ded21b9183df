#include "core/search/repair.h"

#include <gtest/gtest.h>

#include "core/planners/planner.h"
#include "core/verify/checker.h"
#include "tests/unit/support/search_setup.h"

namespace stowage {
namespace {

using test::InstanceBuilder;
using test::SearchSetup;

Request with_moves(std::uint32_t budget) {
  Request request;
  request.planner = "auto";
  request.move_budget = budget;
  request.work_limit = 1'000'000;
  return request;
}

// Node 0 of 10 holds 6 + 5; node 1 breaks a limit; node 2 is empty.
InstanceBuilder broken_cluster() {
  InstanceBuilder builder;
  const AppId large = builder.add_app("large", 1, {6});
  const AppId middle = builder.add_app("middle", 1, {5});
  const AppId loud = builder.add_app("loud", 1, {1});
  const AppId shy = builder.add_app("shy", 2, {1});
  builder.limit(loud, shy, 0);
  const ClassId node = builder.add_class({10}, 3);
  for (int k = 0; k < 3; ++k) builder.add_node(node);
  builder.running(large, 0, 1).running(middle, 0, 1).running(loud, 1, 1).running(shy, 1, 2);
  return builder;
}

TEST(RepairTest, CountsWhatIsBroken) {
  SearchSetup setup(broken_cluster(), with_moves(9));
  EXPECT_EQ(Repair(setup.state).broken(), 2u);
}

TEST(RepairTest, SendsAwayAsLittleAsMends) {
  SearchSetup setup(broken_cluster(), with_moves(9));
  Repair repair(setup.state);
  WorkClock clock(setup.request, nullptr);
  repair.run(clock);
  EXPECT_EQ(repair.broken(), 0u);
  EXPECT_EQ(setup.placement.contents().at(0).size(), 1u) << "one of the two";
  EXPECT_EQ(setup.on(1), "shy:2") << "one move, not two";
  EXPECT_EQ(setup.state.moves_left(), 7u);
}

TEST(RepairTest, StaysWithinTheBudget) {
  SearchSetup setup(broken_cluster(), with_moves(1));
  Repair repair(setup.state);
  WorkClock clock(setup.request, nullptr);
  repair.run(clock);
  EXPECT_EQ(repair.broken(), 1u);
  EXPECT_EQ(setup.state.moves_left(), 0u);
}

TEST(RepairTest, PinsStandInTheWay) {
  InstanceBuilder builder = broken_cluster();
  builder.pin(0, 0, 1).pin(1, 0, 1);
  SearchSetup setup(builder, with_moves(9));
  Repair repair(setup.state);
  WorkClock clock(setup.request, nullptr);
  repair.run(clock);
  EXPECT_EQ(repair.broken(), 1u) << "the limit is mended, the overload is pinned";
  EXPECT_EQ(setup.on(0), "large:1 middle:1");
}

TEST(RepairTest, ACrowdIsMendedInFewChoices) {
  InstanceBuilder builder({"cpu", "memory"});
  const AppId crowd = builder.add_app("crowd", 1'200, {2, 1});
  const AppId others = builder.add_app("others", 900, {1, 2});
  builder.add_node(builder.add_class({2'000, 2'000}, 1));
  builder.running(crowd, 0, 1'200).running(others, 0, 900);
  SearchSetup setup(builder, with_moves(2'000));
  Repair repair(setup.state);
  WorkClock clock(setup.request, nullptr);
  repair.run(clock);
  EXPECT_EQ(repair.broken(), 0u);
  EXPECT_LE(clock.work(), 50u);
  EXPECT_LE(2'000 - setup.state.moves_left(), 1'300u) << "no more than twice what one by one would leave";
}

TEST(RepairTest, AutoMendsWithinItsBudget) {
  const Instance instance = broken_cluster().must_build();
  for (const std::uint32_t budget : {0u, 1u, 2u, 5u}) {
    auto plan = run_planner(instance, with_moves(budget), nullptr);
    ASSERT_TRUE(plan.ok());
    EXPECT_TRUE(plan->unplaced.empty());
    const Verification checked = check_plan(instance, *plan);
    EXPECT_TRUE(checked.ok);
    EXPECT_EQ(checked.inherited_count, budget >= 2 ? 0u : 2u - budget) << budget;
    EXPECT_LE(checked.moves, budget);
  }
}

}  // namespace
}  // namespace stowage
