// Who suffers most, and the move that would help.

#include <gtest/gtest.h>

#include "core/explain/explain.h"
#include "tests/unit/support/instance_builder.h"
#include "tests/unit/support/planning.h"

namespace stowage {
namespace {

/// Three nodes with memory for 3 replicas; kind 0 suffers three times the load of kind 1.
test::InstanceBuilder web_and_batch() {
  test::InstanceBuilder builder({"load", "memory"});
  builder.add_app("web", 1, {2, 1});
  builder.add_app("batch", 1, {4, 1});
  builder.add_app("small", 1, {1, 1});
  builder.add_app("other", 2, {3, 1});
  builder.add_class({100, 3}, 3);
  InstanceData& data = builder.data();
  data.kind = {0, 1, 1, 1};
  data.has_interference = true;
  data.interference = {{"web", "batch"}, 2, {1, 3, 0.5, 1}};
  return builder;
}

Plan plan_of(const Instance& instance, std::vector<Placed> placed, std::uint32_t nodes) {
  Plan plan;
  plan.instance = instance.fingerprint();
  for (std::uint32_t n = 0; n < nodes; ++n) plan.nodes.push_back({0, kNone});
  plan.placed = std::move(placed);
  return plan;
}

TEST(ExplainSufferingTest, NamesTheWorstOffTheKindAndTheBestMove) {
  const Instance instance = web_and_batch().must_build();
  // Node 0: web suffers 2 + 3 x (4 + 1) = 17. Node 1 holds 3 + 3 of kind 1: 6.
  const Plan plan = plan_of(instance, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 1, 2}}, 2);
  auto explanation = explain_plan(instance, plan, kNone, nullptr);
  ASSERT_TRUE(explanation.ok());
  ASSERT_TRUE(explanation->suffering.has_value());
  const WorstOff& suffering = *explanation->suffering;
  EXPECT_EQ(suffering.node, 0u);
  EXPECT_EQ(suffering.app, 0u);
  EXPECT_DOUBLE_EQ(suffering.cost, 17);
  EXPECT_EQ(suffering.from_kind, (std::vector<double>{2, 15}));
  // Without batch, web suffers 5, and node 1 then costs 10 each. Moving web instead leaves 5, and web would suffer 20.
  EXPECT_EQ(suffering.moving, 1u);
  EXPECT_EQ(suffering.to, 1u);
  EXPECT_DOUBLE_EQ(suffering.cost_after, 5);
  EXPECT_DOUBLE_EQ(suffering.cost_there, 10);
}

TEST(ExplainSufferingTest, AMoveNeedsRoom) {
  test::InstanceBuilder builder = web_and_batch();
  builder.data().replicas[3] = 3;  // node 1 is full
  const Instance instance = builder.must_build();
  const Plan plan = plan_of(instance, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 1, 3}}, 2);
  auto explanation = explain_plan(instance, plan, kNone, nullptr);
  ASSERT_TRUE(explanation.ok());
  EXPECT_EQ(explanation->suffering->moving, kNone);
}

TEST(ExplainSufferingTest, ThereIsNothingToSayWithoutATable) {
  const Instance instance = test::with_demands({3, 4}).must_build();
  const Plan plan = test::plan_by(instance, "ff");
  EXPECT_FALSE(explain_plan(instance, plan, kNone, nullptr)->suffering.has_value());
}

}  // namespace
}  // namespace stowage
